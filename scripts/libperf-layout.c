// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the layout of libperf's structures.  scripts/libperf compiles it with
 * the headers that libperf itself was compiled with and with those that it
 * installs, and compares: a difference would corrupt memory silently.
 */
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <internal/cpumap.h>
#include <internal/evlist.h>
#include <internal/evsel.h>
#include <internal/mmap.h>
#include <internal/threadmap.h>
#include <internal/xyarray.h>
#include <perf/event.h>

#define SIZE(type) printf(#type ": %zu\n", sizeof(type))
#define OFFSET(type, member) \
	printf(#type ".%s: %zu\n", #member, offsetof(type, member))

int main(void)
{
	SIZE(struct perf_event_attr);
	SIZE(struct perf_sample_id);
	SIZE(struct perf_evlist);
	OFFSET(struct perf_evlist, all_cpus);
	OFFSET(struct perf_evlist, pollfd);
	OFFSET(struct perf_evlist, heads);
	OFFSET(struct perf_evlist, mmap_ovw_first);
	SIZE(struct perf_evsel);
	OFFSET(struct perf_evsel, attr);
	OFFSET(struct perf_evsel, fd);
	OFFSET(struct perf_evsel, sample_id);
	OFFSET(struct perf_evsel, ids);
	OFFSET(struct perf_evsel, idx);
	SIZE(struct perf_mmap);
	OFFSET(struct perf_mmap, cpu);
	OFFSET(struct perf_mmap, prev);
	OFFSET(struct perf_mmap, next);
	SIZE(struct perf_cpu_map);
	OFFSET(struct perf_cpu_map, map);
	SIZE(struct perf_thread_map);
	SIZE(struct xyarray);
	OFFSET(struct xyarray, contents);
	SIZE(union perf_event);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of a perf.data that tell about the computer.
 */
#include "config.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "analyze/record-private.h"

#define STRING_ALIGN 64
#define CPU_PATH     "/sys/devices/system/cpu"
#define MAX_CPUS     65536

void record_feature_string(struct record_buffer *b, const char *text)
{
	size_t size = strlen(text) + 1;

	record_buffer_u32(b, (uint32_t)((size + STRING_ALIGN - 1) &
					~(size_t)(STRING_ALIGN - 1)));
	record_buffer_string(b, text, STRING_ALIGN);
}

void record_feature_hostname(struct record_buffer *b)
{
	struct utsname u;

	if (!uname(&u))
		record_feature_string(b, u.nodename);
}

void record_feature_osrelease(struct record_buffer *b)
{
	struct utsname u;

	if (!uname(&u))
		record_feature_string(b, u.release);
}

void record_feature_version(struct record_buffer *b)
{
	record_feature_string(b, PACKAGE_NAME " " PACKAGE_VERSION);
}

void record_feature_arch(struct record_buffer *b)
{
	struct utsname u;

	if (!uname(&u))
		record_feature_string(b, u.machine);
}

/* How many CPUs there can be numbers for, from "0-3" or "0,2-7". */
static unsigned int present_cpus(void)
{
	char text[4096];
	unsigned long last = 0;
	long online;
	char *c;

	if (record_read_text(CPU_PATH "/present", text, sizeof(text)) < 0) {
		online = sysconf(_SC_NPROCESSORS_CONF);
		return online > 0 ? (unsigned int)online : 1;
	}
	c = text + strlen(text);
	while (c > text && c[-1] >= '0' && c[-1] <= '9')
		c--;
	last = strtoul(c, NULL, 10);
	return last < MAX_CPUS ? (unsigned int)last + 1 : MAX_CPUS;
}

void record_feature_nrcpus(struct record_buffer *b)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	record_buffer_u32(b, present_cpus());
	record_buffer_u32(b, online > 0 ? (uint32_t)online : 1);
}

/*
 * The value of a "name : value" line that starts a file's first kilobytes.
 * Returns false where there is none.
 */
static bool info_value(const char *path, const char *name, char *value,
		       size_t size)
{
	size_t length = strlen(name);
	char line[1024];
	bool found = false;
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		char *v = line + length;

		if (strncmp(line, name, length))
			continue;
		v += strspn(v, " \t");
		if (*v != ':')
			continue;
		v += 1 + strspn(v + 1, " \t");
		v[strcspn(v, "\n")] = 0;
		snprintf(value, size, "%s", v);
		found = *value;
	}
	fclose(f);
	return found;
}

void record_feature_cpudesc(struct record_buffer *b)
{
	static const char *const names[] = { "model name", "cpu", "Processor",
					     "uarch" };
	char value[256];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (info_value("/proc/cpuinfo", names[i], value,
			       sizeof(value))) {
			record_feature_string(b, value);
			return;
		}
	}
}

void record_feature_cpuid(struct record_buffer *b)
{
	static const char *const names[] = { "vendor_id", "cpu family", "model",
					     "stepping" };
	char value[64], text[sizeof(value) * 4 + 4];
	size_t used = 0, i;

	if (record_read_text(CPU_PATH "/cpu0/regs/identification/midr_el1",
			     value, sizeof(value)) > 0) {
		record_feature_string(b, value);
		return;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!info_value("/proc/cpuinfo", names[i], value,
				sizeof(value)))
			return;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", i ? "," : "", value);
	}
	record_feature_string(b, text);
}

void record_feature_total_mem(struct record_buffer *b)
{
	char value[64];

	if (info_value("/proc/meminfo", "MemTotal", value, sizeof(value)))
		record_buffer_u64(b, strtoull(value, NULL, 10)); /* KiB */
}

/* A file of a CPU's topology, under its name of today or its former one. */
static bool topology_text(unsigned int cpu, const char *name,
			  const char *former, char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), CPU_PATH "/cpu%u/topology/%s", cpu, name);
	if (record_read_text(path, text, size) > 0)
		return true;
	if (!former)
		return false;
	snprintf(path, sizeof(path), CPU_PATH "/cpu%u/topology/%s", cpu,
		 former);
	return record_read_text(path, text, size) > 0;
}

/* Each distinct list of CPUs once: each package, or each core. */
static void topology_lists(struct record_buffer *b, unsigned int nr_cpus,
			   const char *name, const char *former)
{
	size_t start = b->size;
	uint32_t nr = 0;
	unsigned int cpu;
	char text[1024];

	record_buffer_u32(b, 0);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		if (!topology_text(cpu, name, former, text, sizeof(text)))
			continue;
		/* A list is written at the first of its CPUs. */
		if (strtoul(text, NULL, 10) != cpu)
			continue;
		record_feature_string(b, text);
		nr++;
	}
	if (!b->failed)
		memcpy(b->data + start, &nr, sizeof(nr));
}

void record_feature_topology(struct record_buffer *b)
{
	static const char *const ids[] = { "core_id", "physical_package_id" };
	unsigned int nr_cpus = present_cpus();
	unsigned int cpu;
	char text[64];
	size_t i;

	if (!topology_text(0, "core_cpus_list", "thread_siblings_list", text,
			   sizeof(text)))
		return;
	topology_lists(b, nr_cpus, "package_cpus_list", "core_siblings_list");
	topology_lists(b, nr_cpus, "core_cpus_list", "thread_siblings_list");
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		for (i = 0; i < 2; i++) {
			bool known = topology_text(cpu, ids[i], NULL, text,
						   sizeof(text));

			record_buffer_u32(
				b, known ? (uint32_t)strtol(text, NULL, 10) :
					   UINT32_MAX);
		}
	}
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

void record_feature_clockid(struct record_buffer *b)
{
	struct timespec t = { 0, 1 };

	clock_getres(CLOCK_MONOTONIC, &t);
	record_buffer_u64(b, (uint64_t)t.tv_sec * 1000000000ULL +
				     (uint64_t)t.tv_nsec);
}

void record_feature_clock_data(struct record_buffer *b)
{
	record_buffer_u32(b, 1); /* version */
	record_buffer_u32(b, CLOCK_MONOTONIC);
	record_buffer_u64(b, clock_ns(CLOCK_REALTIME));
	record_buffer_u64(b, clock_ns(CLOCK_MONOTONIC));
}

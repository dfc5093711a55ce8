// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events are recorded, and opening them.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <internal/evsel.h>
#include <internal/xyarray.h>
#include <perf/cpumap.h>
#include <perf/threadmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "analyze/record-private.h"

enum record_event_flags {
	EVENT_CHAIN = 1, /* with call chains */
	EVENT_OPTIONAL = 2, /* older kernels don't have it */
	EVENT_WAKERS = 4, /* only when wakers are asked for */
	EVENT_SHORT = 8, /* call chains no longer than SHORT_CHAIN */
};

/*
 * "perf lock contention" finds the begin of an end by the first 8 frames of
 * both.  Nobody needs more of an end.
 */
#define SHORT_CHAIN 8

#define MAX_WATERMARK (1U << 20)

/*
 * The two filters of sched_switch complement each other: together they are
 * every switch.
 */
static const struct record_event tracepoints[] = {
	{ "sched", "sched_switch", "prev_state != 0", EVENT_CHAIN },
	{ "sched", "sched_switch", "prev_state == 0", 0 },
	{ "lock", "contention_begin", NULL, EVENT_CHAIN | EVENT_OPTIONAL },
	{ "lock", "contention_end", NULL,
	  EVENT_CHAIN | EVENT_OPTIONAL | EVENT_SHORT },
	{ "sched", "sched_waking", NULL, EVENT_CHAIN | EVENT_WAKERS },
};

#define NR_TRACEPOINTS (sizeof(tracepoints) / sizeof(tracepoints[0]))

/* Forks, execs, exits, names and mappings come with this one. */
static const struct record_event dummy = { NULL, "dummy:HG", NULL, 0 };

/* What older kernels don't know, the newest first. */
enum record_extra {
	EXTRA_LOST, /* 6.0 */
	EXTRA_BUILD_ID, /* 5.12 */
	EXTRA_KSYMBOL, /* 5.1 */
	NR_EXTRAS,
};

/* One attempt to open everything. */
struct attempt {
	unsigned int without; /* the first so many extras are left out */
	bool raised_limit;
	int missed; /* threads ended while they were opened */
	int ids[NR_TRACEPOINTS];
};

static void add_event(struct recording *rec, const struct record_event *event)
{
	snprintf(rec->event_name[rec->nr_events], sizeof(rec->event_name[0]),
		 "%s%s%s", event->system ? event->system : "",
		 event->system ? ":" : "", event->name);
	rec->event[rec->nr_events++] = event;
}

static int find_tracepoints(struct recording *rec, struct attempt *attempt,
			    struct error *err)
{
	size_t i;
	int id;

	for (i = 0; i < NR_TRACEPOINTS; i++) {
		const struct record_event *e = &tracepoints[i];

		if ((e->flags & EVENT_WAKERS) && !rec->options.wakers)
			continue;
		id = record_tracepoint_id(rec, e, err);
		if (id < 0)
			return -1;
		if (!id && (e->flags & EVENT_OPTIONAL))
			continue;
		if (!id)
			return error_set(err, EXIT_IMPOSSIBLE,
					 "record: this kernel has no tracepoint"
					 " %s:%s; it needs CONFIG_TRACEPOINTS"
					 " and CONFIG_EVENT_TRACING",
					 e->system, e->name);
		attempt->ids[rec->nr_events] = id;
		add_event(rec, e);
	}
	add_event(rec, &dummy);
	return 0;
}

/*
 * Early enough that most of a buffer is free while the recorder gets to run,
 * late enough that it runs seldom.
 */
static uint32_t wakeup_watermark(unsigned long buffer_size)
{
	return buffer_size / 4 < MAX_WATERMARK ? (uint32_t)(buffer_size / 4) :
						 MAX_WATERMARK;
}

static void fill_attr(const struct recording *rec, size_t i,
		      const struct attempt *attempt,
		      struct perf_event_attr *attr)
{
	const struct record_event *event = rec->event[i];

	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT,
		.size = RECORD_ATTR_SIZE,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU,
		.read_format = PERF_FORMAT_ID,
		.disabled = 1,
		.inherit = rec->options.pid != 0,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = wakeup_watermark(rec->stats.buffer_size),
	};
	if (rec->options.cgroups)
		attr->sample_type |= PERF_SAMPLE_CGROUP;
	if (attempt->without <= EXTRA_LOST)
		attr->read_format |= PERF_FORMAT_LOST;
	if (event->flags & EVENT_CHAIN) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->exclude_callchain_user = rec->options.no_user_chains;
		if (event->flags & EVENT_SHORT)
			attr->sample_max_stack = SHORT_CHAIN;
	}
	if (event != &dummy) {
		attr->config = (uint64_t)attempt->ids[i];
		attr->sample_type |= PERF_SAMPLE_RAW;
		return;
	}
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->disabled = 0; /* follows tasks while existing ones are listed */
	attr->mmap = attr->mmap2 = 1;
	attr->comm = attr->comm_exec = attr->task = 1;
	/* The only way to see when a task of ours gets the CPU back. */
	attr->context_switch = rec->options.pid != 0;
	attr->build_id = attempt->without <= EXTRA_BUILD_ID;
	attr->ksymbol = attempt->without <= EXTRA_KSYMBOL;
	attr->cgroup = rec->options.cgroups;
}

/* The threads of one process, or a map that stands for all. */
static struct perf_thread_map *thread_map(pid_t pid)
{
	struct perf_thread_map *map = NULL;
	char path[64];
	pid_t *tids = NULL;
	int nr = 0, room = 0;
	struct dirent *entry;
	DIR *dir;

	if (!pid)
		return perf_thread_map__new_dummy();
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return NULL;
	while ((entry = readdir(dir))) {
		int tid = record_read_id(entry->d_name);

		if (tid <= 0)
			continue;
		if (nr == room) {
			pid_t *more;

			room = room ? room * 2 : 16;
			more = realloc(tids, (size_t)room * sizeof(*tids));
			if (!more)
				goto out;
			tids = more;
		}
		tids[nr++] = tid;
	}
	if (nr)
		map = perf_thread_map__new_array(nr, tids);
out:
	free(tids);
	closedir(dir);
	return map;
}

static int build_evlist(struct recording *rec, const struct attempt *attempt,
			struct error *err)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new(NULL); /* online ones */
	struct perf_thread_map *threads = thread_map(rec->options.pid);
	struct perf_event_attr attr;
	int failed = 0;
	size_t i;

	rec->evlist = perf_evlist__new();
	if (!cpus || !rec->evlist) {
		failed = error_set(err, EXIT_USAGE, "record: out of memory");
		goto out;
	}
	if (!threads) {
		failed = record_refused(rec, ESRCH, err);
		goto out;
	}
	for (i = 0; i < rec->nr_events; i++) {
		fill_attr(rec, i, attempt, &attr);
		rec->evsel[i] = perf_evsel__new(&attr);
		if (!rec->evsel[i]) {
			failed = error_set(err, EXIT_USAGE,
					   "record: out of memory");
			goto out;
		}
		perf_evlist__add(rec->evlist, rec->evsel[i]);
	}
	perf_evlist__set_maps(rec->evlist, cpus, threads);
	rec->nr_cpus = (unsigned int)perf_cpu_map__nr(cpus);
	rec->nr_threads = perf_thread_map__nr(threads);
out:
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	return failed;
}

int record_event_fd(const struct recording *rec, size_t event,
		    unsigned int cpu_index, int thread)
{
	const int *fd = xyarray__entry(rec->evsel[event]->fd, cpu_index,
				       (size_t)thread);

	return fd ? *fd : -1;
}

uint64_t record_event_id(const struct recording *rec, size_t event,
			 unsigned int cpu_index, int thread)
{
	const struct perf_sample_id *id = xyarray__entry(
		rec->evsel[event]->sample_id, cpu_index, (size_t)thread);

	return id ? id->id : 0;
}

static int set_filters(struct recording *rec, struct error *err)
{
	unsigned int cpu;
	int thread;
	size_t i;

	for (i = 0; i < rec->nr_events; i++) {
		const char *filter = rec->event[i]->filter;

		for (cpu = 0; filter && cpu < rec->nr_cpus; cpu++)
			for (thread = 0; thread < rec->nr_threads; thread++)
				if (ioctl(record_event_fd(rec, i, cpu, thread),
					  PERF_EVENT_IOC_SET_FILTER, filter))
					return error_errno(
						err, EXIT_IMPOSSIBLE,
						"record: the kernel refuses"
						" the filter '%s' of %s",
						filter, rec->event_name[i]);
	}
	return 0;
}

/* Up to the hard limit, which needs no privilege. */
static bool raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * After perf_event_open() failed: change what can be changed.  Returns
 * whether another try makes sense.
 */
static bool adapt(const struct recording *rec, struct attempt *attempt,
		  int number)
{
	if ((number == EINVAL || number == E2BIG) &&
	    attempt->without < NR_EXTRAS) {
		attempt->without++;
		return true;
	}
	if (number == EMFILE && !attempt->raised_limit) {
		attempt->raised_limit = true;
		return raise_file_limit();
	}
	return number == ESRCH && rec->options.pid && attempt->missed++ < 8;
}

/* Returns 1 where it should be tried again with what was changed. */
static int try_open(struct recording *rec, struct attempt *attempt,
		    struct error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int number;

	if (build_evlist(rec, attempt, err))
		return -1;
	number = -perf_evlist__open(rec->evlist);
	if (number)
		return adapt(rec, attempt, number) ?
			       1 :
			       record_refused(rec, number, err);
	if (set_filters(rec, err))
		return -1;
	if (!perf_evlist__mmap(rec->evlist,
			       (int)(rec->stats.buffer_size / page)))
		return 0;
	number = errno;
	if ((number != EPERM && number != ENOMEM) ||
	    rec->stats.buffer_size <= page) {
		errno = number;
		return error_errno(err, EXIT_USAGE,
				   "record: no ring buffers of %lu bytes; raise"
				   " ulimit -l or kernel.perf_event_mlock_kb",
				   rec->stats.buffer_size);
	}
	rec->stats.buffer_size /= 2;
	return 1;
}

void record_events_close(struct recording *rec)
{
	struct perf_evsel *evsel;

	if (!rec->evlist)
		return;
	/* libperf leaves these to whoever had them made. */
	perf_evlist__for_each_evsel(rec->evlist, evsel) {
		/* A shared libperf does not export perf_evsel__free_id(). */
		free(evsel->sample_id);
		free(evsel->id);
		evsel->sample_id = NULL;
		evsel->id = NULL;
		evsel->ids = 0;
		perf_cpu_map__put(evsel->cpus);
		perf_thread_map__put(evsel->threads);
		evsel->cpus = NULL;
		evsel->threads = NULL;
	}
	perf_evlist__delete(rec->evlist);
	rec->evlist = NULL;
}

int record_events_open(struct recording *rec, struct error *err)
{
	struct attempt attempt = { 0 };
	int result;

	if (find_tracepoints(rec, &attempt, err))
		return -1;
	for (;;) {
		result = try_open(rec, &attempt, err);
		if (result <= 0)
			break;
		record_events_close(rec);
	}
	rec->has_lost = attempt.without <= EXTRA_LOST;
	rec->has_build_id = attempt.without <= EXTRA_BUILD_ID;
	return result;
}

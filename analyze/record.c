// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording from beginning to end.
 */
#include "config.h"

#include <errno.h>
#include <perf/core.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/record-private.h"

#define MAX_BUFFER	     (1UL << 30)
#define DEFAULT_BUFFER_MOST  (16UL << 20)
#define DEFAULT_BUFFER_LEAST (1UL << 20)
#define DEFAULT_BUFFER_SUM   (256UL << 20) /* over all CPUs */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static int quiet(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static unsigned long default_buffer_size(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long size = DEFAULT_BUFFER_MOST;

	while (cpus > 0 && size > DEFAULT_BUFFER_LEAST &&
	       size * (unsigned long)cpus > DEFAULT_BUFFER_SUM)
		size /= 2;
	return size;
}

static int set_buffer_size(struct recording *rec, unsigned long wanted,
			   struct error *err)
{
	unsigned long size = (unsigned long)sysconf(_SC_PAGESIZE);

	if (wanted > MAX_BUFFER)
		return error_set(err, EXIT_USAGE,
				 "record: a ring buffer of %lu bytes is not"
				 " possible: at most %lu",
				 wanted, MAX_BUFFER);
	if (!wanted)
		wanted = default_buffer_size();
	while (size < wanted)
		size *= 2;
	rec->stats.buffer_size = size;
	rec->stats.buffer_wanted = size;
	return 0;
}

static void name_events(struct recording *rec)
{
	size_t i;

	rec->stats.nr_events = rec->nr_events - 1; /* without the dummy */
	rec->stats.nr_cpus = rec->nr_cpus;
	for (i = 0; i < rec->stats.nr_events; i++) {
		const char *filter = rec->event[i]->filter;

		rec->stats.event[i].name = rec->event_name[i];
		rec->stats.event[i].filter = filter ? filter : "";
	}
}

/* The kernel, its modules, and the tasks that exist. */
static int write_existing(struct recording *rec, struct error *err)
{
	struct record_buffer b = { 0 };
	struct iovec iov;
	int failed;

	record_synth_kernel(&b, &rec->stats.kernel_hidden);
	record_synth_tasks(&b, rec->options.pid, rec->has_build_id);
	if (rec->options.cgroups)
		record_synth_cgroups(&b);
	if (b.failed) {
		record_buffer_free(&b);
		return error_set(err, EXIT_USAGE, "record: out of memory");
	}
	iov = (struct iovec){ b.data, b.size };
	if (b.size)
		record_file_append(&rec->file, &iov, 1);
	failed = record_commit(rec, err);
	record_buffer_free(&b);
	return failed;
}

static int open_all(struct recording *rec, struct error *err)
{
	rec->tracefs = record_tracefs(err);
	if (!rec->tracefs || record_events_open(rec, err) ||
	    record_rings_open(rec, err))
		return -1;
	name_events(rec);
	if (record_file_open(&rec->file, rec->options.path, err) ||
	    record_header_write(rec, err) || write_existing(rec, err))
		return -1;
	/* They belong to the caller. */
	rec->options.argv = NULL;
	rec->options.path = NULL;
	return 0;
}

int record_open(const struct record_options *options, struct recording **out,
		struct error *err)
{
	struct recording *rec = calloc(1, sizeof(*rec));

	*out = NULL;
	if (!rec)
		return error_set(err, EXIT_USAGE, "record: out of memory");
	rec->options = *options;
	rec->file.fd = -1;
	libperf_init(quiet);
	if (set_buffer_size(rec, options->buffer_size, err) ||
	    open_all(rec, err)) {
		record_discard(rec);
		record_close(rec);
		return -1;
	}
	*out = rec;
	return 0;
}

int record_start(struct recording *rec, struct error *err)
{
	if (rec->stopped || rec->started)
		return error_set(err, EXIT_USAGE,
				 "record: a recording starts once");
	rec->start_ns = now_ns();
	perf_evlist__enable(rec->evlist);
	rec->started = true;
	return 0;
}

static void stop_sampling(struct recording *rec)
{
	if (rec->stopped || !rec->ring)
		return; /* or not even opened */
	perf_evlist__disable(rec->evlist);
	if (rec->started)
		rec->stats.elapsed_ns = now_ns() - rec->start_ns;
	rec->stopped = true;
}

/* A task that ended: wait for another thread's event on that ring. */
static void next_thread(struct recording *rec, unsigned int cpu)
{
	int thread = ++rec->ring[cpu].thread;

	if (thread < rec->nr_threads) {
		rec->pollfd[cpu].fd = record_event_fd(rec, 0, cpu, thread);
		return;
	}
	rec->pollfd[cpu].fd = -1;
	rec->stats.ended = true;
	for (cpu = 0; cpu < rec->nr_cpus; cpu++)
		if (rec->pollfd[cpu].fd >= 0)
			rec->stats.ended = false;
}

int record_poll(struct recording *rec, int extra_fd, int timeout_ms,
		struct error *err)
{
	struct pollfd *extra = &rec->pollfd[rec->nr_cpus];
	unsigned int cpu;
	int ready;

	*extra = (struct pollfd){ .fd = extra_fd, .events = POLLIN };
	ready = poll(rec->pollfd, rec->nr_cpus + 1, timeout_ms);
	if (ready < 0 && errno != EINTR)
		return error_errno(err, EXIT_USAGE, "record: poll");
	for (cpu = 0; ready > 0 && cpu < rec->nr_cpus; cpu++)
		if (rec->pollfd[cpu].revents & (POLLHUP | POLLERR | POLLNVAL))
			next_thread(rec, cpu);
	if (record_rings_drain(rec, err)) {
		stop_sampling(rec);
		return -1;
	}
	rec->stats.elapsed_ns = now_ns() - rec->start_ns;
	return ready > 0 && extra->revents ? 1 : 0;
}

/* What could be written stays; what could not is said. */
static int finish(struct recording *rec, struct error *err)
{
	int failed = 0;

	if (!rec->file.error)
		failed = record_rings_drain(rec, err) ||
			 record_rings_lost(rec, err);
	record_header_times(rec);
	if (record_file_close(&rec->file) && !failed) {
		errno = rec->file.error;
		failed = error_errno(err, EXIT_USAGE,
				     "record: can't complete %s",
				     record_file_name(&rec->file));
		rec->stats.incomplete = true;
	}
	rec->stats.bytes = record_file_bytes(&rec->file);
	return failed ? -1 : 0;
}

int record_stop(struct recording *rec, struct error *err)
{
	stop_sampling(rec);
	if (rec->file.fd < 0)
		return rec->stats.incomplete ?
			       error_set(err, EXIT_USAGE,
					 "record: %s is incomplete",
					 record_file_name(&rec->file)) :
			       0;
	return finish(rec, err);
}

void record_discard(struct recording *rec)
{
	stop_sampling(rec);
	record_file_remove(&rec->file);
}

const struct record_stats *record_stats(const struct recording *rec)
{
	return &rec->stats;
}

void record_close(struct recording *rec)
{
	struct error err = { 0 };

	if (!rec)
		return;
	if (rec->file.fd >= 0)
		record_stop(rec, &err);
	record_rings_free(rec);
	record_events_close(rec);
	record_file_free(&rec->file);
	free(rec->tracefs);
	free(rec);
}

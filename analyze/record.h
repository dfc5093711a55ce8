/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live recording of why tasks of this computer sleep, with libperf, into a
 * standard perf.data file.
 *
 * A recorder's life: record_open(), record_start(), record_poll() in a loop,
 * record_stop(), record_close().  A caller that starts its own workload forks
 * it first, lets it wait at a gate (a pipe), and opens the gate between
 * record_start() and the first record_poll().
 */
#ifndef RWSEMLAB_ANALYZE_RECORD_H
#define RWSEMLAB_ANALYZE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"

#define RECORD_DEFAULT_PATH "perf.data"
#define RECORD_MAX_EVENTS   8

/*
 * What to record.  RECORD_OPTIONS_DEFAULT is the whole system into perf.data.
 */
struct record_options {
	/*
	 * An existing file is renamed to PATH.old, as perf does.  "-" is
	 * standard output; there and into a FIFO the file has perf's pipe
	 * format.
	 */
	const char *path;
	/*
	 * 0: every task on every CPU that is online.  Else this process, its
	 * threads, and the tasks that they fork from record_open() on.
	 */
	pid_t pid;
	/*
	 * Ring buffer per CPU in bytes, rounded up to a power-of-two number
	 * of pages.  0 is 16 MiB, less where that came to more than 256 MiB
	 * on all CPUs, but not below 1 MiB: enough for a disk that stands
	 * still for a second.  Where RLIMIT_MEMLOCK and perf_event_mlock_kb
	 * do not allow it, half is tried, and so on; record_stats() has the
	 * result.
	 */
	unsigned long buffer_size;
	bool wakers; /* sched_waking with call chains, too */
	bool cgroups; /* each event's control group; 5.7 and later */
	bool no_user_chains; /* the kernel part of call chains only */
	/* The command line for the header; NULL: none.  Not kept. */
	char *const *argv;
	int argc;
};

#define RECORD_OPTIONS_DEFAULT               \
	{                                    \
		.path = RECORD_DEFAULT_PATH, \
	}

struct record_event_stats {
	const char *name; /* "sched:sched_switch" */
	const char *filter; /* the kernel's filter, "" for none */
	uint64_t samples; /* in the file */
	uint64_t lost; /* of this event; 0 before Linux 6.0, see counted */
	/*
	 * The kernel's own count, once stopped.  It exceeds samples + lost by
	 * those few that came while the kernel switched the event on or off:
	 * it counts them but makes no record.
	 */
	uint64_t counted;
};

struct record_stats {
	uint64_t samples; /* in the file, all events */
	uint64_t bytes; /* size of the file, once stopped; else so far */
	/*
	 * Records that did not fit into the ring buffers.  Exact after
	 * record_stop() where the kernel counts them per event (6.0 and
	 * later); before, and elsewhere, those that the kernel reported.
	 */
	uint64_t lost;
	uint64_t elapsed_ns; /* from record_start() to record_stop() or now */
	unsigned long buffer_size; /* per CPU, in bytes, as it came to be */
	unsigned long buffer_wanted; /* as asked for, or chosen for 0 */
	unsigned int nr_cpus;
	bool incomplete; /* the output could not take everything: disk full */
	bool ended; /* no recorded task is left: only with a pid */
	bool kernel_hidden; /* kptr_restrict: kernel frames without names */
	size_t nr_events;
	struct record_event_stats event[RECORD_MAX_EVENTS];
};

struct recording;

/**
 * record_open() - make ready to record
 * @options: what and where to; nothing of it is kept
 * @rec:     the recording; free it with record_close()
 * @err:     EXIT_IMPOSSIBLE with the fix when the kernel refuses (paranoid
 *           level, no tracefs, no such tracepoint, lockdown, container);
 *           EXIT_USAGE for the output file or for too small limits
 *
 * Opens the events, maps the ring buffers, creates the file and writes its
 * header and the tasks, mappings and modules that exist.  Nothing is sampled
 * yet, but forks, execs and mappings are already followed: go on to
 * record_start() soon.  The file is created last, so that a refused recording
 * leaves an existing one as it was.
 *
 * A recording is used by one thread at a time.
 *
 * Return: 0, or -1 with @err set and nothing left behind.
 */
int record_open(const struct record_options *options, struct recording **rec,
		struct error *err);

/**
 * record_start() - begin to sample
 *
 * Return: 0, or -1 with @err set.
 */
int record_start(struct recording *rec, struct error *err);

/**
 * record_poll() - wait for data, then move all there is into the file
 * @rec:        the recording
 * @extra_fd:   another descriptor to wait for (a signalfd, a pidfd, the end
 *              of a pipe), or -1
 * @timeout_ms: longest time to wait; the ring buffers are emptied then too.
 *              Up to a second is good: what lies in a ring buffer is lost
 *              when the recorder is killed.
 * @err:        what went wrong with the output: most often a full disk
 *
 * A signal ends the wait.  After an error sampling is off and the file holds
 * every whole record that it could take; record_stop() is still to be called.
 *
 * Return: 1 if @extra_fd is readable or hung up, 0 if not, -1 with @err set.
 */
int record_poll(struct recording *rec, int extra_fd, int timeout_ms,
		struct error *err);

/**
 * record_stop() - end sampling, empty the ring buffers, complete the file
 *
 * Safe to call again, and after an error of record_poll().
 *
 * Return: 0, or -1 with @err set: the file is then as complete as the disk
 * allowed, and readable.
 */
int record_stop(struct recording *rec, struct error *err);

/**
 * record_discard() - stop, and undo what record_open() did to the output
 *
 * Removes the file and gives an older one that was renamed its name back.
 * For a recording whose workload could not be started.
 */
void record_discard(struct recording *rec);

/**
 * record_stats() - how far the recording is
 *
 * Return: the numbers as of the last call of record_poll() or record_stop();
 * valid until record_close().
 */
const struct record_stats *record_stats(const struct recording *rec);

/**
 * record_close() - free everything; NULL is fine
 *
 * A recording that was not stopped is stopped first.
 */
void record_close(struct recording *rec);

#endif

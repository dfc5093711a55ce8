/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events in time order become counts: sleeps and their time off the CPU,
 * contended acquisitions and how often a task slept in each.
 */
#ifndef RWSEMLAB_ANALYZE_ACCOUNT_H
#define RWSEMLAB_ANALYZE_ACCOUNT_H

#include "analyze/profile.h"

struct account;

#define COMM_SIZE 16

struct switch_event {
	uint64_t time; /* ns */
	uint32_t cpu;
	uint32_t cgroup; /* of the task switched away from; profile_cgroup() */
	int32_t prev_tid, next_tid; /* 0: idle; -1: not known */
	enum task_state prev_state;
	uint32_t stack; /* of the task switched away from, 0 none recorded */
	const char *prev_comm, *next_comm; /* COMM_SIZE bytes, maybe without
					      a terminating zero */
};

struct contention_event {
	uint64_t time;
	uint32_t cpu;
	uint32_t cgroup; /* of the task; profile_cgroup() */
	int32_t tid;
	uint64_t lock; /* address */
	uint32_t flags; /* begin: contention_flags */
	int32_t ret; /* end: 0, or why it failed */
	uint32_t stack; /* begin */
};

struct wakeup_event {
	uint64_t time;
	uint32_t cpu;
	int32_t tid; /* who is woken */
	int32_t waker_tid;
	uint32_t stack; /* the waker's */
};

/**
 * account_new() - start counting the events of one file into @p
 *
 * Return: NULL when memory ran out.
 */
struct account *account_new(struct profile *p);

/*
 * Each takes the next event; times must not decrease (an older one is taken
 * at the time of the newest).  Out of memory shows in profile_failed().
 */
void account_switch(struct account *a, const struct switch_event *e);
void account_begin(struct account *a, const struct contention_event *e);
void account_end(struct account *a, const struct contention_event *e);
void account_wakeup(struct account *a, const struct wakeup_event *e);

/**
 * account_switch_in() - a task has a CPU again
 *
 * Recordings of single tasks see a switch only from the side of the task that
 * it leaves; this is the other side (PERF_RECORD_SWITCH).  It changes nothing
 * where account_switch() has told the same.
 */
void account_switch_in(struct account *a, uint64_t time, uint32_t cpu,
		       int32_t tid);

/**
 * account_fork() - a task begins; what an older one of that tid left is closed
 * account_lost() - events were lost about here: open waits can't be trusted
 */
void account_fork(struct account *a, uint64_t time, int32_t tid);
void account_lost(struct account *a, uint64_t time);

/**
 * account_finish() - close the window, count what is open, free @a
 */
void account_finish(struct account *a);

#endif

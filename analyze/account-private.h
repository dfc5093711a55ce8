/* SPDX-License-Identifier: GPL-2.0-only */
/* What account.c and its parts share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_ACCOUNT_PRIVATE_H
#define RWSEMLAB_ANALYZE_ACCOUNT_PRIVATE_H

#include "analyze/account.h"
#include "analyze/table.h"

#define MAX_OPEN 8 /* locks one task waits for at a time, nested */
#define MAX_CPUS 65536

struct acquisition {
	uint64_t lock;
	uint64_t begin;
	uint32_t stack;
	uint32_t flags;
	uint32_t sleeps;
	uint32_t epoch;
};

struct acct_task {
	UT_hash_handle hh;
	int64_t key;
	char comm[COMM_SIZE];
	uint32_t comm_string;
	uint32_t cpu; /* whose current it is, + 1 */
	uint32_t cgroup; /* as its newest event has it, 0 not recorded */
	uint32_t nr_open;
	bool out; /* off the CPU since out_time */
	bool slept; /* as a sleeper, not as a preempted task */
	uint32_t out_epoch;
	uint64_t out_time;
	uint64_t wake_time; /* 0: not woken, or not recorded */
	uint32_t last_sleep; /* stack of the newest sleep, 0 none yet */
	struct sleep_row *row; /* of the sleep that goes on */
	struct waker_row *waker; /* of the wake-up that ended it */
	struct acquisition open[MAX_OPEN];
};

struct acct_cpu {
	struct acct_task *current; /* NULL: not known */
	uint32_t epoch; /* current is right if no event was lost since */
};

struct account {
	struct profile *p;
	struct acct_task *tasks;
	struct acct_cpu *cpus;
	uint32_t nr_cpus;
	uint32_t epoch; /* changes when events were lost */
	uint64_t first, last;
	bool any;
};

/**
 * account_advance() - take an event's time
 *
 * Return: that time, or the newest before it: no interval is negative.
 */
uint64_t account_advance(struct account *a, uint64_t time);

/**
 * account_current() - the task of @tid that is on the CPU of an event
 *
 * Return: NULL for a tid that can't be, or when memory ran out.
 */
struct acct_task *account_current(struct account *a, int32_t tid, uint32_t cpu);

/**
 * account_group() - the group of a row, by profile.split
 * @lock: the contended lock, 0 none
 */
uint64_t account_group(const struct account *a, const struct acct_task *t,
		       uint32_t cpu, uint64_t lock);

#endif

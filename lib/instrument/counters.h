/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of one task: by class, call site and mode.  Only their task writes
 * them, without atomics; they are read when it rests.
 */
#ifndef LIB_INSTRUMENT_COUNTERS_H
#define LIB_INSTRUMENT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <uthash.h>

#include "lib/platform.h"

/* Of a site's fast acquisitions one in so many has its hold time measured. */
#define HOLD_SAMPLE 256u

struct site_key {
	const struct rwsemlab_class *class_;
	const void *site;
	uint64_t mode;
};

struct site_counters {
	struct site_key key;
	uint64_t event[RWSEMLAB_NR_EVENTS];
	struct rwsemlab_histogram time[RWSEMLAB_NR_TIMES];
	UT_hash_handle hh;
};

/* A lock that the task holds and whose hold time is measured. */
struct held_lock {
	const struct rwsemlab_lock *lock;
	struct site_counters *counters;
	uint64_t start;
};

/* The checked build's: every lock that the task holds. */
struct checked_lock {
	const struct rwsemlab_lock *lock;
	const void *site;
	enum rwsemlab_mode mode;
};

#define HELD_MAX 64u

struct task_counters {
	struct held_lock held[HELD_MAX]; /* task_common.nr_measured of them */
	uint32_t nr_checked;
	struct checked_lock checked[HELD_MAX];
	struct site_counters *waker; /* who sends the wake-ups of now */
	struct site_counters *sites; /* uthash */
	struct site_counters lost; /* those that there is no memory for */
};

/**
 * task_counters_new() - Return: empty counters, NULL without memory
 */
struct task_counters *task_counters_new(void);

/**
 * task_counters_free() - those of a task; fine without any
 */
void task_counters_free(struct task_common *task);

/**
 * task_counters_forget() - drop what belongs to a class; NULL: all
 */
void task_counters_forget(struct task_common *task,
			  const struct rwsemlab_class *class_);

/**
 * site_fast_fill() - make @fast that of a call site
 *
 * What it counted for another is kept.
 */
void site_fast_fill(struct task_common *task, struct site_fast *fast,
		    const struct rwsemlab_class *class_, const void *site,
		    enum rwsemlab_mode mode);

/**
 * site_fast_slot() - where those of a call site would be
 */
static inline struct site_fast *
site_fast_slot(struct task_common *task, const struct rwsemlab_class *class_,
	       const void *site, enum rwsemlab_mode mode)
{
	uintptr_t hash = ((uintptr_t)site >> 1) ^ ((uintptr_t)class_ >> 6) ^
			 (uintptr_t)mode;

	return &task->fast[hash % SITES_FAST];
}

static inline bool site_fast_is(const struct site_fast *fast,
				const struct rwsemlab_class *class_,
				const void *site, enum rwsemlab_mode mode)
{
	return fast->site == site && fast->class_ == class_ &&
	       fast->mode == mode;
}

/**
 * site_fast() - where the task counts fast acquisitions of a call site
 *
 * Valid until the next call.
 */
static inline struct site_fast *site_fast(struct task_common *task,
					  const struct rwsemlab_class *class_,
					  const void *site,
					  enum rwsemlab_mode mode)
{
	struct site_fast *fast = site_fast_slot(task, class_, site, mode);

	if (unlikely(!site_fast_is(fast, class_, site, mode)))
		site_fast_fill(task, fast, class_, site, mode);
	return fast;
}

/* Of the machine: call @fn for the counters of every task there ever was. */
void machine_for_each_counters(struct rwsemlab_machine *machine,
			       void (*fn)(struct task_common *, void *),
			       void *arg);
/* Of the machine: tell the user's function. */
void machine_report(struct rwsemlab_machine *machine,
		    const struct rwsemlab_report *report);

#endif

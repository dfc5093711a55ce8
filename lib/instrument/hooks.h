/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where lock files report what happens.  In the bare build all of it compiles
 * to nothing; in the others a fast path gains a look-up of its call site's
 * counters and plain increments.
 */
#ifndef LIB_INSTRUMENT_HOOKS_H
#define LIB_INSTRUMENT_HOOKS_H

#include "lib/instrument/check.h"
#include "lib/instrument/counters.h"
#include "lib/locks/lock.h"

/* LOCK_LEVEL: 0 bare, 1 counted, 2 checked. */
enum {
	LOCK_COUNTED = LOCK_LEVEL >= 1,
	LOCK_CHECKED = LOCK_LEVEL >= 2,
};

/* One acquisition on the slow path; lives on the acquiring task's stack. */
struct acquire {
	struct rwsemlab_lock *lock;
	const void *site;
	enum rwsemlab_mode mode;
	enum rwsemlab_wait wait;
	/* from here on the counted build's */
	struct site_counters *counters;
	uint64_t start;
	uint32_t sleeps;
	uint32_t mark; /* lock->passed_over when it queued */
	bool queued;
	bool judged; /* who blocks it has been counted */
};

/* The same for all builds; instrument/events.c. */
void event_slow_begin(struct acquire *a);
void event_slow_end(struct acquire *a);
void event_cancelled(struct acquire *a);
void event_slept(struct acquire *a);
void event_stole(struct acquire *a, uint32_t passed);
void event_acquired_rare(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
			 const void *site, bool passed, bool check);
void event_handoff_set(struct acquire *a);
void event_handoff_taken(struct acquire *a);
void event_waited(struct site_counters *c, enum rwsemlab_time time,
		  uint64_t since);
void event_hold_begin(struct rwsemlab_lock *lock, struct site_counters *c);
void event_hold_end(const struct rwsemlab_lock *lock);

static inline struct task_counters *my_counters(void)
{
	return task_common(current_task())->counters;
}

static inline struct site_counters *
my_site(struct rwsemlab_lock *lock, const void *site, enum rwsemlab_mode mode)
{
	return site_fast(task_common(current_task()), lock->class_, site, mode)
		->counters;
}

/* --- fast paths */

/*
 * Where the acquisition to come will be counted; NULL: no place yet.  Before
 * it, since after an atomic every load costs its full latency.
 */
static inline struct site_fast *
acquiring(struct rwsemlab_lock *lock, enum rwsemlab_mode mode, const void *site)
{
	struct site_fast *fast;

	if (!LOCK_COUNTED)
		return NULL;
	fast = site_fast_slot(task_common(current_task()), lock->class_, site,
			      mode);
	return likely(site_fast_is(fast, lock->class_, site, mode)) ? fast :
								      NULL;
}

/*
 * Taken; @passed: others were waiting.  All that is rare is one call at the
 * end, so that the entry points need no registers saved for it.
 */
static inline void acquired_fast(struct rwsemlab_lock *lock,
				 struct site_fast *fast,
				 enum rwsemlab_mode mode, const void *site,
				 bool passed)
{
	if (!LOCK_COUNTED)
		return;
	if (unlikely(!fast || passed || LOCK_CHECKED ||
		     !(++fast->fast % HOLD_SAMPLE)))
		event_acquired_rare(lock, mode, site, passed, LOCK_CHECKED);
}

static inline void try_failed(struct rwsemlab_lock *lock,
			      enum rwsemlab_mode mode, const void *site)
{
	if (LOCK_COUNTED)
		my_site(lock, site, mode)->event[RWSEMLAB_TRY_FAILED]++;
}

/* About to release.  Return: whether to; false for one not held. */
static inline bool releasing(struct rwsemlab_lock *lock,
			     enum rwsemlab_mode mode, const void *site)
{
	if (LOCK_CHECKED && !check_released(lock, mode, site, false))
		return false;
	if (LOCK_COUNTED && unlikely(task_common(current_task())->nr_measured))
		event_hold_end(lock);
	return true;
}

static inline bool downgrading(struct rwsemlab_lock *lock, const void *site)
{
	return !LOCK_CHECKED ||
	       check_released(lock, RWSEMLAB_WRITE, site, true);
}

/* --- slow paths of releases: whose wake-ups follow */

static inline void waker_is(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
			    const void *site)
{
	if (LOCK_COUNTED)
		my_counters()->waker = my_site(lock, site, mode);
}

static inline void waking(struct rwsemlab_task *task)
{
	if (LOCK_COUNTED)
		atomic_store_explicit(&task_common(task)->woken_ns, clock_ns(),
				      memory_order_relaxed);
}

/* wake_up_process() with the wake-up counted. */
static inline void wake_task(struct rwsemlab_task *task)
{
	waking(task);
	if (wake_up_process(task) && LOCK_COUNTED && my_counters()->waker)
		my_counters()->waker->event[RWSEMLAB_WAKEUPS]++;
}

/* --- slow paths of acquisitions */

static inline void slow_begin(struct acquire *a)
{
	if (LOCK_COUNTED)
		event_slow_begin(a);
	if (LOCK_CHECKED)
		check_wanted(a->lock, a->site);
}

/* Has it; LOCK_CHECKED counts it as held. */
static inline void slow_end(struct acquire *a)
{
	if (LOCK_COUNTED)
		event_slow_end(a);
	if (LOCK_CHECKED)
		check_acquired(a->lock, a->mode, a->site);
}

static inline void slow_cancelled(struct acquire *a)
{
	if (LOCK_COUNTED)
		event_cancelled(a);
}

static inline void slow_event(struct acquire *a, enum rwsemlab_event event)
{
	if (LOCK_COUNTED)
		a->counters->event[event]++;
}

/* Who holds the lock, as first seen; later calls change nothing. */
static inline void slow_blocked(struct acquire *a, bool by_writer)
{
	if (!LOCK_COUNTED || a->judged)
		return;
	a->judged = true;
	a->counters->event[by_writer ? RWSEMLAB_BLOCKED_BY_WRITER :
				       RWSEMLAB_BLOCKED_BY_READERS]++;
}

/* Under wait_lock, as are the next one and its undoing. */
static inline void slow_queued(struct acquire *a)
{
	if (!LOCK_COUNTED)
		return;
	a->queued = true;
	a->mark = __atomic_load_n(&a->lock->passed_over, __ATOMIC_RELAXED);
	__atomic_fetch_add(&a->lock->waiting, 1, __ATOMIC_RELAXED);
}

static inline void lock_unqueued(struct rwsemlab_lock *lock)
{
	if (LOCK_COUNTED)
		__atomic_fetch_sub(&lock->waiting, 1, __ATOMIC_RELAXED);
}

static inline uint32_t lock_waiting(const struct rwsemlab_lock *lock)
{
	return LOCK_COUNTED ?
		       __atomic_load_n(&lock->waiting, __ATOMIC_RELAXED) :
		       0;
}

/* Took it from the slow path past @passed waiters that came before. */
static inline void slow_stole(struct acquire *a, uint32_t passed)
{
	if (LOCK_COUNTED && passed)
		event_stole(a, passed);
}

static inline void slow_handoff_set(struct acquire *a)
{
	if (LOCK_COUNTED)
		event_handoff_set(a);
}

static inline void slow_handoff_taken(struct acquire *a)
{
	if (LOCK_COUNTED)
		event_handoff_taken(a);
}

/* --- per-CPU readers */

/*
 * Taken on the readers' slow path, without a wait.  Its site may have come into
 * its slot only now, since wake-ups count there too.
 */
static inline void acquired_slow_read(struct rwsemlab_lock *lock,
				      const void *site)
{
	if (!LOCK_COUNTED)
		return;
	acquired_fast(lock, acquiring(lock, RWSEMLAB_READ, site), RWSEMLAB_READ,
		      site, lock_waiting(lock));
	my_site(lock, site, RWSEMLAB_READ)->event[RWSEMLAB_READER_SLOW_PATH]++;
}

/* The start of a wait that has a time of its own; 0: nobody counts. */
static inline uint64_t wait_begin(void)
{
	return LOCK_COUNTED ? clock_ns() : 0;
}

/* A grace period since @start, in an acquisition or a release. */
static inline void waited_for_grace_period(struct rwsemlab_lock *lock,
					   enum rwsemlab_mode mode,
					   const void *site, uint64_t start)
{
	if (!LOCK_COUNTED)
		return;
	my_site(lock, site, mode)->event[RWSEMLAB_GRACE_PERIODS]++;
	event_waited(my_site(lock, site, mode), RWSEMLAB_GRACE_PERIOD_NS,
		     start);
}

/* A writer waits for the readers inside: it counts as waiting. */
static inline uint64_t slow_drain_begin(struct acquire *a)
{
	if (!LOCK_COUNTED)
		return 0;
	__atomic_fetch_add(&a->lock->waiting, 1, __ATOMIC_RELAXED);
	return clock_ns();
}

static inline void slow_drain_end(struct acquire *a, uint64_t start)
{
	if (!LOCK_COUNTED)
		return;
	lock_unqueued(a->lock);
	event_waited(a->counters, RWSEMLAB_DRAIN_NS, start);
}

/* schedule() with the sleep counted. */
static inline void slow_sleep(struct acquire *a)
{
	if (schedule(a->wait) && LOCK_COUNTED)
		event_slept(a);
}

#endif

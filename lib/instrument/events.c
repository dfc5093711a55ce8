// SPDX-License-Identifier: GPL-2.0-only
#define LOCK_LEVEL 1
#include "lib/instrument/hooks.h"

static void add_time(struct site_counters *c, enum rwsemlab_time time,
		     uint64_t value)
{
	/* Without memory the value is missing, nothing else. */
	(void)rwsemlab_histogram_add(&c->time[time], value);
}

void event_slow_begin(struct acquire *a)
{
	struct task_counters *counters = my_counters();

	a->counters = my_site(a->lock, a->site, a->mode);
	counters->waker = a->counters;
	a->start = clock_ns();
	a->sleeps = 0;
	a->queued = false;
	a->judged = false;
	a->counters->event[RWSEMLAB_SLOW]++;
}

/* The queue's end of an acquisition, with the lock or without. */
static void end_wait(struct acquire *a)
{
	uint32_t now = __atomic_load_n(&a->lock->passed_over, __ATOMIC_RELAXED);

	if (a->queued)
		add_time(a->counters, RWSEMLAB_OVERTAKEN, now - a->mark);
	a->counters->event[RWSEMLAB_SLEEPS] += a->sleeps;
}

void event_slow_end(struct acquire *a)
{
	uint32_t sleeps = a->sleeps < 3 ? a->sleeps : 3;

	end_wait(a);
	a->counters->event[RWSEMLAB_SLEPT_0 + sleeps]++;
	add_time(a->counters, RWSEMLAB_WAIT_NS, clock_ns() - a->start);
	event_hold_begin(a->lock, a->counters);
}

void event_cancelled(struct acquire *a)
{
	end_wait(a);
	a->counters->event[RWSEMLAB_CANCELLED]++;
}

void event_slept(struct acquire *a)
{
	uint64_t woken =
		atomic_exchange_explicit(&task_common(current_task())->woken_ns,
					 0, memory_order_relaxed);
	uint64_t now = clock_ns();

	a->sleeps++;
	/* 0: a signal or the deadline ended the sleep */
	if (woken && now >= woken)
		add_time(a->counters, RWSEMLAB_WAKE_TO_RUN_NS, now - woken);
}

void event_stole(struct acquire *a, uint32_t passed)
{
	a->counters->event[RWSEMLAB_STOLEN]++;
	a->counters->event[RWSEMLAB_PASSED_OVER] += passed;
	__atomic_fetch_add(&a->lock->passed_over, 1, __ATOMIC_RELAXED);
	/* Its own steal overtook others, not itself. */
	a->mark++;
}

static void stole_fast(struct rwsemlab_lock *lock, struct site_counters *c)
{
	uint32_t waiting = lock_waiting(lock);

	/* A queue whose tasks have all come to count as active. */
	if (!waiting)
		return;
	c->event[RWSEMLAB_STOLEN]++;
	c->event[RWSEMLAB_PASSED_OVER] += waiting;
	__atomic_fetch_add(&lock->passed_over, 1, __ATOMIC_RELAXED);
}

/*
 * What a fast path leaves to a function: it has counted itself where this is
 * only the turn of its hold time to be measured.
 */
void event_acquired_rare(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
			 const void *site, bool passed, bool check)
{
	struct task_common *task = task_common(current_task());
	struct site_fast *fast = site_fast_slot(task, lock->class_, site, mode);
	bool known = site_fast_is(fast, lock->class_, site, mode);

	if (!known)
		site_fast_fill(task, fast, lock->class_, site, mode);
	if (!known || passed || check)
		fast->fast++;
	if (!(fast->fast % HOLD_SAMPLE))
		event_hold_begin(lock, fast->counters);
	if (passed)
		stole_fast(lock, fast->counters);
	if (check)
		check_acquired(lock, mode, site);
}

void event_handoff_set(struct acquire *a)
{
	a->counters->event[RWSEMLAB_HANDOFF_SET]++;
	__atomic_store_n(&a->lock->handoff_ns, clock_ns(), __ATOMIC_RELAXED);
}

void event_handoff_taken(struct acquire *a)
{
	uint64_t set =
		__atomic_exchange_n(&a->lock->handoff_ns, 0, __ATOMIC_RELAXED);
	uint64_t now = clock_ns();

	a->counters->event[RWSEMLAB_HANDOFF_TAKEN]++;
	if (set && now >= set)
		add_time(a->counters, RWSEMLAB_HANDOFF_NS, now - set);
}

void event_waited(struct site_counters *c, enum rwsemlab_time time,
		  uint64_t since)
{
	add_time(c, time, clock_ns() - since);
}

void event_hold_begin(struct rwsemlab_lock *lock, struct site_counters *c)
{
	uint32_t *nr = &task_common(current_task())->nr_measured;

	if (*nr == HELD_MAX)
		return;
	my_counters()->held[(*nr)++] = (struct held_lock){
		.lock = lock,
		.counters = c,
		.start = clock_ns(),
	};
}

void event_hold_end(const struct rwsemlab_lock *lock)
{
	uint32_t *nr = &task_common(current_task())->nr_measured;
	struct held_lock *held = my_counters()->held;
	uint32_t i = *nr;

	while (i--) {
		if (held[i].lock != lock)
			continue;
		add_time(held[i].counters, RWSEMLAB_HOLD_NS,
			 clock_ns() - held[i].start);
		held[i] = held[--*nr];
		return;
	}
}

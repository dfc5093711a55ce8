/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcu_sync: whether readers may stay on a fast path without any barrier.
 *
 *	idle --enter, a grace period begins--> entering
 *	entering --it is over--> passed
 *	passed --the last exit, a grace period begins--> exiting
 *	exiting --it is over--> idle; passed where somebody entered meanwhile
 *	exiting --an enter and its exit--> replay
 *	replay --the grace period is over, another begins--> exiting
 *
 * An enter in any state from passed on does not wait.  Readers see idle only
 * after a grace period that began after the last exit, so they see all that
 * writers did; they stop to see it before the first enter returns.
 *
 * Rules: kernel/rcu/sync.c since 5.3 (89da3b94bb97); 4.4 to 5.2 had the same
 * ones in two variables.
 */
#ifndef LIB_LOCKS_RCU_SYNC_H
#define LIB_LOCKS_RCU_SYNC_H

#include "lib/instrument/hooks.h"
#include "lib/locks/list.h"

enum rcu_sync_state {
	GP_IDLE,
	GP_ENTER,
	GP_PASSED,
	GP_EXIT,
	GP_REPLAY,
};

struct rcu_sync {
	atomic_int gp_state; /* enum rcu_sync_state; changes under rss_lock */
	int gp_count; /* entered and not left */
	raw_spinlock_t rss_lock;
	struct list_head gp_wait; /* struct rcu_sync_waiter */
	struct rwsemlab_rcu_head cb_head;
	struct rwsemlab_machine *machine;
};

struct rcu_sync_waiter {
	struct list_head list;
	struct rwsemlab_task *task;
};

static inline int rcu_sync_state(struct rcu_sync *rss)
{
	return atomic_load_explicit(&rss->gp_state, memory_order_acquire);
}

static inline void rcu_sync_set(struct rcu_sync *rss, enum rcu_sync_state state)
{
	atomic_store_explicit(&rss->gp_state, state, memory_order_release);
}

/*
 * rcu_sync_is_idle() - may readers be on their fast path?  Inside a read
 * section.  The grace periods order it; "acquire" tells C11 and sanitizers.
 */
static inline bool rcu_sync_is_idle(struct rcu_sync *rss)
{
	return rcu_sync_state(rss) == GP_IDLE;
}

/* rcu_sync_init() - idle.  Return: 0 or -errno. */
static inline int rcu_sync_init(struct rcu_sync *rss,
				struct rwsemlab_machine *machine)
{
	atomic_init(&rss->gp_state, GP_IDLE);
	rss->gp_count = 0;
	raw_spin_lock_init(&rss->rss_lock);
	list_init(&rss->gp_wait);
	rss->machine = machine;
	return rcu_start(machine);
}

/*
 * rcu_sync_enter_start() - after init and before the first use: not idle for
 * good, so that no enter or exit has a grace period
 */
static inline void rcu_sync_enter_start(struct rcu_sync *rss)
{
	rss->gp_count++;
	rcu_sync_set(rss, GP_PASSED);
}

static void rcu_sync_wake(struct rcu_sync *rss)
{
	struct list_head *at;

	for (at = rss->gp_wait.next; at != &rss->gp_wait; at = at->next) {
		struct rwsemlab_task *task =
			container_of(at, struct rcu_sync_waiter, list)->task;

		/* Not wake_task(): a callback is no task that counts. */
		waking(task);
		wake_up_process(task);
	}
}

/* A grace period is over: the first enter's, or the one of an exit. */
static void rcu_sync_func(struct rwsemlab_rcu_head *head)
{
	struct rcu_sync *rss = container_of(head, struct rcu_sync, cb_head);

	raw_spin_lock(&rss->rss_lock);
	if (rss->gp_count) {
		rcu_sync_set(rss, GP_PASSED);
		rcu_sync_wake(rss);
	} else if (rcu_sync_state(rss) == GP_REPLAY) {
		/* It began before the last exit: readers need a later one. */
		rcu_sync_set(rss, GP_EXIT);
		call_rcu(rss->machine, &rss->cb_head, rcu_sync_func);
	} else {
		rcu_sync_set(rss, GP_IDLE);
	}
	raw_spin_unlock(&rss->rss_lock);
}

/*
 * rcu_sync_tryenter() - enter where that takes no grace period
 *
 * Return: whether it was entered.
 */
static inline bool rcu_sync_tryenter(struct rcu_sync *rss)
{
	bool entered;

	raw_spin_lock(&rss->rss_lock);
	entered = rcu_sync_state(rss) >= GP_PASSED;
	if (entered)
		rss->gp_count++;
	raw_spin_unlock(&rss->rss_lock);
	return entered;
}

/* Another enter waits for the grace period: wait with it. */
static void rcu_sync_wait(struct rcu_sync *rss, struct acquire *a)
{
	struct rcu_sync_waiter waiter = { .task = current_task() };

	raw_spin_lock(&rss->rss_lock);
	list_add_tail(&waiter.list, &rss->gp_wait);
	while (rcu_sync_state(rss) < GP_PASSED) {
		raw_spin_unlock(&rss->rss_lock);
		slow_sleep(a);
		raw_spin_lock(&rss->rss_lock);
	}
	list_del(&waiter.list);
	raw_spin_unlock(&rss->rss_lock);
}

/*
 * rcu_sync_enter() - no reader is on its fast path after it; not inside a
 * read section
 * @a: the acquisition that it is for
 */
static noinline void rcu_sync_enter(struct rcu_sync *rss, struct acquire *a)
{
	uint64_t start = wait_begin();
	int state;

	raw_spin_lock(&rss->rss_lock);
	state = rcu_sync_state(rss);
	if (state == GP_IDLE)
		rcu_sync_set(rss, GP_ENTER);
	rss->gp_count++;
	raw_spin_unlock(&rss->rss_lock);
	if (state >= GP_PASSED)
		return;
	if (state == GP_IDLE) {
		synchronize_rcu(rss->machine);
		rcu_sync_func(&rss->cb_head);
	} else {
		rcu_sync_wait(rss, a);
	}
	waited_for_grace_period(a->lock, a->mode, a->site, start);
}

/*
 * rcu_sync_exit() - the last one lets readers back, after a grace period that
 * nobody waits for
 */
static inline void rcu_sync_exit(struct rcu_sync *rss)
{
	raw_spin_lock(&rss->rss_lock);
	if (!--rss->gp_count) {
		if (rcu_sync_state(rss) == GP_PASSED) {
			rcu_sync_set(rss, GP_EXIT);
			call_rcu(rss->machine, &rss->cb_head, rcu_sync_func);
		} else if (rcu_sync_state(rss) == GP_EXIT) {
			rcu_sync_set(rss, GP_REPLAY);
		}
	}
	raw_spin_unlock(&rss->rss_lock);
}

/*
 * rcu_sync_dtor() - before its memory goes; nobody may be in it or come
 *
 * Waits for the callback of the last exit.
 */
static inline void rcu_sync_dtor(struct rcu_sync *rss)
{
	int state;

	raw_spin_lock(&rss->rss_lock);
	if (rcu_sync_state(rss) == GP_REPLAY)
		rcu_sync_set(rss, GP_EXIT);
	state = rcu_sync_state(rss);
	raw_spin_unlock(&rss->rss_lock);
	if (state == GP_EXIT)
		rcu_barrier(rss->machine);
}

/* What is wrong where nobody is in it; @slow: started so.  NULL: nothing. */
static inline const char *rcu_sync_wrong(struct rcu_sync *rss, bool slow)
{
	const char *wrong = NULL;

	raw_spin_lock(&rss->rss_lock);
	if (rss->gp_count != slow)
		wrong = "rcu_sync was entered and not left";
	else if (!list_empty(&rss->gp_wait))
		wrong = "rcu_sync has waiters";
	else if (slow && rcu_sync_state(rss) != GP_PASSED)
		wrong = "rcu_sync left its slow mode";
	raw_spin_unlock(&rss->rss_lock);
	return wrong;
}

#endif

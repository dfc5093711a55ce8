/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mutex to 4.9: count 1 free, 0 locked, negative locked and there may be
 * waiters.
 *
 * 2.6.30 (0d66bf6d3514) spins on the owner, each for itself, and on the next
 * owner too; from 2.6.36 (9d0f4dcc5c4d) to 3.19 a new owner ends it, from 4.0
 * (07d2413a61db) on it does not.  3.10 (2bd2c92cf07c) lines the spinners up in
 * an MCS queue for every look at the owner; 3.15 (47667fa1502e) for the whole
 * of their spin, and lets them leave.  Whoever finds it free takes it, at any
 * position of the queue.
 */
#ifndef LIB_LOCKS_MUTEX_COUNT_H
#define LIB_LOCKS_MUTEX_COUNT_H

#include "lib/locks/list.h"
#include "lib/locks/osq.h"
#include "lib/locks/wake-q.h"

struct mutex {
	atomic_int count;
	raw_spinlock_t wait_lock;
	atomic_ulong owner;
	const struct lock_rules *rules;
	struct list_head wait_list;
	struct optimistic_spin_queue osq;
};
_Static_assert(sizeof(struct mutex) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "a mutex must fit into a lock");

struct mutex_waiter {
	struct list_head list;
	struct rwsemlab_task *task;
};

static inline struct mutex *mutex_of(struct rwsemlab_lock *lock)
{
	return (struct mutex *)(void *)lock->state;
}

static inline struct mutex_waiter *mutex_first_waiter(struct mutex *lock)
{
	return container_of(lock->wait_list.next, struct mutex_waiter, list);
}

static inline void mutex_set_owner(struct mutex *lock)
{
	atomic_store_explicit(&lock->owner, (unsigned long)current_task(),
			      memory_order_relaxed);
}

static inline void mutex_clear_owner(struct mutex *lock)
{
	atomic_store_explicit(&lock->owner, 0, memory_order_relaxed);
}

static inline struct rwsemlab_task *mutex_owner(struct mutex *lock)
{
	return (struct rwsemlab_task *)atomic_load_explicit(
		&lock->owner, memory_order_relaxed);
}

/* From 1 to 0; with waiters it is -1 or, once released, 1. */
static inline bool __mutex_trylock_once(struct mutex *lock)
{
	int free = 1;

	if (!atomic_compare_exchange_strong(&lock->count, &free, 0))
		return false;
	mutex_set_owner(lock);
	return true;
}

static inline bool __mutex_fastpath_lock(struct mutex *lock)
{
	if (unlikely(atomic_fetch_sub_explicit(&lock->count, 1,
					       memory_order_acquire) != 1))
		return false;
	mutex_set_owner(lock);
	return true;
}

static inline bool __mutex_fastpath_unlock(struct mutex *lock)
{
	mutex_clear_owner(lock);
	return atomic_fetch_add_explicit(&lock->count, 1,
					 memory_order_release) == 0;
}

/* Releases it for good, and wakes the head of the queue. */
static noinline void __mutex_unlock_slowpath(struct mutex *lock)
{
	/* 3.15 (1d8fe7dc8078): whoever spins need not wait for wait_lock. */
	if (lock->rules->released_early)
		atomic_store(&lock->count, 1);
	raw_spin_lock(&lock->wait_lock);
	if (!lock->rules->released_early)
		atomic_store(&lock->count, 1);
	if (!list_empty(&lock->wait_list))
		wake_task(mutex_first_waiter(lock)->task);
	raw_spin_unlock(&lock->wait_lock);
}

/* While @owner has it and runs.  Return: whether to spin on. */
static noinline bool mutex_spin_on_owner(struct mutex *lock,
					 struct rwsemlab_task *owner,
					 struct acquire *a)
{
	while (mutex_owner(lock) == owner) {
		if (!task_on_cpu(owner)) {
			slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
			return false;
		}
		if (need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		cpu_relax();
	}
	/* 2.6.36 to 3.19: a new owner is a sign of contention. */
	if (!lock->rules->owner_change_ends_spin || !mutex_owner(lock))
		return true;
	slow_event(a, RWSEMLAB_SPIN_OWNER_CHANGED);
	return false;
}

static bool mutex_can_spin_on_owner(struct mutex *lock, struct acquire *a)
{
	struct rwsemlab_task *owner = mutex_owner(lock);

	if (lock->rules->spin == SPIN_NONE)
		return false;
	/* From 3.15 on (46af29e479cc); before, its loop finds out. */
	if (lock->rules->spin == SPIN_OSQ && need_resched()) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	/* From 3.10 on, to save the queueing. */
	if (lock->rules->spin != SPIN_OWNER && owner && !task_on_cpu(owner)) {
		slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
		return false;
	}
	return true;
}

enum mutex_spin_result {
	MUTEX_SPIN_ON,
	MUTEX_SPIN_TAKEN,
	MUTEX_SPIN_GIVE_UP,
};

static enum mutex_spin_result mutex_spin_once(struct mutex *lock,
					      struct rwsemlab_task *owner,
					      struct acquire *a)
{
	if (owner && !mutex_spin_on_owner(lock, owner, a))
		return MUTEX_SPIN_GIVE_UP;
	if (atomic_load_explicit(&lock->count, memory_order_relaxed) == 1 &&
	    __mutex_trylock_once(lock)) {
		slow_stole(a, lock_waiting(a->lock));
		return MUTEX_SPIN_TAKEN;
	}
	return MUTEX_SPIN_ON;
}

static bool mutex_spin(struct mutex *lock, struct acquire *a)
{
	bool each = lock->rules->spin == SPIN_MCS;
	enum mutex_spin_result result;

	for (;;) {
		struct rwsemlab_task *owner;

		if (each)
			osq_lock(&lock->osq, false);
		owner = mutex_owner(lock);
		result = mutex_spin_once(lock, owner, a);
		if (each)
			osq_unlock(&lock->osq);
		if (result != MUTEX_SPIN_ON)
			return result == MUTEX_SPIN_TAKEN;
		/* Its owner may be between taking it and saying so. */
		if (!owner && need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		cpu_relax();
	}
}

static noinline bool mutex_optimistic_spin(struct mutex *lock,
					   struct acquire *a)
{
	bool queue = lock->rules->spin == SPIN_OSQ;
	bool taken;

	if (!mutex_can_spin_on_owner(lock, a))
		return false;
	if (queue && !osq_lock(&lock->osq, true)) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	taken = mutex_spin(lock, a);
	if (queue)
		osq_unlock(&lock->osq);
	if (taken)
		slow_event(a, RWSEMLAB_SPUN_GOT);
	return taken;
}

/*
 * Under wait_lock.  Minus one even where it fails: so that its owner comes to
 * the slow path to release it.
 */
static bool mutex_take_queued(struct mutex *lock, struct mutex_waiter *waiter,
			      struct acquire *a)
{
	if (atomic_exchange(&lock->count, -1) != 1)
		return false;
	if (LOCK_COUNTED)
		slow_stole(a, list_before(&lock->wait_list, &waiter->list));
	return true;
}

/*
 * Under wait_lock, from 3.11 on (ec83f425dbca): without a place in the queue,
 * and without a -1, so that its release wakes nobody again.
 */
static bool mutex_take_unqueued(struct mutex *lock, struct acquire *a)
{
	if (!lock->rules->tries_once_more || atomic_load(&lock->count) < 0 ||
	    atomic_exchange(&lock->count, 0) != 1)
		return false;
	slow_stole(a, lock_waiting(a->lock));
	mutex_set_owner(lock);
	return true;
}

static void mutex_remove_waiter(struct mutex_waiter *waiter, struct acquire *a)
{
	list_del(&waiter->list);
	lock_unqueued(a->lock);
}

static noinline int __mutex_lock_slowpath(struct mutex *lock, struct acquire *a)
{
	struct mutex_waiter waiter = { .task = current_task() };
	int ret;

	if (mutex_optimistic_spin(lock, a))
		return 0;
	/* 3.15: if it should yield, before it has the lock. */
	if (lock->rules->spin == SPIN_OSQ && need_resched())
		cond_resched();
	raw_spin_lock(&lock->wait_lock);
	if (mutex_take_unqueued(lock, a)) {
		raw_spin_unlock(&lock->wait_lock);
		return 0;
	}
	list_add_tail(&waiter.list, &lock->wait_list);
	slow_queued(a);
	while (!mutex_take_queued(lock, &waiter, a)) {
		slow_blocked(a, true);
		ret = signal_pending_state(a->wait);
		if (ret) {
			mutex_remove_waiter(&waiter, a);
			raw_spin_unlock(&lock->wait_lock);
			return ret;
		}
		raw_spin_unlock(&lock->wait_lock);
		slow_sleep(a);
		raw_spin_lock(&lock->wait_lock);
	}
	mutex_remove_waiter(&waiter, a);
	mutex_set_owner(lock);
	if (list_empty(&lock->wait_list))
		atomic_store(&lock->count, 0);
	raw_spin_unlock(&lock->wait_lock);
	return 0;
}

static int mutex_init(struct rwsemlab_lock *mutex)
{
	struct mutex *lock = mutex_of(mutex);

	atomic_init(&lock->count, 1);
	atomic_init(&lock->owner, 0);
	lock->rules = &mutex->class_->rules;
	list_init(&lock->wait_list);
	raw_spin_lock_init(&lock->wait_lock);
	osq_lock_init(&lock->osq);
	return 0;
}

static const char *mutex_at_rest(struct rwsemlab_lock *mutex)
{
	struct mutex *lock = mutex_of(mutex);

	if (atomic_load(&lock->count) != 1)
		return "the count says locked";
	if (mutex_owner(lock))
		return "an owner is left";
	if (!list_empty(&lock->wait_list))
		return "the queue has waiters";
	if (osq_is_locked(&lock->osq))
		return "the spinners' queue is not empty";
	return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Optimistic spinning of rwsem-xadd.c (3.16), included by it alone. */
#ifndef LIB_LOCKS_RWSEM_XADD_SPIN_H
#define LIB_LOCKS_RWSEM_XADD_SPIN_H

#include "lib/locks/rwsem-xadd-wake.h"

/* Whom the steal knob lets pass the queue: a writer that is not in it. */
static bool rwsem_may_steal(struct rw_semaphore *sem)
{
	bool may;

	if (sem->rules->steal != STEAL_HEAD)
		return sem->rules->steal == STEAL_ANY;
	raw_spin_lock(&sem->wait_lock);
	may = list_empty(&sem->wait_list) ||
	      rwsem_first_waiter(sem)->type == RWSEM_WAITING_FOR_WRITE;
	raw_spin_unlock(&sem->wait_lock);
	return may;
}

static bool rwsem_try_write_lock_unqueued(struct rw_semaphore *sem,
					  struct acquire *a)
{
	int64_t count = rwsem_count(sem);

	while (count == 0 || count == RWSEM_WAITING_BIAS) {
		if (count && !rwsem_may_steal(sem))
			return false;
		if (!atomic_compare_exchange_weak(
			    &sem->count, &count,
			    count + RWSEM_ACTIVE_WRITE_BIAS))
			continue;
		if (sem->rules->owner_early)
			rwsem_set_owner(sem);
		if (count)
			slow_stole(a, lock_waiting(a->lock));
		return true;
	}
	return false;
}

/* No owner: the lock is free, or readers have it, or the next one is about to
 * be known. */
static bool rwsem_can_spin_unowned(struct rw_semaphore *sem, struct acquire *a)
{
	bool can = true;

	if (sem->rules->null_owner == NULL_OWNER_STOP)
		can = false;
	if (sem->rules->null_owner == NULL_OWNER_IF_FREE)
		can = !(rwsem_count(sem) & RWSEM_ACTIVE_MASK);
	if (!can)
		slow_event(a, RWSEMLAB_SPIN_NOT_TRIED);
	return can;
}

static bool rwsem_can_spin_on_owner(struct rw_semaphore *sem, struct acquire *a)
{
	unsigned long owner = rwsem_owner(sem);

	if (sem->rules->spin == SPIN_NONE)
		return false;
	if (need_resched()) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	if (!owner)
		return rwsem_can_spin_unowned(sem, a);
	if (owner == RWSEM_READER_OWNED) {
		slow_event(a, RWSEMLAB_SPIN_NOT_TRIED);
		return false;
	}
	if (task_on_cpu((struct rwsemlab_task *)owner))
		return true;
	slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
	return false;
}

/* Return: whether to spin on, now that it is no longer @owner's. */
static bool rwsem_owner_changed(struct rw_semaphore *sem, struct acquire *a)
{
	unsigned long owner = rwsem_owner(sem);
	bool on = owner != RWSEM_READER_OWNED;
	int64_t count;

	if (sem->rules->owner_change_ends_spin) {
		on = !owner;
	} else if (!owner && sem->rules->null_owner != NULL_OWNER_MARKED) {
		count = rwsem_count(sem);
		on = count == 0 || count == RWSEM_WAITING_BIAS;
	}
	if (!on)
		slow_event(a, RWSEMLAB_SPIN_OWNER_CHANGED);
	return on;
}

/* While @owner has it and runs.  Return: whether to spin on. */
static noinline bool rwsem_spin_on_owner(struct rw_semaphore *sem,
					 unsigned long owner, struct acquire *a)
{
	slow_blocked(a, owner != RWSEM_READER_OWNED);
	while (owner != RWSEM_READER_OWNED && rwsem_owner(sem) == owner) {
		if (!task_on_cpu((struct rwsemlab_task *)owner)) {
			slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
			return false;
		}
		if (need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		cpu_relax();
	}
	return rwsem_owner_changed(sem, a);
}

static bool rwsem_spin(struct rw_semaphore *sem, struct acquire *a)
{
	for (;;) {
		unsigned long owner = rwsem_owner(sem);

		if (owner && !rwsem_spin_on_owner(sem, owner, a))
			return false;
		if (rwsem_try_write_lock_unqueued(sem, a))
			return true;
		if (!owner && need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		cpu_relax();
	}
}

static noinline bool rwsem_optimistic_spin(struct rw_semaphore *sem,
					   struct acquire *a)
{
	enum lock_spin how = sem->rules->spin;
	bool taken;

	if (!rwsem_can_spin_on_owner(sem, a))
		return false;
	if (how != SPIN_OWNER && !osq_lock(&sem->osq, how == SPIN_OSQ)) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	taken = rwsem_spin(sem, a);
	if (how != SPIN_OWNER)
		osq_unlock(&sem->osq);
	if (taken)
		slow_event(a, RWSEMLAB_SPUN_GOT);
	return taken;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rwsem since 5.3.  What differs between its versions is in the rules:
 * readers that spin (to 5.10) or steal (from 5.11), who sets the handoff and
 * for whom (5.3, 5.16, 5.19, 6.3), who may spin in the queue (6.3).
 *
 * There are no real-time tasks here, whose own rules are left out.
 */
#ifndef LIB_LOCKS_RWSEM_BITS_CORE_H
#define LIB_LOCKS_RWSEM_BITS_CORE_H

#include "lib/locks/rwsem-bits-write.h"
#include "lib/locks/rwsem-common.h"

static inline bool fast_down_read(struct rw_semaphore *sem, int64_t *hint,
				  bool *passed)
{
	(void)passed; /* with waiters it fails */
	*hint = atomic_fetch_add_explicit(&sem->count, RWSEM_READER_BIAS,
					  memory_order_acquire) +
		RWSEM_READER_BIAS;
	if (unlikely(*hint < 0))
		rwsem_set_nonspinnable(sem);
	if (unlikely(*hint & RWSEM_READ_FAILED_MASK))
		return false;
	rwsem_set_reader_owned(sem);
	return true;
}

static inline bool fast_down_write(struct rw_semaphore *sem, int64_t *hint,
				   bool *passed)
{
	(void)passed;
	*hint = 0;
	if (unlikely(!atomic_compare_exchange_strong_explicit(
		    &sem->count, hint, RWSEM_WRITER_LOCKED,
		    memory_order_acquire, memory_order_relaxed)))
		return false;
	rwsem_set_owner(sem);
	return true;
}

/* @bias: what this reader still has in the count. */
static int rwsem_queue_reader(struct rw_semaphore *sem,
			      struct rwsem_waiter *waiter, int64_t bias,
			      struct acquire *a)
{
	struct wake_q_head wake_q = { NULL, NULL };
	int64_t forbids = RWSEM_WRITER_LOCKED;
	int64_t adjustment = -bias;
	int64_t count;

	/* To 5.18; later the flag never is without a queue. */
	if (sem->rules->handoff < HANDOFF_OWN)
		forbids |= RWSEM_FLAG_HANDOFF;
	raw_spin_lock(&sem->wait_lock);
	if (list_empty(&sem->wait_list)) {
		/* The bias is in the count: it has the lock already. */
		if (bias && !(atomic_load(&sem->count) & forbids)) {
			raw_spin_unlock(&sem->wait_lock);
			rwsem_set_reader_owned(sem);
			return 0;
		}
		adjustment += RWSEM_FLAG_WAITERS;
	}
	rwsem_add_waiter(sem, waiter, a);
	count = atomic_fetch_add(&sem->count, adjustment) + adjustment;
	slow_blocked(a, count & RWSEM_WRITER_LOCKED);
	if (sem->rules->handoff >= HANDOFF_OWN ||
	    !(count & RWSEM_READER_MASK) || (adjustment & RWSEM_FLAG_WAITERS))
		rwsem_cond_wake_waiter(sem, count, true, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
	return rwsem_wait_for_grant(sem, waiter, a);
}

/* 5.3 to 5.10.  Return: whether it has the lock; @bias: what is left. */
static bool rwsem_reader_spin(struct rw_semaphore *sem,
			      struct rwsem_waiter *waiter, int64_t *bias,
			      struct acquire *a)
{
	if (!rwsem_can_spin_on_owner(sem, RWSEM_RD_NONSPINNABLE, a))
		return false;
	atomic_fetch_sub(&sem->count, RWSEM_READER_BIAS);
	*bias = 0;
	if (rwsem_optimistic_spin(sem, a)) {
		if (rwsem_count(sem) & RWSEM_FLAG_WAITERS)
			rwsem_wake_locked(sem, RWSEM_WAKE_READ_OWNED);
		return true;
	}
	return rwsem_reader_phase_trylock(sem, waiter->last_rowner, a);
}

/* From 5.11.  Return: whether it has the lock, by the bias it has. */
static bool rwsem_reader_steal(struct rw_semaphore *sem, int64_t count,
			       struct acquire *a)
{
	int64_t readers = count >> RWSEM_READER_SHIFT;

	/* A stream of readers would starve a sleeping writer. */
	if ((rwsem_owner(sem) & RWSEM_READER_OWNED) && readers > 1 &&
	    !(count & RWSEM_WRITER_LOCKED))
		return false;
	if (count & (RWSEM_WRITER_LOCKED | RWSEM_FLAG_HANDOFF))
		return false;
	rwsem_set_reader_owned(sem);
	if (count & RWSEM_FLAG_WAITERS)
		slow_stole(a, lock_waiting(a->lock));
	if (readers == 1 && (count & RWSEM_FLAG_WAITERS))
		rwsem_wake_locked(sem, RWSEM_WAKE_READ_OWNED);
	return true;
}

static noinline int rwsem_down_read_slowpath(struct rw_semaphore *sem,
					     int64_t count, struct acquire *a)
{
	int64_t bias = RWSEM_READER_BIAS;
	struct rwsem_waiter waiter;

	rwsem_init_waiter(sem, &waiter, RWSEM_WAITING_FOR_READ);
	waiter.last_rowner = 0;
	if (sem->rules->reader_spin) {
		waiter.last_rowner = rwsem_owner(sem);
		if (!(waiter.last_rowner & RWSEM_READER_OWNED))
			waiter.last_rowner &= RWSEM_RD_NONSPINNABLE;
		if (rwsem_reader_spin(sem, &waiter, &bias, a))
			return 0;
	}
	if (sem->rules->reader_steal && bias &&
	    rwsem_reader_steal(sem, count, a))
		return 0;
	return rwsem_queue_reader(sem, &waiter, bias, a);
}

static inline bool __down_read_trylock(struct rw_semaphore *sem)
{
	int64_t count = rwsem_count(sem);

	while (!(count & RWSEM_READ_FAILED_MASK)) {
		if (!atomic_compare_exchange_weak(&sem->count, &count,
						  count + RWSEM_READER_BIAS))
			continue;
		rwsem_set_reader_owned(sem);
		return true;
	}
	return false;
}

static inline bool __down_write_trylock(struct rw_semaphore *sem)
{
	int64_t count;
	bool passed;

	return fast_down_write(sem, &count, &passed);
}

static inline bool __up_read(struct rw_semaphore *sem)
{
	int64_t count = atomic_fetch_sub_explicit(&sem->count,
						  RWSEM_READER_BIAS,
						  memory_order_release) -
			RWSEM_READER_BIAS;

	if (likely((count & (RWSEM_LOCK_MASK | RWSEM_FLAG_WAITERS)) !=
		   RWSEM_FLAG_WAITERS))
		return false;
	clear_nonspinnable(sem);
	return true;
}

static inline bool __up_write(struct rw_semaphore *sem)
{
	rwsem_clear_owner(sem);
	return atomic_fetch_sub_explicit(&sem->count, RWSEM_WRITER_LOCKED,
					 memory_order_release) &
	       RWSEM_FLAG_WAITERS;
}

static inline bool __downgrade_write(struct rw_semaphore *sem)
{
	int64_t count = atomic_fetch_add_explicit(
		&sem->count, RWSEM_READER_BIAS - RWSEM_WRITER_LOCKED,
		memory_order_release);

	rwsem_set_reader_owned(sem);
	return count & RWSEM_FLAG_WAITERS;
}

static const char *rwsem_at_rest(struct rwsemlab_lock *lock)
{
	struct rw_semaphore *sem = rwsem_of(lock);
	int64_t count = rwsem_count(sem);

	if (count & RWSEM_WRITER_LOCKED)
		return "the count has a writer";
	if (count & RWSEM_READER_MASK)
		return "the count has readers";
	if (count)
		return "the count has flags of waiters";
	if (!list_empty(&sem->wait_list))
		return "the queue has waiters";
	if (osq_is_locked(&sem->osq))
		return "the spinners' queue is not empty";
	if (owner_task(rwsem_owner(sem)) &&
	    !(rwsem_owner(sem) & RWSEM_READER_OWNED))
		return "a writer is left as the owner";
	return NULL;
}

#define RWSEM_SLOW_READ	 rwsem_down_read_slowpath
#define RWSEM_SLOW_WRITE rwsem_down_write_slowpath

#endif

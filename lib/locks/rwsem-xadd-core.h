/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rwsem to 5.2.  To 3.8 the releaser grants it in the queue's order; 3.9
 * lets writers steal it under wait_lock while the head of the queue is one,
 * 3.10 any time and on the fast path, and from 3.16 on they spin for it.
 *
 * Fast paths are x86's: its down_write() does with waiters about what it does
 * without from 3.10 on, and its up_*() wake only when nobody is active.
 */
#ifndef LIB_LOCKS_RWSEM_XADD_CORE_H
#define LIB_LOCKS_RWSEM_XADD_CORE_H

#include "lib/locks/rwsem-xadd-spin.h"
#include "lib/locks/rwsem-common.h"

static inline bool fast_down_read(struct rw_semaphore *sem, int64_t *hint,
				  bool *passed)
{
	(void)passed;
	*hint = atomic_fetch_add_explicit(&sem->count, RWSEM_ACTIVE_READ_BIAS,
					  memory_order_acquire) +
		RWSEM_ACTIVE_READ_BIAS;
	if (unlikely(*hint < 0))
		return false;
	rwsem_set_reader_owned(sem);
	return true;
}

static inline bool fast_down_write(struct rw_semaphore *sem, int64_t *hint,
				   bool *passed)
{
	int64_t old = atomic_fetch_add_explicit(
		&sem->count, RWSEM_ACTIVE_WRITE_BIAS, memory_order_acquire);

	*hint = old + RWSEM_ACTIVE_WRITE_BIAS;
	if (unlikely(old)) {
		if (sem->rules->steal != STEAL_ANY || (old & RWSEM_ACTIVE_MASK))
			return false;
		*passed = true;
	}
	rwsem_set_owner(sem);
	return true;
}

/*
 * Append, and stop counting as active: @bias is what is in the count.
 * Return: the new count.
 */
static int64_t rwsem_queue(struct rw_semaphore *sem,
			   struct rwsem_waiter *waiter, int64_t bias,
			   bool *first, struct acquire *a)
{
	*first = list_empty(&sem->wait_list);
	list_add_tail(&waiter->list, &sem->wait_list);
	slow_queued(a);
	return rwsem_atomic_update(sem,
				   (*first ? RWSEM_WAITING_BIAS : 0) - bias);
}

static noinline int rwsem_down_read_failed(struct rw_semaphore *sem,
					   int64_t count, struct acquire *a)
{
	struct wake_q_head wake_q = { NULL, NULL };
	struct rwsem_waiter waiter = {
		.task = current_task(),
		.type = RWSEM_WAITING_FOR_READ,
	};
	bool first;

	raw_spin_lock(&sem->wait_lock);
	count = rwsem_queue(sem, &waiter, RWSEM_ACTIVE_READ_BIAS, &first, a);
	slow_blocked(a, count < RWSEM_WAITING_BIAS);
	if (count == RWSEM_WAITING_BIAS)
		__rwsem_do_wake(sem,
				rwsem_open_to_stealing(sem) ?
					RWSEM_WAKE_ANY :
					RWSEM_WAKE_NO_ACTIVE,
				&wake_q);
	/* 3.10: readers have it and no waiter was there: join them. */
	else if (count > RWSEM_WAITING_BIAS && first &&
		 rwsem_open_to_stealing(sem))
		__rwsem_do_wake(sem, RWSEM_WAKE_ANY, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
	return rwsem_wait_for_grant(sem, &waiter, a);
}

static void rwsem_dequeue_taken(struct rw_semaphore *sem,
				struct rwsem_waiter *waiter, struct acquire *a)
{
	if (LOCK_COUNTED)
		slow_stole(a, list_before(&sem->wait_list, &waiter->list));
	list_del(&waiter->list);
	lock_unqueued(a->lock);
	if (sem->rules->owner_early)
		rwsem_set_owner(sem);
}

/* 3.9: only while the head of the queue is a writer. */
static bool rwsem_try_get_writer(struct rw_semaphore *sem,
				 struct rwsem_waiter *waiter)
{
	int64_t bias = RWSEM_ACTIVE_WRITE_BIAS;

	(void)waiter;
	if (rwsem_first_waiter(sem)->type != RWSEM_WAITING_FOR_WRITE)
		return false;
	if (list_is_singular(&sem->wait_list))
		bias -= RWSEM_WAITING_BIAS;
	while ((rwsem_atomic_update(sem, bias) - bias) & RWSEM_ACTIVE_MASK)
		if (rwsem_atomic_update(sem, -bias) & RWSEM_ACTIVE_MASK)
			return false;
	return true;
}

/* Under wait_lock.  Takes the waiter off the queue on success. */
static bool rwsem_try_write_lock(struct rw_semaphore *sem,
				 struct rwsem_waiter *waiter, struct acquire *a)
{
	int64_t waiting = RWSEM_WAITING_BIAS;
	int64_t taken = RWSEM_ACTIVE_WRITE_BIAS;

	if (sem->rules->steal == STEAL_HEAD) {
		if (!rwsem_try_get_writer(sem, waiter))
			return false;
	} else {
		if (rwsem_count(sem) != RWSEM_WAITING_BIAS)
			return false;
		if (!list_is_singular(&sem->wait_list))
			taken += RWSEM_WAITING_BIAS;
		if (!atomic_compare_exchange_strong(&sem->count, &waiting,
						    taken))
			return false;
	}
	rwsem_dequeue_taken(sem, waiter, a);
	return true;
}

/* Called and left with wait_lock. */
static int rwsem_block_writer(struct rw_semaphore *sem, struct acquire *a)
{
	int ret;

	raw_spin_unlock(&sem->wait_lock);
	/* Until nobody is active; 3.9 had to try to know. */
	do {
		ret = signal_pending_state(a->wait);
		if (ret)
			break;
		slow_sleep(a);
	} while (sem->rules->steal == STEAL_ANY &&
		 (rwsem_count(sem) & RWSEM_ACTIVE_MASK));
	raw_spin_lock(&sem->wait_lock);
	return ret;
}

/* Whom a writer that has just queued should wake. */
static void rwsem_wake_for_writer(struct rw_semaphore *sem, int64_t count,
				  bool first, struct wake_q_head *wake_q)
{
	/* Readers have it and others wait: those at the front may come. */
	if (count > RWSEM_WAITING_BIAS && !first)
		__rwsem_do_wake(sem,
				rwsem_open_to_stealing(sem) ?
					RWSEM_WAKE_READERS :
					RWSEM_WAKE_READ_OWNED,
				wake_q);
	/* Nobody has it.  From 3.10 on the writer just takes it. */
	else if (count == RWSEM_WAITING_BIAS && sem->rules->steal != STEAL_ANY)
		__rwsem_do_wake(sem,
				rwsem_open_to_stealing(sem) ?
					RWSEM_WAKE_ANY :
					RWSEM_WAKE_NO_ACTIVE,
				wake_q);
}

static int rwsem_wait_for_write(struct rw_semaphore *sem,
				struct rwsem_waiter *waiter, struct acquire *a)
{
	int ret;

	while (!rwsem_try_write_lock(sem, waiter, a)) {
		slow_blocked(a, rwsem_count(sem) < RWSEM_WAITING_BIAS);
		ret = rwsem_block_writer(sem, a);
		if (ret) {
			rwsem_del_wake_waiter(sem, waiter);
			return ret;
		}
	}
	raw_spin_unlock(&sem->wait_lock);
	return 0;
}

static int rwsem_queue_writer(struct rw_semaphore *sem, int64_t bias,
			      struct acquire *a)
{
	struct wake_q_head wake_q = { NULL, NULL };
	struct rwsem_waiter waiter = {
		.task = current_task(),
		.type = RWSEM_WAITING_FOR_WRITE,
	};
	int64_t count;
	bool first;

	raw_spin_lock(&sem->wait_lock);
	count = rwsem_queue(sem, &waiter, bias, &first, a);
	rwsem_wake_for_writer(sem, count, first, &wake_q);
	if (!wake_q_empty(&wake_q)) {
		raw_spin_unlock(&sem->wait_lock);
		wake_up_q(&wake_q);
		raw_spin_lock(&sem->wait_lock);
	}
	if (sem->rules->steal == STEAL_NONE) {
		slow_blocked(a, rwsem_count(sem) < RWSEM_WAITING_BIAS);
		raw_spin_unlock(&sem->wait_lock);
		return rwsem_wait_for_grant(sem, &waiter, a);
	}
	return rwsem_wait_for_write(sem, &waiter, a);
}

static noinline int rwsem_down_write_failed(struct rw_semaphore *sem,
					    int64_t count, struct acquire *a)
{
	int64_t bias = RWSEM_ACTIVE_WRITE_BIAS;
	int ret;

	(void)count;
	if (sem->rules->spin != SPIN_NONE) {
		rwsem_atomic_update(sem, -bias);
		bias = 0;
		if (rwsem_optimistic_spin(sem, a)) {
			rwsem_set_owner(sem);
			return 0;
		}
	}
	ret = rwsem_queue_writer(sem, bias, a);
	if (!ret)
		rwsem_set_owner(sem);
	return ret;
}

static inline bool __down_read_trylock(struct rw_semaphore *sem)
{
	int64_t count = rwsem_count(sem);

	while (count >= 0) {
		if (!atomic_compare_exchange_weak(&sem->count, &count,
						  count + 1))
			continue;
		rwsem_set_reader_owned(sem);
		return true;
	}
	return false;
}

static inline bool __down_write_trylock(struct rw_semaphore *sem)
{
	int64_t count = rwsem_count(sem);

	while (!(count & RWSEM_ACTIVE_MASK)) {
		if (count && sem->rules->steal != STEAL_ANY)
			return false;
		if (!atomic_compare_exchange_weak(
			    &sem->count, &count,
			    count + RWSEM_ACTIVE_WRITE_BIAS))
			continue;
		rwsem_set_owner(sem);
		return true;
	}
	return false;
}

static inline bool __up_read(struct rw_semaphore *sem)
{
	int64_t count = atomic_fetch_sub_explicit(&sem->count,
						  RWSEM_ACTIVE_READ_BIAS,
						  memory_order_release) -
			RWSEM_ACTIVE_READ_BIAS;

	return count < 0 && !(count & RWSEM_ACTIVE_MASK);
}

static inline bool __up_write(struct rw_semaphore *sem)
{
	int64_t count;

	rwsem_clear_owner(sem);
	count = atomic_fetch_sub_explicit(&sem->count, RWSEM_ACTIVE_WRITE_BIAS,
					  memory_order_release) -
		RWSEM_ACTIVE_WRITE_BIAS;
	return count < 0 && !(count & RWSEM_ACTIVE_MASK);
}

static inline bool __downgrade_write(struct rw_semaphore *sem)
{
	int64_t count;

	rwsem_clear_owner(sem);
	rwsem_set_reader_owned(sem);
	count = atomic_fetch_sub_explicit(&sem->count, RWSEM_WAITING_BIAS,
					  memory_order_release) -
		RWSEM_WAITING_BIAS;
	return count < 0;
}

static const char *rwsem_at_rest(struct rwsemlab_lock *lock)
{
	struct rw_semaphore *sem = rwsem_of(lock);
	int64_t count = rwsem_count(sem);

	if (count & RWSEM_ACTIVE_MASK)
		return "the count has active lockers";
	if (count)
		return "the count has waiters or a writer";
	if (!list_empty(&sem->wait_list))
		return "the queue has waiters";
	if (osq_is_locked(&sem->osq))
		return "the spinners' queue is not empty";
	if (rwsem_owner(sem) & ~RWSEM_READER_OWNED)
		return "a writer is left as the owner";
	return NULL;
}

#define RWSEM_SLOW_READ	 rwsem_down_read_failed
#define RWSEM_SLOW_WRITE rwsem_down_write_failed

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Waking the waiters of rwsem-xadd.c, included by it alone. */
#ifndef LIB_LOCKS_RWSEM_XADD_WAKE_H
#define LIB_LOCKS_RWSEM_XADD_WAKE_H

#include "lib/locks/rwsem-xadd.h"

/* To 4.7 at once, under wait_lock; from 4.8 on after it. */
static inline void rwsem_wake_task(struct rw_semaphore *sem,
				   struct rwsemlab_task *task,
				   struct wake_q_head *wake_q)
{
	if (sem->rules->wake_after_unlock)
		wake_q_add(wake_q, task);
	else
		wake_task(task);
}

/* The lock is the waiter's, which may be gone right after. */
static void rwsem_grant(struct rw_semaphore *sem, struct rwsem_waiter *waiter,
			struct wake_q_head *wake_q)
{
	struct rwsemlab_task *task =
		atomic_load_explicit(&waiter->task, memory_order_relaxed);

	atomic_store_explicit(&waiter->task, NULL, memory_order_release);
	rwsem_wake_task(sem, task, wake_q);
}

/* To 3.8 writers are granted it too, unless someone is active. */
static void rwsem_grant_writer(struct rw_semaphore *sem,
			       struct rwsem_waiter *waiter,
			       struct wake_q_head *wake_q)
{
	int64_t bias = RWSEM_ACTIVE_WRITE_BIAS;

	if (list_is_singular(&sem->wait_list))
		bias -= RWSEM_WAITING_BIAS;
	while ((rwsem_atomic_update(sem, bias) - bias) & RWSEM_ACTIVE_MASK)
		if (rwsem_atomic_update(sem, -bias) & RWSEM_ACTIVE_MASK)
			return;
	list_del(&waiter->list);
	lock_unqueued(rwsem_lock(sem));
	rwsem_grant(sem, waiter, wake_q);
}

/*
 * May readers come in?  @claimed: what the first one has in the count now.
 * From 3.10 on it goes before any others are counted, as a writer may have
 * stolen the lock.
 */
static bool rwsem_let_readers(struct rw_semaphore *sem,
			      enum rwsem_wake_type wake_type, int64_t *claimed)
{
	const int64_t bias = RWSEM_ACTIVE_READ_BIAS;
	int64_t count;

	*claimed = 0;
	if (wake_type == RWSEM_WAKE_READ_OWNED)
		return true;
	if (!rwsem_open_to_stealing(sem))
		return wake_type == RWSEM_WAKE_NO_ACTIVE ||
		       rwsem_atomic_update(sem, 0) >= RWSEM_WAITING_BIAS;
	while (rwsem_atomic_update(sem, bias) - bias < RWSEM_WAITING_BIAS) {
		count = rwsem_atomic_update(sem, -bias);
		/*
		 * Whoever is active will wake them.  From 4.8 on only a writer
		 * counts, not a reader that tries (bf7b4c472db4).
		 */
		if (sem->rules->null_owner == NULL_OWNER_MARKED ?
			    count < RWSEM_WAITING_BIAS :
			    count & RWSEM_ACTIVE_MASK)
			return false;
	}
	*claimed = bias;
	return true;
}

/* Give it to the readers at the front of the queue. */
static void rwsem_grant_readers(struct rw_semaphore *sem, int64_t claimed,
				struct wake_q_head *wake_q)
{
	struct list_head readers, *at, *next;
	struct rwsem_waiter *waiter;
	int64_t woken = 0;
	int64_t add;

	list_init(&readers);
	for (at = sem->wait_list.next; at != &sem->wait_list; at = next) {
		waiter = container_of(at, struct rwsem_waiter, list);
		next = at->next;
		if (waiter->type == RWSEM_WAITING_FOR_WRITE) {
			if (!sem->rules->wake_all_readers)
				break;
			continue;
		}
		list_del(at);
		lock_unqueued(rwsem_lock(sem));
		list_add_tail(at, &readers);
		if (++woken == sem->rules->wake_batch)
			break;
	}
	add = woken * RWSEM_ACTIVE_READ_BIAS - claimed;
	if (list_empty(&sem->wait_list))
		add -= RWSEM_WAITING_BIAS;
	/* All are counted before the first can leave again. */
	rwsem_atomic_update(sem, add);
	rwsem_set_reader_owned(sem);
	for (at = readers.next; at != &readers; at = next) {
		next = at->next;
		rwsem_grant(sem, container_of(at, struct rwsem_waiter, list),
			    wake_q);
	}
}

static noinline void __rwsem_do_wake(struct rw_semaphore *sem,
				     enum rwsem_wake_type wake_type,
				     struct wake_q_head *wake_q)
{
	struct rwsem_waiter *waiter = rwsem_first_waiter(sem);
	int64_t claimed;

	if (waiter->type == RWSEM_WAITING_FOR_WRITE) {
		if (wake_type == RWSEM_WAKE_READERS ||
		    wake_type == RWSEM_WAKE_READ_OWNED)
			return;
		if (sem->rules->steal == STEAL_NONE)
			rwsem_grant_writer(sem, waiter, wake_q);
		else
			rwsem_wake_task(sem, atomic_load(&waiter->task),
					wake_q);
		return;
	}
	if (rwsem_let_readers(sem, wake_type, &claimed))
		rwsem_grant_readers(sem, claimed, wake_q);
}

/*
 * From 4.2 on a spinner excuses the releaser from waiting for wait_lock: it
 * tries once more before it sleeps.
 */
static bool rwsem_lock_to_wake(struct rw_semaphore *sem)
{
	if (!sem->rules->skip_wake || sem->rules->steal != STEAL_ANY ||
	    !osq_is_locked(&sem->osq)) {
		raw_spin_lock(&sem->wait_lock);
		return true;
	}
	return raw_spin_trylock(&sem->wait_lock);
}

static noinline void rwsem_wake(struct rw_semaphore *sem)
{
	struct wake_q_head wake_q = { NULL, NULL };

	if (!rwsem_lock_to_wake(sem))
		return;
	if (!list_empty(&sem->wait_list))
		__rwsem_do_wake(sem, RWSEM_WAKE_ANY, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
}

/* Those in a percpu-rwsem or of a thread group have no downgrade. */
__attribute__((unused)) static noinline void
rwsem_downgrade_wake(struct rw_semaphore *sem)
{
	struct wake_q_head wake_q = { NULL, NULL };

	raw_spin_lock(&sem->wait_lock);
	if (!list_empty(&sem->wait_list))
		__rwsem_do_wake(sem, RWSEM_WAKE_READ_OWNED, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
}

/*
 * Give up waiting; drops wait_lock.  The first killable waits were those of
 * 4.7 (writers) and 4.15 (readers); older rules get the same.
 */
static void rwsem_del_wake_waiter(struct rw_semaphore *sem,
				  struct rwsem_waiter *waiter)
{
	struct wake_q_head wake_q = { NULL, NULL };

	list_del(&waiter->list);
	lock_unqueued(rwsem_lock(sem));
	if (list_empty(&sem->wait_list))
		rwsem_atomic_update(sem, -RWSEM_WAITING_BIAS);
	else
		__rwsem_do_wake(sem, RWSEM_WAKE_ANY, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
}

#endif

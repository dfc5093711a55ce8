/* SPDX-License-Identifier: GPL-2.0-only */
/* Waking the waiters of rwsem-bits.c, included by it alone. */
#ifndef LIB_LOCKS_RWSEM_BITS_WAKE_H
#define LIB_LOCKS_RWSEM_BITS_WAKE_H

#include "lib/locks/rwsem-bits.h"

static inline void rwsem_add_waiter(struct rw_semaphore *sem,
				    struct rwsem_waiter *waiter,
				    struct acquire *a)
{
	list_add_tail(&waiter->list, &sem->wait_list);
	slow_queued(a);
}

/* Return: whether others are left.  Without, no flag may be. */
static inline bool rwsem_del_waiter(struct rw_semaphore *sem,
				    struct rwsem_waiter *waiter)
{
	list_del(&waiter->list);
	lock_unqueued(rwsem_lock(sem));
	if (likely(!list_empty(&sem->wait_list)))
		return true;
	atomic_fetch_and(&sem->count,
			 ~(RWSEM_FLAG_HANDOFF | RWSEM_FLAG_WAITERS));
	return false;
}

/*
 * The first reader's grant before any is counted: a writer may have come
 * first.  Return: whether readers have the lock now.
 */
static bool rwsem_claim_for_reader(struct rw_semaphore *sem,
				   struct rwsem_waiter *waiter)
{
	unsigned long flags = waiter->last_rowner & RWSEM_RD_NONSPINNABLE;
	int64_t undo = RWSEM_READER_BIAS;
	int64_t old = atomic_fetch_add(&sem->count, RWSEM_READER_BIAS);

	if (likely(!(old & RWSEM_WRITER_LOCKED))) {
		/* An early sign to spinners. */
		__rwsem_set_reader_owned(sem, atomic_load(&waiter->task),
					 flags);
		return true;
	}
	if (rwsem_waited_long(sem, waiter)) {
		if (!(old & RWSEM_FLAG_HANDOFF))
			undo -= RWSEM_FLAG_HANDOFF;
		if (sem->rules->handoff != HANDOFF_FIRST)
			atomic_store(&waiter->handoff_set, true);
	}
	atomic_fetch_sub(&sem->count, undo);
	return false;
}

/* Move the readers to wake to @readers.  Return: their number. */
static int64_t rwsem_collect_readers(struct rw_semaphore *sem,
				     struct list_head *readers)
{
	const struct lock_rules *rules = sem->rules;
	struct list_head *at, *next;
	int64_t woken = 0;

	for (at = sem->wait_list.next; at != &sem->wait_list; at = next) {
		struct rwsem_waiter *waiter =
			container_of(at, struct rwsem_waiter, list);

		next = at->next;
		if (waiter->type == RWSEM_WAITING_FOR_WRITE) {
			if (!rules->wake_all_readers)
				break;
			continue;
		}
		list_del(at);
		lock_unqueued(rwsem_lock(sem));
		list_add_tail(at, readers);
		if (++woken == rules->wake_batch)
			break;
	}
	return woken;
}

/* One change of the count for all of them. */
static void rwsem_count_readers(struct rw_semaphore *sem, int64_t woken,
				int64_t claimed)
{
	int64_t add = woken * RWSEM_READER_BIAS - claimed;

	if (list_empty(&sem->wait_list))
		add -= RWSEM_FLAG_WAITERS;
	/* A reader has it: no need to force writers off it any more. */
	if (rwsem_count(sem) & RWSEM_FLAG_HANDOFF)
		add -= RWSEM_FLAG_HANDOFF;
	if (add)
		atomic_fetch_add(&sem->count, add);
}

/*
 * Wake the head of the queue, under wait_lock: a writer is woken and has to
 * take the lock itself; readers are given it, those from the whole queue.
 */
static noinline void rwsem_mark_wake(struct rw_semaphore *sem,
				     enum rwsem_wake_type wake_type,
				     struct wake_q_head *wake_q)
{
	struct rwsem_waiter *waiter = rwsem_first_waiter(sem);
	struct list_head readers, *at, *next;
	int64_t claimed = 0;
	int64_t woken;

	if (waiter->type == RWSEM_WAITING_FOR_WRITE) {
		if (wake_type == RWSEM_WAKE_ANY)
			wake_q_add(wake_q, atomic_load(&waiter->task));
		return;
	}
	if (unlikely(rwsem_count(sem) < 0))
		return;
	if (wake_type != RWSEM_WAKE_READ_OWNED) {
		if (!rwsem_claim_for_reader(sem, waiter))
			return;
		claimed = RWSEM_READER_BIAS;
	}
	list_init(&readers);
	woken = rwsem_collect_readers(sem, &readers);
	rwsem_count_readers(sem, woken, claimed);
	for (at = readers.next; at != &readers; at = next) {
		struct rwsemlab_task *task;

		waiter = container_of(at, struct rwsem_waiter, list);
		next = at->next;
		task = atomic_load_explicit(&waiter->task,
					    memory_order_relaxed);
		/* The waiter may be gone right after. */
		atomic_store_explicit(&waiter->task, NULL,
				      memory_order_release);
		wake_q_add(wake_q, task);
	}
}

/* @reader: a reader has queued, else a writer, behind others. */
static inline void rwsem_cond_wake_waiter(struct rw_semaphore *sem,
					  int64_t count, bool reader,
					  struct wake_q_head *wake_q)
{
	if (count & RWSEM_WRITER_LOCKED)
		return;
	if (count & RWSEM_READER_MASK) {
		rwsem_mark_wake(sem, RWSEM_WAKE_READERS, wake_q);
		return;
	}
	/* A writer does from 5.19 on (54c1ee4d614d). */
	if (reader || sem->rules->handoff >= HANDOFF_OWN)
		clear_nonspinnable(sem);
	rwsem_mark_wake(sem, RWSEM_WAKE_ANY, wake_q);
}

/* On behalf of a releaser or a reader. */
static void rwsem_wake_locked(struct rw_semaphore *sem,
			      enum rwsem_wake_type wake_type)
{
	struct wake_q_head wake_q = { NULL, NULL };

	raw_spin_lock(&sem->wait_lock);
	if (!list_empty(&sem->wait_list))
		rwsem_mark_wake(sem, wake_type, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
}

static noinline void rwsem_wake(struct rw_semaphore *sem)
{
	rwsem_wake_locked(sem, RWSEM_WAKE_ANY);
}

/* A thread group's has no downgrade. */
__attribute__((unused)) static noinline void
rwsem_downgrade_wake(struct rw_semaphore *sem)
{
	rwsem_wake_locked(sem, RWSEM_WAKE_READ_OWNED);
}

/* Give up waiting; drops wait_lock. */
static void rwsem_del_wake_waiter(struct rw_semaphore *sem,
				  struct rwsem_waiter *waiter)
{
	struct wake_q_head wake_q = { NULL, NULL };
	bool first = rwsem_first_waiter(sem) == waiter;
	bool wake = first;

	/* Before 5.19: a writer always, a reader never. */
	if (!sem->rules->nolock_always_wakes)
		wake = waiter->type == RWSEM_WAITING_FOR_WRITE;
	if (rwsem_del_waiter(sem, waiter) && wake)
		rwsem_mark_wake(sem, RWSEM_WAKE_ANY, &wake_q);
	raw_spin_unlock(&sem->wait_lock);
	wake_up_q(&wake_q);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The writers' slow path of rwsem-bits.c, included by it alone. */
#ifndef LIB_LOCKS_RWSEM_BITS_WRITE_H
#define LIB_LOCKS_RWSEM_BITS_WRITE_H

#include "lib/locks/rwsem-bits-spin.h"

/* Where a queued writer stands, 5.3 to 5.15. */
enum writer_wait_state {
	WRITER_NOT_FIRST,
	WRITER_FIRST,
	WRITER_HANDOFF,
};

static void rwsem_init_waiter(struct rw_semaphore *sem,
			      struct rwsem_waiter *waiter,
			      enum rwsem_waiter_type type)
{
	atomic_init(&waiter->task, current_task());
	atomic_init(&waiter->handoff_set, false);
	waiter->type = type;
	waiter->timeout = jiffies_ms() + sem->rules->handoff_ms;
}

/* May @waiter try at all, by whom the handoff is for? */
static bool rwsem_handoff_allows(struct rw_semaphore *sem,
				 struct rwsem_waiter *waiter,
				 enum writer_wait_state wstate)
{
	struct rwsem_waiter *first = rwsem_first_waiter(sem);

	switch (sem->rules->handoff) {
	case HANDOFF_FIRST:
		return wstate != WRITER_NOT_FIRST;
	case HANDOFF_INHERIT:
		if (waiter != first)
			return false;
		break;
	default:
		if (atomic_load(&first->handoff_set) && waiter != first)
			return false;
	}
	/* The first one inherits a handoff that another asked for. */
	if (sem->rules->handoff != HANDOFF_HEAD && waiter == first)
		atomic_store(&waiter->handoff_set, true);
	return true;
}

static bool rwsem_asks_for_handoff(struct rw_semaphore *sem,
				   struct rwsem_waiter *waiter,
				   enum writer_wait_state wstate)
{
	if (sem->rules->handoff == HANDOFF_FIRST)
		return wstate == WRITER_HANDOFF;
	return rwsem_waited_long(sem, waiter);
}

static void rwsem_handoff_was_set(struct rw_semaphore *sem,
				  struct rwsem_waiter *waiter,
				  struct acquire *a)
{
	struct rwsem_waiter *whose = waiter;

	if (sem->rules->handoff == HANDOFF_HEAD)
		whose = rwsem_first_waiter(sem);
	if (sem->rules->handoff != HANDOFF_FIRST)
		atomic_store(&whose->handoff_set, true);
	slow_handoff_set(a);
}

/* Without stealing only the head may take it. */
static inline bool rwsem_may_take(struct rw_semaphore *sem,
				  struct rwsem_waiter *waiter)
{
	struct rwsem_waiter *first = rwsem_first_waiter(sem);

	if (first == waiter || sem->rules->steal == STEAL_ANY)
		return true;
	return sem->rules->steal == STEAL_HEAD &&
	       first->type == RWSEM_WAITING_FOR_WRITE;
}

/* Under wait_lock.  Takes the waiter off the queue on success. */
static bool rwsem_try_write_lock(struct rw_semaphore *sem,
				 struct rwsem_waiter *waiter,
				 enum writer_wait_state wstate,
				 struct acquire *a)
{
	int64_t count = rwsem_count(sem);
	int64_t new;

	do {
		bool handoff = count & RWSEM_FLAG_HANDOFF;

		if (handoff && !rwsem_handoff_allows(sem, waiter, wstate))
			return false;
		new = count;
		if (count & RWSEM_LOCK_MASK) {
			if (handoff ||
			    !rwsem_asks_for_handoff(sem, waiter, wstate))
				return false;
			new |= RWSEM_FLAG_HANDOFF;
		} else {
			if (!rwsem_may_take(sem, waiter))
				return false;
			new |= RWSEM_WRITER_LOCKED;
			new &= ~RWSEM_FLAG_HANDOFF;
			if (list_is_singular(&sem->wait_list))
				new &= ~RWSEM_FLAG_WAITERS;
		}
	} while (!atomic_compare_exchange_weak(&sem->count, &count, new));
	if (new &RWSEM_FLAG_HANDOFF) {
		rwsem_handoff_was_set(sem, waiter, a);
		return false;
	}
	if (count & RWSEM_FLAG_HANDOFF)
		slow_handoff_taken(a);
	if (LOCK_COUNTED)
		slow_stole(a, list_before(&sem->wait_list, &waiter->list));
	list_del(&waiter->list);
	lock_unqueued(a->lock);
	rwsem_set_owner(sem);
	return true;
}

/* The loop to 5.15.  Return: how to go on; -errno: give up. */
static int rwsem_block_wstate(struct rw_semaphore *sem,
			      struct rwsem_waiter *waiter,
			      enum writer_wait_state *wstate, struct acquire *a)
{
	int ret;

	if (*wstate == WRITER_HANDOFF && sem->rules->handoff_spins &&
	    rwsem_spin_on_owner(sem, RWSEM_NONSPINNABLE, a) == OWNER_NULL)
		return 0;
	for (;;) {
		ret = signal_pending_state(a->wait);
		if (ret)
			return ret;
		slow_sleep(a);
		if (*wstate == WRITER_HANDOFF)
			return 0;
		if (rwsem_first_waiter(sem) == waiter)
			*wstate = WRITER_FIRST;
		if (!(rwsem_count(sem) & RWSEM_LOCK_MASK))
			return 0;
		if (*wstate == WRITER_FIRST && rwsem_waited_long(sem, waiter)) {
			*wstate = WRITER_HANDOFF;
			return 0;
		}
	}
}

/* The loop from 5.16. */
static int rwsem_block(struct rw_semaphore *sem, struct rwsem_waiter *waiter,
		       enum writer_wait_state *wstate, struct acquire *a)
{
	int ret;

	if (sem->rules->handoff == HANDOFF_FIRST)
		return rwsem_block_wstate(sem, waiter, wstate, a);
	ret = signal_pending_state(a->wait);
	if (ret)
		return ret;
	/* Hasten the transfer: the owner may be about to release it. */
	if (atomic_load(&waiter->handoff_set) &&
	    rwsem_spin_on_owner(sem, RWSEM_NONSPINNABLE, a) == OWNER_NULL)
		return 0;
	slow_sleep(a);
	return 0;
}

static int rwsem_wait_for_write(struct rw_semaphore *sem,
				struct rwsem_waiter *waiter,
				enum writer_wait_state wstate,
				struct acquire *a)
{
	int ret;

	while (!rwsem_try_write_lock(sem, waiter, wstate, a)) {
		slow_blocked(a, rwsem_count(sem) & RWSEM_WRITER_LOCKED);
		raw_spin_unlock(&sem->wait_lock);
		ret = rwsem_block(sem, waiter, &wstate, a);
		raw_spin_lock(&sem->wait_lock);
		if (!ret)
			continue;
		if (wstate == WRITER_HANDOFF)
			atomic_fetch_and(&sem->count, ~RWSEM_FLAG_HANDOFF);
		rwsem_del_wake_waiter(sem, waiter);
		return ret;
	}
	raw_spin_unlock(&sem->wait_lock);
	return 0;
}

static noinline int rwsem_down_write_slowpath(struct rw_semaphore *sem,
					      int64_t count, struct acquire *a)
{
	enum writer_wait_state wstate = WRITER_FIRST;
	struct wake_q_head wake_q = { NULL, NULL };
	struct rwsem_waiter waiter;
	bool disable_rspin;
	int ret;

	(void)count;
	if (rwsem_can_spin_on_owner(sem, RWSEM_WR_NONSPINNABLE, a) &&
	    rwsem_optimistic_spin(sem, a))
		return 0;
	disable_rspin = sem->rules->reader_spin &&
			(rwsem_owner(sem) & RWSEM_NONSPINNABLE);
	rwsem_init_waiter(sem, &waiter, RWSEM_WAITING_FOR_WRITE);
	raw_spin_lock(&sem->wait_lock);
	rwsem_add_waiter(sem, &waiter, a);
	if (rwsem_first_waiter(sem) == &waiter) {
		atomic_fetch_or(&sem->count, RWSEM_FLAG_WAITERS);
	} else {
		wstate = WRITER_NOT_FIRST;
		rwsem_cond_wake_waiter(sem, rwsem_count(sem), false, &wake_q);
		if (!wake_q_empty(&wake_q)) {
			raw_spin_unlock(&sem->wait_lock);
			wake_up_q(&wake_q);
			raw_spin_lock(&sem->wait_lock);
		}
	}
	ret = rwsem_wait_for_write(sem, &waiter, wstate, a);
	/* It saw readers hold it for too long: those to come don't spin. */
	if (!ret && disable_rspin)
		atomic_fetch_or(&sem->owner, RWSEM_RD_NONSPINNABLE);
	return ret;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Optimistic spinning of rwsem-bits.c, included by it alone. */
#ifndef LIB_LOCKS_RWSEM_BITS_SPIN_H
#define LIB_LOCKS_RWSEM_BITS_SPIN_H

#include "lib/locks/rwsem-bits-wake.h"

enum owner_state {
	OWNER_NULL,
	OWNER_WRITER,
	OWNER_READER,
	OWNER_NONSPINNABLE,
};

/* Readers' time is up when the clock passes it; read every 16th time. */
#define RSPIN_CLOCK_EVERY 16u
#define RSPIN_MAX_READERS 30

static inline struct rwsemlab_task *owner_task(unsigned long owner)
{
	return (struct rwsemlab_task *)(owner & ~RWSEM_OWNER_FLAGS);
}

static inline enum owner_state rwsem_owner_state(unsigned long owner,
						 unsigned long nonspinnable)
{
	if (owner & nonspinnable)
		return OWNER_NONSPINNABLE;
	if (owner & RWSEM_READER_OWNED)
		return OWNER_READER;
	return owner_task(owner) ? OWNER_WRITER : OWNER_NULL;
}

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

	while (!(count & (RWSEM_LOCK_MASK | RWSEM_FLAG_HANDOFF))) {
		if ((count & RWSEM_FLAG_WAITERS) && !rwsem_may_steal(sem))
			return false;
		if (!atomic_compare_exchange_weak(&sem->count, &count,
						  count | RWSEM_WRITER_LOCKED))
			continue;
		rwsem_set_owner(sem);
		if (count & RWSEM_FLAG_WAITERS)
			slow_stole(a, lock_waiting(a->lock));
		return true;
	}
	return false;
}

/* 5.3: a reader that undid its bias. */
static bool rwsem_try_read_lock_unqueued(struct rw_semaphore *sem,
					 struct acquire *a)
{
	const int64_t forbids = RWSEM_WRITER_LOCKED | RWSEM_FLAG_HANDOFF;
	int64_t count = rwsem_count(sem);

	if (count & forbids)
		return false;
	count = atomic_fetch_add(&sem->count, RWSEM_READER_BIAS);
	if (count & forbids) {
		atomic_fetch_sub(&sem->count, RWSEM_READER_BIAS);
		return false;
	}
	rwsem_set_reader_owned(sem);
	if (count & RWSEM_FLAG_WAITERS)
		slow_stole(a, lock_waiting(a->lock));
	return true;
}

static bool rwsem_can_spin_on_owner(struct rw_semaphore *sem,
				    unsigned long nonspinnable,
				    struct acquire *a)
{
	unsigned long owner = rwsem_owner(sem);

	if (sem->rules->spin == SPIN_NONE)
		return false;
	if (need_resched()) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	if (owner & nonspinnable) {
		slow_event(a, RWSEMLAB_SPIN_NOT_TRIED);
		return false;
	}
	/* A reader's entry may be stale: not looked at. */
	if (owner_task(owner) && !(owner & RWSEM_READER_OWNED) &&
	    !task_on_cpu(owner_task(owner))) {
		slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
		return false;
	}
	return true;
}

/*
 * While the same writer owns it and runs.  Return: whose it is after that.
 * Preemption is off, which keeps the owner's memory there.
 */
static noinline enum owner_state rwsem_spin_on_owner(struct rw_semaphore *sem,
						     unsigned long nonspinnable,
						     struct acquire *a)
{
	unsigned long owner = rwsem_owner(sem);
	enum owner_state state = rwsem_owner_state(owner, nonspinnable);

	if (sem->rules->spin == SPIN_NONE)
		return OWNER_NONSPINNABLE;
	if (state == OWNER_NONSPINNABLE)
		slow_event(a, RWSEMLAB_SPIN_READERS_TIMEOUT);
	if (state != OWNER_WRITER)
		return state;
	slow_blocked(a, true);
	for (;;) {
		unsigned long now = rwsem_owner(sem);

		if (now != owner)
			return rwsem_owner_state(now, nonspinnable);
		if (!task_on_cpu(owner_task(owner))) {
			slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
			return OWNER_NONSPINNABLE;
		}
		if (need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return OWNER_NONSPINNABLE;
		}
		cpu_relax();
	}
}

/* The more readers, the longer until the last one leaves. */
static uint64_t rwsem_rspin_threshold(struct rw_semaphore *sem)
{
	int64_t readers = rwsem_count(sem) >> RWSEM_READER_SHIFT;

	if (readers > RSPIN_MAX_READERS)
		readers = RSPIN_MAX_READERS;
	return clock_ns() + sem->rules->reader_spin_us * 1000ull +
	       (uint64_t)readers * 500u;
}

struct reader_phase {
	enum owner_state before;
	uint32_t loop;
	uint64_t threshold;
};

/* Readers own it.  Return: whether a writer may go on spinning. */
static bool rwsem_spin_on_readers(struct rw_semaphore *sem,
				  struct reader_phase *phase,
				  unsigned long nonspinnable, struct acquire *a)
{
	slow_blocked(a, false);
	/* A new phase has a new limit, so a writer may steal in between. */
	if (phase->before != OWNER_READER) {
		if (rwsem_owner(sem) & nonspinnable) {
			slow_event(a, RWSEMLAB_SPIN_READERS_TIMEOUT);
			return false;
		}
		phase->threshold = rwsem_rspin_threshold(sem);
		phase->loop = 0;
		return true;
	}
	if (++phase->loop % RSPIN_CLOCK_EVERY || clock_ns() <= phase->threshold)
		return true;
	rwsem_set_nonspinnable(sem);
	slow_event(a, RWSEMLAB_SPIN_READERS_TIMEOUT);
	return false;
}

static bool rwsem_spin(struct rw_semaphore *sem, struct acquire *a)
{
	bool wlock = a->mode == RWSEMLAB_WRITE;
	unsigned long nonspinnable = wlock ? RWSEM_WR_NONSPINNABLE :
					     RWSEM_RD_NONSPINNABLE;
	struct reader_phase phase = { .before = OWNER_NULL };

	for (;;) {
		enum owner_state state =
			rwsem_spin_on_owner(sem, nonspinnable, a);

		if (state == OWNER_NONSPINNABLE)
			return false;
		if (wlock ? rwsem_try_write_lock_unqueued(sem, a) :
			    rwsem_try_read_lock_unqueued(sem, a))
			return true;
		if (wlock && state == OWNER_READER &&
		    !rwsem_spin_on_readers(sem, &phase, nonspinnable, a))
			return false;
		/* On a writer rwsem_spin_on_owner() asks. */
		if (state != OWNER_WRITER && need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		phase.before = state;
		cpu_relax();
	}
}

static noinline bool rwsem_optimistic_spin(struct rw_semaphore *sem,
					   struct acquire *a)
{
	enum lock_spin how = sem->rules->spin;
	bool taken;

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

/*
 * 5.3: a reader that did not get it by spinning may still join a read phase
 * that began after it came.
 */
static bool rwsem_reader_phase_trylock(struct rw_semaphore *sem,
				       unsigned long last_rowner,
				       struct acquire *a)
{
	unsigned long owner = rwsem_owner(sem);

	if (!(owner & RWSEM_READER_OWNED) ||
	    owner_task(owner) == owner_task(last_rowner))
		return false;
	return rwsem_try_read_lock_unqueued(sem, a);
}

#endif

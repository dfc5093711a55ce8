/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rwsem to 5.2 on machines with xadd: one signed count.
 *
 * Its low half counts active lockers and those that try, its high half is
 * negative with a writer or with waiters:
 *
 *	reader +1, writer +1 and -2^32, a queue that is not empty -2^32
 */
#ifndef LIB_LOCKS_RWSEM_XADD_H
#define LIB_LOCKS_RWSEM_XADD_H

#include "lib/locks/list.h"
#include "lib/locks/osq.h"
#include "lib/locks/wake-q.h"

#define RWSEM_ACTIVE_MASK	0xffffffffll
#define RWSEM_ACTIVE_READ_BIAS	1ll
#define RWSEM_WAITING_BIAS	(-RWSEM_ACTIVE_MASK - 1)
#define RWSEM_ACTIVE_WRITE_BIAS (RWSEM_WAITING_BIAS + RWSEM_ACTIVE_READ_BIAS)

/* 4.8: the owner while readers have it. */
#define RWSEM_READER_OWNED 1ul

struct rw_semaphore {
	_Atomic int64_t count;
	atomic_ulong owner;
	const struct lock_rules *rules;
	struct list_head wait_list;
	raw_spinlock_t wait_lock;
	struct optimistic_spin_queue osq;
};
_Static_assert(sizeof(struct rw_semaphore) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "an rwsem must fit into a lock");

enum rwsem_waiter_type {
	RWSEM_WAITING_FOR_WRITE,
	RWSEM_WAITING_FOR_READ,
};

struct rwsem_waiter {
	struct list_head list;
	_Atomic(struct rwsemlab_task *) task; /* NULL: granted */
	enum rwsem_waiter_type type;
};

enum rwsem_wake_type {
	RWSEM_WAKE_ANY, /* whatever is the head */
	RWSEM_WAKE_NO_ACTIVE, /* the same, and nobody can be active */
	RWSEM_WAKE_READERS, /* only readers */
	RWSEM_WAKE_READ_OWNED, /* the same; readers have it for sure */
};

static inline struct rw_semaphore *rwsem_of(struct rwsemlab_lock *lock)
{
	return (struct rw_semaphore *)(void *)lock->state;
}

static inline struct rwsemlab_lock *rwsem_lock(struct rw_semaphore *sem)
{
	return container_of(sem, struct rwsemlab_lock, state);
}

static inline struct rwsem_waiter *rwsem_first_waiter(struct rw_semaphore *sem)
{
	return container_of(list_next(&sem->wait_list), struct rwsem_waiter,
			    list);
}

static inline int64_t rwsem_count(struct rw_semaphore *sem)
{
	return atomic_load_explicit(&sem->count, memory_order_relaxed);
}

/* Return: the new count. */
static inline int64_t rwsem_atomic_update(struct rw_semaphore *sem,
					  int64_t delta)
{
	return atomic_fetch_add(&sem->count, delta) + delta;
}

static inline unsigned long rwsem_owner(struct rw_semaphore *sem)
{
	return atomic_load_explicit(&sem->owner, memory_order_relaxed);
}

/* There is an owner only for spinners to look at. */
static inline void rwsem_set_owner(struct rw_semaphore *sem)
{
	if (sem->rules->spin != SPIN_NONE)
		atomic_store_explicit(&sem->owner,
				      (unsigned long)current_task(),
				      memory_order_relaxed);
}

static inline void rwsem_clear_owner(struct rw_semaphore *sem)
{
	if (sem->rules->spin != SPIN_NONE)
		atomic_store_explicit(&sem->owner, 0, memory_order_relaxed);
}

static inline void rwsem_set_reader_owned(struct rw_semaphore *sem)
{
	if (sem->rules->null_owner == NULL_OWNER_MARKED &&
	    rwsem_owner(sem) != RWSEM_READER_OWNED)
		atomic_store_explicit(&sem->owner, RWSEM_READER_OWNED,
				      memory_order_relaxed);
}

/*
 * Can a writer take it without wait_lock, past the queue?  To 3.9 none could,
 * so that whoever held wait_lock and saw nobody active could rely on it.
 */
static inline bool rwsem_open_to_stealing(const struct rw_semaphore *sem)
{
	return sem->rules->steal == STEAL_ANY || sem->rules->spin != SPIN_NONE;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rwsem since 5.3 (64489e78004c): a count of bits, an owner with flags.
 *
 * count:	bit 0 a writer has it, bit 1 waiters, bit 2 handoff,
 *		from bit 8 on the number of readers, top bit: too many
 * owner:	a task; bit 0 readers (the last one that came), bits 1 and 2:
 *		readers, writers should not spin on it
 */
#ifndef LIB_LOCKS_RWSEM_BITS_H
#define LIB_LOCKS_RWSEM_BITS_H

#include "lib/locks/list.h"
#include "lib/locks/osq.h"
#include "lib/locks/wake-q.h"

#define RWSEM_WRITER_LOCKED 1l
#define RWSEM_FLAG_WAITERS  2l
#define RWSEM_FLAG_HANDOFF  4l
#define RWSEM_READER_BIAS   256l
#define RWSEM_READER_SHIFT  8
#define RWSEM_READER_MASK   (~(RWSEM_READER_BIAS - 1))
#define RWSEM_LOCK_MASK	    (RWSEM_WRITER_LOCKED | RWSEM_READER_MASK)
/* The top bit is the sign. */
#define RWSEM_READ_FAILED_MASK                                           \
	(RWSEM_WRITER_LOCKED | RWSEM_FLAG_WAITERS | RWSEM_FLAG_HANDOFF | \
	 INT64_MIN)

#define RWSEM_READER_OWNED    1ul
#define RWSEM_RD_NONSPINNABLE 2ul
#define RWSEM_WR_NONSPINNABLE 4ul
#define RWSEM_NONSPINNABLE    (RWSEM_RD_NONSPINNABLE | RWSEM_WR_NONSPINNABLE)
#define RWSEM_OWNER_FLAGS     7ul

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
	_Atomic(struct rwsemlab_task *) task;
	enum rwsem_waiter_type type;
	uint64_t timeout; /* jiffies */
	unsigned long last_rowner; /* 5.3: of a reader, when it came */
	atomic_bool handoff_set;
};

enum rwsem_wake_type {
	RWSEM_WAKE_ANY, /* whatever is the head */
	RWSEM_WAKE_READERS, /* only readers */
	RWSEM_WAKE_READ_OWNED, /* the same; the waker is one */
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

static inline unsigned long rwsem_owner(struct rw_semaphore *sem)
{
	return atomic_load_explicit(&sem->owner, memory_order_relaxed);
}

static inline void rwsem_set_owner(struct rw_semaphore *sem)
{
	atomic_store_explicit(&sem->owner, (unsigned long)current_task(),
			      memory_order_relaxed);
}

static inline void rwsem_clear_owner(struct rw_semaphore *sem)
{
	atomic_store_explicit(&sem->owner, 0, memory_order_relaxed);
}

/* Which NONSPINNABLE bits outlive a change of readers. */
static inline unsigned long rwsem_kept_flags(const struct rw_semaphore *sem)
{
	/* 5.11 has a single bit, here both together. */
	return sem->rules->reader_spin ? RWSEM_RD_NONSPINNABLE :
					 RWSEM_NONSPINNABLE;
}

static inline void __rwsem_set_reader_owned(struct rw_semaphore *sem,
					    struct rwsemlab_task *reader,
					    unsigned long flags)
{
	unsigned long kept = rwsem_owner(sem) & rwsem_kept_flags(sem);

	atomic_store_explicit(&sem->owner,
			      (unsigned long)reader | RWSEM_READER_OWNED |
				      flags | kept,
			      memory_order_relaxed);
}

static inline void rwsem_set_reader_owned(struct rw_semaphore *sem)
{
	__rwsem_set_reader_owned(sem, current_task(), 0);
}

/* Only while readers are the owner. */
static inline void rwsem_set_nonspinnable(struct rw_semaphore *sem)
{
	unsigned long owner = rwsem_owner(sem);

	while ((owner & RWSEM_READER_OWNED) &&
	       (owner & RWSEM_NONSPINNABLE) != RWSEM_NONSPINNABLE)
		if (atomic_compare_exchange_weak(&sem->owner, &owner,
						 owner | RWSEM_NONSPINNABLE))
			break;
}

/*
 * For when the readers' number is 0.  Where readers spin too only writers may
 * again: they are preferred after a long read phase.
 */
static inline void clear_nonspinnable(struct rw_semaphore *sem)
{
	unsigned long clear = sem->rules->reader_spin ? RWSEM_WR_NONSPINNABLE :
							RWSEM_NONSPINNABLE;

	if (unlikely(rwsem_owner(sem) & clear))
		atomic_fetch_and(&sem->owner, ~clear);
}

/* Has a waiter waited long enough to ask for a handoff? */
static inline bool rwsem_waited_long(const struct rw_semaphore *sem,
				     const struct rwsem_waiter *waiter)
{
	uint32_t ms = sem->rules->handoff_ms;

	if (ms == UINT32_MAX)
		return false;
	return !ms || jiffies_ms() > waiter->timeout;
}

#endif

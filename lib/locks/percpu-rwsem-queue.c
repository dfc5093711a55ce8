// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu-rwsem since 5.7 (7f26482a872c): a queue of its own.
 *
 * A reader counts, then looks at block; a writer sets block, then looks at the
 * sum of counts.  One of them sees the other.  up_write grants it in the
 * queue's order, readers until one writer; but whoever comes may take it
 * first, since block is free meanwhile.
 */
#include "lib/locks/list.h"
#include "lib/locks/percpu-count.h"
#include "lib/locks/rcu-sync.h"

struct percpu_rw_semaphore {
	struct rcu_sync rss;
	percpu_t read_count;
	atomic_uint block; /* 1: a writer's */
	rcuwait_t writer;
	struct list_head waiters;
	raw_spinlock_t wait_lock;
};
_Static_assert(sizeof(struct percpu_rw_semaphore) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "a percpu-rwsem must fit into a lock");

struct percpu_waiter {
	struct list_head list;
	_Atomic(struct rwsemlab_task *) task; /* NULL: granted */
	bool reader;
};

static inline struct percpu_rw_semaphore *percpu_sem(struct rwsemlab_lock *lock)
{
	return (struct percpu_rw_semaphore *)(void *)lock->state;
}

static inline struct rwsemlab_lock *percpu_lock(struct percpu_rw_semaphore *sem)
{
	return container_of(sem, struct rwsemlab_lock, state);
}

/* Inside a read section. */
static inline bool __percpu_down_read_trylock(struct percpu_rw_semaphore *sem)
{
	this_cpu_add_mb(sem->read_count, 1);
	if (likely(!atomic_load(&sem->block)))
		return true;
	this_cpu_add_mb(sem->read_count, -1u);
	/* The writer may have seen the count meanwhile. */
	rcuwait_wake_up(&sem->writer);
	return false;
}

static inline bool percpu_write_trylock(struct percpu_rw_semaphore *sem)
{
	return !atomic_load(&sem->block) && !atomic_exchange(&sem->block, 1);
}

static bool percpu_rwsem_trylock(struct percpu_rw_semaphore *sem, bool reader)
{
	bool taken;

	if (!reader)
		return percpu_write_trylock(sem);
	preempt_disable();
	taken = __percpu_down_read_trylock(sem);
	preempt_enable();
	return taken;
}

/* Grant it to those that wait: readers up to a writer, while it works. */
static noinline void percpu_rwsem_wake(struct percpu_rw_semaphore *sem)
{
	raw_spin_lock(&sem->wait_lock);
	while (!list_empty(&sem->waiters)) {
		struct percpu_waiter *waiter = container_of(
			sem->waiters.next, struct percpu_waiter, list);
		struct rwsemlab_task *task = atomic_load(&waiter->task);
		bool reader = waiter->reader;

		/* A writer that came has stolen it, and will wake them. */
		if (!percpu_rwsem_trylock(sem, reader))
			break;
		list_del(&waiter->list);
		lock_unqueued(percpu_lock(sem));
		/* The waiter may be gone right after. */
		atomic_store_explicit(&waiter->task, NULL,
				      memory_order_release);
		wake_task(task);
		if (!reader)
			break;
	}
	raw_spin_unlock(&sem->wait_lock);
}

static noinline void percpu_rwsem_wait(struct percpu_rw_semaphore *sem,
				       bool reader, struct acquire *a)
{
	struct percpu_waiter waiter = {
		.task = current_task(),
		.reader = reader,
	};

	raw_spin_lock(&sem->wait_lock);
	/* If it fails, up_write is still to come and sees us. */
	if (percpu_rwsem_trylock(sem, reader)) {
		raw_spin_unlock(&sem->wait_lock);
		slow_stole(a, lock_waiting(a->lock));
		return;
	}
	slow_blocked(a, true);
	list_add_tail(&waiter.list, &sem->waiters);
	slow_queued(a);
	raw_spin_unlock(&sem->wait_lock);
	while (atomic_load_explicit(&waiter.task, memory_order_acquire))
		slow_sleep(a);
}

/* Ends the read section that it is called in. */
static inline bool percpu_read_try(struct percpu_rw_semaphore *sem)
{
	bool taken = __percpu_down_read_trylock(sem);

	preempt_enable();
	return taken;
}

static inline void percpu_read_wait(struct percpu_rw_semaphore *sem,
				    struct acquire *a)
{
	percpu_rwsem_wait(sem, true, a);
}

static noinline void __percpu_up_read(struct rwsemlab_lock *lock,
				      const void *site)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	this_cpu_add_mb(sem->read_count, -1u);
	if (likely(!atomic_load(&sem->writer)))
		return;
	waker_is(lock, RWSEMLAB_READ, site);
	rcuwait_wake_up(&sem->writer);
}

/* Stable once true: whoever counts from now on takes it back. */
static bool readers_active_check(struct percpu_rw_semaphore *sem)
{
	return !percpu_sum(sem->rss.machine, sem->read_count);
}

static inline void percpu_write_lock(struct percpu_rw_semaphore *sem,
				     struct acquire *a)
{
	if (percpu_write_trylock(sem))
		slow_stole(a, lock_waiting(a->lock));
	else
		percpu_rwsem_wait(sem, false, a);
}

static void percpu_write_unlock(struct percpu_rw_semaphore *sem)
{
	atomic_store(&sem->block, 0);
	percpu_rwsem_wake(sem);
}

#include "lib/locks/percpu-sync.h"

static int percpu_init(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	atomic_init(&sem->block, 0);
	list_init(&sem->waiters);
	raw_spin_lock_init(&sem->wait_lock);
	return percpu_sync_init(lock);
}

static const char *percpu_at_rest(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (atomic_load(&sem->block))
		return "a writer blocks readers";
	if (!list_empty(&sem->waiters))
		return "the queue has waiters";
	return percpu_sync_wrong(lock, 0);
}

#include "lib/locks/percpu-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_queue_ops);
const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_queue_ops) = PERCPU_OPS;

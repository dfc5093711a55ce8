// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic rwsem, lib/rwsem-spinlock.c to 5.1: everything under wait_lock.
 *
 * activity: 0 free, n readers, -1 a writer.  To 3.8 the releaser grants it in
 * the queue's order; from 3.9 on (41ef8f826692) a writer is only woken, and
 * any takes it that finds it free.
 */
#include "lib/locks/list.h"
#include "lib/locks/wake-q.h"

struct rw_semaphore {
	int64_t activity;
	const struct lock_rules *rules;
	struct list_head wait_list;
	raw_spinlock_t wait_lock;
};
_Static_assert(sizeof(struct rw_semaphore) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "an rwsem must fit into a lock");

struct rwsem_waiter {
	struct list_head list;
	_Atomic(struct rwsemlab_task *) task; /* NULL: granted */
	bool write;
};

static inline struct rw_semaphore *rwsem_of(struct rwsemlab_lock *lock)
{
	return (struct rw_semaphore *)(void *)lock->state;
}

static inline struct rwsemlab_lock *rwsem_lock(struct rw_semaphore *sem)
{
	return container_of(sem, struct rwsemlab_lock, state);
}

static inline bool rwsem_grants(const struct rw_semaphore *sem)
{
	return sem->rules->steal == STEAL_NONE;
}

static inline struct rwsem_waiter *rwsem_first_waiter(struct rw_semaphore *sem)
{
	return container_of(sem->wait_list.next, struct rwsem_waiter, list);
}

/* May a writer take it that is not the head of the queue?  Under wait_lock. */
static bool rwsem_may_steal(struct rw_semaphore *sem)
{
	if (list_empty(&sem->wait_list))
		return true;
	return sem->rules->steal == STEAL_ANY ||
	       (sem->rules->steal == STEAL_HEAD &&
		rwsem_first_waiter(sem)->write);
}

static inline bool __down_read_trylock(struct rw_semaphore *sem)
{
	bool taken;

	raw_spin_lock(&sem->wait_lock);
	taken = sem->activity >= 0 && list_empty(&sem->wait_list);
	if (taken)
		sem->activity++;
	raw_spin_unlock(&sem->wait_lock);
	return taken;
}

static inline bool fast_down_read(struct rw_semaphore *sem, int64_t *hint,
				  bool *passed)
{
	(void)passed;
	*hint = 0;
	return __down_read_trylock(sem);
}

static inline bool fast_down_write(struct rw_semaphore *sem, int64_t *hint,
				   bool *passed)
{
	bool taken;

	*hint = 0;
	raw_spin_lock(&sem->wait_lock);
	taken = !sem->activity && rwsem_may_steal(sem);
	if (taken) {
		sem->activity = -1;
		*passed = !list_empty(&sem->wait_list);
	}
	raw_spin_unlock(&sem->wait_lock);
	return taken;
}

static inline bool __down_write_trylock(struct rw_semaphore *sem)
{
	int64_t hint;
	bool passed;

	return fast_down_write(sem, &hint, &passed);
}

static void rwsem_grant(struct rw_semaphore *sem, struct rwsem_waiter *waiter)
{
	struct rwsemlab_task *task = atomic_load(&waiter->task);

	list_del(&waiter->list);
	lock_unqueued(rwsem_lock(sem));
	atomic_store_explicit(&waiter->task, NULL, memory_order_release);
	wake_task(task);
}

/* Under wait_lock, with waiters. */
static noinline void __rwsem_do_wake(struct rw_semaphore *sem, bool wake_writer)
{
	struct rwsem_waiter *waiter = rwsem_first_waiter(sem);
	uint32_t woken = 0;

	if (waiter->write) {
		if (!wake_writer || sem->activity)
			return;
		if (!rwsem_grants(sem)) {
			wake_task(atomic_load(&waiter->task));
			return;
		}
		sem->activity = -1;
		rwsem_grant(sem, waiter);
		return;
	}
	while (sem->activity >= 0 && !list_empty(&sem->wait_list) &&
	       !rwsem_first_waiter(sem)->write) {
		sem->activity++;
		rwsem_grant(sem, rwsem_first_waiter(sem));
		if (++woken == sem->rules->wake_batch)
			break;
	}
}

/* Drops the wait_lock that the fast part left. */
static noinline void rwsem_wake(struct rw_semaphore *sem)
{
	__rwsem_do_wake(sem, true);
	raw_spin_unlock(&sem->wait_lock);
}

static noinline void rwsem_downgrade_wake(struct rw_semaphore *sem)
{
	__rwsem_do_wake(sem, false);
	raw_spin_unlock(&sem->wait_lock);
}

/* Give up waiting; drops wait_lock. */
static void rwsem_del_wake_waiter(struct rw_semaphore *sem,
				  struct rwsem_waiter *waiter)
{
	list_del(&waiter->list);
	lock_unqueued(rwsem_lock(sem));
	if (!list_empty(&sem->wait_list))
		__rwsem_do_wake(sem, true);
	raw_spin_unlock(&sem->wait_lock);
}

/* Called and left with wait_lock; -errno: left without, and not waiting. */
static int rwsem_sleep(struct rw_semaphore *sem, struct rwsem_waiter *waiter,
		       struct acquire *a)
{
	int ret;

	slow_blocked(a, sem->activity < 0);
	raw_spin_unlock(&sem->wait_lock);
	ret = signal_pending_state(a->wait);
	if (!ret)
		slow_sleep(a);
	raw_spin_lock(&sem->wait_lock);
	if (!ret || !atomic_load(&waiter->task))
		return 0;
	rwsem_del_wake_waiter(sem, waiter);
	return ret;
}

static noinline int __down_read(struct rw_semaphore *sem, int64_t hint,
				struct acquire *a)
{
	struct rwsem_waiter waiter = { .task = current_task() };
	int ret;

	(void)hint;
	raw_spin_lock(&sem->wait_lock);
	if (sem->activity >= 0 && list_empty(&sem->wait_list)) {
		sem->activity++;
		raw_spin_unlock(&sem->wait_lock);
		return 0;
	}
	list_add_tail(&waiter.list, &sem->wait_list);
	slow_queued(a);
	while (atomic_load(&waiter.task)) {
		ret = rwsem_sleep(sem, &waiter, a);
		if (ret)
			return ret;
	}
	raw_spin_unlock(&sem->wait_lock);
	return 0;
}

/* Under wait_lock. */
static bool rwsem_try_write_lock(struct rw_semaphore *sem,
				 struct rwsem_waiter *waiter, struct acquire *a)
{
	if (rwsem_grants(sem))
		return !atomic_load(&waiter->task);
	if (sem->activity ||
	    (rwsem_first_waiter(sem) != waiter && !rwsem_may_steal(sem)))
		return false;
	if (LOCK_COUNTED)
		slow_stole(a, list_before(&sem->wait_list, &waiter->list));
	sem->activity = -1;
	list_del(&waiter->list);
	lock_unqueued(a->lock);
	return true;
}

static noinline int __down_write(struct rw_semaphore *sem, int64_t hint,
				 struct acquire *a)
{
	struct rwsem_waiter waiter = {
		.task = current_task(),
		.write = true,
	};
	int ret;

	(void)hint;
	raw_spin_lock(&sem->wait_lock);
	list_add_tail(&waiter.list, &sem->wait_list);
	slow_queued(a);
	/* It may have become free, with nobody left to grant it. */
	if (rwsem_grants(sem) && list_is_singular(&sem->wait_list))
		__rwsem_do_wake(sem, true);
	while (!rwsem_try_write_lock(sem, &waiter, a)) {
		ret = rwsem_sleep(sem, &waiter, a);
		if (ret)
			return ret;
	}
	raw_spin_unlock(&sem->wait_lock);
	return 0;
}

/* The rest: true with wait_lock held for rwsem_wake(). */

static inline bool rwsem_wakes(struct rw_semaphore *sem)
{
	if (!list_empty(&sem->wait_list))
		return true;
	raw_spin_unlock(&sem->wait_lock);
	return false;
}

static inline bool __up_read(struct rw_semaphore *sem)
{
	raw_spin_lock(&sem->wait_lock);
	if (--sem->activity) {
		raw_spin_unlock(&sem->wait_lock);
		return false;
	}
	return rwsem_wakes(sem);
}

static inline bool __up_write(struct rw_semaphore *sem)
{
	raw_spin_lock(&sem->wait_lock);
	sem->activity = 0;
	return rwsem_wakes(sem);
}

static inline bool __downgrade_write(struct rw_semaphore *sem)
{
	raw_spin_lock(&sem->wait_lock);
	sem->activity = 1;
	return rwsem_wakes(sem);
}

static int init_rwsem(struct rwsemlab_lock *lock)
{
	struct rw_semaphore *sem = rwsem_of(lock);

	sem->activity = 0;
	sem->rules = &lock->class_->rules;
	list_init(&sem->wait_list);
	raw_spin_lock_init(&sem->wait_lock);
	return 0;
}

static const char *rwsem_at_rest(struct rwsemlab_lock *lock)
{
	struct rw_semaphore *sem = rwsem_of(lock);
	const char *wrong = NULL;

	raw_spin_lock(&sem->wait_lock);
	if (sem->activity)
		wrong = sem->activity < 0 ? "a writer is active" :
					    "readers are active";
	else if (!list_empty(&sem->wait_list))
		wrong = "the queue has waiters";
	raw_spin_unlock(&sem->wait_lock);
	return wrong;
}

#define RWSEM_SLOW_READ	 __down_read
#define RWSEM_SLOW_WRITE __down_write
#include "lib/locks/entry.h"

extern const struct rwsemlab_ops LOCK_NAME(rwsem_spinlock_ops);
const struct rwsemlab_ops LOCK_NAME(rwsem_spinlock_ops) = RWSEM_OPS;

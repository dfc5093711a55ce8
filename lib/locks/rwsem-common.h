/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What rwsems of both counts have alike: included by their cores, which define
 * struct rw_semaphore, struct rwsem_waiter and rwsem_del_wake_waiter().
 */
#ifndef LIB_LOCKS_RWSEM_COMMON_H
#define LIB_LOCKS_RWSEM_COMMON_H

/* Wait until the lock is granted. */
static int rwsem_wait_for_grant(struct rw_semaphore *sem,
				struct rwsem_waiter *waiter, struct acquire *a)
{
	int ret;

	while (atomic_load_explicit(&waiter->task, memory_order_acquire)) {
		ret = signal_pending_state(a->wait);
		if (unlikely(ret)) {
			raw_spin_lock(&sem->wait_lock);
			if (atomic_load(&waiter->task)) {
				rwsem_del_wake_waiter(sem, waiter);
				return ret;
			}
			raw_spin_unlock(&sem->wait_lock);
			return 0;
		}
		slow_sleep(a);
	}
	return 0;
}

static int init_rwsem(struct rwsemlab_lock *lock)
{
	struct rw_semaphore *sem = rwsem_of(lock);

	atomic_init(&sem->count, 0);
	atomic_init(&sem->owner, 0);
	sem->rules = &lock->class_->rules;
	list_init(&sem->wait_list);
	raw_spin_lock_init(&sem->wait_lock);
	osq_lock_init(&sem->osq);
	return 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry points of a mutex: included last by its file, which defines
 *
 *	__mutex_fastpath_lock(mutex)	whether it was taken
 *	__mutex_lock_slowpath(mutex, acquire)	0 or -errno
 *	__mutex_trylock_once(mutex)
 *	__mutex_fastpath_unlock(mutex)	whether that was all
 *	__mutex_unlock_slowpath(mutex)
 *
 * Readers take it as writers do.
 */
#ifndef LIB_LOCKS_MUTEX_ENTRY_H
#define LIB_LOCKS_MUTEX_ENTRY_H

#include "lib/locks/entry-slow.h"

static noinline int __mutex_lock(struct rwsemlab_lock *lock,
				 enum rwsemlab_wait wait, const void *site)
{
	struct acquire a = {
		.lock = lock,
		.site = site,
		.mode = RWSEMLAB_WRITE,
		.wait = wait,
	};

	slow_enter(&a, mutex_of(lock)->rules->spin_budget);
	return slow_leave(&a, __mutex_lock_slowpath(mutex_of(lock), &a));
}

static noinline void mutex_lock(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);

	preempt_hold();
	if (likely(__mutex_fastpath_lock(mutex_of(lock))))
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_,
			      lock_waiting(lock));
	else
		__mutex_lock(lock, RWSEMLAB_UNINTERRUPTIBLE, _RET_IP_);
	preempt_release();
}

static noinline int mutex_lock_killable(struct rwsemlab_lock *lock,
					enum rwsemlab_wait wait, uint64_t ns)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	int ret = 0;

	preempt_hold();
	if (likely(__mutex_fastpath_lock(mutex_of(lock)))) {
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_,
			      lock_waiting(lock));
	} else {
		task_set_deadline(ns ? clock_ns() + ns : 0);
		ret = __mutex_lock(lock, wait, _RET_IP_);
		task_set_deadline(0);
	}
	preempt_release();
	return ret;
}

static noinline int mutex_trylock(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	bool taken;

	preempt_hold();
	taken = __mutex_trylock_once(mutex_of(lock));
	if (taken)
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_,
			      lock_waiting(lock));
	else
		try_failed(lock, RWSEMLAB_WRITE, _RET_IP_);
	preempt_release();
	return taken;
}

static noinline void mutex_unlock(struct rwsemlab_lock *lock)
{
	if (!releasing(lock, RWSEMLAB_WRITE, _RET_IP_))
		return;
	preempt_hold();
	if (unlikely(!__mutex_fastpath_unlock(mutex_of(lock)))) {
		waker_is(lock, RWSEMLAB_WRITE, _RET_IP_);
		__mutex_unlock_slowpath(mutex_of(lock));
	}
	preempt_release();
}

static void mutex_downgrade(struct rwsemlab_lock *lock)
{
	(void)lock;
}

static void mutex_destroy(struct rwsemlab_lock *lock)
{
	(void)lock;
}

#define MUTEX_OPS                                                             \
	{                                                                     \
		.down_read = mutex_lock, .down_write = mutex_lock,            \
		.down_read_killable = mutex_lock_killable,                    \
		.down_write_killable = mutex_lock_killable,                   \
		.down_read_trylock = mutex_trylock,                           \
		.down_write_trylock = mutex_trylock, .up_read = mutex_unlock, \
		.up_write = mutex_unlock, .downgrade_write = mutex_downgrade, \
		.init = mutex_init, .destroy = mutex_destroy,                 \
		.at_rest = mutex_at_rest,                                     \
	}

#endif

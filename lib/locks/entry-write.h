/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry points of an rwsem for writers, and the way of all of them to the
 * slow paths; see entry.h.
 */
#ifndef LIB_LOCKS_ENTRY_WRITE_H
#define LIB_LOCKS_ENTRY_WRITE_H

#include "lib/locks/entry-slow.h"

static noinline int __down_read_common(struct rwsemlab_lock *lock, int64_t hint,
				       enum rwsemlab_wait wait,
				       const void *site)
{
	struct acquire a = {
		.lock = lock,
		.site = site,
		.mode = RWSEMLAB_READ,
		.wait = wait,
	};

	slow_enter(&a, rwsem_of(lock)->rules->spin_budget);
	return slow_leave(&a, RWSEM_SLOW_READ(rwsem_of(lock), hint, &a));
}

static noinline int __down_write_common(struct rwsemlab_lock *lock,
					int64_t hint, enum rwsemlab_wait wait,
					const void *site)
{
	struct acquire a = {
		.lock = lock,
		.site = site,
		.mode = RWSEMLAB_WRITE,
		.wait = wait,
	};

	slow_enter(&a, rwsem_of(lock)->rules->spin_budget);
	return slow_leave(&a, RWSEM_SLOW_WRITE(rwsem_of(lock), hint, &a));
}

static noinline void down_write(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	bool passed = false;
	int64_t hint;

	preempt_hold();
	if (likely(fast_down_write(rwsem_of(lock), &hint, &passed)))
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_, passed);
	else
		__down_write_common(lock, hint, RWSEMLAB_UNINTERRUPTIBLE,
				    _RET_IP_);
	preempt_release();
}

static noinline int down_write_killable(struct rwsemlab_lock *lock,
					enum rwsemlab_wait wait, uint64_t ns)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	bool passed = false;
	int64_t hint;
	int ret = 0;

	preempt_hold();
	if (likely(fast_down_write(rwsem_of(lock), &hint, &passed))) {
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_, passed);
	} else {
		task_set_deadline(ns ? clock_ns() + ns : 0);
		ret = __down_write_common(lock, hint, wait, _RET_IP_);
		task_set_deadline(0);
	}
	preempt_release();
	return ret;
}

static noinline int down_write_trylock(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	bool taken;

	preempt_hold();
	taken = __down_write_trylock(rwsem_of(lock));
	if (taken)
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_, false);
	else
		try_failed(lock, RWSEMLAB_WRITE, _RET_IP_);
	preempt_release();
	return taken;
}

static noinline void up_write(struct rwsemlab_lock *lock)
{
	if (!releasing(lock, RWSEMLAB_WRITE, _RET_IP_))
		return;
	preempt_hold();
	if (unlikely(__up_write(rwsem_of(lock)))) {
		waker_is(lock, RWSEMLAB_WRITE, _RET_IP_);
		rwsem_wake(rwsem_of(lock));
	}
	preempt_release();
}

static void rwsem_destroy(struct rwsemlab_lock *lock)
{
	(void)lock;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry points of an rwsem: included last by its file, which defines
 *
 *	fast_down_read(sem, &hint, &passed)	may leave a bias behind; hint
 *	fast_down_write(sem, &hint, &passed)	goes to the slow path
 *	RWSEM_SLOW_READ(sem, hint, acquire)	0 or -errno
 *	RWSEM_SLOW_WRITE(sem, hint, acquire)
 *	__down_read_trylock(sem), __down_write_trylock(sem)
 *	__up_read(sem), __up_write(sem), __downgrade_write(sem)
 *						whether to wake
 *	rwsem_wake(sem), rwsem_downgrade_wake(sem)
 *
 * They are functions of their own, so that a stack reads down_write <- caller.
 */
#ifndef LIB_LOCKS_ENTRY_H
#define LIB_LOCKS_ENTRY_H

#include "lib/locks/entry-write.h"

static noinline void down_read(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	bool passed = false;
	int64_t hint;

	preempt_hold();
	if (likely(fast_down_read(rwsem_of(lock), &hint, &passed)))
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, passed);
	else
		__down_read_common(lock, hint, RWSEMLAB_UNINTERRUPTIBLE,
				   _RET_IP_);
	preempt_release();
}

static noinline int down_read_killable(struct rwsemlab_lock *lock,
				       enum rwsemlab_wait wait, uint64_t ns)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	bool passed = false;
	int64_t hint;
	int ret = 0;

	preempt_hold();
	if (likely(fast_down_read(rwsem_of(lock), &hint, &passed))) {
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, passed);
	} else {
		task_set_deadline(ns ? clock_ns() + ns : 0);
		ret = __down_read_common(lock, hint, wait, _RET_IP_);
		task_set_deadline(0);
	}
	preempt_release();
	return ret;
}

static noinline int down_read_trylock(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	bool taken;

	preempt_hold();
	taken = __down_read_trylock(rwsem_of(lock));
	if (taken)
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, false);
	else
		try_failed(lock, RWSEMLAB_READ, _RET_IP_);
	preempt_release();
	return taken;
}

static noinline void up_read(struct rwsemlab_lock *lock)
{
	if (!releasing(lock, RWSEMLAB_READ, _RET_IP_))
		return;
	preempt_hold();
	if (unlikely(__up_read(rwsem_of(lock)))) {
		waker_is(lock, RWSEMLAB_READ, _RET_IP_);
		rwsem_wake(rwsem_of(lock));
	}
	preempt_release();
}

static noinline void downgrade_write(struct rwsemlab_lock *lock)
{
	if (!downgrading(lock, _RET_IP_))
		return;
	preempt_hold();
	if (__downgrade_write(rwsem_of(lock))) {
		waker_is(lock, RWSEMLAB_WRITE, _RET_IP_);
		rwsem_downgrade_wake(rwsem_of(lock));
	}
	preempt_release();
}

#define RWSEM_OPS                                                             \
	{                                                                     \
		.down_read = down_read, .down_write = down_write,             \
		.down_read_killable = down_read_killable,                     \
		.down_write_killable = down_write_killable,                   \
		.down_read_trylock = down_read_trylock,                       \
		.down_write_trylock = down_write_trylock, .up_read = up_read, \
		.up_write = up_write, .downgrade_write = downgrade_write,     \
		.init = init_rwsem, .destroy = rwsem_destroy,                 \
		.at_rest = rwsem_at_rest,                                     \
	}

#endif

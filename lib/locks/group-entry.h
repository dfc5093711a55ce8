/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry points of a thread group's rwsem: included last by its file, after
 * an rwsem and what entry.h asks of it.
 *
 * Forks and exits are its readers, of their own group; who moves a group is
 * its writer.  With global= its readers take a percpu-rwsem of all groups
 * first, as since 6.18, whose writers change more than one group.
 *
 * Nobody ever downgraded one.
 */
#ifndef LIB_LOCKS_GROUP_ENTRY_H
#define LIB_LOCKS_GROUP_ENTRY_H

#include "lib/locks/entry-write.h"

static noinline void threadgroup_change_begin(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	struct rwsemlab_lock *global = lock->class_->global;
	bool passed = false;
	int64_t hint;

	if (global)
		rwsemlab_down_read(global);
	preempt_hold();
	if (likely(fast_down_read(rwsem_of(lock), &hint, &passed)))
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, passed);
	else
		__down_read_common(lock, hint, RWSEMLAB_UNINTERRUPTIBLE,
				   _RET_IP_);
	preempt_release();
}

/* The wait for the global one, which has no such kind, is not cut short. */
static noinline int threadgroup_change_wait(struct rwsemlab_lock *lock,
					    enum rwsemlab_wait wait,
					    uint64_t ns)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	struct rwsemlab_lock *global = lock->class_->global;
	bool passed = false;
	int64_t hint;
	int ret = 0;

	if (global)
		rwsemlab_down_read(global);
	preempt_hold();
	if (likely(fast_down_read(rwsem_of(lock), &hint, &passed))) {
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, passed);
	} else {
		task_set_deadline(ns ? clock_ns() + ns : 0);
		ret = __down_read_common(lock, hint, wait, _RET_IP_);
		task_set_deadline(0);
	}
	preempt_release();
	if (ret && global)
		rwsemlab_up_read(global);
	return ret;
}

static noinline int threadgroup_change_try(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	struct rwsemlab_lock *global = lock->class_->global;

	if (global && !rwsemlab_down_read_trylock(global)) {
		try_failed(lock, RWSEMLAB_READ, _RET_IP_);
		return 0;
	}
	if (__down_read_trylock(rwsem_of(lock))) {
		acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, false);
		return 1;
	}
	try_failed(lock, RWSEMLAB_READ, _RET_IP_);
	if (global)
		rwsemlab_up_read(global);
	return 0;
}

static noinline void threadgroup_change_end(struct rwsemlab_lock *lock)
{
	struct rwsemlab_lock *global = lock->class_->global;

	if (!releasing(lock, RWSEMLAB_READ, _RET_IP_))
		return;
	preempt_hold();
	if (unlikely(__up_read(rwsem_of(lock)))) {
		waker_is(lock, RWSEMLAB_READ, _RET_IP_);
		rwsem_wake(rwsem_of(lock));
	}
	preempt_release();
	if (global)
		rwsemlab_up_read(global);
}

static void threadgroup_no_downgrade(struct rwsemlab_lock *lock)
{
	(void)lock;
}

#define GROUP_OPS                                                        \
	{                                                                \
		.down_read = threadgroup_change_begin,                   \
		.down_write = down_write,                                \
		.down_read_killable = threadgroup_change_wait,           \
		.down_write_killable = down_write_killable,              \
		.down_read_trylock = threadgroup_change_try,             \
		.down_write_trylock = down_write_trylock,                \
		.up_read = threadgroup_change_end, .up_write = up_write, \
		.downgrade_write = threadgroup_no_downgrade,             \
		.init = init_rwsem, .destroy = rwsem_destroy,            \
		.at_rest = rwsem_at_rest,                                \
	}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry points of a percpu-rwsem: included last by its file, which defines
 * struct percpu_rw_semaphore with the field read_count, and
 *
 *	percpu_sem(lock)		it
 *	percpu_readers_fast(sem)	may readers only count?  In a read section
 *	percpu_read_try(sem)		otherwise: whether it was taken without
 *					a wait; ends the read section
 *	percpu_read_wait(sem, acquire)	and with one
 *	__percpu_up_read(lock, site)	the release that goes with it, inside
 *					a read section
 *	percpu_write_begin(sem)		how far it comes without a sleep
 *	percpu_write_go_on(sem, stage, acquire)
 *	percpu_write_undo(sem, stage)	back from there
 *	__percpu_up_write(sem, site)
 *	percpu_init(lock), percpu_destroy(lock), percpu_at_rest(lock)
 *
 * No kernel has a killable, an interruptible or a timed wait for one, nor a
 * downgrade.
 */
#ifndef LIB_LOCKS_PERCPU_ENTRY_H
#define LIB_LOCKS_PERCPU_ENTRY_H

/* Ends the read section that it is called in. */
static noinline bool __percpu_down_read(struct rwsemlab_lock *lock, bool try,
					const void *site)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);
	struct acquire a = {
		.lock = lock,
		.site = site,
		.mode = RWSEMLAB_READ,
		.wait = RWSEMLAB_UNINTERRUPTIBLE,
	};

	waker_is(lock, RWSEMLAB_READ, site);
	if (percpu_read_try(sem)) {
		acquired_slow_read(lock, site);
		return true;
	}
	if (try) {
		try_failed(lock, RWSEMLAB_READ, site);
		return false;
	}
	slow_begin(&a);
	slow_event(&a, RWSEMLAB_READER_SLOW_PATH);
	percpu_read_wait(sem, &a);
	slow_end(&a);
	return true;
}

static noinline void percpu_down_read(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	preempt_disable();
	if (unlikely(!percpu_readers_fast(sem))) {
		__percpu_down_read(lock, false, _RET_IP_);
		return;
	}
	this_cpu_add(sem->read_count, 1);
	preempt_enable();
	acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, false);
}

static noinline int percpu_down_read_trylock(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_READ, _RET_IP_);
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	preempt_disable();
	if (unlikely(!percpu_readers_fast(sem)))
		return __percpu_down_read(lock, true, _RET_IP_);
	this_cpu_add(sem->read_count, 1);
	preempt_enable();
	acquired_fast(lock, fast, RWSEMLAB_READ, _RET_IP_, false);
	return 1;
}

static noinline void percpu_up_read(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (!releasing(lock, RWSEMLAB_READ, _RET_IP_))
		return;
	preempt_disable();
	if (likely(percpu_readers_fast(sem)))
		this_cpu_add(sem->read_count, -1u);
	else
		__percpu_up_read(lock, _RET_IP_);
	preempt_enable();
}

static noinline void percpu_down_write(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	struct percpu_rw_semaphore *sem = percpu_sem(lock);
	enum percpu_write_stage stage = percpu_write_begin(sem);
	struct acquire a = {
		.lock = lock,
		.site = _RET_IP_,
		.mode = RWSEMLAB_WRITE,
		.wait = RWSEMLAB_UNINTERRUPTIBLE,
	};

	if (stage == PERCPU_WRITE_HAS) {
		acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_,
			      lock_waiting(lock));
		return;
	}
	slow_begin(&a);
	percpu_write_go_on(sem, stage, &a);
	slow_end(&a);
}

static noinline int percpu_down_write_try(struct rwsemlab_lock *lock)
{
	struct site_fast *fast = acquiring(lock, RWSEMLAB_WRITE, _RET_IP_);
	struct percpu_rw_semaphore *sem = percpu_sem(lock);
	enum percpu_write_stage stage = percpu_write_begin(sem);

	if (stage != PERCPU_WRITE_HAS) {
		waker_is(lock, RWSEMLAB_WRITE, _RET_IP_);
		percpu_write_undo(sem, stage);
		try_failed(lock, RWSEMLAB_WRITE, _RET_IP_);
		return 0;
	}
	acquired_fast(lock, fast, RWSEMLAB_WRITE, _RET_IP_, lock_waiting(lock));
	return 1;
}

static noinline void percpu_up_write(struct rwsemlab_lock *lock)
{
	if (!releasing(lock, RWSEMLAB_WRITE, _RET_IP_))
		return;
	waker_is(lock, RWSEMLAB_WRITE, _RET_IP_);
	__percpu_up_write(percpu_sem(lock), _RET_IP_);
}

static int percpu_no_wait(struct rwsemlab_lock *lock, enum rwsemlab_wait wait,
			  uint64_t ns)
{
	(void)lock;
	(void)wait;
	(void)ns;
	return -EOPNOTSUPP;
}

static void percpu_no_downgrade(struct rwsemlab_lock *lock)
{
	(void)lock;
}

#define PERCPU_OPS                                                           \
	{                                                                    \
		.down_read = percpu_down_read,                               \
		.down_write = percpu_down_write,                             \
		.down_read_killable = percpu_no_wait,                        \
		.down_write_killable = percpu_no_wait,                       \
		.down_read_trylock = percpu_down_read_trylock,               \
		.down_write_trylock = percpu_down_write_try,                 \
		.up_read = percpu_up_read, .up_write = percpu_up_write,      \
		.downgrade_write = percpu_no_downgrade, .init = percpu_init, \
		.destroy = percpu_destroy, .at_rest = percpu_at_rest,        \
	}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A percpu-rwsem's writers with rcu_sync: included by its file, which defines
 * struct percpu_rw_semaphore with the fields rss, read_count and writer, and
 *
 *	percpu_sem(lock)		it
 *	percpu_write_trylock(sem)	keep out other writers and readers that
 *					come, without a wait
 *	percpu_write_lock(sem, acquire)	and with one
 *	percpu_write_unlock(sem)	let both in again
 *	readers_active_check(sem)	is no reader left inside?  Stable once
 *					true
 */
#ifndef LIB_LOCKS_PERCPU_SYNC_H
#define LIB_LOCKS_PERCPU_SYNC_H

static inline bool percpu_readers_fast(struct percpu_rw_semaphore *sem)
{
	return rcu_sync_is_idle(&sem->rss);
}

static enum percpu_write_stage
percpu_write_begin(struct percpu_rw_semaphore *sem)
{
	if (!rcu_sync_tryenter(&sem->rss))
		return PERCPU_WRITE_NOTHING;
	if (!percpu_write_trylock(sem))
		return PERCPU_WRITE_ENTERED;
	return readers_active_check(sem) ? PERCPU_WRITE_HAS :
					   PERCPU_WRITE_BLOCKS;
}

/* Inline, so that a stack reads schedule <- percpu_down_write. */
static inline void percpu_write_go_on(struct percpu_rw_semaphore *sem,
				      enum percpu_write_stage stage,
				      struct acquire *a)
{
	uint64_t start;

	if (stage == PERCPU_WRITE_NOTHING)
		rcu_sync_enter(&sem->rss, a);
	if (stage < PERCPU_WRITE_BLOCKS)
		percpu_write_lock(sem, a);
	if (readers_active_check(sem))
		return;
	slow_blocked(a, false);
	start = slow_drain_begin(a);
	atomic_store(&sem->writer, current_task());
	while (!readers_active_check(sem))
		slow_sleep(a);
	atomic_store(&sem->writer, NULL);
	slow_drain_end(a, start);
}

static void percpu_write_undo(struct percpu_rw_semaphore *sem,
			      enum percpu_write_stage stage)
{
	if (stage >= PERCPU_WRITE_BLOCKS)
		percpu_write_unlock(sem);
	if (stage >= PERCPU_WRITE_ENTERED)
		rcu_sync_exit(&sem->rss);
}

/*
 * Readers are not back on the fast path before the grace period of the exit:
 * until then they look for a writer, and so see what the last one did.
 */
static inline void __percpu_up_write(struct percpu_rw_semaphore *sem,
				     const void *site)
{
	(void)site;
	percpu_write_undo(sem, PERCPU_WRITE_HAS);
}

static int percpu_sync_init(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);
	struct rwsemlab_machine *machine = lock->class_->machine;
	int ret = rcu_sync_init(&sem->rss, machine);

	if (ret)
		return ret;
	sem->read_count = percpu_alloc(machine, sizeof(percpu_count_t));
	if (!sem->read_count)
		return -ENOMEM;
	if (lock->class_->rules.sync == SYNC_SLOW)
		rcu_sync_enter_start(&sem->rss);
	atomic_init(&sem->writer, NULL);
	return 0;
}

static void percpu_destroy(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	rcu_sync_dtor(&sem->rss);
	percpu_free(sem->rss.machine, sem->read_count, sizeof(percpu_count_t));
}

/* @others: readers that are counted elsewhere. */
static const char *percpu_sync_wrong(struct rwsemlab_lock *lock,
				     uint32_t others)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (percpu_sum(sem->rss.machine, sem->read_count) + others)
		return "the sum of readers is not 0";
	if (atomic_load(&sem->writer))
		return "a writer waits for readers";
	return rcu_sync_wrong(&sem->rss, lock->class_->rules.sync == SYNC_SLOW);
}

#endif

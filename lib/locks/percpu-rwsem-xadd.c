// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu-rwsem 4.4 to 5.6: rcu_sync and an rwsem.
 *
 * 4.4 (001dac627ff3): while a writer is about, readers pass through the rwsem
 * to count in one atomic of all CPUs, and leave by it; the writer, with the
 * rwsem, folds the per-CPU counts into it and waits until it is 0.
 *
 * 4.9 (80127a39681b, readers_block in the rules): they count on their CPU and
 * look at a flag that the writer sets, with a full barrier between; only where
 * it is set they pass through the rwsem.
 *
 * The rwsem is the one of those kernels, with its keys.
 */
#include "lib/locks/percpu-count.h"
#include "lib/locks/rcu-sync.h"
#include "lib/locks/rwsem-xadd-core.h"

struct percpu_rw_semaphore {
	struct rw_semaphore
		rw_sem; /* first: the code of it looks for it there */
	struct rcu_sync rss;
	percpu_t read_count;
	atomic_uint readers_block; /* 4.9 */
	atomic_uint slow_read_ctr; /* 4.4 */
	rcuwait_t writer;
};
_Static_assert(sizeof(struct percpu_rw_semaphore) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "a percpu-rwsem must fit into a lock");

static inline struct percpu_rw_semaphore *percpu_sem(struct rwsemlab_lock *lock)
{
	return (struct percpu_rw_semaphore *)(void *)lock->state;
}

static inline bool percpu_blocks(const struct percpu_rw_semaphore *sem)
{
	return sem->rw_sem.rules->readers_block;
}

/* --- the rwsem inside */

static noinline void __down_read(struct rw_semaphore *sem, struct acquire *a)
{
	bool passed = false;
	int64_t hint;

	preempt_disable();
	spin_begin(sem->rules->spin_budget);
	if (!fast_down_read(sem, &hint, &passed))
		RWSEM_SLOW_READ(sem, hint, a);
	preempt_enable();
}

static noinline void down_write(struct rw_semaphore *sem, struct acquire *a)
{
	bool passed = false;
	int64_t hint;

	preempt_disable();
	spin_begin(sem->rules->spin_budget);
	if (!fast_down_write(sem, &hint, &passed))
		RWSEM_SLOW_WRITE(sem, hint, a);
	else if (passed)
		slow_stole(a, lock_waiting(a->lock));
	preempt_enable();
}

static inline void __up_read_and_wake(struct rw_semaphore *sem)
{
	if (unlikely(__up_read(sem)))
		rwsem_wake(sem);
}

static inline void up_write(struct rw_semaphore *sem)
{
	if (unlikely(__up_write(sem)))
		rwsem_wake(sem);
}

/* --- readers */

/* Inside a read section. */
static inline void percpu_count_out(struct percpu_rw_semaphore *sem)
{
	this_cpu_add_mb(sem->read_count, -1u);
	rcuwait_wake_up(&sem->writer);
}

/* Count where a writer that comes finds it; with the rwsem for reading. */
static inline void percpu_count_in(struct percpu_rw_semaphore *sem)
{
	if (percpu_blocks(sem)) {
		preempt_disable();
		this_cpu_add(sem->read_count, 1);
		preempt_enable();
	} else {
		atomic_fetch_add(&sem->slow_read_ctr, 1);
	}
}

/* Called inside a read section, which it ends. */
static inline bool percpu_read_try(struct percpu_rw_semaphore *sem)
{
	bool taken;

	if (percpu_blocks(sem)) {
		this_cpu_add_mb(sem->read_count, 1);
		taken = !atomic_load(&sem->readers_block);
		if (!taken)
			percpu_count_out(sem);
		preempt_enable();
		return taken;
	}
	preempt_enable();
	taken = __down_read_trylock(&sem->rw_sem);
	if (taken) {
		percpu_count_in(sem);
		__up_read_and_wake(&sem->rw_sem);
	}
	return taken;
}

static inline void percpu_read_wait(struct percpu_rw_semaphore *sem,
				    struct acquire *a)
{
	slow_blocked(a, true);
	__down_read(&sem->rw_sem, a);
	percpu_count_in(sem);
	__up_read_and_wake(&sem->rw_sem);
}

/* Inside a read section. */
static noinline void __percpu_up_read(struct rwsemlab_lock *lock,
				      const void *site)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (percpu_blocks(sem)) {
		this_cpu_add_mb(sem->read_count, -1u);
		if (likely(!atomic_load(&sem->writer)))
			return;
	} else if (atomic_fetch_sub(&sem->slow_read_ctr, 1) != 1) {
		return;
	}
	waker_is(lock, RWSEMLAB_READ, site);
	rcuwait_wake_up(&sem->writer);
}

/* --- writers */

/* Stable once true. */
static bool readers_active_check(struct percpu_rw_semaphore *sem)
{
	if (percpu_blocks(sem))
		return !percpu_sum(sem->rss.machine, sem->read_count);
	return !atomic_load(&sem->slow_read_ctr);
}

/* With the rwsem: readers that come wait for it, those inside are counted. */
static void percpu_block_readers(struct percpu_rw_semaphore *sem)
{
	if (percpu_blocks(sem))
		atomic_exchange(&sem->readers_block, 1);
	else
		atomic_fetch_add(&sem->slow_read_ctr,
				 percpu_take_sum(sem->rss.machine,
						 sem->read_count));
}

static inline bool percpu_write_trylock(struct percpu_rw_semaphore *sem)
{
	if (!__down_write_trylock(&sem->rw_sem))
		return false;
	percpu_block_readers(sem);
	return true;
}

static inline void percpu_write_lock(struct percpu_rw_semaphore *sem,
				     struct acquire *a)
{
	down_write(&sem->rw_sem, a);
	percpu_block_readers(sem);
}

static void percpu_write_unlock(struct percpu_rw_semaphore *sem)
{
	atomic_store(&sem->readers_block, 0);
	up_write(&sem->rw_sem);
}

#include "lib/locks/percpu-sync.h"

static int percpu_init(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	atomic_init(&sem->readers_block, 0);
	atomic_init(&sem->slow_read_ctr, 0);
	return percpu_sync_init(lock) ?: init_rwsem(lock);
}

static const char *percpu_at_rest(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (atomic_load(&sem->readers_block))
		return "a writer blocks readers";
	/* They may enter by one count and leave by the other. */
	return percpu_sync_wrong(lock, atomic_load(&sem->slow_read_ctr)) ?:
		       rwsem_at_rest(lock);
}

#include "lib/locks/percpu-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_xadd_ops);
const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_xadd_ops) = PERCPU_OPS;

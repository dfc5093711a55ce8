// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu-rwsem 3.7 (62ac665ff9fc and its follow-ups of 3.7): a flag and a
 * mutex.
 *
 * While the flag is set readers count with the mutex, so they wait for the
 * writer.  Three expedited grace periods make up for barriers that readers
 * don't have: after the flag is set, after they have left, and before the flag
 * is cleared.  The writer looks for readers once a millisecond.
 *
 * There were no trylocks; a reader's is as one would expect, a writer's always
 * fails since it may not wait for a grace period.
 */
#include "lib/locks/mutex-count.h"
#include "lib/locks/percpu-count.h"

#define PERCPU_POLL_NS 1000000u

struct percpu_rw_semaphore {
	struct mutex mtx; /* first: the code of it looks for it there */
	struct rwsemlab_machine *machine;
	percpu_t read_count;
	atomic_bool locked;
};
_Static_assert(sizeof(struct percpu_rw_semaphore) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "a percpu-rwsem must fit into a lock");

static inline struct percpu_rw_semaphore *percpu_sem(struct rwsemlab_lock *lock)
{
	return (struct percpu_rw_semaphore *)(void *)lock->state;
}

/* As in rcu-sync.h: "acquire" says what the grace periods do. */
static inline bool percpu_readers_fast(struct percpu_rw_semaphore *sem)
{
	return !atomic_load_explicit(&sem->locked, memory_order_acquire);
}

/* --- the mutex inside */

static noinline void __mutex_lock(struct mutex *lock, struct acquire *a)
{
	if (__mutex_fastpath_lock(lock))
		return;
	preempt_disable();
	spin_begin(lock->rules->spin_budget);
	__mutex_lock_slowpath(lock, a);
	preempt_enable();
}

static inline void __mutex_unlock(struct mutex *lock)
{
	if (unlikely(!__mutex_fastpath_unlock(lock)))
		__mutex_unlock_slowpath(lock);
}

static inline void percpu_count_in(struct percpu_rw_semaphore *sem)
{
	preempt_disable();
	this_cpu_add(sem->read_count, 1);
	preempt_enable();
}

/* Ends the read section that it is called in. */
static inline bool percpu_read_try(struct percpu_rw_semaphore *sem)
{
	preempt_enable();
	if (!__mutex_trylock_once(&sem->mtx))
		return false;
	percpu_count_in(sem);
	__mutex_unlock(&sem->mtx);
	return true;
}

static inline void percpu_read_wait(struct percpu_rw_semaphore *sem,
				    struct acquire *a)
{
	__mutex_lock(&sem->mtx, a);
	percpu_count_in(sem);
	__mutex_unlock(&sem->mtx);
}

/* There was one way out, whatever the flag; the writer looks for itself. */
static inline void __percpu_up_read(struct rwsemlab_lock *lock,
				    const void *site)
{
	(void)site;
	this_cpu_add(percpu_sem(lock)->read_count, -1u);
}

static enum percpu_write_stage
percpu_write_begin(struct percpu_rw_semaphore *sem)
{
	(void)sem;
	return PERCPU_WRITE_NOTHING;
}

static void percpu_write_undo(struct percpu_rw_semaphore *sem,
			      enum percpu_write_stage stage)
{
	(void)sem;
	(void)stage;
}

static noinline void percpu_grace_period(struct percpu_rw_semaphore *sem,
					 const void *site)
{
	struct rwsemlab_lock *lock =
		container_of(sem, struct rwsemlab_lock, state);
	uint64_t start = wait_begin();

	synchronize_rcu_expedited(sem->machine);
	waited_for_grace_period(lock, RWSEMLAB_WRITE, site, start);
}

static noinline void msleep(struct acquire *a)
{
	task_set_deadline(clock_ns() + PERCPU_POLL_NS);
	slow_sleep(a);
	task_set_deadline(0);
}

static inline void percpu_write_go_on(struct percpu_rw_semaphore *sem,
				      enum percpu_write_stage stage,
				      struct acquire *a)
{
	uint64_t start;

	(void)stage;
	__mutex_lock(&sem->mtx, a);
	atomic_store(&sem->locked, true);
	percpu_grace_period(sem, a->site);
	if (percpu_sum(sem->machine, sem->read_count)) {
		slow_blocked(a, false);
		start = slow_drain_begin(a);
		while (percpu_sum(sem->machine, sem->read_count))
			msleep(a);
		slow_drain_end(a, start);
	}
	percpu_grace_period(sem, a->site);
}

static inline void __percpu_up_write(struct percpu_rw_semaphore *sem,
				     const void *site)
{
	percpu_grace_period(sem, site);
	atomic_store_explicit(&sem->locked, false, memory_order_release);
	__mutex_unlock(&sem->mtx);
}

static int percpu_init(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	sem->machine = lock->class_->machine;
	sem->read_count = percpu_alloc(sem->machine, sizeof(percpu_count_t));
	if (!sem->read_count)
		return -ENOMEM;
	atomic_init(&sem->locked, false);
	return mutex_init(lock);
}

static void percpu_destroy(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	percpu_free(sem->machine, sem->read_count, sizeof(percpu_count_t));
}

static const char *percpu_at_rest(struct rwsemlab_lock *lock)
{
	struct percpu_rw_semaphore *sem = percpu_sem(lock);

	if (atomic_load(&sem->locked))
		return "the flag of a writer is set";
	if (percpu_sum(sem->machine, sem->read_count))
		return "the sum of readers is not 0";
	return mutex_at_rest(lock);
}

#include "lib/locks/percpu-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_mutex_ops);
const struct rwsemlab_ops LOCK_NAME(percpu_rwsem_mutex_ops) = PERCPU_OPS;

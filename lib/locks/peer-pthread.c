// SPDX-License-Identifier: GPL-2.0-only
/*
 * pthread's locks, to compare with.  They can't be looked into: the counted
 * builds try first, and call what fails the slow path.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "lib/instrument/hooks.h"

/*
 * Absolute, by the clock that can be set: ThreadSanitizer does not know the
 * calls that take the monotonic one.
 */
static struct timespec deadline_in(uint64_t ns)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ns += (uint64_t)ts.tv_nsec;
	ts.tv_sec += (time_t)(ns / 1000000000u);
	ts.tv_nsec = (long)(ns % 1000000000u);
	return ts;
}

static pthread_rwlock_t *rwlock_of(struct rwsemlab_lock *lock)
{
	return (pthread_rwlock_t *)(void *)lock->state;
}

static pthread_mutex_t *mutex_of(struct rwsemlab_lock *lock)
{
	return (pthread_mutex_t *)(void *)lock->state;
}

_Static_assert(sizeof(pthread_rwlock_t) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "it must fit into a lock");

/* TRY, WAIT and TIMED are expressions of lock, ts; 0 is success. */
#define PEER_ENTRY(name, mode_, TRY, WAIT, TIMED, UNLOCK)                     \
	static noinline void name##_lock(struct rwsemlab_lock *lock)          \
	{                                                                     \
		struct acquire a = {                                          \
			.lock = lock,                                         \
			.site = _RET_IP_,                                     \
			.mode = (mode_),                                      \
		};                                                            \
                                                                              \
		if (LOCK_COUNTED && !(TRY)) {                                 \
			acquired_fast(lock, acquiring(lock, mode_, _RET_IP_), \
				      mode_, _RET_IP_, false);                \
			return;                                               \
		}                                                             \
		slow_begin(&a);                                               \
		(void)(WAIT);                                                 \
		slow_end(&a);                                                 \
	}                                                                     \
                                                                              \
	static noinline int name##_trylock(struct rwsemlab_lock *lock)        \
	{                                                                     \
		if (TRY) {                                                    \
			try_failed(lock, mode_, _RET_IP_);                    \
			return 0;                                             \
		}                                                             \
		acquired_fast(lock, acquiring(lock, mode_, _RET_IP_), mode_,  \
			      _RET_IP_, false);                               \
		return 1;                                                     \
	}                                                                     \
                                                                              \
	static noinline int name##_timedlock(struct rwsemlab_lock *lock,      \
					     enum rwsemlab_wait wait,         \
					     uint64_t ns)                     \
	{                                                                     \
		struct timespec ts = deadline_in(ns);                         \
		struct acquire a = {                                          \
			.lock = lock,                                         \
			.site = _RET_IP_,                                     \
			.mode = (mode_),                                      \
		};                                                            \
		int ret;                                                      \
                                                                              \
		if (wait != RWSEMLAB_UNINTERRUPTIBLE)                         \
			return -EOPNOTSUPP;                                   \
		slow_begin(&a);                                               \
		ret = ns ? (TIMED) : (WAIT);                                  \
		if (ret)                                                      \
			slow_cancelled(&a);                                   \
		else                                                          \
			slow_end(&a);                                         \
		return -ret;                                                  \
	}                                                                     \
                                                                              \
	static noinline void name##_unlock(struct rwsemlab_lock *lock)        \
	{                                                                     \
		if (releasing(lock, mode_, _RET_IP_))                         \
			(void)(UNLOCK);                                       \
	}

PEER_ENTRY(read, RWSEMLAB_READ, pthread_rwlock_tryrdlock(rwlock_of(lock)),
	   pthread_rwlock_rdlock(rwlock_of(lock)),
	   pthread_rwlock_timedrdlock(rwlock_of(lock), &ts),
	   pthread_rwlock_unlock(rwlock_of(lock)))
PEER_ENTRY(write, RWSEMLAB_WRITE, pthread_rwlock_trywrlock(rwlock_of(lock)),
	   pthread_rwlock_wrlock(rwlock_of(lock)),
	   pthread_rwlock_timedwrlock(rwlock_of(lock), &ts),
	   pthread_rwlock_unlock(rwlock_of(lock)))
PEER_ENTRY(mutex, RWSEMLAB_WRITE, pthread_mutex_trylock(mutex_of(lock)),
	   pthread_mutex_lock(mutex_of(lock)),
	   pthread_mutex_timedlock(mutex_of(lock), &ts),
	   pthread_mutex_unlock(mutex_of(lock)))

static void no_downgrade(struct rwsemlab_lock *lock)
{
	(void)lock;
}

static int init_kind(struct rwsemlab_lock *lock, int kind)
{
	pthread_rwlockattr_t attr;
	int ret = pthread_rwlockattr_init(&attr);

	if (ret)
		return -ret;
	ret = pthread_rwlockattr_setkind_np(&attr, kind);
	if (!ret)
		ret = pthread_rwlock_init(rwlock_of(lock), &attr);
	pthread_rwlockattr_destroy(&attr);
	return -ret;
}

static int rwlock_init(struct rwsemlab_lock *lock)
{
	return init_kind(lock, PTHREAD_RWLOCK_DEFAULT_NP);
}

static int rwlock_init_writer(struct rwsemlab_lock *lock)
{
	return init_kind(lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}

static int mutex_init(struct rwsemlab_lock *lock)
{
	return -pthread_mutex_init(mutex_of(lock), NULL);
}

static void rwlock_destroy(struct rwsemlab_lock *lock)
{
	pthread_rwlock_destroy(rwlock_of(lock));
}

static void mutex_destroy(struct rwsemlab_lock *lock)
{
	pthread_mutex_destroy(mutex_of(lock));
}

static const char *rwlock_at_rest(struct rwsemlab_lock *lock)
{
	if (pthread_rwlock_trywrlock(rwlock_of(lock)))
		return "it can't be taken";
	pthread_rwlock_unlock(rwlock_of(lock));
	return NULL;
}

static const char *mutex_at_rest(struct rwsemlab_lock *lock)
{
	if (pthread_mutex_trylock(mutex_of(lock)))
		return "it can't be taken";
	pthread_mutex_unlock(mutex_of(lock));
	return NULL;
}

#define RWLOCK_OPS(init_)                                                    \
	{                                                                    \
		.down_read = read_lock, .down_write = write_lock,            \
		.down_read_killable = read_timedlock,                        \
		.down_write_killable = write_timedlock,                      \
		.down_read_trylock = read_trylock,                           \
		.down_write_trylock = write_trylock, .up_read = read_unlock, \
		.up_write = write_unlock, .downgrade_write = no_downgrade,   \
		.init = init_, .destroy = rwlock_destroy,                    \
		.at_rest = rwlock_at_rest,                                   \
	}

extern const struct rwsemlab_ops LOCK_NAME(pthread_rwlock_ops);
const struct rwsemlab_ops
	LOCK_NAME(pthread_rwlock_ops) = RWLOCK_OPS(rwlock_init);

extern const struct rwsemlab_ops LOCK_NAME(pthread_rwlock_writer_ops);
const struct rwsemlab_ops
	LOCK_NAME(pthread_rwlock_writer_ops) = RWLOCK_OPS(rwlock_init_writer);

extern const struct rwsemlab_ops LOCK_NAME(pthread_mutex_ops);
const struct rwsemlab_ops LOCK_NAME(pthread_mutex_ops) = {
	.down_read = mutex_lock,
	.down_write = mutex_lock,
	.down_read_killable = mutex_timedlock,
	.down_write_killable = mutex_timedlock,
	.down_read_trylock = mutex_trylock,
	.down_write_trylock = mutex_trylock,
	.up_read = mutex_unlock,
	.up_write = mutex_unlock,
	.downgrade_write = no_downgrade,
	.init = mutex_init,
	.destroy = mutex_destroy,
	.at_rest = mutex_at_rest,
};

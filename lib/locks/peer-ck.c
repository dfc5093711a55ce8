// SPDX-License-Identifier: GPL-2.0-only
/*
 * concurrencykit's reader-writer locks, to compare with.  They only spin, so
 * with more tasks than CPUs they wait for whole time slices.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#ifdef HAVE_CK
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_tflock.h>
#endif

#include "lib/instrument/hooks.h"

#ifdef HAVE_CK
#define CK_ENTRY(name, mode_, type, LOCK, UNLOCK)                      \
	static noinline void name(struct rwsemlab_lock *lock)          \
	{                                                              \
		struct acquire a = {                                   \
			.lock = lock,                                  \
			.site = _RET_IP_,                              \
			.mode = (mode_),                               \
		};                                                     \
                                                                       \
		slow_begin(&a);                                        \
		LOCK((type *)(void *)lock->state);                     \
		slow_end(&a);                                          \
	}                                                              \
                                                                       \
	static noinline void name##_unlock(struct rwsemlab_lock *lock) \
	{                                                              \
		if (releasing(lock, mode_, _RET_IP_))                  \
			UNLOCK((type *)(void *)lock->state);           \
	}

CK_ENTRY(rwlock_read, RWSEMLAB_READ, ck_rwlock_t, ck_rwlock_read_lock,
	 ck_rwlock_read_unlock)
CK_ENTRY(rwlock_write, RWSEMLAB_WRITE, ck_rwlock_t, ck_rwlock_write_lock,
	 ck_rwlock_write_unlock)
CK_ENTRY(pflock_read, RWSEMLAB_READ, ck_pflock_t, ck_pflock_read_lock,
	 ck_pflock_read_unlock)
CK_ENTRY(pflock_write, RWSEMLAB_WRITE, ck_pflock_t, ck_pflock_write_lock,
	 ck_pflock_write_unlock)
CK_ENTRY(tflock_read, RWSEMLAB_READ, ck_tflock_ticket_t,
	 ck_tflock_ticket_read_lock, ck_tflock_ticket_read_unlock)
CK_ENTRY(tflock_write, RWSEMLAB_WRITE, ck_tflock_ticket_t,
	 ck_tflock_ticket_write_lock, ck_tflock_ticket_write_unlock)

static int no_wait(struct rwsemlab_lock *lock, enum rwsemlab_wait wait,
		   uint64_t ns)
{
	(void)lock;
	(void)wait;
	(void)ns;
	return -EOPNOTSUPP;
}

/* Most have no trylock: as if it was always held. */
static int no_trylock(struct rwsemlab_lock *lock)
{
	(void)lock;
	return 0;
}

static void no_downgrade(struct rwsemlab_lock *lock)
{
	(void)lock;
}

static int rwlock_init(struct rwsemlab_lock *lock)
{
	ck_rwlock_init((ck_rwlock_t *)(void *)lock->state);
	return 0;
}

static int pflock_init(struct rwsemlab_lock *lock)
{
	ck_pflock_init((ck_pflock_t *)(void *)lock->state);
	return 0;
}

static int tflock_init(struct rwsemlab_lock *lock)
{
	ck_tflock_ticket_init((ck_tflock_ticket_t *)(void *)lock->state);
	return 0;
}

static void no_destroy(struct rwsemlab_lock *lock)
{
	(void)lock;
}

static const char *rwlock_at_rest(struct rwsemlab_lock *lock)
{
	ck_rwlock_t *rw = (ck_rwlock_t *)(void *)lock->state;

	return rw->writer || rw->n_readers ? "it is held" : NULL;
}

static const char *pflock_at_rest(struct rwsemlab_lock *lock)
{
	ck_pflock_t *pf = (ck_pflock_t *)(void *)lock->state;

	return pf->rin != pf->rout || pf->win != pf->wout ? "it is held" : NULL;
}

static const char *tflock_at_rest(struct rwsemlab_lock *lock)
{
	ck_tflock_ticket_t *tf = (ck_tflock_ticket_t *)(void *)lock->state;

	return tf->request != tf->completion ? "it is held" : NULL;
}

#define CK_OPS(kind)                                                           \
	{                                                                      \
		.down_read = kind##_read, .down_write = kind##_write,          \
		.down_read_killable = no_wait, .down_write_killable = no_wait, \
		.down_read_trylock = no_trylock,                               \
		.down_write_trylock = no_trylock,                              \
		.up_read = kind##_read_unlock,                                 \
		.up_write = kind##_write_unlock,                               \
		.downgrade_write = no_downgrade, .init = kind##_init,          \
		.destroy = no_destroy, .at_rest = kind##_at_rest,              \
	}
#else
#define CK_OPS(kind) \
	{            \
		0    \
	}
#endif

extern const struct rwsemlab_ops LOCK_NAME(ck_rwlock_ops);
const struct rwsemlab_ops LOCK_NAME(ck_rwlock_ops) = CK_OPS(rwlock);
extern const struct rwsemlab_ops LOCK_NAME(ck_pflock_ops);
const struct rwsemlab_ops LOCK_NAME(ck_pflock_ops) = CK_OPS(pflock);
extern const struct rwsemlab_ops LOCK_NAME(ck_tflock_ops);
const struct rwsemlab_ops LOCK_NAME(ck_tflock_ops) = CK_OPS(tflock);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mutex since 4.10 (3ca0ff571b09): one word, the owner with flags below.
 * The woken head of the queue spins too, and after its first sleep asks for a
 * handoff (9d659ae14b54): the owner then makes it the next one.  That it is
 * given but not yet picked up is PICKUP's meaning (4.11, e274795ea7b7; 4.10
 * goes by the owner alone, which is the same here, where no waiter tries to
 * take its mutex twice).
 *
 * To 5.14 the head asks once, and maybe while nobody has it.  In 4.10 whoever
 * takes it then leaves the flag, so that the head gets it next; from 4.11 on
 * they clear it, and the head has asked in vain.  5.15 (ad90880dc962,
 * 048661a1f963) asks after every sleep, and only an owner.
 */
#include "lib/locks/list.h"
#include "lib/locks/osq.h"
#include "lib/locks/wake-q.h"

#define MUTEX_FLAG_WAITERS 1ul
#define MUTEX_FLAG_HANDOFF 2ul
#define MUTEX_FLAG_PICKUP  4ul
#define MUTEX_FLAGS	   7ul

struct mutex {
	atomic_ulong owner;
	const struct lock_rules *rules;
	struct list_head wait_list;
	raw_spinlock_t wait_lock;
	struct optimistic_spin_queue osq;
};
_Static_assert(sizeof(struct mutex) <=
		       sizeof(((struct rwsemlab_lock *)0)->state),
	       "a mutex must fit into a lock");

struct mutex_waiter {
	struct list_head list;
	struct rwsemlab_task *task;
	bool asked; /* for a handoff */
};

static inline struct mutex *mutex_of(struct rwsemlab_lock *lock)
{
	return (struct mutex *)(void *)lock->state;
}

static inline struct rwsemlab_task *__owner_task(unsigned long owner)
{
	return (struct rwsemlab_task *)(owner & ~MUTEX_FLAGS);
}

static inline unsigned long mutex_word(struct mutex *lock)
{
	return atomic_load_explicit(&lock->owner, memory_order_relaxed);
}

static inline bool __mutex_waiter_is_first(struct mutex *lock,
					   const struct mutex_waiter *waiter)
{
	return list_next(&lock->wait_list) == &waiter->list;
}

enum mutex_handed {
	MUTEX_NOT_HANDED,
	MUTEX_HANDED, /* it was this task's, from a handoff */
	MUTEX_ASKED, /* for a handoff */
};

enum mutex_as {
	MUTEX_AS_OTHER,
	MUTEX_AS_HEAD, /* of the queue */
	MUTEX_AS_ASKING, /* the head, for a handoff where it is held */
};

/* Return: NULL with it taken, else its owner. */
static inline struct rwsemlab_task *
__mutex_trylock_common(struct mutex *lock, enum mutex_as as,
		       enum mutex_handed *handed)
{
	unsigned long self = (unsigned long)current_task();
	unsigned long owner = mutex_word(lock);

	for (;;) {
		unsigned long flags = owner & MUTEX_FLAGS;
		unsigned long task = owner & ~MUTEX_FLAGS;

		*handed = MUTEX_NOT_HANDED;
		if (task && (flags & MUTEX_FLAG_PICKUP)) {
			if (task != self)
				return __owner_task(owner);
			flags &= ~MUTEX_FLAG_PICKUP;
			*handed = MUTEX_HANDED;
		} else if (task) {
			if (as != MUTEX_AS_ASKING ||
			    (flags & MUTEX_FLAG_HANDOFF))
				return __owner_task(owner);
			flags |= MUTEX_FLAG_HANDOFF;
			*handed = MUTEX_ASKED;
		} else {
			task = self;
			if (as != MUTEX_AS_OTHER || lock->rules->handoff_lost)
				flags &= ~MUTEX_FLAG_HANDOFF;
		}
		if (!atomic_compare_exchange_weak_explicit(
			    &lock->owner, &owner, task | flags,
			    memory_order_acq_rel, memory_order_relaxed))
			continue;
		return task == self ? NULL : __owner_task(owner);
	}
}

static inline bool __mutex_trylock_once(struct mutex *lock)
{
	enum mutex_handed handed;

	return !__mutex_trylock_common(lock, MUTEX_AS_OTHER, &handed);
}

static inline bool __mutex_fastpath_lock(struct mutex *lock)
{
	unsigned long free = 0;

	return likely(atomic_compare_exchange_strong_explicit(
		&lock->owner, &free, (unsigned long)current_task(),
		memory_order_acquire, memory_order_relaxed));
}

static inline bool __mutex_fastpath_unlock(struct mutex *lock)
{
	unsigned long self = (unsigned long)current_task();

	return likely(atomic_compare_exchange_strong_explicit(
		&lock->owner, &self, 0, memory_order_release,
		memory_order_relaxed));
}

/* With the counters of a slow path. */
static bool mutex_try(struct mutex *lock, enum mutex_as as,
		      struct rwsemlab_task **owner, struct acquire *a)
{
	enum mutex_handed handed;

	*owner = __mutex_trylock_common(lock, as, &handed);
	if (handed == MUTEX_HANDED)
		slow_handoff_taken(a);
	if (handed == MUTEX_ASKED)
		slow_handoff_set(a);
	return !*owner;
}

static noinline void __mutex_unlock_slowpath(struct mutex *lock)
{
	struct mutex_waiter *first = NULL;
	struct wake_q_head wake_q = { NULL, NULL };
	unsigned long owner = mutex_word(lock);
	bool handoff;

	do {
		handoff = owner & MUTEX_FLAG_HANDOFF;
		if (handoff)
			break;
	} while (!atomic_compare_exchange_weak_explicit(
		&lock->owner, &owner, owner & MUTEX_FLAGS, memory_order_release,
		memory_order_relaxed));
	if (!handoff && !(owner & MUTEX_FLAG_WAITERS))
		return;
	raw_spin_lock(&lock->wait_lock);
	if (!list_empty(&lock->wait_list)) {
		first = container_of(lock->wait_list.next, struct mutex_waiter,
				     list);
		wake_q_add(&wake_q, first->task);
	}
	owner = mutex_word(lock);
	while (handoff && !atomic_compare_exchange_weak_explicit(
				  &lock->owner, &owner,
				  (owner & MUTEX_FLAG_WAITERS) |
					  (first ? (unsigned long)first->task |
							   MUTEX_FLAG_PICKUP :
						   0),
				  memory_order_release, memory_order_relaxed))
		;
	raw_spin_unlock(&lock->wait_lock);
	wake_up_q(&wake_q);
}

/* While @owner has it and runs.  Return: whether to spin on. */
static noinline bool mutex_spin_on_owner(struct mutex *lock,
					 struct rwsemlab_task *owner,
					 struct acquire *a)
{
	while (__owner_task(mutex_word(lock)) == owner) {
		if (!task_on_cpu(owner)) {
			slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
			return false;
		}
		if (need_resched()) {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
			return false;
		}
		cpu_relax();
	}
	return true;
}

static bool mutex_can_spin_on_owner(struct mutex *lock, struct acquire *a)
{
	struct rwsemlab_task *owner = __owner_task(mutex_word(lock));

	if (need_resched()) {
		slow_event(a, RWSEMLAB_SPIN_YIELD);
		return false;
	}
	if (!owner || task_on_cpu(owner))
		return true;
	slow_event(a, RWSEMLAB_SPIN_OFF_CPU);
	return false;
}

static bool mutex_spin(struct mutex *lock, bool queued, struct acquire *a)
{
	enum mutex_as as = queued ? MUTEX_AS_HEAD : MUTEX_AS_OTHER;
	struct rwsemlab_task *owner;

	while (!mutex_try(lock, as, &owner, a)) {
		if (!mutex_spin_on_owner(lock, owner, a))
			return false;
		cpu_relax();
	}
	if (!queued)
		slow_stole(a, lock_waiting(a->lock));
	slow_event(a, RWSEMLAB_SPUN_GOT);
	return true;
}

/* @queued: the head of the queue spins, beside the spinners' queue. */
static noinline bool mutex_optimistic_spin(struct mutex *lock, bool queued,
					   struct acquire *a)
{
	enum lock_spin how = lock->rules->spin;
	bool line_up = !queued && how != SPIN_OWNER;
	bool taken = false;

	if (how == SPIN_NONE)
		return false;
	if (queued || mutex_can_spin_on_owner(lock, a)) {
		if (!line_up || osq_lock(&lock->osq, how == SPIN_OSQ)) {
			taken = mutex_spin(lock, queued, a);
			if (line_up)
				osq_unlock(&lock->osq);
		} else {
			slow_event(a, RWSEMLAB_SPIN_YIELD);
		}
	}
	/* Before it has the lock rather than right after. */
	if (!taken && need_resched())
		cond_resched();
	return taken;
}

/* Under wait_lock. */
static void mutex_remove_waiter(struct mutex *lock, struct mutex_waiter *waiter,
				struct acquire *a)
{
	list_del(&waiter->list);
	lock_unqueued(a->lock);
	if (list_empty(&lock->wait_list))
		atomic_fetch_and(&lock->owner, ~MUTEX_FLAGS);
}

/* To 5.14 the head asks once, whether somebody has it or not. */
static void mutex_ask(struct mutex *lock, struct mutex_waiter *waiter,
		      struct acquire *a)
{
	if (waiter->asked || lock->rules->handoff_again)
		return;
	waiter->asked = true;
	atomic_fetch_or(&lock->owner, MUTEX_FLAG_HANDOFF);
	slow_handoff_set(a);
}

/* Sleep, then try.  Left without wait_lock.  Return: whether it has it. */
static bool mutex_sleep(struct mutex *lock, struct mutex_waiter *waiter,
			struct acquire *a)
{
	enum mutex_as as = MUTEX_AS_OTHER;
	struct rwsemlab_task *owner;

	raw_spin_unlock(&lock->wait_lock);
	slow_sleep(a);
	if (__mutex_waiter_is_first(lock, waiter)) {
		mutex_ask(lock, waiter, a);
		as = lock->rules->handoff_again ? MUTEX_AS_ASKING :
						  MUTEX_AS_HEAD;
	}
	if (mutex_try(lock, as, &owner, a))
		return true;
	return as != MUTEX_AS_OTHER && lock->rules->head_spins &&
	       mutex_optimistic_spin(lock, true, a);
}

/* Called and left with wait_lock. */
static int mutex_wait(struct mutex *lock, struct mutex_waiter *waiter,
		      struct acquire *a)
{
	struct rwsemlab_task *owner;
	bool taken = false;
	int ret;

	while (!taken) {
		/* With wait_lock: a handoff must not be missed. */
		if (mutex_try(lock,
			      waiter->asked ? MUTEX_AS_HEAD : MUTEX_AS_OTHER,
			      &owner, a))
			return 0;
		slow_blocked(a, true);
		ret = signal_pending_state(a->wait);
		if (ret)
			return ret;
		taken = mutex_sleep(lock, waiter, a);
		raw_spin_lock(&lock->wait_lock);
	}
	return 0;
}

static noinline int __mutex_lock_slowpath(struct mutex *lock, struct acquire *a)
{
	struct mutex_waiter waiter = { .task = current_task() };
	struct rwsemlab_task *owner;
	int ret;

	/* Free, but with waiters: not behind those that spin. */
	if (mutex_try(lock, MUTEX_AS_OTHER, &owner, a)) {
		slow_stole(a, lock_waiting(a->lock));
		return 0;
	}
	if (mutex_optimistic_spin(lock, false, a))
		return 0;
	raw_spin_lock(&lock->wait_lock);
	if (mutex_try(lock, MUTEX_AS_OTHER, &owner, a)) {
		slow_stole(a, lock_waiting(a->lock));
		raw_spin_unlock(&lock->wait_lock);
		return 0;
	}
	list_add_tail(&waiter.list, &lock->wait_list);
	slow_queued(a);
	if (__mutex_waiter_is_first(lock, &waiter))
		atomic_fetch_or(&lock->owner, MUTEX_FLAG_WAITERS);
	ret = mutex_wait(lock, &waiter, a);
	if (!ret && LOCK_COUNTED)
		slow_stole(a, list_before(&lock->wait_list, &waiter.list));
	mutex_remove_waiter(lock, &waiter, a);
	raw_spin_unlock(&lock->wait_lock);
	return ret;
}

static int mutex_init(struct rwsemlab_lock *mutex)
{
	struct mutex *lock = mutex_of(mutex);

	atomic_init(&lock->owner, 0);
	lock->rules = &mutex->class_->rules;
	list_init(&lock->wait_list);
	raw_spin_lock_init(&lock->wait_lock);
	osq_lock_init(&lock->osq);
	return 0;
}

static const char *mutex_at_rest(struct rwsemlab_lock *mutex)
{
	struct mutex *lock = mutex_of(mutex);

	if (__owner_task(mutex_word(lock)))
		return "an owner is left";
	if (mutex_word(lock))
		return "the owner has flags of waiters";
	if (!list_empty(&lock->wait_list))
		return "the queue has waiters";
	if (osq_is_locked(&lock->osq))
		return "the spinners' queue is not empty";
	return NULL;
}

#include "lib/locks/mutex-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(mutex_owner_ops);
const struct rwsemlab_ops LOCK_NAME(mutex_owner_ops) = MUTEX_OPS;

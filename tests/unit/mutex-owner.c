// SPDX-License-Identifier: GPL-2.0-only
/* lib/locks/mutex-owner.c: what its versions do differently. */
#define LOCK_LEVEL 0
#define LOCK_BUILD unit
#include "lib/locks/mutex-owner.c"

#include "tests/unit/lock-rules.h"

/* Each version's rules, from kernel/locking/mutex.c of that time. */
static const struct version {
	const char *name;
	bool lost; /* whoever takes it clears what the head asked for */
	bool again; /* the head asks after every sleep, and only an owner */
} versions[] = {
	{ "mutex@4.10:spin=none", false, false },
	{ "mutex@4.11:spin=none", true, false },
	{ "mutex@5.15:spin=none", false, true },
};

static unsigned long flags_of(struct mutex *lock)
{
	return mutex_word(lock) & MUTEX_FLAGS;
}

/* The head asked while nobody had it. */
static void asked_of_nobody(struct rules_lock *l, const struct version *v)
{
	struct mutex *lock = mutex_of(&l->lock);
	enum mutex_handed handed;

	if (v->again)
		return;
	atomic_store(&lock->owner, MUTEX_FLAG_WAITERS | MUTEX_FLAG_HANDOFF);
	tap_ok(__mutex_trylock_once(lock), "%s: somebody else takes it",
	       v->name);
	tap_is_u64(flags_of(lock),
		   MUTEX_FLAG_WAITERS | (v->lost ? 0 : MUTEX_FLAG_HANDOFF),
		   "%s: and %s the handoff", v->name,
		   v->lost ? "clears" : "leaves");
	atomic_store(&lock->owner, MUTEX_FLAG_WAITERS | MUTEX_FLAG_HANDOFF);
	tap_ok(!__mutex_trylock_common(lock, MUTEX_AS_HEAD, &handed),
	       "%s: the head takes it", v->name);
	tap_is_u64(flags_of(lock), MUTEX_FLAG_WAITERS,
		   "%s: and clears the handoff", v->name);
}

/* The head sleeps twice while others have it. */
static void head_sleeps(struct rules_lock *l, const struct version *v)
{
	struct mutex *lock = mutex_of(&l->lock);
	struct mutex_waiter waiter = { .task = current_task() };
	unsigned int i;
	bool taken;

	list_add_tail(&waiter.list, &lock->wait_list);
	for (i = 0; i < 2; i++) {
		bool asks = !i || v->again;

		atomic_store(&lock->owner, SOMEBODY | MUTEX_FLAG_WAITERS);
		/* Its sleep ends at once. */
		wake_up_process(current_task());
		raw_spin_lock(&lock->wait_lock);
		taken = mutex_sleep(lock, &waiter, &l->a);
		tap_ok(!taken, "%s: sleep %u, and another has it", v->name,
		       i + 1);
		tap_is_u64(flags_of(lock),
			   MUTEX_FLAG_WAITERS | (asks ? MUTEX_FLAG_HANDOFF : 0),
			   "%s: %s for a handoff", v->name,
			   asks ? "asks" : "does not ask");
	}
	list_del(&waiter.list);
	atomic_store(&lock->owner, 0);
}

/* The head sleeps once, and then nobody has it. */
static void head_takes(struct rules_lock *l, const struct version *v)
{
	struct mutex *lock = mutex_of(&l->lock);
	struct mutex_waiter waiter = { .task = current_task() };

	list_add_tail(&waiter.list, &lock->wait_list);
	atomic_store(&lock->owner, MUTEX_FLAG_WAITERS);
	wake_up_process(current_task());
	raw_spin_lock(&lock->wait_lock);
	tap_ok(mutex_sleep(lock, &waiter, &l->a), "%s: the head takes it",
	       v->name);
	tap_is_u64(flags_of(lock), MUTEX_FLAG_WAITERS,
		   "%s: with no handoff left", v->name);
	list_del(&waiter.list);
	atomic_store(&lock->owner, 0);
}

/* Free with a waiter, and others spin: who comes does not line up. */
static void not_behind_spinners(struct rwsemlab_machine *machine,
				const char *name)
{
	struct rules_lock l;
	struct mutex_waiter waiter = { .task = current_task() };
	struct mutex *lock;
	int other = (int)(smp_processor_id() ? 0 : 1) + 1;

	rules_begin(&l, machine, name);
	lock = mutex_of(&l.lock);
	list_add_tail(&waiter.list, &lock->wait_list);
	atomic_store(&lock->owner, MUTEX_FLAG_WAITERS);
	atomic_store(&lock->osq.tail, other);
	preempt_disable();
	tap_is_i64(__mutex_lock_slowpath(lock, &l.a), 0, "%s: taken", name);
	preempt_enable();
	tap_is_i64(atomic_load(&lock->osq.tail), other,
		   "%s: past those that spin", name);
	tap_is_u64(mutex_word(lock),
		   (unsigned long)current_task() | MUTEX_FLAG_WAITERS,
		   "%s: the waiter still waits", name);
	list_del(&waiter.list);
	atomic_store(&lock->owner, 0);
	atomic_store(&lock->osq.tail, 0);
	rules_end(&l);
}

int main(void)
{
	struct rwsemlab_machine *machine = rules_machine();
	struct rules_lock l;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		rules_begin(&l, machine, versions[i].name);
		asked_of_nobody(&l, &versions[i]);
		head_sleeps(&l, &versions[i]);
		head_takes(&l, &versions[i]);
		atomic_store(&mutex_of(&l.lock)->owner, 0);
		rules_end(&l);
	}
	not_behind_spinners(machine, "mutex@4.10");
	not_behind_spinners(machine, "mutex@5.15");
	rules_machine_end(machine);
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/* lib/locks/mutex-count.h: what its versions do differently. */
#define LOCK_LEVEL 0
#define LOCK_BUILD unit
#include "lib/locks/mutex-count.c"

#include <pthread.h>

#include "tests/unit/lock-rules.h"

/* Each version's rules, from kernel/mutex.c of that time. */
static const struct version {
	const char *name;
	bool goes_on; /* spins on the next owner too */
	bool once_more; /* takes a free one without a place in the queue */
	bool early; /* is free before wait_lock is taken to wake */
} versions[] = {
	{ "mutex@2.6.30:spin=none", true, false, false },
	{ "mutex@2.6.36:spin=none", false, false, false },
	{ "mutex@3.10:spin=none", false, false, false },
	{ "mutex@3.15:spin=none", false, true, true },
	{ "mutex@4.0:spin=none", true, true, true },
};

/* A spinner sees that its owner is none any more. */
static void owner_changes(struct rules_lock *l, const struct version *v)
{
	struct mutex *lock = mutex_of(&l->lock);

	atomic_store(&lock->owner, SOMEBODY);
	tap_is_i64(mutex_spin_on_owner(lock, current_task(), &l->a), v->goes_on,
		   "%s: spins on where another is the owner", v->name);
	atomic_store(&lock->owner, 0);
	tap_ok(mutex_spin_on_owner(lock, current_task(), &l->a),
	       "%s: spins on where nobody is", v->name);
}

/* It is free, but somebody waits: was released a moment ago. */
static void taken_from_waiter(struct rules_lock *l, const struct version *v)
{
	struct mutex_waiter waiter = { .task = current_task() };
	struct mutex *lock = mutex_of(&l->lock);

	list_add_tail(&waiter.list, &lock->wait_list);
	tap_is_i64(__mutex_lock_slowpath(lock, &l->a), 0, "%s: taken", v->name);
	tap_is_i64(atomic_load(&lock->count), v->once_more ? 0 : -1,
		   "%s: its release %s", v->name,
		   v->once_more ? "is on the fast path" : "wakes the waiter");
	tap_ok(__mutex_fastpath_unlock(lock) == v->once_more, "%s: and was",
	       v->name);
	atomic_store(&lock->count, 1);
	list_del(&waiter.list);
}

struct releaser {
	struct rwsemlab_machine *machine;
	struct mutex *lock;
	atomic_bool there;
};

static void *releaser_main(void *arg)
{
	struct releaser *r = arg;

	rwsemlab_task_enter(r->machine);
	atomic_store(&r->there, true);
	__mutex_unlock_slowpath(r->lock);
	rwsemlab_task_leave();
	return NULL;
}

/* It is released while somebody else has wait_lock. */
static void release(struct rules_lock *l, const struct version *v,
		    struct rwsemlab_machine *machine)
{
	struct mutex *lock = mutex_of(&l->lock);
	struct releaser r = { .machine = machine, .lock = lock };
	pthread_t thread;
	unsigned int i;

	atomic_store(&lock->count, 0);
	raw_spin_lock(&lock->wait_lock);
	if (pthread_create(&thread, NULL, releaser_main, &r))
		tap_bail("no thread");
	while (!atomic_load(&r.there))
		rules_nap_ms(1);
	for (i = 0; v->early && atomic_load(&lock->count) != 1 && i < 5000; i++)
		rules_nap_ms(1);
	/* Where it is right, no time is too short. */
	rules_nap_ms(20);
	tap_is_i64(atomic_load(&lock->count), v->early,
		   "%s: %s while another has wait_lock", v->name,
		   v->early ? "free" : "not free");
	raw_spin_unlock(&lock->wait_lock);
	pthread_join(thread, NULL);
	tap_is_i64(atomic_load(&lock->count), 1, "%s: free then", v->name);
}

int main(void)
{
	struct rwsemlab_machine *machine = rules_machine();
	struct rules_lock l;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		rules_begin(&l, machine, versions[i].name);
		owner_changes(&l, &versions[i]);
		taken_from_waiter(&l, &versions[i]);
		release(&l, &versions[i], machine);
		rules_end(&l);
	}
	rules_machine_end(machine);
	return tap_done();
}

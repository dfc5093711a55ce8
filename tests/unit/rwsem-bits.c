// SPDX-License-Identifier: GPL-2.0-only
/* lib/locks/rwsem-bits*.h: what its versions do differently. */
#define LOCK_LEVEL 0
#define LOCK_BUILD unit
#include "lib/locks/rwsem-bits.c"

#include "tests/unit/lock-rules.h"

/* Each version's rules, from kernel/locking/rwsem.c of that time. */
static const struct version {
	const char *name;
	bool writer_clears; /* NONSPINNABLE, when it queues on a free lock */
	bool rd_outlives; /* the bit for readers is not cleared */
} versions[] = {
	{ "rwsem@5.3", false, true },	{ "rwsem@5.4", false, true },
	{ "rwsem@5.11", false, false }, { "rwsem@5.16", false, false },
	{ "rwsem@5.19", true, false },	{ "rwsem@6.3", true, false },
};

/* Readers held it for too long and are gone; a writer waits, another comes. */
static void queued_on_free(struct rules_lock *l, const struct version *v,
			   bool reader)
{
	const unsigned long was = RWSEM_READER_OWNED | RWSEM_NONSPINNABLE;
	struct rw_semaphore *sem = rwsem_of(&l->lock);
	struct wake_q_head wake_q = { NULL, NULL };
	struct rwsem_waiter waiter;
	unsigned long is = was;

	if (reader || v->writer_clears)
		is = RWSEM_READER_OWNED |
		     (v->rd_outlives ? RWSEM_RD_NONSPINNABLE : 0);
	rwsem_init_waiter(sem, &waiter, RWSEM_WAITING_FOR_WRITE);
	list_add_tail(&waiter.list, &sem->wait_list);
	atomic_store(&sem->count, RWSEM_FLAG_WAITERS);
	atomic_store(&sem->owner, was);
	rwsem_cond_wake_waiter(sem, RWSEM_FLAG_WAITERS, reader, &wake_q);
	tap_ok(!wake_q_empty(&wake_q), "%s: the head is woken", v->name);
	wake_up_q(&wake_q);
	tap_is_u64(rwsem_owner(sem), is, "%s: a %s %s", v->name,
		   reader ? "reader" : "writer",
		   is == was ? "leaves NONSPINNABLE" : "clears NONSPINNABLE");
	list_del(&waiter.list);
	atomic_store(&sem->count, 0);
	atomic_store(&sem->owner, 0);
}

int main(void)
{
	struct rwsemlab_machine *machine = rules_machine();
	struct rules_lock l;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		rules_begin(&l, machine, versions[i].name);
		queued_on_free(&l, &versions[i], false);
		queued_on_free(&l, &versions[i], true);
		rules_end(&l);
	}
	rules_machine_end(machine);
	return tap_done();
}

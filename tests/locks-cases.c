// SPDX-License-Identifier: GPL-2.0-only
#include "tests/locks.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "tests/tap.h"
#include "workloads/locks/team.h"

static void at_rest(struct lock_test *test, const char *when)
{
	const char *wrong = rwsemlab_lock_at_rest(&test->lock);

	tap_ok(!wrong, "%s: at rest %s: %s", test->name, when,
	       wrong ? wrong : "yes");
}

static bool can(const struct lock_test *test, enum rwsemlab_ability ability)
{
	return test->variant->abilities & (unsigned int)ability;
}

void test_modes(struct lock_test *test)
{
	struct rwsemlab_lock *lock = &test->lock;
	bool tries = can(test, RWSEMLAB_TIMES_OUT);

	rwsemlab_task_enter(test->machine);
	at_rest(test, "at first");
	rwsemlab_down_write(lock);
	tap_ok(rwsemlab_lock_at_rest(lock), "%s: not at rest while held",
	       test->name);
	tap_ok(!rwsemlab_down_write_trylock(lock) &&
		       !rwsemlab_down_read_trylock(lock),
	       "%s: a writer keeps trylocks out", test->name);
	rwsemlab_up_write(lock);
	at_rest(test, "after a writer");
	rwsemlab_down_read(lock);
	tap_ok(rwsemlab_lock_at_rest(lock), "%s: not at rest while read",
	       test->name);
	tap_ok(!rwsemlab_down_write_trylock(lock),
	       "%s: a reader keeps a writer's trylock out", test->name);
	rwsemlab_up_read(lock);
	at_rest(test, "after a reader");
	if (tries) {
		if (tap_ok(rwsemlab_down_write_trylock(lock),
			   "%s: a trylock for writing", test->name))
			rwsemlab_up_write(lock);
		if (tap_ok(rwsemlab_down_read_trylock(lock),
			   "%s: a trylock for reading", test->name))
			rwsemlab_up_read(lock);
		at_rest(test, "after trylocks");
	}
	if (can(test, RWSEMLAB_DOWNGRADES)) {
		rwsemlab_down_write(lock);
		rwsemlab_downgrade_write(lock);
		tap_ok(!rwsemlab_down_write_trylock(lock),
		       "%s: downgraded keeps writers out", test->name);
		rwsemlab_up_read(lock);
		at_rest(test, "after a downgrade");
	}
	rwsemlab_task_leave();
}

void test_sharing(struct lock_test *test)
{
	struct actor a = { 0 }, b = { 0 }, w = { 0 };
	bool in;

	actor_start(&a, test, ACTOR_READ);
	tap_ok(actor_reaches(&a, ACTOR_INSIDE), "%s: a reader", test->name);
	actor_start(&b, test, ACTOR_READ);
	if (can(test, RWSEMLAB_SHARES)) {
		tap_ok(actor_reaches(&b, ACTOR_INSIDE),
		       "%s: a second reader beside it", test->name);
	} else {
		actor_wait_queued(test, 1);
		tap_ok(atomic_load(&b.state) == ACTOR_COMING,
		       "%s: exclusive for readers too", test->name);
	}
	actor_start(&w, test, ACTOR_WRITE);
	actor_wait_queued(test, can(test, RWSEMLAB_SHARES) ? 1 : 2);
	tap_ok(atomic_load(&w.state) == ACTOR_COMING,
	       "%s: a writer waits for readers", test->name);
	actor_end(&a);
	actor_end(&b);
	in = actor_reaches(&w, ACTOR_INSIDE);
	tap_ok(in, "%s: and comes in when they leave", test->name);
	actor_end(&w);
	at_rest(test, "after sharing");
}

void test_downgrade(struct lock_test *test)
{
	struct actor r[2] = { { 0 }, { 0 } };
	struct actor w = { 0 };
	bool one = strstr(test->name, "wake_batch=1");

	if (!can(test, RWSEMLAB_DOWNGRADES))
		return;
	rwsemlab_task_enter(test->machine);
	rwsemlab_down_write(&test->lock);
	actor_start(&r[0], test, ACTOR_READ);
	actor_start(&r[1], test, ACTOR_READ);
	actor_wait_queued(test, 2);
	rwsemlab_downgrade_write(&test->lock);
	tap_ok(actor_reaches(&r[0], ACTOR_INSIDE) &&
		       (one || actor_reaches(&r[1], ACTOR_INSIDE)),
	       "%s: a downgrade lets waiting readers in", test->name);
	if (one)
		tap_ok(atomic_load(&r[1].state) == ACTOR_COMING,
		       "%s: but no more than its batch", test->name);
	actor_start(&w, test, ACTOR_WRITE);
	/* Its coming wakes readers that are before it. */
	actor_wait_queued(test, 1);
	actor_end(&r[0]);
	actor_end(&r[1]);
	tap_ok(atomic_load(&w.state) == ACTOR_COMING, "%s: but no writer",
	       test->name);
	rwsemlab_up_read(&test->lock);
	tap_ok(actor_reaches(&w, ACTOR_INSIDE),
	       "%s: until the last reader has left", test->name);
	actor_end(&w);
	rwsemlab_task_leave();
	at_rest(test, "after downgrading");
}

/* @others wait behind (or before) one that is cancelled. */
static void cancel_one(struct lock_test *test, enum actor_how how,
		       unsigned int before, unsigned int behind)
{
	struct actor victim = { 0 }, others[2] = { { 0 }, { 0 } };
	unsigned int i;

	rwsemlab_task_enter(test->machine);
	rwsemlab_down_write(&test->lock);
	for (i = 0; i < before; i++)
		actor_start(&others[i], test, ACTOR_WRITE);
	actor_wait_queued(test, before);
	actor_start(&victim, test, how);
	actor_wait_queued(test, before + 1);
	for (i = before; i < before + behind; i++)
		actor_start(&others[i], test, i % 2 ? ACTOR_READ : ACTOR_WRITE);
	actor_wait_queued(test, before + behind + 1);
	rwsemlab_task_signal(atomic_load(&victim.task), RWSEMLAB_SIGNAL);
	tap_ok(actor_reaches(&victim, ACTOR_GONE) && victim.result == -EINTR,
	       "%s: a %s with %u before and %u behind is cancelled", test->name,
	       how == ACTOR_READ_INTERRUPTIBLE ? "reader" : "writer", before,
	       behind);
	actor_end(&victim);
	rwsemlab_up_write(&test->lock);
	for (i = 0; i < before + behind; i++) {
		atomic_store(&others[i].release, true);
		tap_ok(actor_reaches(&others[i], ACTOR_GONE),
		       "%s: the others get it", test->name);
	}
	for (i = 0; i < before + behind; i++)
		actor_end(&others[i]);
	rwsemlab_task_leave();
	at_rest(test, "after a cancelled wait");
}

/* Readers inside, a writer waits, readers behind it: then it gives up. */
static void cancel_before_readers(struct lock_test *test)
{
	struct actor victim = { 0 }, reader = { 0 };

	rwsemlab_task_enter(test->machine);
	rwsemlab_down_read(&test->lock);
	actor_start(&victim, test, ACTOR_WRITE_INTERRUPTIBLE);
	actor_wait_queued(test, 1);
	actor_start(&reader, test, ACTOR_READ);
	actor_wait_queued(test, 2);
	rwsemlab_task_signal(atomic_load(&victim.task), RWSEMLAB_KILL);
	tap_ok(actor_reaches(&victim, ACTOR_GONE) && victim.result == -EINTR,
	       "%s: a writer before a reader is cancelled", test->name);
	tap_ok(actor_reaches(&reader, ACTOR_INSIDE),
	       "%s: which then joins the readers inside", test->name);
	actor_end(&victim);
	actor_end(&reader);
	rwsemlab_up_read(&test->lock);
	rwsemlab_task_leave();
	at_rest(test, "after it");
}

/* Signals that were there before, timeouts, and both on a free lock. */
static void cancel_without_queue(struct lock_test *test)
{
	struct actor early = { .signalled = true };
	struct actor late = { .ns = 2000000 };

	rwsemlab_task_enter(test->machine);
	rwsemlab_down_write(&test->lock);
	if (can(test, RWSEMLAB_CANCELS)) {
		actor_start(&early, test, ACTOR_WRITE_INTERRUPTIBLE);
		tap_ok(actor_reaches(&early, ACTOR_GONE) &&
			       early.result == -EINTR,
		       "%s: a signal from before ends the wait", test->name);
		actor_end(&early);
		early.how = ACTOR_READ_INTERRUPTIBLE;
		actor_start(&early, test, ACTOR_READ_INTERRUPTIBLE);
		tap_ok(actor_reaches(&early, ACTOR_GONE) &&
			       early.result == -EINTR,
		       "%s: a reader's too", test->name);
		actor_end(&early);
	}
	actor_start(&late, test, ACTOR_WRITE_TIMED);
	tap_ok(actor_reaches(&late, ACTOR_GONE) && late.result == -ETIMEDOUT,
	       "%s: a writer's wait times out", test->name);
	actor_end(&late);
	actor_start(&late, test, ACTOR_READ_TIMED);
	tap_ok(actor_reaches(&late, ACTOR_GONE) && late.result == -ETIMEDOUT,
	       "%s: a reader's wait times out", test->name);
	actor_end(&late);
	rwsemlab_up_write(&test->lock);
	actor_start(&late, test, ACTOR_WRITE_TIMED);
	tap_ok(actor_reaches(&late, ACTOR_INSIDE),
	       "%s: a timed wait for a free lock gets it", test->name);
	actor_end(&late);
	rwsemlab_task_leave();
	at_rest(test, "after timeouts");
}

void test_cancelling(struct lock_test *test)
{
	unsigned int before, behind;

	if (can(test, RWSEMLAB_TIMES_OUT))
		cancel_without_queue(test);
	if (!can(test, RWSEMLAB_CANCELS))
		return;
	for (before = 0; before < 2; before++) {
		for (behind = 0; behind < 2; behind++) {
			cancel_one(test, ACTOR_WRITE_INTERRUPTIBLE, before,
				   behind);
			cancel_one(test, ACTOR_READ_INTERRUPTIBLE, before,
				   behind);
		}
	}
	if (can(test, RWSEMLAB_SHARES))
		cancel_before_readers(test);
}

/* The queue's order holds where nobody comes late: writers, one by one. */
void test_order(struct lock_test *test)
{
	struct actor w[3] = { { 0 }, { 0 }, { 0 } };
	atomic_uint next = 0;
	unsigned int i;

	if (!can(test, RWSEMLAB_COUNTS))
		return;
	rwsemlab_task_enter(test->machine);
	rwsemlab_down_write(&test->lock);
	for (i = 0; i < 3; i++) {
		w[i].next = &next;
		actor_start(&w[i], test, ACTOR_WRITE);
		actor_wait_queued(test, i + 1);
	}
	rwsemlab_up_write(&test->lock);
	for (i = 0; i < 3; i++) {
		tap_ok(actor_reaches(&w[i], ACTOR_INSIDE),
		       "%s: waiting writer %u gets it", test->name, i + 1);
		tap_is_u64(w[i].order, i + 1, "%s: in the queue's order",
			   test->name);
		actor_end(&w[i]);
	}
	rwsemlab_task_leave();
	at_rest(test, "after a queue of writers");
}

#define VICTIM_NS 3000000000ull

struct starvation {
	struct lock_test *test;
	_Atomic uint64_t longest_ns;
	bool readers; /* the others read */
};

static void starve_others(struct team_member *member,
			  struct rwsemlab_lock *lock, bool read)
{
	while (!team_stopping(member)) {
		if (read)
			rwsemlab_down_read(lock);
		else
			rwsemlab_down_write(lock);
		team_work_for(20000);
		if (read)
			rwsemlab_up_read(lock);
		else
			rwsemlab_up_write(lock);
		team_did(member);
	}
}

static void starve(struct team_member *member)
{
	struct starvation *s = member->data;
	struct rwsemlab_lock *lock = &s->test->lock;
	struct timespec pause = { .tv_nsec = 1000000 };

	if (member->number) {
		starve_others(member, lock, s->readers);
		return;
	}
	while (!team_stopping(member)) {
		uint64_t start = team_clock();
		uint64_t ns;

		rwsemlab_down_write(lock);
		ns = team_clock() - start;
		rwsemlab_up_write(lock);
		if (ns > atomic_load(&s->longest_ns))
			atomic_store(&s->longest_ns, ns);
		team_did(member);
		nanosleep(&pause, NULL);
	}
}

static void starve_with(struct lock_test *test, bool readers)
{
	struct starvation s = { .test = test, .readers = readers };
	struct team_config team = {
		.machine = test->machine,
		.members = 4,
		.run_ns = 150000000,
		.hang_ns = 5000000000ull,
		.work = starve,
		.data = &s,
	};
	uint64_t done, ns;
	int ret = team_run(&team, &done, &ns);

	if (ret == -EDEADLK)
		tap_bail("hangs: %s, starvation", test->name);
	tap_ok(!ret && s.longest_ns < VICTIM_NS,
	       "%s: a writer among %s waits %llu us at most", test->name,
	       readers ? "readers" : "writers",
	       (unsigned long long)(s.longest_ns / 1000));
	at_rest(test, "after it");
}

/* Only where the rules bound it: in queue order, or with a handoff. */
void test_starvation(struct lock_test *test)
{
	bool never = strstr(test->name, "handoff_ms=never");

	if (!can(test, RWSEMLAB_TIMES_OUT) && !can(test, RWSEMLAB_COUNTS))
		return;
	if (!can(test, RWSEMLAB_WRITERS_STARVE) && !never)
		starve_with(test, false);
	if (can(test, RWSEMLAB_SHARES) &&
	    !can(test, RWSEMLAB_READERS_STARVE_WRITERS) && !never)
		starve_with(test, true);
}

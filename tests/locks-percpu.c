// SPDX-License-Identifier: GPL-2.0-only
/* What only a percpu-rwsem can get wrong. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "tests/locks.h"
#include "tests/tap.h"
#include "workloads/locks/team.h"

static void at_rest(struct lock_test *test, const char *when)
{
	const char *wrong = rwsemlab_lock_at_rest(&test->lock);

	tap_ok(!wrong, "%s: at rest %s: %s", test->name, when,
	       wrong ? wrong : "yes");
}

/* No wait, and nothing is left behind where it fails. */
static void trylocks(struct lock_test *test)
{
	struct rwsemlab_lock *lock = &test->lock;
	bool slow = strstr(test->name, "sync=slow");
	unsigned int i;

	rwsemlab_task_enter(test->machine);
	rwsemlab_rcu_barrier(test->machine); /* idle, where it can be */
	for (i = 0; i < 3; i++) {
		if (rwsemlab_down_write_trylock(lock))
			rwsemlab_up_write(lock);
		else if (slow)
			break;
	}
	tap_ok(i == 3 || !slow, "%s: a trylock for writing", test->name);
	at_rest(test, "after it");
	if (tap_ok(rwsemlab_down_read_trylock(lock),
		   "%s: a trylock for reading", test->name)) {
		tap_ok(!rwsemlab_down_write_trylock(lock),
		       "%s: which keeps writers out", test->name);
		if (tap_ok(rwsemlab_down_read_trylock(lock),
			   "%s: but no readers", test->name))
			rwsemlab_up_read(lock);
		rwsemlab_up_read(lock);
	}
	at_rest(test, "after trylocks");
	rwsemlab_down_write(lock);
	rwsemlab_up_write(lock);
	at_rest(test, "after a writer that followed");
	rwsemlab_task_leave();
}

/* Readers that wait for a writer come in together, then one waits for them. */
static void wake_both(struct lock_test *test)
{
	struct actor r[2] = { { 0 }, { 0 } };
	struct actor w = { 0 };

	rwsemlab_task_enter(test->machine);
	rwsemlab_down_write(&test->lock);
	actor_start(&r[0], test, ACTOR_READ);
	actor_wait_queued(test, 1);
	actor_start(&r[1], test, ACTOR_READ);
	actor_wait_queued(test, 2);
	rwsemlab_up_write(&test->lock);
	tap_ok(actor_reaches(&r[0], ACTOR_INSIDE) &&
		       actor_reaches(&r[1], ACTOR_INSIDE),
	       "%s: waiting readers come in when the writer leaves",
	       test->name);
	actor_start(&w, test, ACTOR_WRITE);
	actor_wait_queued(test, 1);
	actor_end(&r[0]);
	tap_ok(atomic_load(&w.state) == ACTOR_COMING,
	       "%s: a writer waits for the last of them", test->name);
	actor_end(&r[1]);
	tap_ok(actor_reaches(&w, ACTOR_INSIDE), "%s: which wakes it",
	       test->name);
	actor_end(&w);
	rwsemlab_task_leave();
	at_rest(test, "after both");
}

/*
 * A writer comes to readers that do nothing but come and go.  What they look
 * at is plain, so that no barrier of the test's makes up for one of the lock's.
 */
struct arrival {
	struct rwsemlab_lock *lock;
	unsigned long pause_ns; /* of the writer: readers get fast meanwhile */
	_Alignas(64) atomic_bool writing;
	_Alignas(64) atomic_bool reading;
	_Alignas(64) _Atomic uint64_t met;
};

static void arrive_reading(struct arrival *a, struct team_member *member)
{
	while (!team_stopping(member)) {
		rwsemlab_down_read(a->lock);
		if (atomic_load_explicit(&a->writing, memory_order_relaxed))
			atomic_fetch_add(&a->met, 1);
		atomic_store_explicit(&a->reading, true, memory_order_relaxed);
		atomic_store_explicit(&a->reading, false, memory_order_relaxed);
		if (atomic_load_explicit(&a->writing, memory_order_relaxed))
			atomic_fetch_add(&a->met, 1);
		rwsemlab_up_read(a->lock);
		team_did(member);
	}
}

static void arrive_writing(struct arrival *a, struct team_member *member)
{
	struct timespec pause = { .tv_nsec = (long)a->pause_ns };
	unsigned int i;

	while (!team_stopping(member)) {
		rwsemlab_down_write(a->lock);
		atomic_store_explicit(&a->writing, true, memory_order_relaxed);
		for (i = 0; i < 50; i++)
			if (atomic_load_explicit(&a->reading,
						 memory_order_relaxed))
				atomic_fetch_add(&a->met, 1);
		atomic_store_explicit(&a->writing, false, memory_order_relaxed);
		rwsemlab_up_write(a->lock);
		team_did(member);
		if (a->pause_ns)
			nanosleep(&pause, NULL);
	}
}

static void arrive(struct team_member *member)
{
	struct arrival *a = member->data;

	if (member->number)
		arrive_writing(a, member);
	else
		arrive_reading(a, member);
}

static void arrival(struct lock_test *test, unsigned long pause_ns,
		    unsigned int ms)
{
	struct arrival a = { .lock = &test->lock, .pause_ns = pause_ns };
	struct team_config team = {
		.machine = test->machine,
		.members = 2,
		.run_ns = ms * 1000000ull,
		.hang_ns = 5000000000ull,
		.work = arrive,
		.data = &a,
	};
	uint64_t done, ns;
	int ret = team_run(&team, &done, &ns);

	if (ret)
		tap_bail("hangs: %s, a writer that comes to readers",
			 test->name);
	tap_is_u64(a.met, 0, "%s: a writer comes every %lu us: none met",
		   test->name, pause_ns / 1000);
	at_rest(test, "after it");
}

/* The counters of readers: which way each of them went. */
static void paths(struct lock_test *test)
{
	bool flag = strstr(test->name, "@3.7");
	bool slow = strstr(test->name, "sync=slow");
	struct rwsemlab_counts *counts;
	uint64_t *event;
	size_t nr;

	if (!tap_ok(!rwsemlab_class_counts(test->class_, &counts, &nr),
		    "%s: counters", test->name))
		return;
	event = counts[1].event;
	tap_is_u64(event[RWSEMLAB_READER_FAST_PATH] +
			   event[RWSEMLAB_READER_SLOW_PATH],
		   event[RWSEMLAB_FAST] + event[RWSEMLAB_SLOW],
		   "%s: every reader went one of two ways", test->name);
	tap_ok(slow ? !event[RWSEMLAB_READER_FAST_PATH] :
		      event[RWSEMLAB_READER_FAST_PATH],
	       "%s: %s on the fast one", test->name, slow ? "none" : "some");
	tap_ok(event[RWSEMLAB_READER_SLOW_PATH], "%s: some on the slow one",
	       test->name);
	event = counts[0].event;
	tap_is_u64(counts[0].time[RWSEMLAB_GRACE_PERIOD_NS].count,
		   event[RWSEMLAB_GRACE_PERIODS],
		   "%s: every grace period has its time", test->name);
	tap_ok(slow ? !event[RWSEMLAB_GRACE_PERIODS] :
		      event[RWSEMLAB_GRACE_PERIODS],
	       "%s: %s were waited for", test->name, slow ? "none" : "some");
	if (flag)
		tap_is_u64(event[RWSEMLAB_GRACE_PERIODS] % 3, 0,
			   "%s: three a write", test->name);
	tap_ok(counts[0].time[RWSEMLAB_DRAIN_NS].count,
	       "%s: writers waited for readers to leave", test->name);
	rwsemlab_counts_free(counts, nr);
}

void test_percpu(struct lock_test *test, unsigned int ms)
{
	if (!(test->variant->abilities & RWSEMLAB_PERCPU))
		return;
	trylocks(test);
	wake_both(test);
	arrival(test, 0, ms);
	arrival(test, 200000, ms);
	paths(test);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of percpu-rwsem and group-rwsem takes more than one lock, one class or
 * one CPU to see.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/rwsemlab.h"
#include "tests/tap.h"

static struct rwsemlab_class *make_class(struct rwsemlab_machine *machine,
					 const char *text,
					 enum rwsemlab_build build)
{
	struct rwsemlab_class *class_;
	struct rwsemlab_spec *spec;
	char why[512];

	if (rwsemlab_spec_parse(text, &spec, why, sizeof(why)) ||
	    rwsemlab_class_create(machine, spec, "a class", build, &class_))
		tap_bail("no class of %s", text);
	rwsemlab_spec_free(spec);
	return class_;
}

static void nap_ms(unsigned int ms)
{
	struct timespec ts = { .tv_nsec = (long)ms * 1000000 };

	nanosleep(&ts, NULL);
}

/* Another task that does one thing. */
struct other {
	struct rwsemlab_machine *machine;
	struct rwsemlab_lock *lock;
	pthread_t thread;
	void (*fn)(struct rwsemlab_lock *lock);
	atomic_bool done;
};

static void *other_main(void *arg)
{
	struct other *o = arg;

	rwsemlab_task_enter(o->machine);
	o->fn(o->lock);
	atomic_store(&o->done, true);
	rwsemlab_task_leave();
	return NULL;
}

static void other_start(struct other *o, struct rwsemlab_machine *machine,
			struct rwsemlab_lock *lock,
			void (*fn)(struct rwsemlab_lock *lock))
{
	memset(o, 0, sizeof(*o));
	o->machine = machine;
	o->lock = lock;
	o->fn = fn;
	if (pthread_create(&o->thread, NULL, other_main, o))
		tap_bail("no thread");
}

static void other_end(struct other *o)
{
	pthread_join(o->thread, NULL);
}

static void release_read(struct rwsemlab_lock *lock)
{
	rwsemlab_up_read(lock);
}

static void release_read_later(struct rwsemlab_lock *lock)
{
	nap_ms(50);
	rwsemlab_up_read(lock);
}

static void write_once(struct rwsemlab_lock *lock)
{
	rwsemlab_down_write(lock);
	rwsemlab_up_write(lock);
}

/*
 * A reader that leaves on another CPU than it came on.  In the kernel it was
 * moved; a task of the host has its CPU for life, so another one releases for
 * it, which the checked build would report.  Its count there goes below 0.
 */
static void modular_sum(struct rwsemlab_machine *machine, const char *text)
{
	struct rwsemlab_class *class_ =
		make_class(machine, text, RWSEMLAB_COUNTED);
	struct rwsemlab_lock lock;
	struct other other;
	int i;

	rwsemlab_lock_init(&lock, class_);
	for (i = 0; i < 3; i++)
		rwsemlab_down_read(&lock);
	for (i = 0; i < 2; i++) {
		other_start(&other, machine, &lock, release_read);
		other_end(&other);
	}
	tap_ok(rwsemlab_lock_at_rest(&lock), "%s: one of three readers is left",
	       text);
	/* It waits for the last one, whose leaving it has to notice. */
	other_start(&other, machine, &lock, release_read_later);
	rwsemlab_down_write(&lock);
	rwsemlab_up_write(&lock);
	other_end(&other);
	tap_ok(!rwsemlab_lock_at_rest(&lock), "%s: the sum is 0: %s", text,
	       rwsemlab_lock_at_rest(&lock) ?: "at rest");
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

/* The writer's GP is still to come when the lock goes. */
static void destroy_pending(struct rwsemlab_machine *machine, const char *text)
{
	struct rwsemlab_class *class_ =
		make_class(machine, text, RWSEMLAB_CHECKED);
	struct rwsemlab_lock *lock = aligned_alloc(64, sizeof(*lock));
	int i;

	for (i = 0; i < 3; i++) {
		if (!lock || rwsemlab_lock_init(lock, class_))
			tap_bail("no lock");
		rwsemlab_down_write(lock);
		rwsemlab_up_write(lock);
		rwsemlab_lock_destroy(lock);
		memset(lock, 0xff, sizeof(*lock));
	}
	rwsemlab_rcu_barrier(machine);
	tap_is_u64(((unsigned char *)lock)[100], 0xff,
		   "%s: nobody writes to a lock that was destroyed", text);
	tap_is_u64(rwsemlab_class_errors(class_), 0, "%s: nothing reported",
		   text);
	free(lock);
	rwsemlab_class_free(class_);
}

/* Which lock keeps out whom: group a's, group b's, the one of all. */
static void groups(struct rwsemlab_machine *machine, const char *text)
{
	struct rwsemlab_class *class_ =
		make_class(machine, text, RWSEMLAB_CHECKED);
	struct rwsemlab_lock *all = rwsemlab_class_global(class_);
	struct rwsemlab_lock a, b;
	struct other other;

	rwsemlab_lock_init(&a, class_);
	rwsemlab_lock_init(&b, class_);
	rwsemlab_down_write(&a);
	tap_ok(!rwsemlab_down_read_trylock(&a),
	       "%s: who moves a group keeps its forks out", text);
	if (tap_ok(rwsemlab_down_read_trylock(&b),
		   "%s: but not those of another", text))
		rwsemlab_up_read(&b);
	rwsemlab_up_write(&a);
	tap_is_i64(!!all,
		   strcmp(text, "group-rwsem@4.1") &&
			   !strstr(text, "global=none"),
		   "%s: a lock of all groups", text);
	if (!all) {
		rwsemlab_lock_destroy(&a);
		rwsemlab_lock_destroy(&b);
		rwsemlab_class_free(class_);
		return;
	}
	rwsemlab_down_write(all);
	tap_ok(!rwsemlab_down_read_trylock(&a) &&
		       !rwsemlab_down_read_trylock(&b),
	       "%s: who moves all keeps out all", text);
	tap_ok(!rwsemlab_lock_at_rest(&a),
	       "%s: a trylock that failed there left the group's alone", text);
	rwsemlab_up_write(all);
	rwsemlab_down_read(&b);
	other_start(&other, machine, all, write_once);
	nap_ms(100);
	tap_ok(!atomic_load(&other.done),
	       "%s: and waits for a fork of any group", text);
	rwsemlab_up_read(&b);
	other_end(&other);
	tap_ok(!rwsemlab_lock_at_rest(all) && !rwsemlab_lock_at_rest(&b),
	       "%s: all at rest", text);
	rwsemlab_lock_destroy(&a);
	rwsemlab_lock_destroy(&b);
	rwsemlab_class_free(class_);
}

static void read_in_time(struct rwsemlab_lock *lock)
{
	if (!rwsemlab_down_read_wait(lock, RWSEMLAB_UNINTERRUPTIBLE, 1000000))
		rwsemlab_up_read(lock);
}

/* A fork whose wait for its group ends early holds nothing. */
static void cut_short(struct rwsemlab_machine *machine)
{
	struct rwsemlab_class *class_ =
		make_class(machine, "group-rwsem@6.18", RWSEMLAB_CHECKED);
	struct rwsemlab_lock lock;
	struct other other;

	rwsemlab_lock_init(&lock, class_);
	rwsemlab_down_write(&lock);
	other_start(&other, machine, &lock, read_in_time);
	other_end(&other);
	rwsemlab_up_write(&lock);
	tap_ok(!rwsemlab_lock_at_rest(rwsemlab_class_global(class_)) &&
		       !rwsemlab_lock_at_rest(&lock),
	       "a wait that timed out left both locks alone");
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

/* Nothing but counting on a fast path, and yet each is counted once. */
static void reader_paths(struct rwsemlab_machine *machine, const char *text)
{
	struct rwsemlab_class *class_ =
		make_class(machine, text, RWSEMLAB_COUNTED);
	bool slow = strstr(text, "sync=slow");
	struct rwsemlab_counts *counts;
	struct rwsemlab_lock lock;
	size_t nr;
	int i;

	rwsemlab_lock_init(&lock, class_);
	for (i = 0; i < 1000; i++) {
		rwsemlab_down_read(&lock);
		rwsemlab_up_read(&lock);
	}
	if (rwsemlab_down_read_trylock(&lock))
		rwsemlab_up_read(&lock);
	if (rwsemlab_class_counts(class_, &counts, &nr))
		tap_bail("no counters");
	tap_is_u64(counts[1].event[RWSEMLAB_FAST], 1001,
		   "%s: every read is counted", text);
	tap_is_u64(counts[1].event[RWSEMLAB_READER_SLOW_PATH], slow ? 1001 : 0,
		   "%s: those on the slow path", text);
	tap_is_u64(counts[1].event[RWSEMLAB_READER_FAST_PATH], slow ? 0 : 1001,
		   "%s: and the others", text);
	rwsemlab_counts_free(counts, nr);
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

static void no_waits(struct rwsemlab_machine *machine, const char *text)
{
	struct rwsemlab_class *class_ =
		make_class(machine, text, RWSEMLAB_CHECKED);
	struct rwsemlab_lock lock;

	rwsemlab_lock_init(&lock, class_);
	tap_ok(rwsemlab_down_read_wait(&lock, RWSEMLAB_KILLABLE, 0) ==
			       -EOPNOTSUPP &&
		       rwsemlab_down_write_wait(&lock, RWSEMLAB_UNINTERRUPTIBLE,
						1) == -EOPNOTSUPP,
	       "%s: has no killable or timed waits, and says so", text);
	tap_ok(!rwsemlab_lock_at_rest(&lock), "%s: and took nothing", text);
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

int main(void)
{
	static const char *const percpu[] = {
		"percpu-rwsem@3.7",	      "percpu-rwsem@4.4",
		"percpu-rwsem@4.9",	      "percpu-rwsem@5.7",
		"percpu-rwsem@4.4:sync=slow", "percpu-rwsem@4.9:sync=slow",
		"percpu-rwsem@5.7:sync=slow",
	};
	struct rwsemlab_machine *machine;
	size_t i;

	if (rwsemlab_machine_create(3, &machine))
		tap_skip_all("no host machine here");
	rwsemlab_task_enter(machine);
	for (i = 0; i < sizeof(percpu) / sizeof(percpu[0]); i++) {
		modular_sum(machine, percpu[i]);
		destroy_pending(machine, percpu[i]);
		no_waits(machine, percpu[i]);
		reader_paths(machine, percpu[i]);
	}
	groups(machine, "group-rwsem@4.1");
	groups(machine, "group-rwsem@4.1:global=idle");
	groups(machine, "group-rwsem@6.18");
	groups(machine, "group-rwsem@6.18:global=idle");
	groups(machine, "group-rwsem@6.18:global=none");
	cut_short(machine);
	rwsemlab_task_leave();
	rwsemlab_machine_free(machine);
	return tap_done();
}

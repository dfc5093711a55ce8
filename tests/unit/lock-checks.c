// SPDX-License-Identifier: GPL-2.0-only
/* Misuse that the checked build finds, machines and tasks, counters by site. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "lib/rwsemlab.h"
#include "tests/tap.h"

struct found {
	unsigned int nr;
	struct rwsemlab_report last;
};

static void on_report(const struct rwsemlab_report *report, void *arg)
{
	struct found *found = arg;

	found->nr++;
	found->last = *report;
}

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

/* Exported by name, so that a report can tell them. */
void wrong_up_write(struct rwsemlab_lock *lock);
void wrong_up_read(struct rwsemlab_lock *lock);
void wrong_downgrade(struct rwsemlab_lock *lock);
void wrong_destroy(struct rwsemlab_lock *lock);

__attribute__((noinline)) void wrong_up_write(struct rwsemlab_lock *lock)
{
	rwsemlab_up_write(lock);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void wrong_up_read(struct rwsemlab_lock *lock)
{
	rwsemlab_up_read(lock);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void wrong_downgrade(struct rwsemlab_lock *lock)
{
	rwsemlab_downgrade_write(lock);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void wrong_destroy(struct rwsemlab_lock *lock)
{
	rwsemlab_lock_destroy(lock);
	__asm__ volatile("" ::: "memory");
}

static void expect(struct found *found, const char *what, const char *function)
{
	if (!tap_is_u64(found->nr, 1, "%s: one report", what))
		found->last.what = NULL;
	tap_is_str(found->last.what, what, "%s: says so", what);
	tap_is_str(found->last.function, function, "%s: names the site", what);
	tap_is_str(found->last.lock_name, "rwsem@6.3", "%s: and the lock",
		   what);
	memset(found, 0, sizeof(*found));
}

static void misuse(struct rwsemlab_machine *machine, struct found *found)
{
	struct rwsemlab_class *class_ =
		make_class(machine, "rwsem@6.3", RWSEMLAB_CHECKED);
	struct rwsemlab_lock lock;

	rwsemlab_lock_init(&lock, class_);
	wrong_up_write(&lock);
	expect(found, "up_write of a lock that the task does not hold",
	       "wrong_up_write");
	wrong_up_read(&lock);
	expect(found, "up_read of a lock that the task does not hold",
	       "wrong_up_read");
	wrong_downgrade(&lock);
	expect(found, "downgrade_write of a lock that the task does not hold",
	       "wrong_downgrade");
	tap_ok(!rwsemlab_lock_at_rest(&lock), "nothing of it was done");
	rwsemlab_down_read(&lock);
	wrong_up_write(&lock);
	expect(found, "up_write of a lock held for reading", "wrong_up_write");
	wrong_destroy(&lock);
	expect(found, "destroy of a lock that is held or waited for",
	       "wrong_destroy");
	rwsemlab_up_read(&lock);
	tap_is_u64(found->nr, 0, "the right release is silent");
	tap_is_u64(rwsemlab_class_errors(class_), 5, "all are counted");
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

/* A mutex knows no modes: what was read-locked may be write-unlocked. */
static void exclusive(struct rwsemlab_machine *machine, struct found *found)
{
	struct rwsemlab_class *class_ =
		make_class(machine, "mutex@4.10", RWSEMLAB_CHECKED);
	struct rwsemlab_lock lock;

	rwsemlab_lock_init(&lock, class_);
	rwsemlab_down_read(&lock);
	rwsemlab_up_write(&lock);
	tap_is_u64(found->nr, 0, "a mutex has one mode");
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

static void *enter_in_vain(void *machine)
{
	return (void *)(intptr_t)rwsemlab_task_enter(machine);
}

static void tasks(void)
{
	struct rwsemlab_machine *machine = NULL;
	pthread_t thread;
	void *ret;

	tap_is_i64(rwsemlab_machine_create(0, &machine), -EINVAL, "no CPUs");
	tap_is_i64(rwsemlab_machine_create(4097, &machine), -EINVAL,
		   "too many CPUs");
	if (rwsemlab_machine_create(1, &machine))
		tap_bail("no machine");
	tap_ok(!rwsemlab_task_current(), "no task at first");
	tap_is_i64(rwsemlab_task_enter(machine), 0, "a task");
	tap_is_i64(rwsemlab_task_enter(machine), -EBUSY, "twice");
	pthread_create(&thread, NULL, enter_in_vain, machine);
	pthread_join(thread, &ret);
	tap_is_i64((intptr_t)ret, -EAGAIN, "more tasks than CPUs");
	rwsemlab_task_leave();
	tap_ok(!rwsemlab_task_current(), "and none after it left");
	rwsemlab_task_leave();
	rwsemlab_machine_free(machine);
	rwsemlab_machine_free(NULL);
}

__attribute__((noinline)) static void site_a(struct rwsemlab_lock *lock)
{
	rwsemlab_down_write(lock);
	rwsemlab_up_write(lock);
}

__attribute__((noinline)) static void site_b(struct rwsemlab_lock *lock)
{
	rwsemlab_down_read(lock);
	rwsemlab_up_read(lock);
}

/* Two sites, and one that fails; everything is counted where it was. */
static void sites(struct rwsemlab_machine *machine)
{
	struct rwsemlab_class *class_ =
		make_class(machine, "rwsem@6.3", RWSEMLAB_COUNTED);
	struct rwsemlab_counts *counts;
	struct rwsemlab_lock lock;
	size_t nr = 0, i;

	rwsemlab_lock_init(&lock, class_);
	for (i = 0; i < 1000; i++)
		site_a(&lock);
	for (i = 0; i < 10; i++)
		site_b(&lock);
	rwsemlab_down_write(&lock);
	tap_ok(!rwsemlab_down_read_trylock(&lock), "a trylock fails");
	rwsemlab_up_write(&lock);
	if (rwsemlab_class_counts(class_, &counts, &nr))
		tap_bail("no counters");
	tap_is_u64(nr, 2 + 4, "four call sites");
	tap_is_u64(counts[0].event[RWSEMLAB_FAST], 1011, "all of them");
	tap_is_u64(counts[1].event[RWSEMLAB_FAST], 10, "the readers'");
	tap_is_u64(counts[0].event[RWSEMLAB_TRY_FAILED], 1, "one that failed");
	tap_is_u64(counts[0].event[RWSEMLAB_SLOW], 0, "none was slow");
	tap_is_u64(counts[0].time[RWSEMLAB_HOLD_NS].count, 1000 / 256,
		   "one in 256 had its hold time measured");
	for (i = 2; i < nr; i++)
		if (counts[i].event[RWSEMLAB_FAST] == 1000)
			break;
	tap_ok(i < nr && counts[i].mode == RWSEMLAB_WRITE,
	       "the first site's are its own");
	rwsemlab_counts_free(counts, nr);
	tap_ok(rwsemlab_event_name(RWSEMLAB_SLEEPS) &&
		       !rwsemlab_event_name(RWSEMLAB_NR_EVENTS) &&
		       rwsemlab_time_name(RWSEMLAB_WAIT_NS) &&
		       !rwsemlab_time_name(RWSEMLAB_NR_TIMES),
	       "names of counters");
	rwsemlab_lock_destroy(&lock);
	rwsemlab_class_free(class_);
}

int main(void)
{
	struct rwsemlab_machine *machine;
	struct found found = { 0 };

	tasks();
	if (rwsemlab_machine_create(4, &machine))
		tap_bail("no machine");
	rwsemlab_machine_on_report(machine, on_report, &found);
	rwsemlab_task_enter(machine);
	misuse(machine, &found);
	exclusive(machine, &found);
	sites(machine);
	rwsemlab_task_leave();
	rwsemlab_machine_free(machine);
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/* lib/locks/rcu-sync.h: its states, one by one and from several tasks. */
#define LOCK_LEVEL 0
#include "lib/locks/rcu-sync.h"

#include <string.h>

#include "tests/tap.h"

#define TASKS 4

static struct acquire nobody;

static void nap_ms(unsigned int ms)
{
	struct timespec ts = { .tv_nsec = (long)ms * 1000000 };

	nanosleep(&ts, NULL);
}

static int state(struct rcu_sync *rss)
{
	return rcu_sync_state(rss);
}

/*
 * A read section of another task: while it lasts no grace period ends, so the
 * states between stay to be looked at.
 */
struct section {
	struct rwsemlab_machine *machine;
	pthread_t thread;
	atomic_bool there, begin, inside, end;
};

static void *section_main(void *arg)
{
	struct section *s = arg;

	rwsemlab_task_enter(s->machine);
	atomic_store(&s->there, true);
	while (!atomic_load(&s->begin))
		nap_ms(1);
	preempt_disable();
	atomic_store(&s->inside, true);
	while (!atomic_load(&s->end))
		nap_ms(1);
	preempt_enable();
	rwsemlab_task_leave();
	return NULL;
}

/* Its task, which is in no section yet. */
static void section_task(struct section *s, struct rwsemlab_machine *machine)
{
	memset(s, 0, sizeof(*s));
	s->machine = machine;
	if (pthread_create(&s->thread, NULL, section_main, s))
		tap_bail("no thread");
	while (!atomic_load(&s->there))
		nap_ms(1);
}

static void section_begin(struct section *s)
{
	atomic_store(&s->begin, true);
	while (!atomic_load(&s->inside))
		nap_ms(1);
}

static void section_start(struct section *s, struct rwsemlab_machine *machine)
{
	section_task(s, machine);
	section_begin(s);
}

static void section_end(struct section *s)
{
	atomic_store(&s->end, true);
	pthread_join(s->thread, NULL);
}

/* Another task enters, says so, and leaves when told to. */
struct enterer {
	struct rcu_sync *rss;
	pthread_t thread;
	atomic_bool entered, leave, left;
};

static void *enterer_main(void *arg)
{
	struct enterer *e = arg;

	rwsemlab_task_enter(e->rss->machine);
	rcu_sync_enter(e->rss, &nobody);
	atomic_store(&e->entered, true);
	while (!atomic_load(&e->leave))
		nap_ms(1);
	rcu_sync_exit(e->rss);
	atomic_store(&e->left, true);
	rwsemlab_task_leave();
	return NULL;
}

static void enterer_start(struct enterer *e, struct rcu_sync *rss)
{
	memset(e, 0, sizeof(*e));
	e->rss = rss;
	if (pthread_create(&e->thread, NULL, enterer_main, e))
		tap_bail("no thread");
}

static void enterer_end(struct enterer *e)
{
	atomic_store(&e->leave, true);
	pthread_join(e->thread, NULL);
}

static void reaches(struct rcu_sync *rss, enum rcu_sync_state want,
		    const char *what)
{
	unsigned int ms;

	for (ms = 0; ms < 10000 && state(rss) != (int)want; ms++)
		nap_ms(1);
	tap_is_i64(state(rss), want, "%s", what);
}

/* One task: there and back, and the enter that finds it on its way. */
static void alone(struct rwsemlab_machine *machine)
{
	struct rcu_sync rss;
	struct section s;

	tap_is_i64(rcu_sync_init(&rss, machine), 0, "made");
	tap_ok(rcu_sync_is_idle(&rss), "idle at first");
	tap_ok(!rcu_sync_tryenter(&rss), "no enter without a grace period");
	tap_ok(rcu_sync_is_idle(&rss), "and nothing is left of the try");
	rcu_sync_enter(&rss, &nobody);
	tap_is_i64(state(&rss), GP_PASSED, "passed after an enter");
	section_start(&s, machine);
	rcu_sync_exit(&rss);
	tap_is_i64(state(&rss), GP_EXIT, "exiting during a grace period");
	tap_ok(!rcu_sync_is_idle(&rss), "which is not idle");
	tap_ok(rcu_sync_tryenter(&rss), "an enter meanwhile needs none");
	rcu_sync_exit(&rss);
	tap_is_i64(state(&rss), GP_REPLAY, "its exit asks for another");
	rcu_sync_enter(&rss, &nobody);
	rcu_sync_enter(&rss, &nobody);
	rcu_sync_exit(&rss);
	section_end(&s);
	reaches(&rss, GP_PASSED, "one that is inside gets it passed again");
	rcu_sync_exit(&rss);
	reaches(&rss, GP_IDLE, "idle in the end");
	tap_ok(!rcu_sync_wrong(&rss, false), "nothing left");
	rcu_sync_dtor(&rss);
}

/* The replayed exit: the first grace period must not make it idle. */
static void replay(struct rwsemlab_machine *machine)
{
	struct rcu_sync rss;
	struct section first, second;

	rcu_sync_init(&rss, machine);
	rcu_sync_enter(&rss, &nobody);
	/* The host looks at one task after the other: first is the later. */
	section_task(&second, machine);
	section_start(&first, machine);
	rcu_sync_exit(&rss);
	/* The callback's grace period waits for the first section alone. */
	nap_ms(50);
	section_begin(&second);
	rcu_sync_enter(&rss, &nobody);
	rcu_sync_exit(&rss);
	tap_is_i64(state(&rss), GP_REPLAY, "an exit during a grace period");
	section_end(&first);
	reaches(&rss, GP_EXIT, "is worth one of its own");
	nap_ms(50);
	tap_is_i64(state(&rss), GP_EXIT,
		   "which waits for sections begun before that exit");
	section_end(&second);
	reaches(&rss, GP_IDLE, "then it is idle");
	rcu_sync_dtor(&rss);
}

/* Several enter at once: all wait for the same grace period. */
static void together(struct rwsemlab_machine *machine)
{
	struct enterer e[TASKS];
	struct rcu_sync rss;
	struct section s;
	unsigned int i, ms, in = 0;

	rcu_sync_init(&rss, machine);
	section_start(&s, machine);
	for (i = 0; i < TASKS; i++)
		enterer_start(&e[i], &rss);
	nap_ms(50);
	for (i = 0; i < TASKS; i++)
		in += atomic_load(&e[i].entered);
	tap_is_u64(in, 0, "nobody has entered while a section lasts");
	tap_is_i64(state(&rss), GP_ENTER, "entering");
	section_end(&s);
	for (ms = 0; in < TASKS && ms < 3000; ms++) {
		nap_ms(1);
		for (in = 0, i = 0; i < TASKS; i++)
			in += atomic_load(&e[i].entered);
	}
	if (in < TASKS)
		tap_bail("hangs: %u of %u have entered", in, TASKS);
	tap_is_i64(state(&rss), GP_PASSED, "all have when it has ended");
	for (i = 0; i + 1 < TASKS; i++)
		enterer_end(&e[i]);
	nap_ms(20);
	tap_is_i64(state(&rss), GP_PASSED, "passed until the last one leaves");
	enterer_end(&e[TASKS - 1]);
	reaches(&rss, GP_IDLE, "idle after it");
	tap_ok(!rcu_sync_wrong(&rss, false), "nothing left");
	rcu_sync_dtor(&rss);
}

/* All of it at random; inside, it is never idle. */
struct storm {
	struct rcu_sync rss;
	atomic_bool end;
	_Atomic uint64_t rounds, wrong;
};

static void *storm_main(void *arg)
{
	struct storm *storm = arg;
	unsigned int seed = (unsigned int)(uintptr_t)&seed;
	unsigned int i;

	rwsemlab_task_enter(storm->rss.machine);
	while (!atomic_load(&storm->end)) {
		if (rand_r(&seed) % 4 || !rcu_sync_tryenter(&storm->rss))
			rcu_sync_enter(&storm->rss, &nobody);
		for (i = 0; i < 20; i++)
			if (rcu_sync_is_idle(&storm->rss))
				atomic_fetch_add(&storm->wrong, 1);
		rcu_sync_exit(&storm->rss);
		atomic_fetch_add(&storm->rounds, 1);
		if (!(rand_r(&seed) % 4))
			nap_ms(1);
	}
	rwsemlab_task_leave();
	return NULL;
}

static void overlapping(struct rwsemlab_machine *machine)
{
	pthread_t thread[TASKS];
	struct storm storm;
	unsigned int i;

	memset(&storm, 0, sizeof(storm));
	rcu_sync_init(&storm.rss, machine);
	for (i = 0; i < TASKS; i++)
		if (pthread_create(&thread[i], NULL, storm_main, &storm))
			tap_bail("no thread");
	nap_ms(500);
	while (atomic_load(&storm.rounds) < 100)
		nap_ms(1);
	atomic_store(&storm.end, true);
	for (i = 0; i < TASKS; i++)
		pthread_join(thread[i], NULL);
	tap_is_u64(storm.wrong, 0, "never idle for those inside (%llu rounds)",
		   (unsigned long long)storm.rounds);
	/* Destroyed with whatever is pending. */
	rcu_sync_dtor(&storm.rss);
	tap_is_i64(state(&storm.rss), GP_IDLE, "nothing pending after its end");
	tap_ok(!rcu_sync_wrong(&storm.rss, false), "nothing left");
}

static void slow_mode(struct rwsemlab_machine *machine)
{
	struct rcu_sync rss;
	struct section s;

	rcu_sync_init(&rss, machine);
	rcu_sync_enter_start(&rss);
	section_start(&s, machine);
	/* With a grace period these would wait for ever. */
	rcu_sync_enter(&rss, &nobody);
	rcu_sync_exit(&rss);
	tap_ok(rcu_sync_tryenter(&rss), "started slow: entered at once");
	rcu_sync_exit(&rss);
	tap_is_i64(state(&rss), GP_PASSED, "and it stays so");
	tap_ok(!rcu_sync_wrong(&rss, true), "nothing left");
	rcu_sync_dtor(&rss);
	section_end(&s);
}

/* Its memory may go right after: the callback must have been. */
static void destroyed_while_pending(struct rwsemlab_machine *machine)
{
	struct rcu_sync *rss = malloc(sizeof(*rss));
	struct section s;
	bool replayed;

	if (!rss)
		tap_bail("no memory");
	rcu_sync_init(rss, machine);
	rcu_sync_enter(rss, &nobody);
	section_start(&s, machine);
	rcu_sync_exit(rss);
	rcu_sync_enter(rss, &nobody);
	rcu_sync_exit(rss);
	replayed = state(rss) == GP_REPLAY;
	section_end(&s);
	rcu_sync_dtor(rss);
	tap_ok(replayed && state(rss) == GP_IDLE,
	       "destroyed with a replay pending: its callback has been");
	memset(rss, 0xff, sizeof(*rss));
	rcu_barrier(machine);
	tap_ok(rss->gp_count == -1, "and no other comes");
	free(rss);
}

static void all(struct rwsemlab_machine *machine)
{
	rwsemlab_task_enter(machine);
	alone(machine);
	replay(machine);
	slow_mode(machine);
	destroyed_while_pending(machine);
	rwsemlab_task_leave();
	together(machine);
	overlapping(machine);
	rwsemlab_machine_free(machine);
}

int main(void)
{
	struct rwsemlab_machine *machine;

	if (rwsemlab_machine_create(TASKS + 2, &machine))
		tap_skip_all("no host machine here");
	all(machine);
	if (rwsemlab_machine_create(TASKS + 2, &machine))
		tap_bail("no second machine");
	rwsemlab_machine_expedite(machine);
	all(machine);
	return tap_done();
}

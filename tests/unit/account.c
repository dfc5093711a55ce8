// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hand-made event sequences against counts worked out by hand.
 */
#include <string.h>

#include "analyze/account.h"
#include "tests/tap.h"

enum op {
	END_OF_STEPS,
	SWITCH,
	BEGIN,
	END,
	WAKE,
	FORK,
	LOST
};

#define MAX_STEPS 20

struct step {
	enum op op;
	uint64_t time;
	uint32_t cpu;
	int32_t tid, next; /* SWITCH: prev and next */
	enum task_state state;
	uint64_t lock;
	uint32_t flags;
	int32_t ret;
};

struct expected {
	uint64_t sleeps, preemptions, from_idle, gaps;
	uint64_t off_ns, off_count, woken, runnable_ns;
	uint64_t ended[NR_ACQUISITION_ENDS];
	uint64_t acquisition_sleeps, wait_ns;
	struct profile_unpaired unpaired;
};

struct test_case {
	const char *name;
	struct step step[MAX_STEPS];
	struct expected want;
};

#define S STATE_INTERRUPTIBLE
#define D STATE_UNINTERRUPTIBLE
#define R STATE_RUNNING
#define X STATE_DEAD

/* Task 10 works, task 20 is the other one, 0 is idle. */
static const struct test_case cases[] = {
	{ "a sleep is counted and timed",
	  { { SWITCH, 100, 0, 10, 20, S }, { SWITCH, 150, 0, 20, 10, R } },
	  { .sleeps = 1, .preemptions = 1, .off_ns = 50, .off_count = 1 } },
	{ "a preemption is no sleep and its time is not off_ns",
	  { { SWITCH, 100, 0, 10, 20, R }, { SWITCH, 170, 0, 20, 10, S } },
	  { .sleeps = 1, .preemptions = 1, .unpaired.sleep_open = 1 } },
	{ "switches from idle are neither",
	  { { SWITCH, 100, 0, 10, 0, S }, { SWITCH, 130, 0, 0, 10, R } },
	  { .sleeps = 1, .from_idle = 1, .off_ns = 30, .off_count = 1 } },
	{ "a sleep ends on another CPU",
	  { { SWITCH, 100, 0, 10, 0, D }, { SWITCH, 140, 1, 0, 10, R } },
	  { .sleeps = 1, .from_idle = 1, .off_ns = 40, .off_count = 1 } },
	{ "idle tasks of two CPUs are two tasks",
	  { { SWITCH, 100, 0, 10, 0, S },
	    { SWITCH, 110, 1, 20, 0, S },
	    { SWITCH, 120, 0, 0, 20, R },
	    { SWITCH, 130, 1, 0, 10, R } },
	  { .sleeps = 2, .from_idle = 2, .off_ns = 40, .off_count = 2 } },
	{ "the wake-up splits off-CPU time into blocked and runnable",
	  { { SWITCH, 100, 0, 10, 20, S },
	    { WAKE, 160, 1, 10 },
	    { WAKE, 170, 1, 10 },
	    { SWITCH, 180, 0, 20, 10, R } },
	  { .sleeps = 1,
	    .preemptions = 1,
	    .off_ns = 80,
	    .off_count = 1,
	    .woken = 1,
	    .runnable_ns = 20 } },
	{ "a wake-up of a running or unknown task is nothing",
	  { { WAKE, 90, 0, 10 },
	    { SWITCH, 100, 0, 10, 20, S },
	    { SWITCH, 110, 0, 20, 10, R },
	    { WAKE, 120, 0, 10 } },
	  { .sleeps = 1, .preemptions = 1, .off_ns = 10, .off_count = 1 } },
	{ "time that runs backwards gives no negative interval",
	  { { SWITCH, 100, 0, 10, 20, S }, { SWITCH, 90, 0, 20, 10, R } },
	  { .sleeps = 1, .preemptions = 1, .off_ns = 0, .off_count = 1 } },
	{ "a missing switch is a gap, and its sleep has no time",
	  { { SWITCH, 100, 0, 10, 20, S },
	    { SWITCH, 150, 0, 10, 20, S },
	    { SWITCH, 160, 0, 20, 10, R } },
	  { .sleeps = 2,
	    .preemptions = 1,
	    .gaps = 1,
	    .off_ns = 10,
	    .off_count = 1,
	    .unpaired.sleep_dropped = 1 } },
	{ "lost events drop open sleeps",
	  { { SWITCH, 100, 0, 10, 20, S },
	    { LOST, 120 },
	    { SWITCH, 150, 0, 20, 10, R } },
	  { .sleeps = 1, .preemptions = 1, .unpaired.sleep_dropped = 1 } },
	{ "exit is a sleep that never ends; a new task may have its tid",
	  { { SWITCH, 100, 0, 10, 20, X },
	    { FORK, 110, 0, 10 },
	    { SWITCH, 120, 0, 20, 10, R },
	    { SWITCH, 130, 0, 10, 20, S } },
	  { .sleeps = 2, .preemptions = 1, .unpaired.sleep_open = 1 } },
	{ "fork over a sleeper: the old one's exit was not recorded",
	  { { SWITCH, 100, 0, 10, 20, S },
	    { FORK, 110, 0, 10 },
	    { SWITCH, 120, 0, 20, 10, R } },
	  { .sleeps = 1, .preemptions = 1, .unpaired.sleep_dropped = 1 } },

	{ "stolen: begin and end without a switch",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { END, 130, 0, 10, .lock = 7 } },
	  { .ended[ACQUIRED_NO_SLEEP] = 1, .wait_ns = 30 } },
	{ "one sleep",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { SWITCH, 110, 0, 10, 20, D },
	    { SWITCH, 150, 0, 20, 10, R },
	    { END, 160, 0, 10, .lock = 7 } },
	  { .sleeps = 1,
	    .preemptions = 1,
	    .off_ns = 40,
	    .off_count = 1,
	    .ended[ACQUIRED_ONE_SLEEP] = 1,
	    .acquisition_sleeps = 1,
	    .wait_ns = 60 } },
	{ "two sleeps, the second on another CPU",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { SWITCH, 110, 0, 10, 20, D },
	    { SWITCH, 120, 0, 20, 10, R },
	    { SWITCH, 130, 0, 10, 20, D },
	    { SWITCH, 140, 1, 0, 10, R },
	    { END, 150, 1, 10, .lock = 7 } },
	  { .sleeps = 2,
	    .preemptions = 1,
	    .from_idle = 1,
	    .off_ns = 20,
	    .off_count = 2,
	    .ended[ACQUIRED_MORE_SLEEPS] = 1,
	    .acquisition_sleeps = 2,
	    .wait_ns = 50 } },
	{ "a preemption while waiting is no sleep",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { SWITCH, 110, 0, 10, 20, R },
	    { SWITCH, 120, 0, 20, 10, R },
	    { END, 150, 0, 10, .lock = 7 } },
	  { .preemptions = 2, .ended[ACQUIRED_NO_SLEEP] = 1, .wait_ns = 50 } },
	{ "failed: a signal ended the wait",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { END, 150, 0, 10, .lock = 7, .ret = -4 } },
	  { .ended[ACQUISITION_FAILED] = 1, .wait_ns = 50 } },
	{ "a mutex that spins, sleeps and spins is one acquisition",
	  { { BEGIN, 100, 0, 10, .lock = 7,
	      .flags = CONTENTION_MUTEX | CONTENTION_SPIN },
	    { BEGIN, 110, 0, 10, .lock = 7, .flags = CONTENTION_MUTEX },
	    { SWITCH, 120, 0, 10, 20, D },
	    { SWITCH, 130, 0, 20, 10, R },
	    { BEGIN, 140, 0, 10, .lock = 7,
	      .flags = CONTENTION_MUTEX | CONTENTION_SPIN },
	    { END, 150, 0, 10, .lock = 7 } },
	  { .sleeps = 1,
	    .preemptions = 1,
	    .off_ns = 10,
	    .off_count = 1,
	    .ended[ACQUIRED_ONE_SLEEP] = 1,
	    .acquisition_sleeps = 1,
	    .wait_ns = 50 } },
	{ "a rwsem that begins twice lost its first end",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { BEGIN, 140, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { END, 150, 0, 10, .lock = 7 } },
	  { .ended[ACQUIRED_NO_SLEEP] = 1,
	    .wait_ns = 10,
	    .unpaired.begin_dropped = 1 } },
	{ "a spinlock inside a mutex: two acquisitions, one slept",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_MUTEX },
	    { BEGIN, 105, 0, 10, .lock = 8, .flags = CONTENTION_SPIN },
	    { END, 108, 0, 10, .lock = 8 },
	    { SWITCH, 110, 0, 10, 20, D },
	    { SWITCH, 120, 0, 20, 10, R },
	    { END, 130, 0, 10, .lock = 7 } },
	  { .sleeps = 1,
	    .preemptions = 1,
	    .off_ns = 10,
	    .off_count = 1,
	    .ended = { 1, 1 },
	    .acquisition_sleeps = 1,
	    .wait_ns = 33 } },
	{ "another task's end of the same lock is not mine",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { END, 110, 1, 20, .lock = 7 },
	    { END, 130, 0, 10, .lock = 7 } },
	  { .ended[ACQUIRED_NO_SLEEP] = 1,
	    .wait_ns = 30,
	    .unpaired.end_alone = 1 } },
	/* Its tid is -1 once it is released, while it still runs. */
	{ "a task that was released is the one that has the CPU",
	  { { SWITCH, 100, 1, 20, 10, R },
	    { BEGIN, 110, 1, 10, .lock = 7, .flags = CONTENTION_SPIN },
	    { BEGIN, 120, 1, -1, .lock = 8, .flags = CONTENTION_SPIN },
	    { BEGIN, 125, 0, -1, .lock = 8, .flags = CONTENTION_SPIN },
	    { END, 130, 1, -1, .lock = 8 },
	    { END, 135, 0, -1, .lock = 8 },
	    { END, 140, 1, -1, .lock = 7 },
	    { BEGIN, 150, 1, -1, .lock = 9, .flags = CONTENTION_SPIN },
	    { SWITCH, 160, 1, 10, 20, X } },
	  { .sleeps = 1,
	    .preemptions = 1,
	    .ended = { 3 },
	    .wait_ns = 50,
	    .unpaired.begin_exited = 1 } },
	{ "open at the end of the window",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE } },
	  { .unpaired.begin_open = 1 } },
	{ "the task exits while it waits",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { SWITCH, 110, 0, 10, 20, X } },
	  { .sleeps = 1, .unpaired.begin_exited = 1 } },
	{ "a wait across lost events is not counted",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { LOST, 120 },
	    { END, 130, 0, 10, .lock = 7 } },
	  { .unpaired.begin_dropped = 1 } },
	{ "a mutex begun before and after lost events counts from the second",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_MUTEX },
	    { LOST, 120 },
	    { BEGIN, 130, 0, 10, .lock = 7, .flags = CONTENTION_MUTEX },
	    { END, 140, 0, 10, .lock = 7 } },
	  { .ended[ACQUIRED_NO_SLEEP] = 1,
	    .wait_ns = 10,
	    .unpaired.begin_dropped = 1 } },
	{ "an address that a new lock reuses is a new acquisition",
	  { { BEGIN, 100, 0, 10, .lock = 7, .flags = CONTENTION_WRITE },
	    { END, 110, 0, 10, .lock = 7 },
	    { BEGIN, 120, 0, 10, .lock = 7, .flags = CONTENTION_READ },
	    { END, 125, 0, 10, .lock = 7 } },
	  { .ended[ACQUIRED_NO_SLEEP] = 2, .wait_ns = 15 } },
	{ "tids that can't be and CPUs that can't be are survived",
	  { { SWITCH, 100, 4000000000u, -1, -1, S },
	    { BEGIN, 110, 70000, -1, .lock = 7 },
	    { END, 120, 70000, -1, .lock = 7 },
	    { WAKE, 130, 0, -1 },
	    { FORK, 140, 0, -1 } },
	  { .unpaired.end_alone = 1 } },
};

static void take_step(struct account *a, const struct step *s, uint32_t stack)
{
	const struct switch_event sw = {
		.time = s->time,
		.cpu = s->cpu,
		.prev_tid = s->tid,
		.next_tid = s->next,
		.prev_state = s->state,
		.stack = stack,
		.prev_comm = "one\0............",
		.next_comm = "sixteen-letters!",
	};
	const struct contention_event c = {
		.time = s->time,
		.cpu = s->cpu,
		.tid = s->tid,
		.lock = s->lock,
		.flags = s->flags,
		.ret = s->ret,
		.stack = stack,
	};
	const struct wakeup_event w = {
		.time = s->time,
		.cpu = s->cpu,
		.tid = s->tid,
	};

	switch (s->op) {
	case SWITCH:
		account_switch(a, &sw);
		break;
	case BEGIN:
		account_begin(a, &c);
		break;
	case END:
		account_end(a, &c);
		break;
	case WAKE:
		account_wakeup(a, &w);
		break;
	case FORK:
		account_fork(a, s->time, s->tid);
		break;
	case LOST:
		account_lost(a, s->time);
		break;
	case END_OF_STEPS:
		break;
	}
}

static void add_up(const struct profile *p, struct expected *got)
{
	size_t i, j;

	got->sleeps = p->sleeps;
	got->preemptions = p->preemptions;
	got->from_idle = p->from_idle;
	got->gaps = p->switch_gaps;
	got->unpaired = p->unpaired;
	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		got->off_ns += row->off_ns;
		got->off_count += row->off.count;
		got->woken += row->woken;
		got->runnable_ns += row->runnable_ns;
	}
	for (i = 0; i < profile_nr_acquisition_rows(p); i++) {
		const struct acquisition_row *row =
			profile_get_acquisition_row(p, i);

		for (j = 0; j < NR_ACQUISITION_ENDS; j++)
			got->ended[j] += row->ended[j];
		got->acquisition_sleeps += row->sleeps;
		got->wait_ns += row->wait_ns;
	}
}

static void run_case(const struct test_case *t)
{
	struct profile *p = profile_new();
	struct account *a = p ? account_new(p) : NULL;
	struct expected got = { 0 };
	size_t i;

	if (!a)
		tap_bail("out of memory");
	for (i = 0; t->step[i].op != END_OF_STEPS; i++)
		take_step(a, &t->step[i], profile_stack(p, NULL, 0, 0));
	account_finish(a);
	add_up(p, &got);
#define SAME(field) tap_is_u64(got.field, t->want.field, "%s: " #field, t->name)
	SAME(sleeps);
	SAME(preemptions);
	SAME(from_idle);
	SAME(gaps);
	SAME(off_ns);
	SAME(off_count);
	SAME(woken);
	SAME(runnable_ns);
	SAME(ended[ACQUIRED_NO_SLEEP]);
	SAME(ended[ACQUIRED_ONE_SLEEP]);
	SAME(ended[ACQUIRED_MORE_SLEEPS]);
	SAME(ended[ACQUISITION_FAILED]);
	SAME(acquisition_sleeps);
	SAME(wait_ns);
	SAME(unpaired.begin_open);
	SAME(unpaired.begin_exited);
	SAME(unpaired.begin_dropped);
	SAME(unpaired.end_alone);
	SAME(unpaired.sleep_open);
	SAME(unpaired.sleep_dropped);
#undef SAME
	profile_free(p);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run_case(&cases[i]);
	return tap_done();
}

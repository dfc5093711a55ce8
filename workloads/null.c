// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing but the harness: a worker that counts the ticks of a timer, and
 * ways to fail on purpose.
 */
#include "workloads/env.h"
#include "workloads/workload.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum null_failure {
	FAIL_NONE,
	FAIL_CRASH, /* the worker, by a signal */
	FAIL_CRASH_ROOT,
	FAIL_EXIT, /* the worker, early */
	FAIL_HANG, /* the worker goes on after the time */
	FAIL_SETUP,
	FAIL_GARBAGE, /* root writes nonsense to the keeper */
	FAIL_TROUBLE, /* a process reports that the run is broken */
	FAIL_STRAY, /* leave a process in a session of its own */
	FAIL_VERIFY,
	FAIL_PROBLEM,
};

static const char *const failures[] = {
	[FAIL_NONE] = "none",
	[FAIL_CRASH] = "crash",
	[FAIL_CRASH_ROOT] = "crash-root",
	[FAIL_EXIT] = "exit",
	[FAIL_HANG] = "hang",
	[FAIL_SETUP] = "setup",
	[FAIL_GARBAGE] = "garbage",
	[FAIL_TROUBLE] = "trouble",
	[FAIL_STRAY] = "stray",
	[FAIL_VERIFY] = "verify",
	[FAIL_PROBLEM] = "problem",
	NULL,
};

struct null_options {
	double seconds;
	unsigned long tick_us;
	unsigned int fail;
	const char *directory;
};

static const struct workload_option null_keys[] = {
	WORKLOAD_OPTION_SECONDS(struct null_options, seconds, "1"),
	{
		.key = "tick_us",
		.type = WORKLOAD_UINT,
		.offset = offsetof(struct null_options, tick_us),
		.fallback = "1000",
		.min = 1,
		.max = 1000000,
		.help = "microseconds that the worker sleeps at a time",
	},
	{
		.key = "fail",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct null_options, fail),
		.fallback = "none",
		.choices = failures,
		.help = "fail on purpose in this way",
	},
	{
		.key = "directory",
		.type = WORKLOAD_STRING,
		.offset = offsetof(struct null_options, directory),
		.fallback = "/tmp",
		.help = "where the run's own directory goes",
	},
	{ 0 },
};

static void crash(void)
{
	/* A sanitizer would turn the signal into an exit. */
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void leave_stray(void)
{
	if (fork())
		return;
	setsid();
	if (!fork())
		pause();
	_exit(0);
}

static void misbehave(struct workload_env *env, enum null_failure fail)
{
	if (fail == FAIL_CRASH)
		crash();
	if (fail == FAIL_EXIT)
		_exit(3);
	if (fail == FAIL_STRAY)
		leave_stray();
	if (fail == FAIL_TROUBLE)
		workload_trouble(env, "trouble made on purpose");
}

static int worker(struct workload_env *env, void *arg)
{
	const struct null_options *o = arg;
	const uint64_t tick_ns = o->tick_us * 1000;
	struct timespec tick = {
		.tv_sec = (time_t)(tick_ns / 1000000000u),
		.tv_nsec = (long)(tick_ns % 1000000000u),
	};
	struct workload_slot *slot = &env->shared->slot[0];
	struct rwsemlab_histogram late = { 0 };
	uint64_t before, now;

	if (workload_worker_gate(env))
		return 1;
	misbehave(env, o->fail);
	now = workload_now_ns();
	while (o->fail == FAIL_HANG || !workload_over(env, now)) {
		before = now;
		nanosleep(&tick, NULL);
		now = workload_now_ns();
		if (workload_over(env, now))
			continue;
		slot->work++;
		if (rwsemlab_histogram_add(&late,
					   now - before > tick_ns ?
						   now - before - tick_ns :
						   0))
			workload_slot_failure(slot, "out of memory");
	}
	workload_slot_latency(slot, &late);
	rwsemlab_histogram_free(&late);
	return 0;
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct null_options *o = options;

	if (o->fail == FAIL_SETUP)
		return error_set(err, EXIT_USAGE,
				 "null: set-up failed on purpose");
	if (workload_slots(env, 1, err) ||
	    workload_spawn(env, "worker", worker, (void *)options, err) < 0 ||
	    workload_gate(env, err))
		return -1;
	if (o->fail == FAIL_CRASH_ROOT)
		crash();
	if (o->fail == FAIL_GARBAGE &&
	    write(env->event_fd, "{\"event\":\0}\n", 12) != 12)
		return -1;
	if (workload_supervise(env, err))
		return -1;
	workload_measured(env, result);
	if (workload_join(env, NULL, err) || workload_collect(env, result, err))
		return -1;
	result->verification.checked = result->work;
	if (o->fail == FAIL_VERIFY)
		workload_result_failure(result, "made wrong on\npurpose \x80");
	if (o->fail == FAIL_PROBLEM)
		error_set(&result->problem, EXIT_USAGE, "a problem on purpose");
	return 0;
}

static const char *directory(const void *options)
{
	return ((const struct null_options *)options)->directory;
}

const struct workload workload_null = {
	.name = "null",
	.summary = "sleep and count: tests the harness",
	.unit = "tick",
	.units = "ticks",
	.latency_of = "late wake-up",
	.verifies = "ticks counted",
	.options = null_keys,
	.options_size = sizeof(struct null_options),
	.directory = directory,
	.run = run,
};

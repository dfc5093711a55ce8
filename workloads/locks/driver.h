/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the workloads that drive a lock of the library have in common: the
 * lock's spec, a machine, a team on it, the counters in the result.
 */
#ifndef WORKLOADS_LOCKS_DRIVER_H
#define WORKLOADS_LOCKS_DRIVER_H

#include <pthread.h>

#include "workloads/env.h"
#include "workloads/locks/team.h"
#include "workloads/workload.h"

/* First in the options of such a workload. */
struct driver_options {
	double seconds;
	const char *lock;
	unsigned int build; /* enum rwsemlab_build */
	unsigned long tasks;
};

extern const char *const driver_builds[];

#define DRIVER_LOCK_OPTIONS(lock_, seconds_)                               \
	WORKLOAD_OPTION_SECONDS(struct driver_options, seconds, seconds_), \
		{                                                          \
			.key = "lock",                                     \
			.type = WORKLOAD_STRING,                           \
			.offset = offsetof(struct driver_options, lock),   \
			.fallback = (lock_),                               \
			.help = "which; see 'rwsemlab list locks'",        \
		},                                                         \
	{                                                                  \
		.key = "build", .type = WORKLOAD_CHOICE,                   \
		.offset = offsetof(struct driver_options, build),          \
		.fallback = "counted", .choices = driver_builds,           \
		.help = "without counters, with, also find misuse",        \
	}

#define DRIVER_OPTIONS(tasks_)                                    \
	DRIVER_LOCK_OPTIONS("rwsem@6.3", "1"),                    \
	{                                                         \
		.key = "tasks", .type = WORKLOAD_UINT,            \
		.offset = offsetof(struct driver_options, tasks), \
		.fallback = (tasks_), .min = 1, .max = 1024,      \
		.help = "threads that use the lock",              \
	}

struct driver {
	const struct driver_options *options;
	const struct rwsemlab_variant *variant;
	struct rwsemlab_machine *machine;
	struct rwsemlab_spec *spec;
	struct rwsemlab_class *class_;
	struct workload_result *result;
	pthread_mutex_t report_lock; /* of result, for reports */
};

/**
 * driver_open() - parse the lock's name, make a machine and a class
 * @cpus: tasks that there will be at once, the calling thread's included
 * @name: the class's
 *
 * The calling thread becomes a task.
 */
int driver_open(struct driver *driver, const struct driver_options *options,
		unsigned long cpus, const char *name,
		struct workload_result *result, struct error *err);

/**
 * driver_run() - gate, work for the options' seconds, measured, join
 * @team: members, work and data are the workload's
 *
 * Sets result->work.  On failure the process should end: a team that hangs
 * is still there.
 */
int driver_run(struct driver *driver, struct team_config *team,
	       struct workload_env *env, struct error *err);

/**
 * driver_close() - put the counters into the result, free all
 */
int driver_close(struct driver *driver, struct error *err);

/**
 * counters_json() - result.lock: what a class counted
 *
 * With the lock of all groups, where there is one, as lock.global.
 *
 * Return: a new object, NULL without memory.
 */
json_t *counters_json(struct rwsemlab_class *class_,
		      const struct rwsemlab_spec *spec,
		      enum rwsemlab_build build);

#endif

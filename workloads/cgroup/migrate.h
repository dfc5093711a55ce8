/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of cgroup-migrate.
 *
 *	root
 *	  |- victim	one a writer; moved back and forth
 *	  |- forker	fork_tasks of them: fork; the child makes a thread, exits
 *	  `- writer	moves its victim
 */
#ifndef WORKLOADS_CGROUP_MIGRATE_H
#define WORKLOADS_CGROUP_MIGRATE_H

#include "workloads/cgroup/phases.h"
#include "workloads/env.h"

#define MIGRATE_MAX_WRITERS 64

enum migrate_unit {
	MIGRATE_PROCESS, /* cgroup.procs */
	MIGRATE_THREAD, /* cgroup.threads, tasks in version 1 */
};

struct migrate_options {
	struct cgroup_options cgroup;
	double seconds;
	unsigned long threads, fork_tasks, writers, writes_per_transaction,
		pause_us;
	unsigned int move;
	bool victim_forks;
};

/* Writes of a transaction: the first one often comes after a pause. */
enum migrate_step {
	MIGRATE_FIRST,
	MIGRATE_LATER,
	MIGRATE_NR_STEPS,
};

/* What a writer's slot's count[] holds. */
enum {
	MIGRATE_SLEEPS,
	MIGRATE_PREEMPTIONS,
	MIGRATE_MOVES, /* looked up: the victim was elsewhere before */
	MIGRATE_TRANSACTIONS,
	MIGRATE_USER_NS,
	MIGRATE_SYS_NS,
};

/* What a forker's holds: forks by phase, then these. */
enum {
	MIGRATE_FORKED = 4,
	MIGRATE_WAITED,
};

/* Shared by all. */
struct migrate_shared {
	uint32_t phase; /* root: that runs; MIGRATE_PAUSE between two */
	uint32_t parked; /* writers: how often one saw the pause */
	uint64_t phase_end_ns; /* root */
	pid_t tid[]; /* victims: threads= of each that stay */
};
#define MIGRATE_PAUSE UINT32_MAX

struct migrate {
	const struct migrate_options *options;
	struct workload_env *env;
	struct cgroup_phases phases;
	struct migrate_shared *shared;
	size_t number; /* of the writer, victim or forker */
	pid_t victim[MIGRATE_MAX_WRITERS];
	uint64_t phase_ns[4]; /* how long each was */
};

/**
 * migrate_slot() - a writer's, by phase and step
 * migrate_fork_slot() - a forker's
 * migrate_nr_slots() - of all
 */
struct workload_slot *migrate_slot(const struct migrate *m, size_t phase,
				   size_t writer, enum migrate_step step);
struct workload_slot *migrate_fork_slot(const struct migrate *m, size_t forker);
size_t migrate_nr_slots(const struct migrate *m);

/**
 * migrate_path() - of the cgroup that a write goes to
 * @foreground: or background
 *
 * Return: 0, or -1 where it is too long.
 */
int migrate_path(const struct cgroup_own *own, bool foreground, char *path,
		 size_t size);

/**
 * migrate_tids() - the threads of victim number @victim, threads= of them
 */
pid_t *migrate_tids(const struct migrate *m, size_t victim);

/**
 * migrate_victim() - a victim's process; @arg: struct migrate
 * migrate_forker() - one that forks
 * migrate_writer() - one that moves a victim
 *
 * For workload_spawn().
 */
int migrate_victim(struct workload_env *env, void *arg);
int migrate_forker(struct workload_env *env, void *arg);
int migrate_writer(struct workload_env *env, void *arg);

/**
 * migrate_results() - in root, after the end: fill in and verify
 */
int migrate_results(struct migrate *m, struct workload_result *result,
		    struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One task that makes a cgroup, moves itself in and out, and removes it, again
 * and again: the loop of 2011.
 */
#ifndef WORKLOADS_CGROUP_MODEL_CHURN_H
#define WORKLOADS_CGROUP_MODEL_CHURN_H

#include "error.h"
#include "workloads/locks/cgroup-model/cgroup-model.h"
#include "workloads/result.h"

#define CHURN_MAX_PHASES 4
#define CHURN_STEPS	 4

/* A way to do it, for a share of the time. */
struct churn_phase {
	const char *name;
	enum cgroup_destroy destroy;
	bool attach_waits; /* for a grace period, after each move */
};

struct churn_step_done {
	struct rwsemlab_histogram latency; /* ns */
	uint64_t sleeps, preemptions;
};

struct churn_done {
	uint64_t loops;
	double real_s, user_s, sys_s;
	struct churn_step_done step[CHURN_STEPS];
	struct rwsemlab_histogram freed_after; /* ns */
	int64_t pending_max;
};

struct churn {
	struct cgroup_model *model;
	struct rwsemlab_machine *machine;
	struct thread_group *self;
	struct cgroup *home; /* where it is between two loops */
	const struct churn_phase *phase;
	size_t nr_phases;
	uint64_t run_ns; /* of all phases, in equal parts */
	uint64_t free_ns; /* what it costs to free a cgroup */
	struct churn_done done[CHURN_MAX_PHASES];
};

/**
 * churn_work() - all phases, or until the team stops
 *
 * Each loop counts as done by @member.  Return: NULL, or what went wrong.
 */
const char *churn_work(struct churn *churn, struct team_member *member);

/**
 * churn_result() - as phases of @result, of several churns in sum
 */
int churn_result(struct churn *churn, size_t nr, struct workload_result *result,
		 struct error *err);

#endif

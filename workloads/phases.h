/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a run that are to be compared: the same work under another mount
 * option, in another hierarchy.  Ratios are to the first one, the base.
 */
#ifndef WORKLOADS_PHASES_H
#define WORKLOADS_PHASES_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "error.h"
#include "lib/rwsemlab.h"
#include "workloads/result.h"

#define WORKLOAD_MAX_PHASES 8
#define WORKLOAD_MAX_STEPS  8

/* One kind of system call. */
struct workload_step {
	char name[32]; /* "create" */
	struct rwsemlab_histogram latency; /* ns */
	uint64_t sleeps; /* voluntary context switches of its callers */
	uint64_t preemptions; /* involuntary ones */
};

struct workload_phase {
	char name[64]; /* "cgroup2 favordynmods" */
	uint64_t work, forks;
	double real_s;
	double user_s, sys_s; /* of the processes that do the work */
	struct workload_step step[WORKLOAD_MAX_STEPS];
	size_t nr_steps;
};

/* A ratio to the base; NAN where one of the two is not known. */
struct workload_ratios {
	double real; /* real time for a unit of work */
	double p50, p90, p99, max; /* of the latencies of all steps */
};

/**
 * workload_phases_new() - give a result @nr phases, all zero
 */
int workload_phases_new(struct workload_result *result, size_t nr,
			struct error *err);

/**
 * workload_phases_free() - NULL phases are fine
 */
void workload_phases_free(struct workload_result *result);

/**
 * workload_phase_step() - add a step
 *
 * Return: the step, NULL where there are WORKLOAD_MAX_STEPS.
 */
struct workload_step *workload_phase_step(struct workload_phase *phase,
					  const char *name);

/**
 * workload_phase_ratios() - of phase number @i
 *
 * Return: 0, or -1 without memory.
 */
int workload_phase_ratios(const struct workload_result *result, size_t i,
			  struct workload_ratios *ratios);

/**
 * workload_step_ratio() - p50 of a step to that of the same step of the base
 *
 * Return: NAN where one of the two is not known.
 */
double workload_step_ratio(const struct workload_result *result, size_t phase,
			   size_t step);

/**
 * workload_phases_json() - as rwsemlab-workloads(7) describes them
 *
 * Return: a new array; NULL without phases or memory.
 */
json_t *workload_phases_json(const struct workload_result *result);

/**
 * workload_phases_from_json() - the reverse; ratios are worked out anew
 * @json: untrusted; NULL: no phases
 *
 * Return: 0, or -1 where something is missing or wrong.
 */
int workload_phases_from_json(json_t *json, struct workload_result *result);

/**
 * workload_phases_print() - tables for people
 * @times_work: ratios of real time, otherwise of latencies
 */
void workload_phases_print(const struct workload_result *result,
			   bool times_work, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a workload's run gives.
 */
#ifndef WORKLOADS_RESULT_H
#define WORKLOADS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "error.h"
#include "lib/rwsemlab.h"
#include "workloads/vmstat.h"

/* A number beside the common ones; its name ends in its unit. */
struct workload_metric {
	char name[48]; /* "connections_per_s" */
	double value;
};

/* What the workload found out about itself. */
struct workload_verification {
	uint64_t checked; /* units looked at */
	uint64_t failures;
	char first_failure[256]; /* one printable line, "" without failures */
};

struct workload_phase;

/* Zero-initialise; workload_result_free() releases. */
struct workload_result {
	char workload[32]; /* its name */
	uint64_t work; /* units done within elapsed_s */
	double elapsed_s; /* from the gate to the end of work; monotonic */
	uint64_t forks; /* processes that the workload made in that time */
	bool stopped; /* ended early by workload_stop() */
	struct rwsemlab_histogram latency; /* ns */
	struct workload_metric metric[16];
	size_t nr_metrics;
	struct workload_verification verification;
	/*
	 * The run went to its end, but something kept it from being a fair
	 * one, e.g. a full disk; code 0: nothing did.
	 */
	struct error problem;
	struct vmstat_run vmstat; /* of the whole system, over elapsed_s */
	json_t *lock; /* what a lock of the library counted; NULL: none ran */
	/* Parts to compare, see workloads/phases.h; the first is the base. */
	struct workload_phase *phase;
	size_t nr_phases;
	char note[256]; /* what to know of the numbers; "": nothing */
};

/**
 * workload_result_metric() - add a named number; beyond 16 they are dropped
 */
void workload_result_metric(struct workload_result *result, const char *name,
			    double value);

/**
 * workload_result_failure() - count one failed check
 *
 * The first one's text is kept, made printable.
 */
void workload_result_failure(struct workload_result *result, const char *fmt,
			     ...) __attribute__((format(printf, 2, 3)));

/**
 * workload_result_code() - the exit code that a result calls for
 *
 * Return: EXIT_CHECK_FAILED after failed checks, else the problem's code,
 * else EXIT_OK.
 */
int workload_result_code(const struct workload_result *result);

/**
 * workload_result_json() - everything, with units in the names
 *
 * Keys: workload, unit, work, elapsed_s, work_per_s, forks, forks_per_s,
 * stopped, latency {count, min_ns, mean_ns, p50_ns, p90_ns, p99_ns, p999_ns,
 * max_ns, sum_ns, buckets [[low_ns, count]...]}, metrics {...}, verification
 * {checked, failures, first_failure}, problem (null, or {code, text}),
 * vmstat; lock where one of the library was driven; phases and note where
 * there are any.  rwsemlab-workloads(7) describes them.
 *
 * Return: a new object, or NULL without memory.
 */
json_t *workload_result_json(const struct workload_result *result);

/**
 * workload_latency_json() - a histogram of nanoseconds, as above
 *
 * Return: a new object, or NULL without memory.
 */
json_t *workload_latency_json(const struct rwsemlab_histogram *h);

/**
 * workload_latency_from_json() - the reverse
 * @json: untrusted
 * @h:    zero; to be freed also on failure
 *
 * Return: 0, or -1 where something is missing or wrong.
 */
int workload_latency_from_json(json_t *json, struct rwsemlab_histogram *h);

/**
 * workload_result_from_json() - read back what workload_result_json() wrote
 * @json:   untrusted
 * @result: initialised here; on failure nothing is left to free
 * @err:    which key is missing or wrong
 */
int workload_result_from_json(const json_t *json,
			      struct workload_result *result,
			      struct error *err);

/**
 * workload_result_print() - a few lines for people
 */
void workload_result_print(const struct workload_result *result, FILE *out);

/**
 * workload_result_free() - release what a result holds, and zero it
 */
void workload_result_free(struct workload_result *result);

#endif

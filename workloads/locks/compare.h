/* SPDX-License-Identifier: GPL-2.0-only */
/* Results of one workload on several locks, side by side. */
#ifndef WORKLOADS_LOCKS_COMPARE_H
#define WORKLOADS_LOCKS_COMPARE_H

#include <stdio.h>

#include "workloads/result.h"

/**
 * compare_print() - a table: a row for each counter, a column for each lock
 * @result: each with a lock; the first is the base of ratios
 * @unit:   of work, many: "messages"
 */
void compare_print(const struct workload_result *result, size_t nr,
		   const char *unit, FILE *out);

/**
 * compare_latency() - a row for each lock: usual, p99 and maximum, and their
 * ratios to the base
 * @family: of the base; the first lock where none is of it
 * @what:   the latencies are of
 */
void compare_latency(const struct workload_result *result, size_t nr,
		     const char *family, const char *what, FILE *out);

/**
 * compare_latency_json() - the same ratios
 *
 * Return: a new object with the base's name and a row for each lock, NULL
 * without latencies or memory.
 */
json_t *compare_latency_json(const struct workload_result *result, size_t nr,
			     const char *family);

/**
 * compare_sites() - the call sites that slept or waited most, for each lock
 */
void compare_sites(const struct workload_result *result, size_t nr, FILE *out);

#endif

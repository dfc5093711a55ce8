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
 * compare_sites() - the call sites that slept or waited most, for each lock
 */
void compare_sites(const struct workload_result *result, size_t nr, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* session --vary KEY=A,B: one workload, several values of one key. */
#ifndef WORKLOADS_CMD_SESSION_VARY_H
#define WORKLOADS_CMD_SESSION_VARY_H

#include "workloads/workload.h"

#define VARY_MAX 16 /* values */

/* What a session runs; without --vary one value. */
struct session_plan {
	char *key; /* NULL: not varied */
	char *value[VARY_MAX];
	struct workload_options *options[VARY_MAX];
	size_t nr;
};

/**
 * session_plan_make() - the options of every value
 * @vary: "KEY=A,B…", or NULL
 * @words: "key=value" words of the workload, @nr of them
 *
 * Return: 0, or -1 with @err set.  Free with session_plan_free() in any case.
 */
int session_plan_make(struct session_plan *plan,
		      const struct workload *workload, const char *vary,
		      char *const words[], size_t nr, struct error *err);
void session_plan_free(struct session_plan *plan);

/**
 * session_plan_at() - which value runs at a place of the session
 * @place: from 0; values go A B B A A B B A …, C and more in the same way, so
 *         that a steady drift is in all of them
 */
size_t session_plan_at(const struct session_plan *plan, unsigned long place);

/**
 * session_plan_json() - the head's "vary": {key, values}
 * session_plan_run_json() - a run's: {key, value, side, pair}
 *
 * Return: a new object; NULL where nothing is varied, and without memory.
 */
json_t *session_plan_json(const struct session_plan *plan);
json_t *session_plan_run_json(const struct session_plan *plan,
			      unsigned long place);

#endif

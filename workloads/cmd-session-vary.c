// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cmd-session-vary.h"

#include <stdlib.h>
#include <string.h>

static int wrong(const char *vary, struct error *err)
{
	return error_set(err, EXIT_USAGE,
			 "--vary takes KEY=A,B with two values or more (up to"
			 " %d), not '%s'",
			 VARY_MAX, vary);
}

static int split(struct session_plan *plan, const char *vary, struct error *err)
{
	const char *equals = strchr(vary, '=');
	const char *at = equals ? equals + 1 : "";

	if (!equals || equals == vary)
		return wrong(vary, err);
	plan->key = strndup(vary, (size_t)(equals - vary));
	if (!plan->key)
		return error_set(err, EXIT_USAGE, "out of memory");
	for (;;) {
		size_t length = strcspn(at, ",");

		if (!length || plan->nr == VARY_MAX)
			return wrong(vary, err);
		plan->value[plan->nr] = strndup(at, length);
		if (!plan->value[plan->nr++])
			return error_set(err, EXIT_USAGE, "out of memory");
		if (!at[length])
			break;
		at += length + 1;
	}
	return plan->nr < 2 ? wrong(vary, err) : 0;
}

static int add_options(struct session_plan *plan, size_t i,
		       const struct workload *workload, char *const words[],
		       size_t nr, struct error *err)
{
	char **all = calloc(nr + 1, sizeof(char *));
	char *word = NULL;
	int ret = -1;

	if (!all || asprintf(&word, "%s=%s", plan->key, plan->value[i]) < 0) {
		free(all);
		return error_set(err, EXIT_USAGE, "out of memory");
	}
	memcpy(all, words, nr * sizeof(char *));
	all[nr] = word;
	ret = workload_parse_options(workload, all, nr + 1, &plan->options[i],
				     err);
	free(word);
	free(all);
	return ret;
}

int session_plan_make(struct session_plan *plan,
		      const struct workload *workload, const char *vary,
		      char *const words[], size_t nr, struct error *err)
{
	size_t i;

	memset(plan, 0, sizeof(*plan));
	if (!vary) {
		plan->nr = 1;
		return workload_parse_options(workload, words, nr,
					      &plan->options[0], err);
	}
	if (split(plan, vary, err))
		return -1;
	for (i = 0; i < plan->nr; i++)
		if (add_options(plan, i, workload, words, nr, err))
			return -1;
	return 0;
}

void session_plan_free(struct session_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr; i++) {
		workload_free_options(plan->options[i]);
		free(plan->value[i]);
	}
	free(plan->key);
	memset(plan, 0, sizeof(*plan));
}

size_t session_plan_at(const struct session_plan *plan, unsigned long place)
{
	size_t i = place % plan->nr;

	return place / plan->nr % 2 ? plan->nr - 1 - i : i;
}

json_t *session_plan_json(const struct session_plan *plan)
{
	json_t *values;
	size_t i;

	if (!plan->key)
		return NULL;
	values = json_array();
	for (i = 0; i < plan->nr; i++)
		json_array_append_new(values, json_string(plan->value[i]));
	return json_pack("{s:s, s:o}", "key", plan->key, "values", values);
}

json_t *session_plan_run_json(const struct session_plan *plan,
			      unsigned long place)
{
	size_t i = session_plan_at(plan, place);

	if (!plan->key)
		return NULL;
	return json_pack("{s:s, s:s, s:I, s:I}", "key", plan->key, "value",
			 plan->value[i], "side", (json_int_t)i + 1, "pair",
			 (json_int_t)(place / plan->nr + 1));
}

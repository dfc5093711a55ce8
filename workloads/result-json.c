// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/phases.h"

static json_t *metrics_json(const struct workload_result *result)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < result->nr_metrics; i++) {
		const struct workload_metric *m = &result->metric[i];

		if (json_object_set_new(object, m->name, json_real(m->value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *problem_json(const struct error *problem)
{
	if (problem->code == EXIT_OK)
		return json_null();
	return json_pack("{s:i, s:s}", "code", (int)problem->code, "text",
			 problem->text);
}

static double per_second(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0;
}

json_t *workload_result_json(const struct workload_result *result)
{
	const struct workload_verification *v = &result->verification;

	/* *: without a lock, phases or a note there is no such key. */
	return json_pack("{s:s, s:I, s:f, s:f, s:I, s:f, s:b, s:o, s:o, "
			 "s:{s:I, s:I, s:s}, s:o, s:o, s:O*, s:o*, s:s*}",
			 "workload", result->workload, "work",
			 (json_int_t)result->work, "elapsed_s",
			 result->elapsed_s, "work_per_s",
			 per_second(result->work, result->elapsed_s), "forks",
			 (json_int_t)result->forks, "forks_per_s",
			 per_second(result->forks, result->elapsed_s),
			 "stopped", (int)result->stopped, "latency",
			 workload_latency_json(&result->latency), "metrics",
			 metrics_json(result), "verification", "checked",
			 (json_int_t)v->checked, "failures",
			 (json_int_t)v->failures, "first_failure",
			 v->first_failure, "problem",
			 problem_json(&result->problem), "vmstat",
			 vmstat_json(&result->vmstat), "lock", result->lock,
			 "phases", workload_phases_json(result), "note",
			 *result->note ? result->note : NULL);
}

static int read_metrics(json_t *json, struct workload_result *result)
{
	const char *name;
	json_t *value;

	if (!json_is_object(json))
		return -1;
	json_object_foreach(json, name, value) {
		if (!json_is_number(value))
			return -1;
		workload_result_metric(result, name, json_number_value(value));
	}
	return 0;
}

static int read_verification(json_t *json, struct workload_result *result)
{
	struct workload_verification *v = &result->verification;
	json_int_t checked, failures;
	const char *text;

	if (json_unpack(json, "{s:I, s:I, s:s}", "checked", &checked,
			"failures", &failures, "first_failure", &text) ||
	    checked < 0 || failures < 0)
		return -1;
	if (failures)
		workload_result_failure(result, "%s", text);
	v->checked = (uint64_t)checked;
	v->failures = (uint64_t)failures;
	return 0;
}

static int read_problem(json_t *json, struct workload_result *result)
{
	const char *text;
	int code;

	if (json_is_null(json))
		return 0;
	if (json_unpack(json, "{s:i, s:s}", "code", &code, "text", &text) ||
	    code <= EXIT_OK || code > EXIT_UNTRUSTED)
		return -1;
	error_set(&result->problem, (enum exit_code)code, "%s", text);
	return 0;
}

static int read_lock(json_t *json, struct workload_result *result)
{
	if (json && !json_is_object(json))
		return -1;
	result->lock = json_incref(json);
	return 0;
}

static int read_note(json_t *json, struct workload_result *result)
{
	if (json && !json_is_string(json))
		return -1;
	snprintf(result->note, sizeof(result->note), "%s",
		 json ? json_string_value(json) : "");
	return 0;
}

static int read_counts(json_t *json, struct workload_result *result,
		       json_error_t *why)
{
	json_int_t work, forks;
	const char *name;
	int stopped;

	if (json_unpack_ex(json, why, 0, "{s:s, s:I, s:F, s:I, s:b}",
			   "workload", &name, "work", &work, "elapsed_s",
			   &result->elapsed_s, "forks", &forks, "stopped",
			   &stopped))
		return -1;
	snprintf(why->text, sizeof(why->text), "a value out of range");
	if (work < 0 || forks < 0 || !(result->elapsed_s >= 0) ||
	    strlen(name) >= sizeof(result->workload))
		return -1;
	snprintf(result->workload, sizeof(result->workload), "%s", name);
	result->work = (uint64_t)work;
	result->forks = (uint64_t)forks;
	result->stopped = stopped;
	return 0;
}

int workload_result_from_json(const json_t *json,
			      struct workload_result *result, struct error *err)
{
	static const struct {
		const char *key;
		int (*read)(json_t *json, struct workload_result *result);
	} part[] = {
		{ "metrics", read_metrics },
		{ "verification", read_verification },
		{ "problem", read_problem },
		{ "lock", read_lock },
		{ "phases", workload_phases_from_json },
		{ "note", read_note },
	};
	json_error_t why;
	size_t i;

	memset(result, 0, sizeof(*result));
	/* json_unpack_ex() changes nothing, though it takes no const. */
	if (read_counts((json_t *)json, result, &why))
		return error_set(err, EXIT_USAGE, "result: %s", why.text);
	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i].read(json_object_get(json, part[i].key), result)) {
			error_set(err, EXIT_USAGE,
				  "result: '%s' is missing or wrong",
				  part[i].key);
			goto fail;
		}
	if (workload_latency_from_json(json_object_get(json, "latency"),
				       &result->latency)) {
		error_set(err, EXIT_USAGE,
			  "result: 'latency' is missing or wrong");
		goto fail;
	}
	if (!vmstat_from_json(json_object_get(json, "vmstat"), &result->vmstat,
			      err))
		return 0;
fail:
	workload_result_free(result);
	return -1;
}

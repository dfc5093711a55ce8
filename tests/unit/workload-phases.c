// SPDX-License-Identifier: GPL-2.0-only
/*
 * Phases of results: ratios against ones worked out by hand, and against a
 * table that was published; JSON there and back, and JSON that nobody should
 * believe.
 */
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/phases.h"

static void add(struct workload_phase *phase, const char *name, uint64_t nr,
		uint64_t ns)
{
	struct workload_step *step = workload_phase_step(phase, name);

	if (!step)
		tap_bail("no step");
	while (nr--)
		rwsemlab_histogram_add(&step->latency, ns);
	step->sleeps = 30;
	step->preemptions = 1;
}

/* A thousand rounds in 2011: as it was, without one wait, without both. */
static void make_table(struct workload_result *result)
{
	static const double real[] = { 99.713, 33.627, 0.046 };
	struct error err = { 0 };
	size_t i;

	*result = (struct workload_result){ .workload = "cgroup-churn" };
	if (workload_phases_new(result, 3, &err))
		tap_bail("%s", err.text);
	for (i = 0; i < 3; i++) {
		struct workload_phase *p = &result->phase[i];

		snprintf(p->name, sizeof(p->name), "kernel %zu", i);
		p->work = 1000;
		p->forks = 7;
		p->real_s = real[i];
		p->user_s = 0.001;
		p->sys_s = 0.04;
		add(p, "attach", 10, i ? 20 : 40);
		add(p, "destroy", 30, i ? 60 : 48);
	}
}

static void check_ratios(const struct workload_result *result)
{
	struct workload_ratios r;

	tap_ok(!workload_phase_ratios(result, 0, &r), "ratios of the base");
	tap_is_near(r.real, 1, 0, "real time: 1");
	tap_is_near(r.p50, 1, 0, "p50: 1");
	tap_is_near(r.max, 1, 0, "maximum: 1");
	tap_ok(!workload_phase_ratios(result, 1, &r), "of the second");
	tap_is_near(r.real, 0.337237, 1e-6, "real time, as published");
	/* Of all steps together 30 of 40 are the slow ones. */
	tap_is_near(r.p50, 60.0 / 48, 1e-9, "p50 over all steps");
	tap_is_near(r.max, 60.0 / 48, 1e-9, "maximum");
	tap_ok(!workload_phase_ratios(result, 2, &r), "of the third");
	tap_is_near(r.real, 0.000461, 5e-7, "real time, as published");
	tap_is_near(workload_step_ratio(result, 1, 0), 0.5, 1e-9,
		    "p50 of one step");
}

/* What is not known is no number. */
static void check_unknown(void)
{
	struct workload_result result = { 0 };
	struct error err = { 0 };
	struct workload_ratios r;

	workload_phases_new(&result, 2, &err);
	result.phase[1].work = 3;
	result.phase[1].real_s = 1;
	add(&result.phase[1], "attach", 1, 5);
	tap_ok(!workload_phase_ratios(&result, 1, &r) && isnan(r.real) &&
		       isnan(r.p50) && isnan(r.max) &&
		       isnan(workload_step_ratio(&result, 1, 0)),
	       "to a base without work there is no ratio");
	workload_result_free(&result);
	tap_ok(!workload_phases_json(&result), "no phases, no JSON");
}

static void check_round_trip(const struct workload_result *result)
{
	json_t *json = workload_phases_json(result);
	struct workload_result back = { 0 };
	json_t *again;

	tap_ok(!workload_phases_from_json(json, &back), "its JSON is read");
	again = workload_phases_json(&back);
	tap_ok(json_equal(json, again), "and written the same");
	tap_is_str(json_string_value(json_object_get(
			   json_object_get(json_array_get(json, 2), "ratios"),
			   "base")),
		   "kernel 0", "a ratio says what its base is");
	json_decref(json);
	json_decref(again);
	workload_result_free(&back);
}

static void check_bad(const struct workload_result *result)
{
	static const struct {
		const char *key, *value;
	} bad[] = {
		{ "name", NULL },
		{ "name", "3" },
		{ "name", "\"\\u001b\"" },
		{ "work", "-1" },
		{ "work", "1.5" },
		{ "forks", "-1" },
		{ "real_s", "-1" },
		{ "real_s", "\"1\"" },
		{ "user_s", "-0.5" },
		{ "sys_s", "null" },
		{ "steps", NULL },
		{ "steps", "{}" },
		{ "steps", "[3]" },
		{ "steps", "[{}]" },
		{ "steps",
		  "[{\"name\":\"a\",\"sleeps\":-1,\"preemptions\":0}]" },
	};
	struct workload_result back = { 0 };
	json_t *json = json_object();
	size_t i;

	tap_ok(workload_phases_from_json(json, &back), "refused: an object");
	json_decref(json);
	json = json_array();
	tap_ok(workload_phases_from_json(json, &back), "refused: none");
	json_decref(json);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json = workload_phases_json(result);
		if (bad[i].value)
			json_object_set_new(json_array_get(json, 1), bad[i].key,
					    json_loads(bad[i].value,
						       JSON_DECODE_ANY, NULL));
		else
			json_object_del(json_array_get(json, 1), bad[i].key);
		tap_ok(workload_phases_from_json(json, &back), "refused: %s %s",
		       bad[i].key, bad[i].value ? bad[i].value : "missing");
		workload_result_free(&back);
		json_decref(json);
	}
}

static void check_many(void)
{
	struct workload_result back = { 0 };
	json_t *json = json_array();
	size_t i;

	for (i = 0; i <= WORKLOAD_MAX_PHASES; i++)
		json_array_append_new(json, json_object());
	tap_ok(workload_phases_from_json(json, &back), "refused: too many");
	json_decref(json);
}

static void check_printed(const struct workload_result *result, bool times_work,
			  const char *const *want)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	workload_phases_print(result, times_work, out);
	fclose(out);
	for (; *want; want++)
		if (!tap_ok(strstr(text, *want), "printed: %s", *want))
			tap_diag("%s", text);
	free(text);
}

int main(void)
{
	static const char *const times[] = {
		"1m39.713s", "0m33.627s", "0m0.046s", "1.000000 (base)",
		"0.000461",  "kernel 2",  "of steps", "  3.000",
		"  0.100",   NULL,
	};
	static const char *const latencies[] = {
		"1.250000", "ratio of p50", "0.500000", "(base)", NULL,
	};
	struct workload_result result;

	make_table(&result);
	check_ratios(&result);
	check_unknown();
	check_round_trip(&result);
	check_bad(&result);
	check_many();
	check_printed(&result, true, times);
	check_printed(&result, false, latencies);
	workload_result_free(&result);
	return tap_done();
}

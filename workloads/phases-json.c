// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/phases.h"

#include <math.h>
#include <string.h>

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *step_json(const struct workload_result *result, size_t phase,
			 size_t i)
{
	const struct workload_step *step = &result->phase[phase].step[i];

	return json_pack("{s:s, s:o, s:I, s:I, s:o}", "name", step->name,
			 "ratio_of_p50",
			 number(workload_step_ratio(result, phase, i)),
			 "sleeps", (json_int_t)step->sleeps, "preemptions",
			 (json_int_t)step->preemptions, "latency",
			 workload_latency_json(&step->latency));
}

static json_t *steps_json(const struct workload_result *result, size_t phase)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < result->phase[phase].nr_steps; i++) {
		if (!json_array_append_new(array, step_json(result, phase, i)))
			continue;
		json_decref(array);
		array = NULL;
	}
	return array;
}

static json_t *ratios_json(const struct workload_result *result, size_t i)
{
	struct workload_ratios r;

	if (workload_phase_ratios(result, i, &r))
		return NULL;
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "base",
			 result->phase[0].name, "real", number(r.real), "p50",
			 number(r.p50), "p90", number(r.p90), "p99",
			 number(r.p99), "max", number(r.max));
}

static json_t *phase_json(const struct workload_result *result, size_t i)
{
	const struct workload_phase *p = &result->phase[i];

	return json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:o, s:o}", "name",
			 p->name, "work", (json_int_t)p->work, "forks",
			 (json_int_t)p->forks, "real_s", p->real_s, "user_s",
			 p->user_s, "sys_s", p->sys_s, "ratios",
			 ratios_json(result, i), "steps",
			 steps_json(result, i));
}

json_t *workload_phases_json(const struct workload_result *result)
{
	json_t *array = result->nr_phases ? json_array() : NULL;
	size_t i;

	for (i = 0; array && i < result->nr_phases; i++) {
		if (!json_array_append_new(array, phase_json(result, i)))
			continue;
		json_decref(array);
		array = NULL;
	}
	return array;
}

/* A name that fits and that a terminal can take. */
static int read_name(const char *text, char *name, size_t size)
{
	const char *c;

	for (c = text; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			return -1;
	if (strlen(text) >= size)
		return -1;
	snprintf(name, size, "%s", text);
	return 0;
}

static int read_step(json_t *json, struct workload_phase *phase)
{
	json_int_t sleeps, preemptions;
	struct workload_step *step;
	const char *name;
	json_t *latency;

	if (json_unpack(json, "{s:s, s:I, s:I, s:o}", "name", &name, "sleeps",
			&sleeps, "preemptions", &preemptions, "latency",
			&latency) ||
	    sleeps < 0 || preemptions < 0)
		return -1;
	step = workload_phase_step(phase, "");
	if (!step || read_name(name, step->name, sizeof(step->name)))
		return -1;
	step->sleeps = (uint64_t)sleeps;
	step->preemptions = (uint64_t)preemptions;
	return workload_latency_from_json(latency, &step->latency);
}

static int read_phase(json_t *json, struct workload_phase *p)
{
	json_int_t work, forks;
	json_t *steps, *step;
	const char *name;
	size_t i;

	if (json_unpack(json, "{s:s, s:I, s:I, s:F, s:F, s:F, s:o}", "name",
			&name, "work", &work, "forks", &forks, "real_s",
			&p->real_s, "user_s", &p->user_s, "sys_s", &p->sys_s,
			"steps", &steps) ||
	    work < 0 || forks < 0 || !(p->real_s >= 0) || !(p->user_s >= 0) ||
	    !(p->sys_s >= 0) || read_name(name, p->name, sizeof(p->name)) ||
	    !json_is_array(steps))
		return -1;
	p->work = (uint64_t)work;
	p->forks = (uint64_t)forks;
	json_array_foreach(steps, i, step)
		if (read_step(step, p))
			return -1;
	return 0;
}

int workload_phases_from_json(json_t *json, struct workload_result *result)
{
	size_t nr = json_array_size(json);
	struct error unused = { 0 };
	json_t *phase;
	size_t i;

	if (!json)
		return 0;
	if (!json_is_array(json) || !nr || nr > WORKLOAD_MAX_PHASES ||
	    workload_phases_new(result, nr, &unused))
		return -1;
	json_array_foreach(json, i, phase)
		if (read_phase(phase, &result->phase[i]))
			return -1;
	return 0;
}

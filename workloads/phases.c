// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int workload_phases_new(struct workload_result *result, size_t nr,
			struct error *err)
{
	result->phase = calloc(nr ? nr : 1, sizeof(*result->phase));
	if (!result->phase)
		return error_set(err, EXIT_USAGE, "out of memory");
	result->nr_phases = nr;
	return 0;
}

void workload_phases_free(struct workload_result *result)
{
	size_t i, j;

	for (i = 0; i < result->nr_phases; i++)
		for (j = 0; j < result->phase[i].nr_steps; j++)
			rwsemlab_histogram_free(
				&result->phase[i].step[j].latency);
	free(result->phase);
	result->phase = NULL;
	result->nr_phases = 0;
}

struct workload_step *workload_phase_step(struct workload_phase *phase,
					  const char *name)
{
	struct workload_step *step;

	if (phase->nr_steps == WORKLOAD_MAX_STEPS)
		return NULL;
	step = &phase->step[phase->nr_steps++];
	snprintf(step->name, sizeof(step->name), "%s", name);
	return step;
}

static int merge(const struct workload_phase *phase,
		 struct rwsemlab_histogram *all)
{
	size_t i;

	for (i = 0; i < phase->nr_steps; i++)
		if (rwsemlab_histogram_merge(all, &phase->step[i].latency))
			return -1;
	return 0;
}

static double divide(double value, double base)
{
	return base > 0 ? value / base : NAN;
}

static double unit_time(const struct workload_phase *phase)
{
	return phase->work ? phase->real_s / (double)phase->work : 0;
}

static double quantile_ratio(const struct rwsemlab_histogram *h,
			     const struct rwsemlab_histogram *base,
			     double share)
{
	return divide((double)rwsemlab_histogram_quantile(h, share),
		      (double)rwsemlab_histogram_quantile(base, share));
}

int workload_phase_ratios(const struct workload_result *result, size_t i,
			  struct workload_ratios *ratios)
{
	struct rwsemlab_histogram own = { 0 }, base = { 0 };
	int ret = -1;

	*ratios = (struct workload_ratios){ NAN, NAN, NAN, NAN, NAN };
	if (!merge(&result->phase[i], &own) &&
	    !merge(&result->phase[0], &base)) {
		ret = 0;
		ratios->max = divide((double)own.max, (double)base.max);
	}
	if (!ret && own.count && base.count) {
		ratios->p50 = quantile_ratio(&own, &base, 0.5);
		ratios->p90 = quantile_ratio(&own, &base, 0.9);
		ratios->p99 = quantile_ratio(&own, &base, 0.99);
	}
	if (result->phase[i].work)
		ratios->real = divide(unit_time(&result->phase[i]),
				      unit_time(&result->phase[0]));
	rwsemlab_histogram_free(&own);
	rwsemlab_histogram_free(&base);
	return ret;
}

double workload_step_ratio(const struct workload_result *result, size_t phase,
			   size_t step)
{
	const struct workload_step *own = &result->phase[phase].step[step];
	const struct workload_phase *base = &result->phase[0];
	size_t i;

	for (i = 0; i < base->nr_steps; i++)
		if (!strcmp(base->step[i].name, own->name) &&
		    own->latency.count && base->step[i].latency.count)
			return quantile_ratio(&own->latency,
					      &base->step[i].latency, 0.5);
	return NAN;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/phases.h"

#include <math.h>
#include <string.h>

#include "workloads/numbers.h"

/* "1m39.713s", as bash's time has it. */
static struct number real_time(double seconds)
{
	double minutes = floor(seconds / 60);
	struct number text;

	if (!(seconds >= 0) || seconds >= 1e9)
		snprintf(text.t, sizeof(text.t), "%g s", seconds);
	else
		snprintf(text.t, sizeof(text.t), "%.0fm%.3fs", minutes,
			 seconds - 60 * minutes);
	return text;
}

static struct number ratio(double value)
{
	struct number text;

	if (isnan(value))
		snprintf(text.t, sizeof(text.t), "-");
	else
		snprintf(text.t, sizeof(text.t), "%.6f", value);
	return text;
}

/* Wide enough for every name. */
static int name_width(const struct workload_result *result)
{
	int width = 8;
	size_t i;

	for (i = 0; i < result->nr_phases; i++)
		if ((int)strlen(result->phase[i].name) > width)
			width = (int)strlen(result->phase[i].name);
	return width;
}

static double per_second(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0;
}

static void print_times(const struct workload_result *result, int width,
			FILE *out)
{
	struct workload_ratios r;
	size_t i;

	fprintf(out, "\n%-*s %9s %12s %12s %12s %13s\n", width, "", "count",
		"real", "user", "sys", "ratio");
	for (i = 0; i < result->nr_phases; i++) {
		const struct workload_phase *p = &result->phase[i];

		if (workload_phase_ratios(result, i, &r))
			return;
		fprintf(out, "%-*s %9s %12s %12s %12s %13s%s\n", width, p->name,
			number_grouped(p->work).t, real_time(p->real_s).t,
			real_time(p->user_s).t, real_time(p->sys_s).t,
			ratio(r.real).t, i ? "" : " (base)");
	}
}

static void print_ratios(const struct workload_result *result, int width,
			 FILE *out)
{
	struct workload_ratios r;
	size_t i;

	fprintf(out, "\n%-*s %10s %10s %10s %13s %13s %13s\n", width, "",
		"work/s", "forks/s", "sys/work", "ratio of p50", "of p99",
		"of max");
	for (i = 0; i < result->nr_phases; i++) {
		const struct workload_phase *p = &result->phase[i];
		double sys_ns = p->work ? 1e9 * p->sys_s / (double)p->work : 0;

		if (workload_phase_ratios(result, i, &r))
			return;
		fprintf(out, "%-*s %10s %10s %10s %13s %13s %13s%s\n", width,
			p->name, number_rate(per_second(p->work, p->real_s)).t,
			number_rate(per_second(p->forks, p->real_s)).t,
			number_duration((uint64_t)sys_ns).t, ratio(r.p50).t,
			ratio(r.p99).t, ratio(r.max).t, i ? "" : " (base)");
	}
}

/* For one call, as far as there was one. */
static struct number each(uint64_t count, uint64_t calls)
{
	struct number text;

	if (!calls)
		snprintf(text.t, sizeof(text.t), "-");
	else
		snprintf(text.t, sizeof(text.t), "%.3f",
			 (double)count / (double)calls);
	return text;
}

static double sum_of_steps(const struct workload_phase *phase)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < phase->nr_steps; i++)
		sum += (double)phase->step[i].latency.sum;
	return sum;
}

/* "23.0 %" of the time that all steps of the phase took. */
static struct number share(const struct workload_phase *phase,
			   const struct workload_step *step)
{
	double sum = sum_of_steps(phase);
	struct number text;

	snprintf(text.t, sizeof(text.t), "%.1f %%",
		 sum > 0 ? 100 * (double)step->latency.sum / sum : 0);
	return text;
}

static void print_step(const struct workload_result *result, size_t phase,
		       size_t i, bool times_work, int width, FILE *out)
{
	const struct workload_phase *p = &result->phase[phase];
	const struct workload_step *s = &p->step[i];
	const struct rwsemlab_histogram *h = &s->latency;

	fprintf(out, "%-*s %-12s %9s %8s %8s %8s %8s %8s %12s %7s %7s\n", width,
		i ? "" : p->name, s->name, number_grouped(h->count).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.5)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.9)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.99)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.999)).t,
		number_duration(h->max).t,
		times_work ? share(p, s).t :
			     ratio(workload_step_ratio(result, phase, i)).t,
		each(s->sleeps, h->count).t, each(s->preemptions, h->count).t);
}

void workload_phases_print(const struct workload_result *result,
			   bool times_work, FILE *out)
{
	int width = name_width(result);
	size_t i, j;

	if (times_work)
		print_times(result, width, out);
	else
		print_ratios(result, width, out);
	fprintf(out, "\n%-*s %-12s %9s %8s %8s %8s %8s %8s %12s %7s %7s\n",
		width, "", "step", "count", "p50", "p90", "p99", "p99.9", "max",
		times_work ? "of steps" : "ratio of p50", "sleeps", "preempt");
	for (i = 0; i < result->nr_phases; i++)
		for (j = 0; j < result->phase[i].nr_steps; j++)
			print_step(result, i, j, times_work, width, out);
	fputs("sleeps and preempt: context switches for each call\n\n", out);
}

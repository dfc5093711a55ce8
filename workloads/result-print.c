// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/result.h"

#include <string.h>

#include "workloads/numbers.h"
#include "workloads/phases.h"
#include "workloads/workload.h"

static double per_second(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0;
}

static void print_work(const struct workload_result *result,
		       const struct workload *workload, FILE *out)
{
	const char *unit = result->work == 1 ? workload->unit : workload->units;

	fprintf(out, "%s: %s %s in %.3f s = %s/s", result->workload,
		number_grouped(result->work).t, unit, result->elapsed_s,
		number_rate(per_second(result->work, result->elapsed_s)).t);
	if (result->forks && strcmp(workload->unit, "fork"))
		fprintf(out, "; %s forks = %s/s",
			number_grouped(result->forks).t,
			number_rate(
				per_second(result->forks, result->elapsed_s))
				.t);
	fputs(result->stopped ? " (stopped early)\n" : "\n", out);
}

static void print_latency(const struct workload_result *result,
			  const struct workload *workload, FILE *out)
{
	const struct rwsemlab_histogram *h = &result->latency;

	if (!h->count)
		return;
	fprintf(out,
		"latency   p50 %s  p90 %s  p99 %s  p99.9 %s  max %s"
		" (%s)\n",
		number_duration(rwsemlab_histogram_quantile(h, 0.5)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.9)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.99)).t,
		number_duration(rwsemlab_histogram_quantile(h, 0.999)).t,
		number_duration(h->max).t,
		workload->latency_of ? workload->latency_of : "of a unit");
}

static void print_metrics(const struct workload_result *result, FILE *out)
{
	const char *before = "metrics   ";
	size_t i;

	for (i = 0; i < result->nr_metrics; i++) {
		const struct workload_metric *m = &result->metric[i];

		/* What did not happen needs no words. */
		if (m->value == 0)
			continue;
		fprintf(out, "%s%s %s", before, m->name,
			number_rate(m->value).t);
		before = "  ";
	}
	if (*before == ' ')
		fputc('\n', out);
}

static void print_verification(const struct workload_result *result,
			       const struct workload *workload, FILE *out)
{
	const struct workload_verification *v = &result->verification;

	if (!workload->verifies)
		return;
	fprintf(out, "verified  %s %s, %s wrong\n",
		number_grouped(v->checked).t, workload->verifies,
		number_grouped(v->failures).t);
	if (v->failures)
		fprintf(out, "wrong     first: %s\n", v->first_failure);
}

static void print_vmstat(const struct workload_result *result, FILE *out)
{
	const struct vmstat_run *run = &result->vmstat;
	const struct vmstat_line *t = &run->total;

	if (!run->nr)
		return;
	fprintf(out,
		"vmstat    cs %s/s  in %s/s  forks %s/s  r %.1f  us %.0f %%"
		"  sy %.0f %%  id %.0f %%  wa %.0f %%  st %.0f %%"
		" (whole system)\n",
		number_rate(t->cs_per_s).t, number_rate(t->in_per_s).t,
		number_rate(t->forks_per_s).t, run->mean_r, t->us, t->sy, t->id,
		t->wa, t->st);
}

void workload_result_print(const struct workload_result *result, FILE *out)
{
	struct error unused = { 0 };
	const struct workload *workload;

	workload = workload_find(result->workload, &unused);
	if (!workload) {
		fprintf(out, "%s\n", unused.text);
		return;
	}
	print_work(result, workload, out);
	print_latency(result, workload, out);
	print_metrics(result, out);
	if (result->nr_phases)
		workload_phases_print(result, workload->times_work, out);
	print_verification(result, workload, out);
	print_vmstat(result, out);
	if (*result->note)
		fprintf(out, "note      %s\n", result->note);
	if (result->problem.code != EXIT_OK)
		fprintf(out, "problem   %s\n", result->problem.text);
}

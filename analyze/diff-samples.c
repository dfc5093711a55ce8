// SPDX-License-Identifier: GPL-2.0-only
/* From the runs' values to what the data say of their difference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

static double median_of(const double *values, size_t nr)
{
	double *copy = malloc((nr + 1) * sizeof(*copy));
	double median = NAN;
	size_t known = 0, i;

	if (copy) {
		for (i = 0; i < nr; i++)
			if (!isnan(values[i]))
				copy[known++] = values[i];
		median = stats_median(copy, known);
	}
	free(copy);
	return median;
}

int diff_samples_take(struct diff_samples *s, const struct diff_comparison *c,
		      double (*of)(const struct diff_side *side, size_t run,
				   void *context),
		      void *context)
{
	size_t i, kept = 0;
	int k;

	memset(s, 0, sizeof(*s));
	s->events = NAN;
	s->test = c->test;
	s->paired = c->pairs > 0;
	for (k = 0; k < 2; k++) {
		const struct diff_side *side = c->side[k];

		s->side[k] = calloc(side->nr_runs + 1, sizeof(double));
		if (!s->side[k])
			return -1;
		for (i = 0; i < side->nr_runs; i++) {
			double value = NAN;

			if (!side->run[i].dropped)
				value = of(side, i, context);
			if (!isnan(value) ||
			    (s->paired && !side->run[i].dropped))
				s->side[k][s->nr[k]++] = value;
		}
	}
	for (k = 0; k < 2; k++)
		s->median[k] = median_of(s->side[k], s->nr[k]);
	for (i = 0; s->paired && i < s->nr[0]; i++) {
		if (isnan(s->side[0][i]) || isnan(s->side[1][i]))
			continue;
		s->side[0][kept] = s->side[0][i];
		s->side[1][kept++] = s->side[1][i];
	}
	if (s->paired)
		s->nr[0] = s->nr[1] = kept;
	return 0;
}

void diff_samples_free(struct diff_samples *s)
{
	free(s->side[0]);
	free(s->side[1]);
}

void diff_value_clear(struct diff_value *v)
{
	memset(v, 0, sizeof(*v));
	v->side[0] = v->side[1] = v->ratio = NAN;
	v->interval.low = v->interval.high = v->p = v->q = NAN;
	v->verdict = DIFF_UNTESTED;
}

void diff_value_ratio(struct diff_value *v)
{
	if (isnan(v->side[0]) || isnan(v->side[1]))
		v->ratio = NAN;
	else if (v->side[0] != 0)
		v->ratio = v->side[1] / v->side[0];
	else
		v->ratio = v->side[1] != 0 ? INFINITY : NAN;
}

static bool all_equal(const struct diff_samples *s)
{
	size_t i;
	int k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < s->nr[k]; i++)
			if (s->side[k][i] != s->side[0][0])
				return false;
	return true;
}

/* Half of the smallest value that is not 0: what stands for 0 in a ratio. */
static double half_of_smallest(const struct diff_samples *s)
{
	double smallest = INFINITY;
	size_t i;
	int k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < s->nr[k]; i++)
			if (s->side[k][i] > 0 && s->side[k][i] < smallest)
				smallest = s->side[k][i];
	return smallest / 2;
}

/*
 * Pairs are compared by their ratios: what disturbs a pair of runs makes both
 * longer by a part, not by an amount.  The signs need no assumption, but ten
 * pairs can't say less than 0.002, which is nothing among many lines; so they
 * have a veto, and the t test of the logarithms the last digits.
 */
static double paired_p(const struct diff_samples *s)
{
	double zero = half_of_smallest(s), p, signs;
	size_t nr = s->nr[0], i;
	double *logs = calloc(2 * nr + 1, sizeof(*logs));

	if (!logs)
		return NAN;
	for (i = 0; i < 2 * nr; i++) {
		double value = s->side[i / nr][i % nr];

		logs[i] = log(value > 0 ? value : zero);
	}
	signs = stats_sign_flip(logs, logs + nr, nr);
	p = stats_paired_t(logs, logs + nr, nr);
	free(logs);
	return signs > DIFF_ALONE ? fmax(p, signs) : p;
}

double diff_samples_p(const struct diff_samples *s)
{
	if (s->test == DIFF_PAIRED)
		return paired_p(s);
	return stats_mann_whitney(s->side[0], s->nr[0], s->side[1], s->nr[1]);
}

int diff_value_of_samples(struct diff_value *v, struct diff_samples *s,
			  enum diff_test test)
{
	diff_value_clear(v);
	v->resolution = s->resolution;
	v->side[0] = s->median[0];
	v->side[1] = s->median[1];
	diff_value_ratio(v);
	if (test < DIFF_MANN_WHITNEY || s->nr[0] < 2 || s->nr[1] < 2)
		return 0;
	if (s->events < DIFF_FEW) {
		v->verdict = DIFF_TOO_FEW;
		return 0;
	}
	if (all_equal(s)) {
		v->p = 1;
		return 0;
	}
	v->p = diff_samples_p(s);
	if (v->side[0] != 0 &&
	    stats_ratio_interval(s->side[0], s->nr[0], s->side[1], s->nr[1],
				 s->paired, DIFF_CONFIDENCE, &v->interval))
		return -1;
	v->repeats = stats_repeats_needed(s->side[0], s->nr[0], s->side[1],
					  s->nr[1]);
	return 0;
}

int diff_judge(struct diff_value **values, size_t nr)
{
	double *p = calloc(nr + 1, sizeof(*p));
	size_t i;

	if (!p)
		return -1;
	for (i = 0; i < nr; i++)
		p[i] = values[i]->p;
	if (stats_false_discovery(p, nr)) {
		free(p);
		return -1;
	}
	for (i = 0; i < nr; i++) {
		struct diff_value *v = values[i];

		v->q = p[i];
		if (isnan(v->p))
			continue;
		if (fabs(v->ratio - 1) <= v->resolution)
			v->verdict = DIFF_NOT_SHOWN;
		else if (v->q < DIFF_DISCOVERY && v->side[0] != v->side[1])
			v->verdict = v->side[1] > v->side[0] ? DIFF_MORE :
							       DIFF_LESS;
		else
			v->verdict = v->p < DIFF_ALONE ? DIFF_DOUBTFUL :
							 DIFF_NOT_SHOWN;
	}
	free(p);
	return 0;
}

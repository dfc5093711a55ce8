// SPDX-License-Identifier: GPL-2.0-only
/* Values of lines, and verdicts over all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

/* -------------------------------------------------- a measure of one line */

struct measuring {
	const struct diff_line *line;
	const struct diff_comparison *c;
	const struct diff_measure *measure;
};

static double value_of(const struct diff_measure *m,
		       const struct diff_counts *counts,
		       const struct diff_run *run)
{
	double per;

	if (((m->needs & DIFF_NEEDS_OFF) && !run->has_all_switches) ||
	    ((m->needs & DIFF_NEEDS_CONTENTION) && !run->has_contention))
		return NAN;
	if (m->of)
		return m->of(counts, run);
	per = m->per(counts, run);
	return per > 0 ? (double)m->count(counts) / per : NAN;
}

static double take_run(const struct diff_side *side, size_t run, void *context)
{
	const struct measuring *x = context;
	int k = side == x->c->side[1];

	return value_of(x->measure, &x->line->run[k][run], &side->run[run]);
}

/* Sums over the runs of a side that count. */
static void count_side(const struct measuring *x, int k, uint64_t *count,
		       double *per)
{
	const struct diff_side *side = x->c->side[k];
	size_t i;

	*count = 0;
	*per = 0;
	for (i = 0; i < side->nr_runs; i++) {
		const struct diff_counts *counts = &x->line->run[k][i];

		if (side->run[i].dropped)
			continue;
		*count += x->measure->count(counts);
		*per += x->measure->per(counts, &side->run[i]);
	}
}

/* One run on a side: nothing but the counts themselves is known. */
static void compare_counts(const struct measuring *x, struct diff_value *v)
{
	uint64_t count[2];
	double per[2];
	int k;

	for (k = 0; k < 2; k++) {
		count_side(x, k, &count[k], &per[k]);
		v->side[k] = per[k] > 0 ? (double)count[k] / per[k] : NAN;
	}
	diff_value_ratio(v);
	if (!(per[0] > 0 && per[1] > 0))
		return;
	if (count[0] + count[1] < DIFF_FEW) {
		v->verdict = DIFF_TOO_FEW;
		return;
	}
	v->p = stats_count_test(count[0], per[0], count[1], per[1]);
	stats_count_interval(count[0], per[0], count[1], per[1],
			     DIFF_CONFIDENCE, &v->interval);
}

/* Events behind a value, of both sides. */
static double events_of(const struct measuring *x)
{
	const struct diff_counts *a = &x->line->sum[0], *b = &x->line->sum[1];

	if (x->measure->count)
		return (double)x->measure->count(a) +
		       (double)x->measure->count(b);
	if (x->measure->needs & DIFF_NEEDS_OFF)
		return (double)a->off.count + (double)b->off.count;
	return (double)a->wait.count + (double)b->wait.count;
}

/* What the other side has is not known: nothing is compared. */
static int one_side(struct measuring *x, struct diff_value *v)
{
	int known = x->line->nr_rows[0] ? 0 : 1;
	struct diff_samples s;
	int ret = diff_samples_take(&s, x->c, take_run, x);

	if (!ret)
		v->side[known] = s.median[known];
	diff_samples_free(&s);
	return ret;
}

int diff_measure(const struct diff_comparison *c, const struct diff_line *line,
		 unsigned int measure, struct diff_value *v)
{
	struct measuring x = { line, c, &diff_measures[measure] };
	struct diff_samples s;
	int ret;

	diff_value_clear(v);
	if (x.measure->needs & ~c->known & ~(unsigned int)DIFF_OF_HISTOGRAM)
		return 0;
	if (line->status == DIFF_NOT_EXPANDED)
		return one_side(&x, v);
	if (c->test == DIFF_COUNTS && x.measure->count) {
		compare_counts(&x, v);
		return 0;
	}
	ret = diff_samples_take(&s, c, take_run, &x);
	if (!ret) {
		s.events = events_of(&x);
		if (x.measure->needs & DIFF_OF_HISTOGRAM)
			s.resolution = DIFF_BUCKET;
		ret = diff_value_of_samples(v, &s, c->test);
	}
	diff_samples_free(&s);
	return ret;
}

/* ------------------------------------------------------------- all lines */

struct all_lines {
	struct diff_line **line;
	size_t nr, size;
};

/* A family of one site has its numbers: to test them again would be to count
   them twice. */
static bool is_copy(const struct diff_line *line)
{
	return line->kind == DIFF_FAMILY && line->child && !line->child->next;
}

static void copy_values(struct diff_line *line)
{
	for (; line; line = line->next)
		if (is_copy(line))
			memcpy(line->value, line->child->value,
			       sizeof(line->value));
}

static int collect(struct all_lines *all, struct diff_line *line)
{
	for (; line; line = line->next) {
		if (collect(all, line->child))
			return -1;
		if (is_copy(line))
			continue;
		if (all->nr == all->size) {
			size_t size = all->size ? all->size * 2 : 64;
			struct diff_line **grown;

			grown = realloc(all->line, size * sizeof(*grown));
			if (!grown)
				return -1;
			all->line = grown;
			all->size = size;
		}
		all->line[all->nr++] = line;
	}
	return 0;
}

static int measure_all(struct diff_comparison *c, const struct all_lines *all,
		       unsigned int measure)
{
	struct diff_value **values;
	int ret = 0;
	size_t i;

	values = calloc(all->nr + 1, sizeof(struct diff_value *));
	if (!values)
		return -1;
	for (i = 0; i < all->nr && !ret; i++) {
		values[i] = &all->line[i]->value[measure];
		ret = diff_measure(c, all->line[i], measure, values[i]);
	}
	if (!ret)
		ret = diff_judge(values, all->nr);
	free(values);
	return ret;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How far lines are apart that were measured twice. */
static int find_noise(struct diff_comparison *c, const struct all_lines *all)
{
	double *apart = calloc(all->nr + 1, sizeof(*apart));
	size_t i, nr = 0;

	if (!apart)
		return -1;
	for (i = 0; i < all->nr; i++) {
		const struct diff_value *v =
			&all->line[i]->value[c->per_sleeps];

		if (isnan(v->p))
			continue;
		c->tested++;
		c->marked_before += v->p < DIFF_DISCOVERY;
		c->marked_after += v->verdict >= DIFF_LESS;
		if (v->ratio > 0 && isfinite(v->ratio))
			apart[nr++] = exp(fabs(log(v->ratio))) - 1;
	}
	qsort(apart, nr, sizeof(*apart), compare_doubles);
	c->noise[0] = nr ? apart[nr / 2] : NAN;
	c->noise[1] = nr ? apart[(size_t)(0.95 * (double)(nr - 1) + 0.5)] : NAN;
	free(apart);
	return 0;
}

int diff_values(struct diff_comparison *c)
{
	struct all_lines all = { 0 };
	unsigned int measure;
	int ret;

	ret = collect(&all, c->locks);
	if (!ret)
		ret = collect(&all, c->others);
	for (measure = 0; measure < NR_DIFF_MEASURES && !ret; measure++)
		ret = measure_all(c, &all, measure);
	if (!ret)
		ret = find_noise(c, &all);
	copy_values(c->locks);
	copy_values(c->others);
	free(all.line);
	return ret;
}

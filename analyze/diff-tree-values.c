// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-tree-values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

#define MAX_STEPS 4e8 /* of all tests of a measure together */

struct testing {
	const struct diff_comparison *c;
	const struct diff_tree_runs *runs;
	struct diff_tree_measure *measure; /* that is tested */
	struct diff_value *value; /* of the nodes to test */
};

/* ---------------------------------------------------------------- measures */

static double work(const struct diff_run *run)
{
	return run->work;
}

static double seconds(const struct diff_run *run)
{
	return run->seconds;
}

static double sleeps(const struct diff_run *run)
{
	return (double)run->sleeps;
}

static double switches(const struct diff_run *run)
{
	return (double)run->switches;
}

typedef double (*per_run)(const struct diff_run *run);

static const struct {
	unsigned int measure;
	enum weight weight;
	per_run per;
} additive[] = {
	{ DIFF_SLEEPS_PER_WORK, WEIGHT_SLEEPS, work },
	{ DIFF_SLEEPS_PER_S, WEIGHT_SLEEPS, seconds },
	{ DIFF_SHARE_OF_SLEEPS, WEIGHT_SLEEPS, sleeps },
	{ DIFF_SHARE_OF_SWITCHES, WEIGHT_SLEEPS, switches },
	{ DIFF_OFF_PER_WORK, WEIGHT_OFF, work },
	{ DIFF_OFF_PER_S, WEIGHT_OFF, seconds },
	{ DIFF_WAIT_PER_WORK, WEIGHT_WAIT, work },
	{ DIFF_WAIT_PER_S, WEIGHT_WAIT, seconds },
};

#define NR_ADDITIVE (sizeof(additive) / sizeof(additive[0]))

static per_run per_of(const struct diff_tree_measure *m)
{
	size_t i;

	for (i = 0; additive[i].measure != m->measure; i++)
		;
	return additive[i].per;
}

static double sum_of(const struct diff_side *side, enum weight weight,
		     per_run per)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < side->nr_runs; i++)
		if (diff_run_has(&side->run[i], weight))
			sum += per(&side->run[i]);
	return sum;
}

static int add_measure(struct diff_tree_values *values,
		       const struct diff_comparison *c, size_t i)
{
	struct diff_tree_measure *m = &values->measure[values->nr];
	int k;

	if (diff_measures[additive[i].measure].needs & ~c->known)
		return 0;
	m->measure = additive[i].measure;
	m->weight = additive[i].weight;
	for (k = 0; k < 2; k++) {
		m->per[k] = sum_of(c->side[k], m->weight, additive[i].per);
		if (!(m->per[k] > 0)) /* then it has no stacks, either */
			m->per[k] = 1;
	}
	m->verdict = calloc(values->runs.nr, sizeof(*m->verdict));
	values->nr++;
	return m->verdict ? 0 : -1;
}

/* -------------------------------------------------------------------- tests */

struct one_node {
	const struct testing *t;
	uint32_t number;
};

static double take_run(const struct diff_side *side, size_t run, void *context)
{
	const struct one_node *x = context;
	const struct testing *t = x->t;
	int k = side == t->c->side[1];
	double per = per_of(t->measure)(&side->run[run]);
	const uint64_t *total = diff_tree_run(t->runs, x->number, k, run);

	if (!diff_run_has(&side->run[run], t->measure->weight))
		return NAN;
	return per > 0 ? (double)total[t->measure->weight] / per : NAN;
}

/* As of lines: more or less is what the medians say. */
static int test_runs(const struct testing *t, uint32_t number,
		     struct diff_value *v)
{
	struct one_node x = { t, number };
	struct diff_samples s;
	int ret = diff_samples_take(&s, t->c, take_run, &x);
	int k;

	for (k = 0; !ret && k < 2; k++)
		v->side[k] = s.median[k];
	if (!ret && s.nr[0] >= 2 && s.nr[1] >= 2)
		v->p = diff_samples_p(&s);
	diff_samples_free(&s);
	return ret;
}

/* Events behind a node, in both sides. */
static double events_of(const struct testing *t, uint32_t number)
{
	return (double)t->runs->node[number]->total[0][WEIGHT_SLEEPS] +
	       (double)t->runs->node[number]->total[1][WEIGHT_SLEEPS];
}

/* Its value on a side, of all runs together. */
static double value_of(const struct testing *t, uint32_t number, int side)
{
	const struct diff_tree_measure *m = t->measure;

	return (double)t->runs->node[number]->total[side][m->weight] /
	       m->per[side];
}

static int test_node(const struct testing *t, uint32_t number,
		     struct diff_value *v)
{
	const struct diff_tree_measure *m = t->measure;
	int k;

	diff_value_clear(v);
	for (k = 0; k < 2; k++)
		v->side[k] = value_of(t, number, k);
	if (m->weight != WEIGHT_WAIT && events_of(t, number) < DIFF_FEW) {
		v->verdict = DIFF_TOO_FEW;
		return 0;
	}
	if (t->c->test >= DIFF_MANN_WHITNEY)
		return test_runs(t, number, v);
	if (t->c->test == DIFF_COUNTS && m->weight == WEIGHT_SLEEPS)
		v->p = stats_count_test(
			t->runs->node[number]->total[0][WEIGHT_SLEEPS],
			m->per[0],
			t->runs->node[number]->total[1][WEIGHT_SLEEPS],
			m->per[1]);
	return 0;
}

/* What has one child only has mostly the child's numbers. */
static bool is_as_parent(const struct testing *t, uint32_t number)
{
	const struct diff_node *parent = t->runs->parent[number];
	unsigned int w = t->measure->weight;
	int k;

	for (k = 0; parent && k < 2; k++)
		if (t->runs->node[number]->total[k][w] != parent->total[k][w])
			return false;
	return parent != NULL;
}

static double largest(const struct testing *t, uint32_t number)
{
	return fmax(value_of(t, number, 0), value_of(t, number, 1));
}

static int compare(const void *a, const void *b, void *testing)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	double x = largest(testing, i), y = largest(testing, j);

	if (x != y)
		return x < y ? 1 : -1;
	return (i > j) - (i < j);
}

/* How long a test takes, about: as stats.h says what each goes through. */
static double steps_of(const struct diff_comparison *c)
{
	double n = (double)c->smallest;

	if (c->test == DIFF_PAIRED)
		return n * (n <= 20 ? exp2(n) : 1e5);
	return c->test == DIFF_MANN_WHITNEY && n <= 11 ? 8 * n * n * n * n :
							 1e4 + 4 * n * n;
}

static int test_list(struct testing *t, const uint32_t *list, uint32_t nr)
{
	struct diff_value **values =
		calloc((size_t)nr + 1, sizeof(struct diff_value *));
	uint32_t i;
	int ret = 0;

	if (!values)
		return -1;
	for (i = 0; i < nr && !ret; i++) {
		values[i] = &t->value[list[i]];
		ret = test_node(t, list[i], values[i]);
	}
	if (!ret)
		ret = diff_judge(values, nr);
	for (i = 0; i < nr && !ret; i++)
		t->measure->verdict[list[i]] = t->value[list[i]].verdict;
	free(values);
	return ret;
}

/* Parents have lower numbers than their children. */
static void copy_from_parents(struct testing *t)
{
	uint32_t i;

	for (i = 1; i < t->runs->nr; i++)
		if (is_as_parent(t, i))
			t->measure->verdict[i] =
				t->measure->verdict[t->runs->parent[i]->number];
}

static int test_measure(struct testing *t, struct diff_tree_measure *m)
{
	double most = MAX_STEPS / steps_of(t->c);
	uint32_t *list = calloc(t->runs->nr, sizeof(*list)), nr = 0, i;
	int ret;

	if (!list)
		return -1;
	t->measure = m;
	for (i = 0; i < t->runs->nr; i++)
		if (!is_as_parent(t, i) && largest(t, i) > 0)
			list[nr++] = i;
	qsort_r(list, nr, sizeof(*list), compare, t);
	if (nr > most) {
		m->left = nr - (uint32_t)most;
		nr = (uint32_t)most;
	}
	ret = test_list(t, list, nr);
	if (!ret)
		copy_from_parents(t);
	free(list);
	return ret;
}

static int test_all(struct diff_tree_values *values,
		    const struct diff_comparison *c)
{
	struct testing t = { .c = c, .runs = &values->runs };
	uint32_t i;
	int ret = 0;

	if (c->test == DIFF_NO_TEST)
		return 0;
	t.value = calloc(t.runs->nr, sizeof(*t.value));
	if (!t.value)
		return -1;
	for (i = 0; i < values->nr && !ret; i++)
		ret = test_measure(&t, &values->measure[i]);
	free(t.value);
	return ret;
}

/* ---------------------------------------------------------------------- all */

struct diff_tree_values *diff_tree_values_new(const struct diff_tree *tree,
					      const struct diff_comparison *c)
{
	struct diff_tree_values *values = calloc(1, sizeof(*values));
	int ret;
	size_t i;

	if (!values)
		return NULL;
	ret = diff_tree_runs_count(&values->runs, tree, c);
	values->measure = calloc(NR_ADDITIVE, sizeof(*values->measure));
	for (i = 0; values->measure && i < NR_ADDITIVE && !ret; i++)
		ret = add_measure(values, c, i);
	if (values->measure && !ret && !test_all(values, c))
		return values;
	diff_tree_values_free(values);
	return NULL;
}

void diff_tree_values_free(struct diff_tree_values *values)
{
	uint32_t i;

	if (!values)
		return;
	for (i = 0; values->measure && i < values->nr; i++)
		free(values->measure[i].verdict);
	free(values->measure);
	diff_tree_runs_free(&values->runs);
	free(values);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of whole sides: the workload's, the system's, all sleeps'. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

/* What the result of a run holds. */
static const struct result_total {
	const char *name;
	enum diff_format format;
	const char *object, *key; /* no object: the result itself */
} result_totals[] = {
	{ "work_per_s", DIFF_RATE, NULL, "work_per_s" },
	{ "latency_p50_ns", DIFF_TIME, "latency", "p50_ns" },
	{ "latency_p99_ns", DIFF_TIME, "latency", "p99_ns" },
	{ "cs_per_s", DIFF_RATE, "vmstat", "cs_per_s" },
	{ "in_per_s", DIFF_RATE, "vmstat", "in_per_s" },
	{ "us_percent", DIFF_PERCENT, "vmstat", "us_percent" },
	{ "sy_percent", DIFF_PERCENT, "vmstat", "sy_percent" },
	{ "id_percent", DIFF_PERCENT, "vmstat", "id_percent" },
	{ "wa_percent", DIFF_PERCENT, "vmstat", "wa_percent" },
	{ "st_percent", DIFF_PERCENT, "vmstat", "st_percent" },
};

#define NR_RESULT_TOTALS (sizeof(result_totals) / sizeof(result_totals[0]))

struct diff_total *diff_total(const struct diff_comparison *c, const char *name)
{
	struct diff_total *t;

	for (t = c->totals; t; t = t->next)
		if (!strcmp(t->name, name))
			break;
	return t;
}

/* A total of the name, at the end of the list when new. */
static struct diff_total *get_total(struct diff_comparison *c, const char *name,
				    enum diff_format format)
{
	struct diff_total *t = diff_total(c, name), **link = &c->totals;

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->format = format;
	while (*link)
		link = &(*link)->next;
	*link = t;
	return t;
}

/* One that neither side knows is none. */
static void drop_unknown(struct diff_comparison *c)
{
	struct diff_total **link = &c->totals;

	while (*link) {
		struct diff_total *t = *link;

		if (isnan(t->value.side[0]) && isnan(t->value.side[1])) {
			*link = t->next;
			free(t);
		} else {
			link = &t->next;
		}
	}
}

static int
take(struct diff_comparison *c, const char *name, enum diff_format format,
     double (*of)(const struct diff_side *side, size_t run, void *context),
     void *context)
{
	struct diff_total *t = get_total(c, name, format);
	struct diff_samples s;
	int ret = -1;

	if (!t)
		return -1;
	if (!diff_samples_take(&s, c, of, context)) {
		/* Times of results are percentiles. */
		s.resolution = format == DIFF_TIME ? DIFF_BUCKET : 0;
		ret = diff_value_of_samples(&t->value, &s, c->test);
	}
	diff_samples_free(&s);
	return ret;
}

/* ------------------------------------------------------------ of results */

static double of_result(const struct diff_side *side, size_t run, void *context)
{
	const struct result_total *total = context;
	const json_t *result = side->run[run].result, *value;

	if (total->object)
		result = json_object_get(result, total->object);
	/* Percentiles of nothing are written as 0. */
	if (total->object && !strcmp(total->object, "latency") &&
	    !json_integer_value(json_object_get(result, "count")))
		return NAN;
	value = json_object_get(result, total->key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double of_metric(const struct diff_side *side, size_t run, void *context)
{
	const json_t *value = json_object_get(
		json_object_get(side->run[run].result, "metrics"), context);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static enum diff_format format_of(const char *name)
{
	static const struct {
		const char *end;
		enum diff_format format;
	} ends[] = {
		{ "_per_s", DIFF_RATE },
		{ "_ns", DIFF_TIME },
		{ "_percent", DIFF_PERCENT },
		{ "_share", DIFF_SHARE },
	};
	size_t i, length = strlen(name);

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t end = strlen(ends[i].end);

		if (length > end && !strcmp(name + length - end, ends[i].end))
			return ends[i].format;
	}
	return DIFF_RATIO;
}

static int take_metrics(struct diff_comparison *c, const struct diff_side *side)
{
	json_t *metrics = json_object_get(side->run[0].result, "metrics");
	const char *name;
	json_t *value;

	json_object_foreach(metrics, name, value)
		if (take(c, name, format_of(name), of_metric, (void *)name))
			return -1;
	return 0;
}

static int take_results(struct diff_comparison *c)
{
	size_t i;

	for (i = 0; i < NR_RESULT_TOTALS; i++)
		if (take(c, result_totals[i].name, result_totals[i].format,
			 of_result, (void *)&result_totals[i]))
			return -1;
	return take_metrics(c, c->side[0]) || take_metrics(c, c->side[1]) ? -1 :
									    0;
}

/* Pasted lines of vmstat: one interval each, of one run. */
static int take_vmstat(struct diff_comparison *c)
{
	const char *name;
	json_t *value;
	int s;

	for (s = 0; s < 2; s++)
		json_object_foreach(c->side[s]->vmstat, name, value) {
			struct diff_value *v;
			struct diff_total *t =
				get_total(c, name, format_of(name));

			if (!t)
				return -1;
			v = &t->value;
			memset(v, 0, sizeof(*v));
			v->side[0] = json_number_value(
				json_object_get(c->side[0]->vmstat, name));
			v->side[1] = json_number_value(
				json_object_get(c->side[1]->vmstat, name));
			if (!json_object_get(c->side[!s]->vmstat, name))
				v->side[!s] = NAN;
			v->ratio = v->side[0] > 0 ? v->side[1] / v->side[0] :
						    NAN;
			v->interval.low = v->interval.high = NAN;
			v->p = v->q = NAN;
		}
	return 0;
}

/* ------------------------------------------------------- of the recording */

static double switches_per_s(const struct diff_side *side, size_t run, void *c)
{
	const struct diff_run *r = &side->run[run];

	(void)c;
	if (side->unit == UNIT_SHARE || !(r->seconds > 0))
		return NAN;
	return (double)r->switches / r->seconds;
}

static double preemptions_per_s(const struct diff_side *side, size_t run,
				void *c)
{
	const struct diff_run *r = &side->run[run];

	(void)c;
	if (side->unit == UNIT_SHARE || !(r->seconds > 0))
		return NAN;
	return (double)r->preemptions / r->seconds;
}

static bool spins(const struct diff *d, const struct diff_row *row)
{
	const char *name = diff_text_of(&d->reading.texts, row->lock_class);

	return !strcmp(name, "spinlock") || !strcmp(name, "rwlock");
}

/* All rows, or those of locks that sleep. */
static struct diff_line *make_line(const struct diff *d,
				   const struct diff_comparison *c, bool locks)
{
	struct diff_line *line = diff_line_new(DIFF_FAMILY, SITE_LOCK, 0);
	uint32_t i;
	int s;

	for (s = 0; line && s < 2; s++)
		for (i = 0; i < c->side[s]->rows.nr; i++) {
			const struct diff_row *row =
				interned_at(&c->side[s]->rows, i);

			if (locks && (row->type != SITE_LOCK || spins(d, row)))
				continue;
			if (diff_line_add(line, s, row))
				goto fail;
		}
	if (line && !diff_line_sum(line, c))
		return line;
fail:
	diff_lines_free(line, c);
	return NULL;
}

static int measure_line(struct diff_comparison *c, const struct diff_line *line,
			const char *prefix, unsigned int first,
			unsigned int last)
{
	unsigned int m;

	for (m = first; m <= last; m++) {
		struct diff_total *t;
		char name[64];

		snprintf(name, sizeof(name), "%s%s", prefix,
			 diff_measures[m].name);
		t = get_total(c, name, diff_measures[m].format);
		if (!t || diff_measure(c, line, m, &t->value))
			return -1;
	}
	return 0;
}

static int take_counts(const struct diff *d, struct diff_comparison *c)
{
	struct diff_line *all = make_line(d, c, false);
	struct diff_line *locks = make_line(d, c, true);
	int ret = -1;

	if (all && locks &&
	    !measure_line(c, all, "", DIFF_SLEEPS_PER_WORK,
			  DIFF_SLEEPS_PER_S) &&
	    !measure_line(c, locks, "lock_", 0, NR_DIFF_MEASURES - 1))
		ret = 0;
	diff_lines_free(all, c);
	diff_lines_free(locks, c);
	return ret;
}

static int judge(struct diff_comparison *c)
{
	struct diff_value **values;
	struct diff_total *t;
	size_t nr = 0;
	int ret;

	for (t = c->totals; t; t = t->next)
		nr++;
	values = calloc(nr + 1, sizeof(struct diff_value *));
	if (!values)
		return -1;
	nr = 0;
	for (t = c->totals; t; t = t->next)
		values[nr++] = &t->value;
	ret = diff_judge(values, nr);
	free(values);
	return ret;
}

int diff_totals(const struct diff *d, struct diff_comparison *c)
{
	if (take_results(c) || take_vmstat(c) ||
	    take(c, "switches_per_s", DIFF_RATE, switches_per_s, NULL) ||
	    take(c, "preemptions_per_s", DIFF_RATE, preemptions_per_s, NULL) ||
	    take_counts(d, c))
		return -1;
	drop_unknown(c);
	return judge(c);
}

void diff_totals_free(struct diff_comparison *c)
{
	while (c->totals) {
		struct diff_total *next = c->totals->next;

		free(c->totals);
		c->totals = next;
	}
}

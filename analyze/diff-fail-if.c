// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-fail-if.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- by a name */

static int measure_named(const char *name)
{
	int m;

	for (m = 0; m < NR_DIFF_MEASURES; m++)
		if (!strcmp(diff_measures[m].name, name))
			return m;
	return -1;
}

static bool is_called(const struct diff *d, const struct diff_line *line,
		      const char *name, size_t length)
{
	const char *names[3] = {
		diff_text_of(&d->reading.texts, line->family),
		diff_site_name(d, line, 0),
		diff_site_name(d, line, 1),
	};
	size_t first = line->kind == DIFF_FAMILY ? 0 : 1;
	size_t last = line->kind == DIFF_FAMILY ? 0 : 2, i;

	for (i = first; i <= last; i++)
		if (strlen(names[i]) == length &&
		    !memcmp(names[i], name, length))
			return true;
	return false;
}

/* Families come before the sites in them, of any list. */
static const struct diff_line *find_line(const struct diff *d,
					 const struct diff_line *list,
					 const char *name, size_t length)
{
	const struct diff_line *line, *found;

	for (line = list; line; line = line->next)
		if (is_called(d, line, name, length))
			return line;
	for (line = list; line; line = line->next) {
		found = find_line(d, line->child, name, length);
		if (found)
			return found;
	}
	return NULL;
}

const struct diff_value *diff_find(const struct diff *d,
				   const struct diff_comparison *c,
				   const char *name, bool *known)
{
	const char *dot = strrchr(name, '.');
	const struct diff_total *t = diff_total(c, name);
	const struct diff_line *line;
	int m;

	*known = t != NULL;
	if (t)
		return &t->value;
	if (!dot)
		return NULL;
	m = measure_named(dot + 1);
	if (m < 0)
		return NULL;
	*known = true;
	line = find_line(d, c->locks, name, (size_t)(dot - name));
	if (!line)
		line = find_line(d, c->others, name, (size_t)(dot - name));
	return line ? &line->value[m] : NULL;
}

/* ------------------------------------------------------------ a threshold */

static int wrong(const char *text, struct error *err)
{
	return error_set(err, EXIT_USAGE,
			 "--fail-if takes 'NAME > NUMBER' (or >= < <=), such as"
			 " 'sleeps_per_work > 1.05', not '%s'",
			 text);
}

static bool cut_end(char *name, const char *end)
{
	size_t length = strlen(name), cut = strlen(end);

	if (length <= cut || strcmp(name + length - cut, end) != 0)
		return false;
	name[length - cut] = '\0';
	return true;
}

int diff_threshold_parse(const char *text, struct diff_threshold *t,
			 struct error *err)
{
	size_t length, op;
	const char *rest;
	char *end;

	memset(t, 0, sizeof(*t));
	text += strspn(text, " \t");
	length = strcspn(text, "<>");
	rest = text + length;
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	op = rest[0] ? 1 + (rest[1] == '=') : 0;
	if (!length || length >= sizeof(t->name) || !op)
		return wrong(text, err);
	memcpy(t->name, text, length);
	memcpy(t->op, rest, op);
	rest += op;
	t->limit = strtod(rest, &end);
	if (end == rest || end[strspn(end, " \t")] || !isfinite(t->limit))
		return wrong(text, err);
	if (cut_end(t->name, ".low"))
		t->of = THRESHOLD_LOW;
	else if (cut_end(t->name, ".high"))
		t->of = THRESHOLD_HIGH;
	return 0;
}

static double pick(const struct diff_value *v, const struct diff_threshold *t)
{
	if (t->of == THRESHOLD_LOW)
		return v->interval.low;
	if (t->of == THRESHOLD_HIGH)
		return v->interval.high;
	/* Nothing on both sides is the same. */
	return v->side[0] == 0 && v->side[1] == 0 ? 1 : v->ratio;
}

static bool passes(const struct diff_threshold *t, double ratio)
{
	if (!strcmp(t->op, ">"))
		return ratio > t->limit;
	if (!strcmp(t->op, ">="))
		return ratio >= t->limit;
	if (!strcmp(t->op, "<"))
		return ratio < t->limit;
	return ratio <= t->limit;
}

static int check(struct diff *d, const struct diff_comparison *c,
		 const struct diff_threshold *t, const char *text,
		 struct error *err)
{
	bool known;
	const struct diff_value *v = diff_find(d, c, t->name, &known);
	double ratio = v ? pick(v, t) : NAN;
	bool failed = v && passes(t, ratio);
	json_t *found;

	if (!known)
		return error_set(err, EXIT_USAGE,
				 "--fail-if: no number '%s' here;"
				 " rwsemlab-diff(1) lists the names",
				 t->name);
	if (isnan(ratio))
		return error_set(err, EXIT_USAGE,
				 "--fail-if '%s': there is no such ratio%s",
				 text, v && t->of ? " with an interval" : "");
	found = json_pack("{s:s, s:s, s:o, s:b}", "expression", text, "new",
			  c->side[1]->name, "value",
			  isfinite(ratio) ? json_real(ratio) : json_null(),
			  "failed", (int)failed);
	if (!d->failed_if)
		d->failed_if = json_array();
	if (json_array_append_new(d->failed_if, found))
		return error_set(err, EXIT_USAGE, "out of memory");
	return failed;
}

int diff_fail_if(struct diff *d, const char *text, struct error *err)
{
	struct diff_threshold t;
	int failed = 0;
	size_t i;

	if (diff_threshold_parse(text, &t, err))
		return -1;
	for (i = 0; i + 1 < d->nr_sides; i++) {
		int ret = check(d, &d->comparison[i], &t, text, err);

		if (ret < 0)
			return -1;
		failed |= ret;
	}
	return failed;
}

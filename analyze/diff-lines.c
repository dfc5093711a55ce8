// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a comparison: what they are made of, what they are called. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

struct diff_line *diff_line_new(enum diff_kind kind, enum site_type type,
				uint32_t family)
{
	struct diff_line *line = calloc(1, sizeof(*line));

	if (!line)
		return NULL;
	line->kind = kind;
	line->type = type;
	line->family = family;
	return line;
}

int diff_line_add(struct diff_line *line, int side, const struct diff_row *row)
{
	size_t nr = line->nr_rows[side];
	const struct diff_row **grown;

	/* Sizes are powers of two. */
	if (!(nr & (nr - 1))) {
		grown = realloc(line->row[side],
				(nr ? nr * 2 : 1) * sizeof(*grown));
		if (!grown)
			return -1;
		line->row[side] = grown;
	}
	line->row[side][nr] = row;
	line->nr_rows[side]++;
	if (row->cut)
		line->cut |= 1u << side;
	return 0;
}

static int sum_side(struct diff_line *line, int s, const struct diff_side *side)
{
	size_t i, run;

	line->run[s] = calloc(side->nr_runs, sizeof(*line->run[s]));
	if (!line->run[s])
		return -1;
	for (run = 0; run < side->nr_runs; run++) {
		for (i = 0; i < line->nr_rows[s]; i++)
			if (diff_counts_add(&line->run[s][run],
					    &line->row[s][i]->run[run]))
				return -1;
		if (!side->run[run].dropped &&
		    diff_counts_add(&line->sum[s], &line->run[s][run]))
			return -1;
	}
	return 0;
}

static bool is_counted(const struct diff_counts *c)
{
	return c->sleeps || c->acquisitions;
}

int diff_line_sum(struct diff_line *line, const struct diff_comparison *c)
{
	struct diff_line *child;

	for (child = line->child; child; child = child->next)
		if (diff_line_sum(child, c))
			return -1;
	if (sum_side(line, 0, c->side[0]) || sum_side(line, 1, c->side[1]))
		return -1;
	/* A family is open where all of it may be elsewhere. */
	if (line->kind == DIFF_FAMILY && line->nr_rows[0] && line->nr_rows[1])
		line->status = DIFF_BOTH;
	if (line->status == DIFF_NOT_EXPANDED)
		return 0;
	if (!is_counted(&line->sum[1]) && is_counted(&line->sum[0]))
		line->status = DIFF_GONE;
	else if (!is_counted(&line->sum[0]) && is_counted(&line->sum[1]))
		line->status = DIFF_NEW;
	return 0;
}

void diff_lines_free(struct diff_line *line, const struct diff_comparison *c)
{
	struct diff_line *next;
	int s;

	for (; line; line = next) {
		next = line->next;
		diff_lines_free(line->child, c);
		for (s = 0; s < 2; s++) {
			struct diff_counts *sum = &line->sum[s];

			diff_counts_free(line->run[s], c->side[s]->nr_runs);
			rwsemlab_histogram_free(&sum->off);
			rwsemlab_histogram_free(&sum->wait);
			free(line->row[s]);
		}
		free(line);
	}
}

/* ---------------------------------------------------------------- names */

static const struct diff_row *largest(const struct diff_line *line, int side)
{
	return line->nr_rows[side] ? line->row[side][0] : NULL;
}

/* Of a family: what all of its rows share. */
static void common_lock(const struct diff_line *line, int side,
			uint32_t *lock_class, uint32_t *mode)
{
	size_t i;

	*lock_class = line->row[side][0]->lock_class;
	*mode = line->row[side][0]->mode;
	for (i = 1; line->kind == DIFF_FAMILY && i < line->nr_rows[side]; i++) {
		if (line->row[side][i]->lock_class != *lock_class)
			*lock_class = *mode = 0;
		if (line->row[side][i]->mode != *mode)
			*mode = 0;
	}
}

const char *diff_lock_name(const struct diff *d, const struct diff_line *line,
			   int side, char *buffer, size_t size)
{
	const struct diff_row *row = largest(line, side);
	const struct diff_texts *texts = &d->reading.texts;
	uint32_t lock_class, mode;

	buffer[0] = '\0';
	if (!row || row->type != SITE_LOCK)
		return buffer;
	common_lock(line, side, &lock_class, &mode);
	snprintf(buffer, size, "%s%s%s", diff_text_of(texts, lock_class),
		 mode ? ":" : "", diff_text_of(texts, mode));
	return buffer;
}

const char *diff_site_name(const struct diff *d, const struct diff_line *line,
			   int side)
{
	const struct diff_row *row = largest(line, side);
	uint32_t name;

	if (!row)
		return "";
	if (line->kind == DIFF_WRAPPER)
		name = row->wrapper_shown;
	else
		name = row->cut ? row->caller_shown : row->caller;
	if (!name && row->type == SITE_NO_CHAIN)
		return "[no call chain]";
	return diff_text_of(&d->reading.texts, name);
}

const char *diff_verdict_name(enum diff_verdict verdict)
{
	static const char *const names[] = {
		[DIFF_UNTESTED] = "untested",	[DIFF_TOO_FEW] = "too_few",
		[DIFF_NOT_SHOWN] = "not_shown", [DIFF_DOUBTFUL] = "doubtful",
		[DIFF_LESS] = "less",		[DIFF_MORE] = "more",
	};

	return names[verdict];
}

const char *diff_status_name(enum diff_status status)
{
	static const char *const names[] = {
		[DIFF_BOTH] = "both",
		[DIFF_GONE] = "gone",
		[DIFF_NEW] = "new",
		[DIFF_NOT_EXPANDED] = "not_expanded",
	};

	return names[status];
}

const char *diff_test_name(enum diff_test test)
{
	static const char *const names[] = {
		[DIFF_NO_TEST] = "none",
		[DIFF_COUNTS] = "counts",
		[DIFF_MANN_WHITNEY] = "mann_whitney",
		[DIFF_PAIRED] = "paired",
	};

	return names[test];
}

/* ---------------------------------------------------------------- order */

struct order {
	const struct diff *d;
	unsigned int measure;
};

static double weight_of(const struct diff_line *line, unsigned int measure)
{
	const struct diff_value *v = &line->value[measure];
	double a = isnan(v->side[0]) ? 0 : v->side[0];
	double b = isnan(v->side[1]) ? 0 : v->side[1];

	return a > b ? a : b;
}

/* A name that both sides can be sorted by. */
static const char *any_name(const struct diff *d, const struct diff_line *line)
{
	return diff_site_name(d, line, line->nr_rows[0] ? 0 : 1);
}

static int compare_lines(const void *a, const void *b, void *order)
{
	const struct diff_line *x = *(struct diff_line *const *)a;
	const struct diff_line *y = *(struct diff_line *const *)b;
	const struct order *by = order;
	double m = weight_of(x, by->measure), n = weight_of(y, by->measure);
	int names;

	if (m != n)
		return m < n ? 1 : -1;
	names = strcmp(diff_text_of(&by->d->reading.texts, x->family),
		       diff_text_of(&by->d->reading.texts, y->family));
	return names ? names : strcmp(any_name(by->d, x), any_name(by->d, y));
}

int diff_lines_sort(const struct diff *d, struct diff_line **list,
		    unsigned int measure)
{
	struct order by = { d, measure };
	struct diff_line *line, **sorted, **link = list;
	size_t nr = 0, i = 0;

	for (line = *list; line; line = line->next) {
		nr++;
		if (diff_lines_sort(d, &line->child, measure))
			return -1;
	}
	if (nr < 2)
		return 0;
	sorted = calloc(nr, sizeof(struct diff_line *));
	if (!sorted)
		return -1;
	for (line = *list; line; line = line->next)
		sorted[i++] = line;
	qsort_r(sorted, nr, sizeof(struct diff_line *), compare_lines, &by);
	for (i = 0; i < nr; i++) {
		*link = sorted[i];
		link = &sorted[i]->next;
	}
	*link = NULL;
	free(sorted);
	return 0;
}

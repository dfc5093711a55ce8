// SPDX-License-Identifier: GPL-2.0-only
/* The comparison's table of contended acquisitions. */
#include <math.h>
#include <stdlib.h>

#include "analyze/reports/diff-text-private.h"

struct sites_list {
	const struct diff_line **line;
	size_t nr, size;
};

static int list_sites(struct sites_list *list, const struct diff_line *line,
		      unsigned int measure)
{
	for (; line; line = line->next) {
		const struct diff_line **grown;

		if (list_sites(list, line->child, measure))
			return -1;
		if (line->kind == DIFF_FAMILY || !diff_words_has(line, measure))
			continue;
		if (list->nr == list->size) {
			size_t size = list->size ? list->size * 2 : 64;

			grown = realloc(list->line, size * sizeof(*grown));
			if (!grown)
				return -1;
			list->line = grown;
			list->size = size;
		}
		list->line[list->nr++] = line;
	}
	return 0;
}

static double largest(const struct diff_line *line, unsigned int measure)
{
	return fmax(line->value[measure].side[0], line->value[measure].side[1]);
}

static int compare_sites(const void *a, const void *b, void *measure)
{
	unsigned int m = *(const unsigned int *)measure;
	double x = largest(*(const struct diff_line *const *)a, m);
	double y = largest(*(const struct diff_line *const *)b, m);

	return (x < y) - (x > y);
}

static void contended_row(const struct diff_text *x, struct text_table *t,
			  const struct diff_line *line)
{
	char a[DIFF_WORDS];

	diff_text_cells(x, t, line, x->c->per_acquisitions);
	diff_text_more(t, line, DIFF_NO_SLEEP_SHARE);
	diff_text_more(t, line, DIFF_WAIT_P99);
	text_table_cell(t, "%s", diff_words_lock(a, x->d, line));
	text_table_cell(t, "%s", diff_words_where(a, x->d, line));
	text_table_cell(t, "%s",
			line->family ? diff_text_of(&x->d->reading.texts,
						    line->family) :
				       "-");
}

int diff_text_contended(struct diff_text *x)
{
	unsigned int measure = x->c->per_acquisitions;
	struct sites_list list = { 0 };
	struct text_table t = { 0 };
	char a[DIFF_WORDS];
	size_t i;
	int ret;

	if (!(x->c->known & DIFF_NEEDS_CONTENTION))
		return 0;
	ret = list_sites(&list, x->c->locks, measure);
	if (ret || !list.nr) {
		free(list.line);
		return ret;
	}
	qsort_r(list.line, list.nr, sizeof(*list.line), compare_sites,
		&measure);
	diff_text_title(x, "Contended acquisitions");
	fprintf(x->out, " %s\n", diff_words_measure(a, x->d, x->c, measure));
	x->printed = x->left = 0;
	diff_text_columns(x, &t);
	text_table_column(&t, false, "no sleep");
	text_table_column(&t, false, "new ");
	text_table_column(&t, false, "wait p99");
	text_table_column(&t, false, "new ");
	text_table_column(&t, true, "lock");
	text_table_column(&t, true, "asked for by");
	text_table_column(&t, true, "family");
	for (i = 0; i < list.nr; i++)
		if (diff_text_take(x))
			contended_row(x, &t, list.line[i]);
	free(list.line);
	return diff_text_print(x, &t);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of both sides become lines, by meaning:
 * 1. the same lock, mode, family and caller, or the same other sleep;
 * 2. what is left, by caller, whatever the lock's primitive; other sleeps by
 *    kind, where one is left on each side;
 * 3. what is left and ends at a wrapper, its callers not being recorded, with
 *    all that came through that wrapper on the other side.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-align.h"

static uint64_t events_of(const struct diff_row *row,
			  const struct diff_side *side)
{
	uint64_t events = 0;
	size_t i;

	for (i = 0; i < side->nr_runs; i++)
		if (!side->run[i].dropped)
			events += row->run[i].sleeps + row->run[i].acquisitions;
	return events;
}

struct sorted_row {
	const struct diff_row *row;
	uint64_t events;
	uint32_t number;
};

static int compare_rows(const void *a, const void *b)
{
	const struct sorted_row *x = a, *y = b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

/* ------------------------------------------------------- 1: equal meaning */

static int keep_line(struct align *a, struct diff_line *line)
{
	struct diff_line **grown;

	if (a->nr == a->size) {
		size_t size = a->size ? a->size * 2 : 64;

		grown = realloc(a->line, size * sizeof(*grown));
		if (!grown)
			return -1;
		a->line = grown;
		a->size = size;
	}
	a->line[a->nr++] = line;
	return 0;
}

static int add_row(struct align *a, int side, const struct diff_row *row)
{
	bool nobody = row->type == SITE_LOCK && row->cut && !row->wrapper;
	const uint32_t key[6] = {
		row->type,   row->lock_class, row->mode,
		row->family, row->kind,	      nobody ? 0 : row->caller,
	};
	struct diff_line **line;
	struct interned_entry *e;

	e = interned_get(&a->table, key, sizeof(key), sizeof(*line), NULL);
	if (!e)
		return -1;
	line = interned_value(e);
	if (!*line) {
		*line = diff_line_new(DIFF_SITE, row->type,
				      row->type == SITE_LOCK ? row->family :
							       row->kind);
		if (!*line || keep_line(a, *line))
			return -1;
	}
	return diff_line_add(*line, side, row);
}

static int add_side(struct align *a, int side)
{
	const struct diff_side *s = a->c->side[side];
	struct sorted_row *sorted = calloc(s->rows.nr + 1, sizeof(*sorted));
	uint32_t nr = 0, i;
	int ret = 0;

	if (!sorted)
		return -1;
	for (i = 0; i < s->rows.nr; i++) {
		const struct diff_row *row = interned_at(&s->rows, i);
		uint64_t events = events_of(row, s);

		if (events)
			sorted[nr++] = (struct sorted_row){ row, events, i };
	}
	qsort(sorted, nr, sizeof(*sorted), compare_rows);
	for (i = 0; i < nr && !ret; i++)
		ret = add_row(a, side, sorted[i].row);
	free(sorted);
	return ret;
}

/* ------------------------------------------------------ 2: by the caller */

static bool is_text(const struct align *a, uint32_t number, const char *text)
{
	return !strcmp(diff_text_of(&a->d->reading.texts, number), text);
}

static bool spins(const struct align *a, const struct diff_row *row)
{
	return is_text(a, row->lock_class, "spinlock") ||
	       is_text(a, row->lock_class, "rwlock");
}

static bool reads(const struct align *a, const struct diff_row *row)
{
	return is_text(a, row->mode, "R");
}

/* Three passes: the same primitive; the same mode; one that has no modes. */
static bool may_pair(const struct align *a, const struct diff_row *x,
		     const struct diff_row *y, int pass)
{
	if (x->family && y->family && x->family != y->family)
		return false;
	if (pass == 0)
		return x->lock_class == y->lock_class && x->mode == y->mode;
	if (spins(a, x) != spins(a, y))
		return false;
	if (pass == 1)
		return reads(a, x) == reads(a, y);
	return !x->mode || !y->mode;
}

static bool is_left(const struct diff_line *line, int side)
{
	return line && line->nr_rows[side] && !line->nr_rows[!side];
}

static int merge(struct align *a, struct diff_line *to, size_t from)
{
	struct diff_line *line = a->line[from];
	size_t i;

	for (i = 0; i < line->nr_rows[1]; i++)
		if (diff_line_add(to, 1, line->row[1][i]))
			return -1;
	if (!to->family)
		to->family = line->family;
	a->line[from] = NULL;
	diff_lines_free(line, a->c);
	return 0;
}

/* Leftover locks of the base by caller, as lists of line numbers. */
struct by_caller {
	struct interned heads; /* caller to its first line, plus 1 */
	size_t *next; /* by line, plus 1 */
};

static int index_callers(struct align *a, struct by_caller *index)
{
	size_t i;

	index->next = calloc(a->nr + 1, sizeof(*index->next));
	if (!index->next)
		return -1;
	/* From the last, so that lists begin with the largest. */
	for (i = a->nr; i-- > 0;) {
		const struct diff_line *line = a->line[i];
		struct interned_entry *e;
		size_t *head;

		if (!is_left(line, 0) || line->type != SITE_LOCK)
			continue;
		e = interned_get(&index->heads, &line->row[0][0]->caller,
				 sizeof(uint32_t), sizeof(*head), NULL);
		if (!e)
			return -1;
		head = interned_value(e);
		index->next[i] = *head;
		*head = i + 1;
	}
	return 0;
}

static struct diff_line *find_partner(struct align *a, struct by_caller *index,
				      const struct diff_row *row, int pass)
{
	struct interned_entry *e =
		interned_find(&index->heads, &row->caller, sizeof(row->caller));
	size_t i;

	for (i = e ? *(size_t *)interned_value(e) : 0; i;
	     i = index->next[i - 1]) {
		struct diff_line *line = a->line[i - 1];

		if (is_left(line, 0) && may_pair(a, line->row[0][0], row, pass))
			return line;
	}
	return NULL;
}

static int pair_by_caller(struct align *a)
{
	struct by_caller index = { 0 };
	int ret = index_callers(a, &index);
	int pass;
	size_t i;

	for (pass = 0; pass < 3 && !ret; pass++)
		for (i = 0; i < a->nr && !ret; i++) {
			struct diff_line *partner = NULL;

			if (is_left(a->line[i], 1) &&
			    a->line[i]->type == SITE_LOCK)
				partner = find_partner(
					a, &index, a->line[i]->row[1][0], pass);
			if (partner)
				ret = merge(a, partner, i);
		}
	interned_free(&index.heads);
	free(index.next);
	return ret;
}

/* Lines of a kind that one side alone has. */
struct left_of_kind {
	size_t nr[2], at[2];
};

static int pair_by_kind(struct align *a)
{
	struct interned kinds = { 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < a->nr && !ret; i++) {
		struct diff_line *line = a->line[i];
		struct left_of_kind *left;
		struct interned_entry *e;
		int side = line && line->nr_rows[1] ? 1 : 0;

		if (!is_left(line, side) || line->type != SITE_OTHER)
			continue;
		e = interned_get(&kinds, &line->family, sizeof(line->family),
				 sizeof(*left), NULL);
		if (!e) {
			ret = -1;
			break;
		}
		left = interned_value(e);
		left->nr[side]++;
		left->at[side] = i;
	}
	for (i = 0; i < kinds.nr && !ret; i++) {
		const struct left_of_kind *left =
			interned_at(&kinds, (uint32_t)i);

		if (left->nr[0] == 1 && left->nr[1] == 1)
			ret = merge(a, a->line[left->at[0]], left->at[1]);
	}
	interned_free(&kinds);
	return ret;
}

/* ------------------------------------------------------------ all of it */

/* The family of a line, as a line above it. */
static struct diff_line *family_of(struct diff_comparison *c,
				   struct interned *families,
				   const struct diff_line *line)
{
	const uint32_t key[2] = {
		line->type,
		line->family,
	};
	struct diff_line **family, **list;
	struct interned_entry *e;
	bool added;

	e = interned_get(families, key, sizeof(key), sizeof(*family), &added);
	if (!e)
		return NULL;
	family = interned_value(e);
	if (added)
		*family = diff_line_new(DIFF_FAMILY, line->type, line->family);
	if (!added || !*family)
		return *family;
	list = line->type == SITE_LOCK ? &c->locks : &c->others;
	(*family)->next = *list;
	*list = *family;
	return *family;
}

static int make_families(struct align *a)
{
	struct interned families = { 0 };
	int ret = 0, side;
	size_t i, k;

	for (i = 0; i < a->nr && !ret; i++) {
		struct diff_line *line = a->line[i], *family;

		if (!line)
			continue;
		family = family_of(a->c, &families, line);
		if (!family) {
			ret = -1;
			break;
		}
		a->line[i] = NULL;
		line->next = family->child;
		family->child = line;
		if (line->status == DIFF_NOT_EXPANDED)
			family->status = DIFF_NOT_EXPANDED;
		for (side = 0; side < 2 && !ret; side++)
			for (k = 0; k < line->nr_rows[side] && !ret; k++)
				ret = diff_line_add(family, side,
						    line->row[side][k]);
	}
	interned_free(&families);
	return ret;
}

static int sum_lines(struct diff_line *line, const struct diff_comparison *c)
{
	for (; line; line = line->next)
		if (diff_line_sum(line, c))
			return -1;
	return 0;
}

int diff_align(const struct diff *d, struct diff_comparison *c)
{
	struct align a = { .d = d, .c = c };
	int ret = -1;
	size_t i;

	if (!add_side(&a, 0) && !add_side(&a, 1) && !pair_by_caller(&a) &&
	    !pair_by_kind(&a) && !diff_align_wrappers(&a) &&
	    !diff_align_hidden(&a) && !make_families(&a))
		ret = 0;
	for (i = 0; i < a.nr; i++)
		diff_lines_free(a.line[i], c);
	free(a.line);
	interned_free(&a.table);
	if (!ret)
		ret = sum_lines(c->locks, c) || sum_lines(c->others, c) ? -1 :
									  0;
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks whose callers one side does not show: what can be said of them, and
 * what can't.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-align.h"

/*
 * Of a family that is known, this part of what is missing is enough to leave
 * it open whether it is inside.  Where nothing is known, all of it must fit.
 */
#define HIDES 100 /* one in … */

static double share_of(const struct diff_row *row, const struct diff_side *side)
{
	double of = 0, all = 0;
	size_t i;

	for (i = 0; i < side->nr_runs; i++) {
		if (side->run[i].dropped)
			continue;
		of += (double)row->run[i].sleeps;
		all += (double)side->run[i].sleeps;
	}
	return all > 0 ? of / all : 0;
}

static bool is_left(const struct diff_line *line, int side)
{
	return line && line->type == SITE_LOCK && line->kind == DIFF_SITE &&
	       line->nr_rows[side] && !line->nr_rows[!side];
}

/*
 * The wrapper that a line's stacks end at on a side, 0 where it is no such
 * line.  The other side may have some such stacks, too.
 */
static uint32_t ends_at(const struct diff_line *line, int side)
{
	const struct diff_row *row;

	if (!line || line->type != SITE_LOCK || line->kind != DIFF_SITE ||
	    !line->nr_rows[side])
		return 0;
	row = line->row[side][0];
	return row->cut && row->caller == row->wrapper ? row->wrapper : 0;
}

static bool comes_through(const struct diff_line *line, int side,
			  uint32_t wrapper)
{
	return is_left(line, side) && !line->row[side][0]->cut &&
	       line->row[side][0]->wrapper == wrapper;
}

static bool knows_wrapper(const struct diff_side *side, uint32_t wrapper)
{
	uint32_t i;

	for (i = 0; i < side->rows.nr; i++) {
		const struct diff_row *row = interned_at(&side->rows, i);

		if (row->wrapper == wrapper)
			return true;
	}
	return false;
}

/*
 * The wrapper on the other side: the one of that name; else one of the same
 * family that this side has not, as after a renaming.
 */
static uint32_t find_wrapper(const struct align *a, const struct diff_line *cut,
			     int side)
{
	uint32_t wrapper = cut->row[side][0]->wrapper;
	size_t i;

	for (i = 0; i < a->nr; i++)
		if (comes_through(a->line[i], !side, wrapper))
			return wrapper;
	if (knows_wrapper(a->c->side[!side], wrapper))
		return 0;
	for (i = 0; i < a->nr; i++) {
		const struct diff_line *line = a->line[i];

		if (is_left(line, !side) && cut->family &&
		    line->family == cut->family && !line->row[!side][0]->cut &&
		    line->row[!side][0]->wrapper &&
		    !knows_wrapper(a->c->side[side],
				   line->row[!side][0]->wrapper))
			return line->row[!side][0]->wrapper;
	}
	return 0;
}

/* Whether what ends at the wrapper may hold what came through it. */
static bool is_enough(const struct align *a, const struct diff_line *cut,
		      int side, uint32_t wrapper)
{
	double ends = share_of(cut->row[side][0], a->c->side[side]);
	double through = 0;
	size_t i;

	for (i = 0; i < a->nr; i++)
		if (comes_through(a->line[i], !side, wrapper))
			through += share_of(a->line[i]->row[!side][0],
					    a->c->side[!side]);
	return ends * HIDES >= through;
}

static int add_child(struct diff_line *group, struct diff_line *child, int side)
{
	size_t i;

	child->status = DIFF_NOT_EXPANDED;
	child->next = group->child;
	group->child = child;
	for (i = 0; i < child->nr_rows[side]; i++)
		if (diff_line_add(group, side, child->row[side][i]))
			return -1;
	return 0;
}

static int make_group(struct align *a, struct diff_line *cut, int side)
{
	uint32_t wrapper = find_wrapper(a, cut, side);
	size_t i;

	if (!wrapper || !is_enough(a, cut, side, wrapper))
		return 0;
	cut->kind = DIFF_WRAPPER;
	for (i = 0; i < a->nr; i++) {
		struct diff_line *line = a->line[i];

		/* The group itself is no longer a site. */
		if (!comes_through(line, !side, wrapper))
			continue;
		a->line[i] = NULL;
		if (add_child(cut, line, !side))
			return -1;
	}
	return 0;
}

int diff_align_wrappers(struct align *a)
{
	size_t i;
	int side;

	for (side = 0; side < 2; side++)
		for (i = 0; i < a->nr; i++)
			if (ends_at(a->line[i], side) &&
			    make_group(a, a->line[i], side))
				return -1;
	return 0;
}

/* ---------------------------------------------------------------- hidden */

/* Primitives that one lock may be turned into another of. */
static bool is_exchangeable(const struct align *a, const struct diff_row *row)
{
	static const char *const classes[] = { "mutex", "rwsem", "percpu-rwsem",
					       "semaphore" };
	const char *name = diff_text_of(&a->d->reading.texts, row->lock_class);
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(classes[i], name))
			return true;
	return false;
}

static bool may_hold(const struct align *a, const struct diff_row *cut,
		     const struct diff_row *row)
{
	/* schedule_timeout(), and nothing more. */
	if (cut->type == SITE_NO_CHAIN || row->type != SITE_LOCK)
		return cut->type == SITE_NO_CHAIN && row->type == SITE_OTHER;
	if (cut->family)
		return cut->family == row->family;
	/* Nothing is known of who took it. */
	return cut->lock_class == row->lock_class ||
	       (is_exchangeable(a, cut) && is_exchangeable(a, row));
}

static bool is_hidden(const struct align *a, const struct diff_row **cut,
		      size_t nr, const struct diff_side *side,
		      const struct diff_row *row, double share)
{
	double known = 0, any = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (may_hold(a, cut[i], row)) {
			if (cut[i]->family)
				known += share_of(cut[i], side);
			any += share_of(cut[i], side);
		}
	return (known > 0 && known * HIDES >= share) ||
	       (any > 0 && any >= share);
}

static bool knows_family(const struct diff_side *side, uint32_t family)
{
	uint32_t i;

	for (i = 0; i < side->rows.nr; i++) {
		const struct diff_row *row = interned_at(&side->rows, i);

		if (row->type == SITE_LOCK && row->family == family)
			return true;
	}
	return false;
}

static void mark_hidden(struct align *a, int side, const struct diff_row **cut,
			size_t nr)
{
	const struct diff_side *from = a->c->side[side];
	size_t i;

	for (i = 0; i < a->nr; i++) {
		struct diff_line *line = a->line[i];
		const struct diff_row *row;

		if (!line || !line->nr_rows[!side] || line->nr_rows[side])
			continue;
		row = line->row[!side][0];
		/* A wrapper that the other side has not, but its callers. */
		if (row->type == SITE_LOCK && row->cut &&
		    knows_family(from, row->family))
			line->status = DIFF_NOT_EXPANDED;
		if (is_hidden(a, cut, nr, from, row,
			      share_of(row, a->c->side[!side])))
			line->status = DIFF_NOT_EXPANDED;
	}
}

int diff_align_hidden(struct align *a)
{
	int side;

	for (side = 0; side < 2; side++) {
		const struct diff_side *s = a->c->side[side];
		const struct diff_row **cut;
		size_t nr = 0;
		uint32_t i;

		cut = calloc(s->rows.nr + (size_t)1, sizeof(*cut));
		if (!cut)
			return -1;
		for (i = 0; i < s->rows.nr; i++) {
			const struct diff_row *row = interned_at(&s->rows, i);

			if (row->cut || row->type == SITE_NO_CHAIN)
				cut[nr++] = row;
		}
		mark_hidden(a, side, cut, nr);
		free(cut);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/diff-private.h"

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

/* --------------------------------------------------------------- pairing */

static bool has_pair(const struct diff_side *side, uint32_t pair)
{
	size_t i;

	for (i = 0; i < side->nr_runs; i++)
		if (side->run[i].from->pair == pair)
			return true;
	return false;
}

/* A pair counts where every side has its run of it. */
static void drop_widows(struct diff *d)
{
	size_t i, k, other;

	for (i = 0; i < d->nr_sides; i++)
		for (k = 0; k < d->side[i].nr_runs; k++) {
			struct diff_run *run = &d->side[i].run[k];

			for (other = 0; other < d->nr_sides; other++)
				if (!has_pair(&d->side[other], run->from->pair))
					run->dropped = true;
		}
}

/* Next run of a side that counts, from @i on. */
static size_t next_run(const struct diff_side *side, size_t i)
{
	while (i < side->nr_runs && side->run[i].dropped)
		i++;
	return i;
}

/* Whether the runs of all sides are partners, one by one. */
static bool are_pairs(const struct diff *d)
{
	const struct diff_side *base = &d->side[0];
	size_t i, k, other;

	for (other = 1; other < d->nr_sides; other++) {
		const struct diff_side *side = &d->side[other];

		i = next_run(base, 0);
		k = next_run(side, 0);
		while (i < base->nr_runs && k < side->nr_runs) {
			if (base->run[i].from->pair != side->run[k].from->pair)
				return false;
			i = next_run(base, i + 1);
			k = next_run(side, k + 1);
		}
		if (i < base->nr_runs || k < side->nr_runs)
			return false;
	}
	return next_run(base, 0) < base->nr_runs;
}

static void pair_up(struct diff *d)
{
	size_t i, k;

	if (!d->paired)
		return;
	drop_widows(d);
	if (are_pairs(d))
		return;
	d->paired = false;
	for (i = 0; i < d->nr_sides; i++)
		for (k = 0; k < d->side[i].nr_runs; k++)
			d->side[i].run[k].dropped = false;
	diff_note(d->reading.notes,
		  "the runs can't be paired as they were interleaved: they are"
		  " compared as independent ones");
}

/* ------------------------------------------------------ what can be known */

static size_t runs_of(const struct diff_side *side)
{
	size_t i, nr = 0;

	for (i = 0; i < side->nr_runs; i++)
		nr += !side->run[i].dropped;
	return nr;
}

static unsigned int known_of(const struct diff_side *side)
{
	unsigned int known = DIFF_NEEDS_WORK | DIFF_NEEDS_TIME;
	size_t i;

	for (i = 0; i < side->nr_runs; i++) {
		if (side->run[i].has_all_switches && !side->run[i].dropped)
			known |= DIFF_NEEDS_OFF;
		if (side->run[i].has_contention && !side->run[i].dropped)
			known |= DIFF_NEEDS_CONTENTION;
		if (!(side->run[i].work > 0))
			known &= ~(unsigned int)DIFF_NEEDS_WORK;
		if (!(side->run[i].seconds > 0))
			known &= ~(unsigned int)DIFF_NEEDS_TIME;
	}
	if (!side->work_unit || side->work_unit == DIFF_NO_TEXT)
		known &= ~(unsigned int)DIFF_NEEDS_WORK;
	if (side->unit == UNIT_EVENTS)
		known |= DIFF_NEEDS_EVENTS;
	return known;
}

static void look(const struct diff *d, struct diff_comparison *c)
{
	const struct diff_side *a = c->side[0], *b = c->side[1];
	size_t na = runs_of(a), nb = runs_of(b);

	c->known = known_of(a) & known_of(b);
	if (a->work_unit != b->work_unit)
		c->known &= ~(unsigned int)DIFF_NEEDS_WORK;
	c->smallest = na < nb ? na : nb;
	if (c->smallest >= 2)
		c->test = d->paired ? DIFF_PAIRED : DIFF_MANN_WHITNEY;
	else
		c->test = c->known & DIFF_NEEDS_EVENTS ? DIFF_COUNTS :
							 DIFF_NO_TEST;
	if (c->test == DIFF_PAIRED)
		c->pairs = (unsigned int)na;
}

/* What is shown first: what the user asked for, or the best there is. */
static int choose(const struct diff *d, struct diff_comparison *c,
		  struct error *err)
{
	enum diff_per per = d->per;

	if (per == DIFF_PER_WORK && !(c->known & DIFF_NEEDS_WORK))
		return error_set(
			err, EXIT_USAGE,
			"--per work: the sides have no work in the same"
			" unit");
	if (per == DIFF_PER_SECOND && !(c->known & DIFF_NEEDS_TIME))
		return error_set(err, EXIT_USAGE,
				 "--per second: a side has no times");
	if (!(c->known & DIFF_NEEDS_EVENTS)) {
		c->per_sleeps = DIFF_SHARE_OF_SWITCHES;
		c->per_acquisitions = DIFF_ACQUISITIONS_PER_S;
		return 0;
	}
	if (per == DIFF_PER_BEST)
		per = c->known & DIFF_NEEDS_WORK ? DIFF_PER_WORK :
		      c->known & DIFF_NEEDS_TIME ? DIFF_PER_SECOND :
						   DIFF_PER_ALL;
	c->per_sleeps = per == DIFF_PER_WORK   ? DIFF_SLEEPS_PER_WORK :
			per == DIFF_PER_SECOND ? DIFF_SLEEPS_PER_S :
						 DIFF_SHARE_OF_SLEEPS;
	c->per_acquisitions = per == DIFF_PER_WORK ?
				      DIFF_ACQUISITIONS_PER_WORK :
				      DIFF_ACQUISITIONS_PER_S;
	return 0;
}

/* ------------------------------------------------------------------- all */

static int compare(struct diff *d, struct diff_comparison *c, struct error *err)
{
	look(d, c);
	if (choose(d, c, err))
		return -1;
	diff_notes_comparison(d, c);
	if (diff_align(d, c) || diff_values(c) || diff_totals(d, c) ||
	    diff_lines_sort(d, &c->locks, c->per_sleeps) ||
	    diff_lines_sort(d, &c->others, c->per_sleeps) ||
	    d->reading.texts.failed)
		return no_memory(err);
	return 0;
}

int diff_compare(struct diff *d, struct error *err)
{
	size_t i;

	for (i = 0; i < d->nr_sides; i++)
		if (diff_side_read(&d->side[i], &d->reading, err))
			return -1;
	pair_up(d);
	diff_notes_sides(d);
	d->comparison = calloc(d->nr_sides, sizeof(*d->comparison));
	if (!d->comparison)
		return no_memory(err);
	for (i = 1; i < d->nr_sides; i++) {
		struct diff_comparison *c = &d->comparison[i - 1];

		c->side[0] = &d->side[0];
		c->side[1] = &d->side[i];
		if (compare(d, c, err))
			return -1;
	}
	return 0;
}

void diff_free(struct diff *d)
{
	size_t i;

	for (i = 0; d->comparison && i + 1 < d->nr_sides; i++) {
		struct diff_comparison *c = &d->comparison[i];

		if (!c->side[0])
			break;
		diff_lines_free(c->locks, c);
		diff_lines_free(c->others, c);
		diff_totals_free(c);
	}
	free(d->comparison);
	for (i = 0; i < d->nr_sides; i++)
		diff_side_free(&d->side[i]);
	free(d->side);
	diff_texts_free(&d->reading.texts);
	json_decref(d->reading.notes);
	json_decref(d->reading.warnings);
	json_decref(d->failed_if);
	memset(d, 0, sizeof(*d));
}

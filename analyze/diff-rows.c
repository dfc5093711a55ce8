// SPDX-License-Identifier: GPL-2.0-only
/* A profile's rows are counted into a side, by site and by stack. */
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-side-private.h"

/* One run being counted. */
struct counting {
	struct diff_side *side;
	struct diff_texts *texts;
	struct sites *sites;
	struct profile *p;
	size_t run;
	uint32_t *text; /* by string of the profile, plus 1; 0: not yet */
	uint32_t nr_strings;
	uint32_t *row; /* of the side, by stack, plus 1; 0: not yet */
	uint32_t *names; /* room for the frames of one stack */
	uint32_t size;
};

int diff_counts_add(struct diff_counts *to, const struct diff_counts *from)
{
	unsigned int i;

	to->sleeps += from->sleeps;
	to->acquisitions += from->acquisitions;
	for (i = 0; i < NR_ACQUISITION_ENDS; i++)
		to->ended[i] += from->ended[i];
	if (rwsemlab_histogram_merge(&to->off, &from->off) ||
	    rwsemlab_histogram_merge(&to->wait, &from->wait))
		return -1;
	return 0;
}

void diff_counts_free(struct diff_counts *counts, size_t nr)
{
	size_t i;

	for (i = 0; counts && i < nr; i++) {
		rwsemlab_histogram_free(&counts[i].off);
		rwsemlab_histogram_free(&counts[i].wait);
	}
	free(counts);
}

static uint32_t text_of(struct counting *c, uint32_t string)
{
	const char *text = profile_text(c->p, string);

	/* Strings that came after the table was made. */
	if (string >= c->nr_strings)
		return diff_text(c->texts, text);
	if (!c->text[string])
		c->text[string] = diff_text(c->texts, text) + 1;
	return c->text[string] - 1;
}

/* The name with its suffixes of the frame that is called @name in a stack. */
static uint32_t as_recorded(struct counting *c, uint32_t stack, uint32_t name)
{
	const struct stack *s = profile_get_stack(c->p, stack);
	uint32_t i;

	for (i = 0; name && i < s->nr; i++) {
		const struct frame *f = profile_get_frame(c->p, s->frame[i]);

		if (f->symbol &&
		    sites_frame_name(c->sites, s->frame[i]) == name)
			return text_of(c, f->symbol);
	}
	return text_of(c, name);
}

static int new_row(struct counting *c, struct diff_row *row, uint32_t stack,
		   const struct site *site)
{
	uint32_t wrapper = sites_wrapper(c->sites, stack);

	row->type = site->type;
	row->lock_class = diff_text(c->texts, site->lock_class);
	row->mode = diff_text(c->texts, site->mode);
	row->family = diff_text(c->texts, site->family);
	row->kind = diff_text(c->texts, site->kind);
	row->caller = text_of(c, site->caller);
	row->wrapper = text_of(c, wrapper);
	row->caller_shown = as_recorded(c, stack, site->caller);
	row->wrapper_shown = as_recorded(c, stack, wrapper);
	row->cut = site->cut;
	row->run = calloc(c->side->nr_candidates, sizeof(*row->run));
	return row->run ? 0 : -1;
}

static struct diff_row *row_of(struct counting *c, uint32_t stack)
{
	const struct site *site =
		sites_get(c->sites, sites_of_stack(c->sites, stack));
	uint32_t key[8] = {
		site->type,
		diff_text(c->texts, site->lock_class),
		diff_text(c->texts, site->mode),
		diff_text(c->texts, site->family),
		diff_text(c->texts, site->kind),
		text_of(c, site->caller),
		text_of(c, sites_wrapper(c->sites, stack)),
		site->cut,
	};
	struct interned_entry *e;
	struct diff_row *row;
	bool added;

	if (c->row[stack])
		return interned_at(&c->side->rows, c->row[stack] - 1);
	e = interned_get(&c->side->rows, key, sizeof(key), sizeof(*row),
			 &added);
	if (!e)
		return NULL;
	row = interned_value(e);
	if (added && new_row(c, row, stack, site))
		return NULL;
	c->row[stack] = interned_number(e) + 1;
	return row;
}

/* --------------------------------------------------------------- stacks */

/*
 * Where the lock's own frames and its wrappers end: the index of who asked
 * for it.  Callers that were not recorded leave the kernel's frames, or all
 * where there are no others.
 */
static uint32_t end_of_lock(struct counting *c, const struct stack *s,
			    const struct site *site, uint32_t leaf)
{
	uint32_t i;

	for (i = leaf; !site->cut && i < s->nr; i++)
		if (sites_frame_name(c->sites, s->frame[i]) == site->caller)
			return i;
	for (i = leaf; i < s->nr; i++)
		if (!(profile_get_frame(c->p, s->frame[i])->flags &
		      FRAME_KERNEL))
			break;
	return i > leaf ? i : s->nr;
}

static uint32_t lock_name(struct counting *c, const struct site *site)
{
	char name[96];

	if (site->family[0])
		snprintf(name, sizeof(name), "[lock %s]", site->family);
	else
		snprintf(name, sizeof(name), "[lock]");
	return diff_text(c->texts, name);
}

static int make_room(struct counting *c, uint32_t nr)
{
	uint32_t *grown;

	if (nr <= c->size)
		return 0;
	grown = realloc(c->names, nr * sizeof(*grown));
	if (!grown)
		return -1;
	c->names = grown;
	c->size = nr;
	return 0;
}

static uint32_t name_frames(struct counting *c, uint32_t stack)
{
	const struct site *site =
		sites_get(c->sites, sites_of_stack(c->sites, stack));
	const struct stack *s = profile_get_stack(c->p, stack);
	uint32_t i = sites_leaf(c->sites, stack), nr = 0;

	if (i == s->nr) {
		c->names[nr++] = diff_text(c->texts, "[no call chain]");
		return nr;
	}
	if (site->type == SITE_LOCK) {
		c->names[nr++] = lock_name(c, site);
		i = end_of_lock(c, s, site, i);
	}
	for (; i < s->nr; i++)
		c->names[nr++] =
			text_of(c, sites_frame_name(c->sites, s->frame[i]));
	if (s->flags & STACK_CUT)
		c->names[nr++] = diff_text(c->texts, "...");
	return nr;
}

static uint32_t primitive(struct counting *c, uint32_t stack)
{
	const struct site *site =
		sites_get(c->sites, sites_of_stack(c->sites, stack));
	char name[64];

	if (site->type != SITE_LOCK)
		return 0;
	return diff_text(c->texts, summary_lock_name(site, name, sizeof(name)));
}

/* The stack's row has been asked for before. */
static int count_stack(struct counting *c, uint32_t stack,
		       const uint64_t w[NR_WEIGHTS])
{
	struct interned_entry *e;
	struct diff_stack *to;
	uint32_t nr;
	unsigned int i;
	bool added;

	if (make_room(c, profile_get_stack(c->p, stack)->nr + 4))
		return -1;
	nr = name_frames(c, stack);
	c->names[nr] = c->row[stack] - 1;
	e = interned_get(
		&c->side->stacks, c->names, (nr + 1) * sizeof(*c->names),
		sizeof(*to) + c->side->nr_candidates * sizeof(to->run[0]),
		&added);
	if (!e)
		return -1;
	to = interned_value(e);
	to->nr = nr;
	to->row = c->row[stack] - 1;
	if (added)
		to->lock = primitive(c, stack);
	for (i = 0; i < NR_WEIGHTS; i++)
		to->run[c->run][i] += w[i];
	return 0;
}

/* ----------------------------------------------------------------- rows */

static int count_sleeps(struct counting *c, const struct sleep_row *from)
{
	struct diff_row *row = row_of(c, from->stack);
	uint64_t w[NR_WEIGHTS];

	if (!row)
		return -1;
	row->run[c->run].sleeps += from->sleeps;
	if (rwsemlab_histogram_merge(&row->run[c->run].off, &from->off))
		return -1;
	weights_of_sleeps(from, w);
	return from->sleeps ? count_stack(c, from->stack, w) : 0;
}

static int count_acquisitions(struct counting *c,
			      const struct acquisition_row *from)
{
	struct diff_row *row = row_of(c, from->stack);
	struct diff_counts *to;
	uint64_t w[NR_WEIGHTS];
	unsigned int i;

	if (!row)
		return -1;
	to = &row->run[c->run];
	to->acquisitions += from->count;
	for (i = 0; i < NR_ACQUISITION_ENDS; i++)
		to->ended[i] += from->ended[i];
	if (rwsemlab_histogram_merge(&to->wait, &from->wait))
		return -1;
	weights_of_acquisitions(from, w);
	return from->count ? count_stack(c, from->stack, w) : 0;
}

static int count_all(struct counting *c)
{
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(c->p); i++)
		if (count_sleeps(c, profile_get_sleep_row(c->p, i)))
			return -1;
	for (i = 0; i < profile_nr_acquisition_rows(c->p); i++)
		if (count_acquisitions(c, profile_get_acquisition_row(c->p, i)))
			return -1;
	return profile_failed(c->p) || c->texts->failed ? -1 : 0;
}

int diff_rows_count(struct diff_side *side, struct diff_texts *texts,
		    struct sites *sites, struct profile *p, size_t run)
{
	struct counting c = {
		.side = side,
		.texts = texts,
		.sites = sites,
		.p = p,
		.run = run,
		.nr_strings = profile_nr_strings(p),
	};
	int ret = -1;

	c.text = calloc(c.nr_strings, sizeof(*c.text));
	c.row = calloc(profile_nr_stacks(p), sizeof(*c.row));
	if (c.text && c.row)
		ret = count_all(&c);
	free(c.text);
	free(c.row);
	free(c.names);
	return ret;
}

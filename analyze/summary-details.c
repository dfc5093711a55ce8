// SPDX-License-Identifier: GPL-2.0-only
/* Which locks are behind a site, and who released them. */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary-private.h"

struct lock_key {
	uint64_t site, lock;
};

/*
 * Several stacks of one site may meet at one lock, so distinct locks can't
 * be added up by stack.  Rows split by lock hold one each.
 */
static void add_lock(struct summary *s, struct interned *table,
		     const struct lock_row *from)
{
	uint32_t site = sites_of_stack(s->sites, from->stack);
	const struct lock_key key = { site, from->lock };
	struct interned_entry *e;
	struct summary_row *row;
	uint64_t *count;
	bool added;

	row = summary_find_row(
		s, site, s->profile->split == SPLIT_LOCK ? from->lock : 0);
	e = interned_get(table, &key, sizeof(key), sizeof(*count), &added);
	if (!e) {
		profile_fail(s->profile);
		return;
	}
	if (!row)
		return;
	count = interned_value(e);
	*count += from->count;
	if (added)
		row->locks++;
	if (*count > row->hottest_count) {
		row->hottest_count = *count;
		row->hottest_lock = from->lock;
	}
}

void summary_add_locks(struct summary *s)
{
	struct interned table = { 0 };
	size_t i;

	for (i = 0; i < profile_nr_lock_rows(s->profile); i++)
		add_lock(s, &table, profile_get_lock_row(s->profile, i));
	s->more_locks = s->profile->lock_rows_dropped > 0;
	interned_free(&table);
}

static void add_release(struct summary *s, const struct waker_row *from)
{
	bool interrupt = sites_in_interrupt(s->sites, from->waker_stack);
	uint32_t key[5] = {
		sites_of_stack(s->sites, from->stack),
		sites_releaser(s->sites, from->waker_stack),
		interrupt ? 0 : from->waker_comm,
		sites_of_stack(s->sites, interrupt ? 0 : from->waker_sleep),
		interrupt,
	};
	struct summary_release *release;
	struct interned_entry *e;
	bool added;

	if (!from->count)
		return;
	e = interned_get(&s->release_table, key, sizeof(key), sizeof(*release),
			 &added);
	if (!e) {
		profile_fail(s->profile);
		return;
	}
	release = interned_value(e);
	if (added) {
		release->site = key[0];
		release->releaser = key[1];
		release->comm = key[2];
		release->releaser_site = key[3];
		release->interrupt = interrupt;
	}
	release->count += from->count;
	if (rwsemlab_histogram_merge(&release->delay, &from->delay))
		profile_fail(s->profile);
}

static int compare_releases(const void *a, const void *b)
{
	const struct summary_release *x = *(struct summary_release *const *)a;
	const struct summary_release *y = *(struct summary_release *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	if (x->releaser != y->releaser)
		return x->releaser < y->releaser ? -1 : 1;
	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	return (x->releaser_site > y->releaser_site) -
	       (x->releaser_site < y->releaser_site);
}

void summary_add_releases(struct summary *s)
{
	size_t i;

	for (i = 0; i < profile_nr_waker_rows(s->profile); i++)
		add_release(s, profile_get_waker_row(s->profile, i));
	s->releases = calloc(s->release_table.nr + (size_t)1,
			     sizeof(struct summary_release *));
	if (!s->releases) {
		profile_fail(s->profile);
		return;
	}
	s->nr_releases = s->release_table.nr;
	for (i = 0; i < s->nr_releases; i++)
		s->releases[i] = interned_at(&s->release_table, (uint32_t)i);
	qsort(s->releases, s->nr_releases, sizeof(*s->releases),
	      compare_releases);
}

void summary_free_releases(struct summary *s)
{
	uint32_t i;

	for (i = 0; i < s->release_table.nr; i++) {
		struct summary_release *release =
			interned_at(&s->release_table, i);

		rwsemlab_histogram_free(&release->delay);
	}
	interned_free(&s->release_table);
	free(s->releases);
}

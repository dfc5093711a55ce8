// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/summary-private.h"

struct row_key {
	uint64_t site, group;
};

struct row_entry {
	struct summary_row row;
	uint64_t best_sleeps, best_acquisitions; /* of the slow paths' stacks */
};

static struct row_entry *get_entry(struct summary *s, uint32_t site,
				   uint64_t group)
{
	const struct row_key key = { site, group };
	struct interned_entry *e;
	struct row_entry *entry;
	bool added;

	e = interned_get(&s->row_table, &key, sizeof(key), sizeof(*entry),
			 &added);
	if (!e) {
		profile_fail(s->profile);
		return NULL;
	}
	entry = interned_value(e);
	if (added) {
		entry->row.site = site;
		entry->row.group = group;
	}
	return entry;
}

static void add_sleeps(struct summary *s, const struct sleep_row *from)
{
	struct row_entry *e;
	unsigned int i;

	e = get_entry(s, sites_of_stack(s->sites, from->stack),
		      summary_group(s, from->stack, from->group));
	if (!e)
		return;
	e->row.sleeps += from->sleeps;
	e->row.preemptions += from->by_state[STATE_RUNNING];
	for (i = 0; i < NR_TASK_STATES; i++)
		e->row.by_state[i] += from->by_state[i];
	e->row.off_ns += from->off_ns;
	e->row.woken += from->woken;
	e->row.runnable_ns += from->runnable_ns;
	if (rwsemlab_histogram_merge(&e->row.off, &from->off))
		profile_fail(s->profile);
	if (from->sleeps > e->best_sleeps) {
		e->best_sleeps = from->sleeps;
		e->row.slow_path = sites_slow_path(s->sites, from->stack);
	}
}

static void add_acquisitions(struct summary *s,
			     const struct acquisition_row *from)
{
	struct row_entry *e;
	unsigned int i;

	e = get_entry(s, sites_of_stack(s->sites, from->stack),
		      summary_group(s, from->stack, from->group));
	if (!e)
		return;
	e->row.acquisitions += from->count;
	for (i = 0; i < NR_ACQUISITION_ENDS; i++) {
		e->row.ended[i] += from->ended[i];
		s->ended[i] += from->ended[i];
	}
	e->row.acquisition_sleeps += from->sleeps;
	e->row.wait_ns += from->wait_ns;
	e->row.contention_flags |= from->flags;
	s->acquisitions += from->count;
	if (rwsemlab_histogram_merge(&e->row.wait, &from->wait))
		profile_fail(s->profile);
	if (from->count > e->best_acquisitions) {
		e->best_acquisitions = from->count;
		e->row.wait_slow_path = sites_slow_path(s->sites, from->stack);
	}
}

static int make_lists(struct summary *s)
{
	size_t nr = s->row_table.nr + (size_t)1;

	s->locks = calloc(nr, sizeof(struct summary_row *));
	s->others = calloc(nr, sizeof(struct summary_row *));
	s->contended = calloc(nr, sizeof(struct summary_row *));
	return s->locks && s->others && s->contended ? 0 : -1;
}

static void list_rows(struct summary *s)
{
	uint32_t i;

	for (i = 0; i < s->row_table.nr; i++) {
		const struct row_entry *entry = interned_at(&s->row_table, i);
		const struct summary_row *row = &entry->row;
		enum site_type type = summary_site(s, row)->type;

		if (row->acquisitions)
			s->contended[s->nr_contended++] = row;
		if (!row->sleeps)
			continue;
		if (type == SITE_LOCK) {
			s->locks[s->nr_locks++] = row;
			s->lock_sleeps += row->sleeps;
			if (summary_site(s, row)->cut)
				s->cut_sleeps += row->sleeps;
			continue;
		}
		s->others[s->nr_others++] = row;
		if (type == SITE_OTHER)
			s->other_sleeps += row->sleeps;
		else if (type == SITE_UNKNOWN)
			s->unknown_sleeps += row->sleeps;
		else
			s->no_chain_sleeps += row->sleeps;
	}
}

/* Equal counts go by name, so that two prints of one file are the same. */
static int compare_names(const struct summary *s, const struct summary_row *a,
			 const struct summary_row *b)
{
	const struct site *x = summary_site(s, a);
	const struct site *y = summary_site(s, b);
	int order;

	order = strcmp(profile_text(s->profile, x->caller),
		       profile_text(s->profile, y->caller));
	if (!order)
		order = strcmp(x->lock_class, y->lock_class);
	if (!order)
		order = strcmp(x->mode, y->mode);
	if (!order)
		order = strcmp(x->kind, y->kind);
	if (!order)
		order = (int)x->type - (int)y->type;
	if (!order)
		order = (a->group > b->group) - (a->group < b->group);
	return order;
}

static int compare_sleeps(const void *a, const void *b, void *summary)
{
	const struct summary_row *x = *(const struct summary_row *const *)a;
	const struct summary_row *y = *(const struct summary_row *const *)b;

	if (x->sleeps != y->sleeps)
		return x->sleeps < y->sleeps ? 1 : -1;
	return compare_names(summary, x, y);
}

static int compare_acquisitions(const void *a, const void *b, void *summary)
{
	const struct summary_row *x = *(const struct summary_row *const *)a;
	const struct summary_row *y = *(const struct summary_row *const *)b;

	if (x->acquisitions != y->acquisitions)
		return x->acquisitions < y->acquisitions ? 1 : -1;
	return compare_names(summary, x, y);
}

static void add_rows(struct summary *s)
{
	struct profile *p = s->profile;
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++)
		add_sleeps(s, profile_get_sleep_row(p, i));
	for (i = 0; i < profile_nr_acquisition_rows(p); i++)
		add_acquisitions(s, profile_get_acquisition_row(p, i));
}

struct summary *summary_new(struct profile *p, struct sites *sites)
{
	struct summary *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->profile = p;
	s->sites = sites;
	add_rows(s);
	summary_add_locks(s);
	summary_add_releases(s);
	if (p->split == SPLIT_WAKER)
		summary_split_wakers(s);
	if (profile_failed(p) || make_lists(s)) {
		summary_free(s);
		return NULL;
	}
	list_rows(s);
	qsort_r(s->locks, s->nr_locks, sizeof(*s->locks), compare_sleeps, s);
	qsort_r(s->others, s->nr_others, sizeof(*s->others), compare_sleeps, s);
	qsort_r(s->contended, s->nr_contended, sizeof(*s->contended),
		compare_acquisitions, s);
	return s;
}

void summary_free(struct summary *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->row_table.nr; i++) {
		struct row_entry *entry = interned_at(&s->row_table, i);

		rwsemlab_histogram_free(&entry->row.off);
		rwsemlab_histogram_free(&entry->row.wait);
	}
	interned_free(&s->row_table);
	summary_free_releases(s);
	free(s->locks);
	free(s->others);
	free(s->contended);
	free(s);
}

struct summary_row *summary_get_row(struct summary *s, uint32_t site,
				    uint64_t group)
{
	struct row_entry *entry = get_entry(s, site, group);

	return entry ? &entry->row : NULL;
}

struct summary_row *summary_find_row(struct summary *s, uint32_t site,
				     uint64_t group)
{
	const struct row_key key = { site, group };
	struct interned_entry *e;
	struct row_entry *entry;

	e = interned_find(&s->row_table, &key, sizeof(key));
	if (!e)
		return NULL;
	entry = interned_value(e);
	return &entry->row;
}

const struct site *summary_site(const struct summary *s,
				const struct summary_row *row)
{
	return sites_get(s->sites, row->site);
}

const char *summary_lock_name(const struct site *site, char *buffer,
			      size_t size)
{
	snprintf(buffer, size, "%s%s%s", site->lock_class,
		 site->mode[0] ? ":" : "", site->mode);
	return buffer;
}

const char *summary_group_name(const struct summary *s,
			       const struct summary_row *row, char *buffer,
			       size_t size)
{
	const struct profile *p = s->profile;

	buffer[0] = '\0';
	switch (p->split) {
	case SPLIT_NONE:
		break;
	case SPLIT_COMM:
	case SPLIT_STACK:
		snprintf(buffer, size, "%s",
			 profile_text(p, (uint32_t)row->group));
		break;
	case SPLIT_CGROUP:
	case SPLIT_WAKER:
		snprintf(buffer, size, "%s",
			 row->group ? profile_text(p, (uint32_t)row->group) :
				      "(not recorded)");
		break;
	case SPLIT_TASK:
		snprintf(buffer, size, "%s/%" PRIu64,
			 profile_text(p, (uint32_t)row->group),
			 row->group >> 32);
		break;
	case SPLIT_CPU:
		snprintf(buffer, size, "cpu %" PRIu64, row->group - 1);
		break;
	case SPLIT_LOCK:
		if (row->group)
			snprintf(buffer, size, "0x%" PRIx64, row->group);
		break;
	}
	return buffer;
}

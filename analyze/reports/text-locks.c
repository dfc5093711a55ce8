// SPDX-License-Identifier: GPL-2.0-only
/* The text report's tables of acquisitions and of who released. */
#include <inttypes.h>

#include "analyze/reports/text-private.h"

static void contended_columns(const struct text_report *r, struct text_table *t)
{
	text_table_column(t, false, "count");
	text_table_column(t, false, "share");
	text_table_column(t, false, "no sleep");
	text_table_column(t, false, "1 sleep");
	text_table_column(t, false, ">1");
	text_table_column(t, false, "failed");
	text_table_column(t, false, "wait p50");
	text_table_column(t, false, "p99");
	text_table_column(t, false, "max");
	if (r->p->split == SPLIT_NONE) {
		text_table_column(t, false, "locks");
		text_table_column(t, false, "hottest");
	}
	text_split_column(r, t);
	text_table_column(t, true, "lock");
	text_table_column(t, true, "asked for by");
	text_table_column(t, true, "family");
}

static void contended_cells(const struct text_report *r, struct text_table *t,
			    const struct summary_row *row)
{
	const struct site *site = summary_site(r->s, row);
	char a[UNITS_SIZE], name[64];
	unsigned int i;

	text_table_cell(t, "%s", units_count(a, row->acquisitions));
	text_table_cell(t, "%s",
			units_share(a, row->acquisitions, r->s->acquisitions));
	for (i = 0; i < NR_ACQUISITION_ENDS; i++)
		text_table_cell(t, "%s", units_count(a, row->ended[i]));
	text_table_cell(
		t, "%s",
		units_time(a, rwsemlab_histogram_quantile(&row->wait, 0.5)));
	text_table_cell(
		t, "%s",
		units_time(a, rwsemlab_histogram_quantile(&row->wait, 0.99)));
	text_table_cell(t, "%s", units_time(a, row->wait.max));
	if (r->p->split == SPLIT_NONE) {
		text_table_cell(t, "%s%s", r->s->more_locks ? ">" : "",
				units_count(a, row->locks));
		text_table_cell(t, "%s",
				units_share(a, row->hottest_count,
					    row->acquisitions));
	}
	text_split_cell(r, t, row);
	text_table_cell(t, "%s", text_site_name(site, name, sizeof(name)));
	text_table_cell(t, "%s", profile_text(r->p, site->caller));
	text_table_cell(t, "%s", site->family[0] ? site->family : "-");
}

static void print_unpaired(const struct text_report *r)
{
	const struct profile_unpaired *u = &r->p->unpaired;
	const struct {
		uint64_t count;
		const char *why;
	} reasons[] = {
		{ u->begin_open, "open when the recording ended" },
		{ u->begin_exited, "whose task exited" },
		{ u->begin_dropped, "without an end" },
		{ u->end_alone, "ends without a begin" },
	};
	char a[UNITS_SIZE];
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (!reasons[i].count)
			continue;
		fprintf(r->out, "%s%s %s", any ? ", " : "  not counted: ",
			units_count(a, reasons[i].count), reasons[i].why);
		any = true;
	}
	if (any)
		fputc('\n', r->out);
}

int text_contended(const struct text_report *r)
{
	const struct summary *s = r->s;
	size_t nr = text_limit(r, s->nr_contended);
	struct text_table t = { 0 };
	uint64_t rest = 0;
	char a[UNITS_SIZE];
	size_t i;

	if (!r->p->has_contention)
		return 0;
	text_title(r, "Contended acquisitions");
	fprintf(r->out, ": %s from contention_begin to contention_end\n",
		units_count(a, s->acquisitions));
	if (s->nr_contended) {
		contended_columns(r, &t);
		for (i = 0; i < nr; i++)
			contended_cells(r, &t, s->contended[i]);
		for (; i < s->nr_contended; i++)
			rest += s->contended[i]->acquisitions;
		if (text_print_table(r, &t))
			return -1;
	}
	if (nr < s->nr_contended)
		text_rest(r, s->nr_contended - nr, rest, "acquisitions");
	print_unpaired(r);
	fputs("  no sleep: stolen or spun after contention_begin; a rwsem whose"
	      " optimistic\n  spinning succeeds never gets that far and is not"
	      " seen by the kernel's event\n",
	      r->out);
	return 0;
}

static void release_cells(const struct text_report *r, struct text_table *t,
			  const struct summary_release *x, uint64_t all)
{
	const struct site *site = sites_get(r->s->sites, x->site);
	const struct site *own = sites_get(r->s->sites, x->releaser_site);
	char a[UNITS_SIZE], name[64];

	text_table_cell(t, "%s", units_count(a, x->count));
	text_table_cell(t, "%s", units_share(a, x->count, all));
	text_table_cell(
		t, "%s",
		units_time(a, rwsemlab_histogram_quantile(&x->delay, 0.5)));
	text_table_cell(
		t, "%s",
		units_time(a, rwsemlab_histogram_quantile(&x->delay, 0.99)));
	text_table_cell(t, "%s %s", text_site_name(site, name, sizeof(name)),
			profile_text(r->p, site->caller));
	text_table_cell(t, "%s",
			x->releaser ? profile_text(r->p, x->releaser) : "-");
	text_table_cell(t, "%s",
			x->interrupt ? "(interrupt)" :
			x->comm	     ? profile_text(r->p, x->comm) :
				       "-");
	if (own->type == SITE_NO_CHAIN)
		text_table_cell(t, "-");
	else
		text_table_cell(t, "%s %s",
				text_site_name(own, name, sizeof(name)),
				profile_text(r->p, own->caller));
}

int text_releases(const struct text_report *r)
{
	const struct summary *s = r->s;
	struct text_table t = { 0 };
	size_t i, locks = 0, shown = 0;
	uint64_t all = 0, rest = 0;
	char a[UNITS_SIZE];

	if (!s->nr_releases)
		return 0;
	for (i = 0; i < s->nr_releases; i++) {
		if (sites_get(s->sites, s->releases[i]->site)->type !=
		    SITE_LOCK)
			continue;
		all += s->releases[i]->count;
		locks++;
	}
	text_title(r, "Who released");
	fprintf(r->out, ": wake-ups that ended %s sleeps for a lock\n",
		units_count(a, all));
	text_table_column(&t, false, "count");
	text_table_column(&t, false, "share");
	text_table_column(&t, false, "to run p50");
	text_table_column(&t, false, "p99");
	text_table_column(&t, true, "sleeper");
	text_table_column(&t, true, "released by");
	text_table_column(&t, true, "of");
	text_table_column(&t, true, "its own last sleep");
	for (i = 0; i < s->nr_releases; i++) {
		const struct summary_release *x = s->releases[i];

		if (sites_get(s->sites, x->site)->type != SITE_LOCK)
			continue;
		if (shown == text_limit(r, locks)) {
			rest += x->count;
			continue;
		}
		release_cells(r, &t, x, all);
		shown++;
	}
	if (text_print_table(r, &t))
		return -1;
	if (shown < locks)
		text_rest(r, locks - shown, rest, "wake-ups");
	return 0;
}

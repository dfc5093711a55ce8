// SPDX-License-Identifier: GPL-2.0-only
/* The report that a person reads in a terminal. */
#include <inttypes.h>
#include <string.h>

#include "analyze/reports/text-private.h"
#include "analyze/reports/text-tree.h"

void text_title(const struct text_report *r, const char *title)
{
	if (r->options->colour)
		fprintf(r->out, "\n\033[1m%s\033[0m", title);
	else
		fprintf(r->out, "\n%s", title);
}

static void print_machine(const struct text_report *r)
{
	const struct profile *p = r->p;
	char buffer[UNITS_SIZE];

	fprintf(r->out, "kernel %s%s%s, ",
		p->os_release ? profile_text(p, p->os_release) : "not known",
		p->arch ? " " : "", profile_text(p, p->arch));
	if (p->cpus_online)
		fprintf(r->out, "%" PRIu32 " CPU%s, ", p->cpus_online,
			p->cpus_online == 1 ? "" : "s");
	if (p->window_ns)
		fprintf(r->out, "%s%s", units_time(buffer, p->window_ns),
			p->files > 1 ? " in" : "");
	else
		fputs("time not known", r->out);
	if (p->files > 1)
		fprintf(r->out, " %" PRIu32 " runs", p->files);
	fputc('\n', r->out);
}

static void print_switches(const struct text_report *r)
{
	const struct profile *p = r->p;
	char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], d[UNITS_SIZE];

	if (r->shares) {
		fputs("counts are shares of all recorded switches: the input"
		      " knows no more\n",
		      r->out);
		return;
	}
	if (!p->window_ns) {
		fprintf(r->out, "switches %s = sleeps %s + preemptions %s\n",
			units_count(a, p->switches), units_count(b, p->sleeps),
			units_count(c, p->preemptions));
		return;
	}
	fprintf(r->out,
		"switches %s = sleeps %s + preemptions %s + from idle %s",
		units_rate(a, p->switches, p->window_ns),
		units_rate(b, p->sleeps, p->window_ns),
		units_rate(c, p->preemptions, p->window_ns),
		units_rate(d, p->from_idle, p->window_ns));
	if (!p->has_all_switches)
		fputs(" (others were not recorded)", r->out);
	fputc('\n', r->out);
}

static void print_losses(const struct text_report *r)
{
	const struct profile_losses *l = &r->p->losses;
	char a[UNITS_SIZE], b[UNITS_SIZE];

	if (r->shares)
		return;
	fprintf(r->out, "lost %s of %s events",
		units_count(a, l->lost + l->lost_samples),
		units_count(b, r->p->events + l->lost + l->lost_samples));
	if (l->throttled)
		fprintf(r->out, ", throttled %s times",
			units_count(a, l->throttled));
	if (l->out_of_order)
		fprintf(r->out, ", %s out of order",
			units_count(a, l->out_of_order));
	if (l->malformed)
		fprintf(r->out, ", %s malformed", units_count(a, l->malformed));
	if (l->truncated_bytes)
		fprintf(r->out, ", the file ends %s bytes early",
			units_count(a, l->truncated_bytes));
	fputc('\n', r->out);
}

/* How far the rules reach, so that nobody trusts a table too much. */
static void print_reach(const struct text_report *r)
{
	const struct summary *s = r->s;
	char a[UNITS_SIZE], b[UNITS_SIZE];

	if (r->shares || !r->p->sleeps)
		return;
	fprintf(r->out,
		"callers known of %s of lock sleeps, kind not known of %s of"
		" all sleeps\n",
		units_share(a, s->lock_sleeps - s->cut_sleeps, s->lock_sleeps),
		units_share(b, s->unknown_sleeps + s->no_chain_sleeps,
			    r->p->sleeps));
}

static void print_header(const struct text_report *r)
{
	print_machine(r);
	print_switches(r);
	print_losses(r);
	print_reach(r);
}

/* ------------------------------------------------------------- the tables */

size_t text_limit(const struct text_report *r, size_t nr)
{
	return r->options->top && r->options->top < nr ? r->options->top : nr;
}

void text_split_column(const struct text_report *r, struct text_table *t)
{
	static const char *const headings[] = {
		[SPLIT_COMM] = "comm",	   [SPLIT_TASK] = "task",
		[SPLIT_CPU] = "cpu",	   [SPLIT_LOCK] = "lock address",
		[SPLIT_STACK] = "stack",   [SPLIT_WAKER] = "woken by",
		[SPLIT_CGROUP] = "cgroup",
	};

	if (r->p->split != SPLIT_NONE)
		text_table_column(t, true, headings[r->p->split]);
}

void text_split_cell(const struct text_report *r, struct text_table *t,
		     const struct summary_row *row)
{
	char buffer[120] = "";

	if (r->p->split == SPLIT_NONE)
		return;
	if (row)
		summary_group_name(r->s, row, buffer, sizeof(buffer));
	text_table_cell(t, "%s", buffer);
}

static bool has_work(const struct text_report *r)
{
	return r->in->unit && r->in->work > 0;
}

static bool has_off(const struct text_report *r)
{
	return r->p->has_all_switches && !r->shares &&
	       r->p->split != SPLIT_WAKER;
}

static void sleep_columns(const struct text_report *r, struct text_table *t)
{
	char per_unit[40];

	if (!r->shares)
		text_table_column(t, false, "sleeps");
	text_table_column(t, false, "share");
	if (has_work(r)) {
		snprintf(per_unit, sizeof(per_unit), "per %s", r->in->unit);
		text_table_column(t, false, per_unit);
	}
	if (has_off(r)) {
		text_table_column(t, false, "off p50");
		text_table_column(t, false, "p99");
	}
	text_split_column(r, t);
}

static uint64_t share_base(const struct text_report *r)
{
	return r->shares ? r->p->switches : r->p->sleeps;
}

static void sleep_cells(const struct text_report *r, struct text_table *t,
			uint64_t sleeps, const struct summary_row *row)
{
	char buffer[UNITS_SIZE];

	if (!r->shares)
		text_table_cell(t, "%s", units_count(buffer, sleeps));
	text_table_cell(t, "%s", units_share(buffer, sleeps, share_base(r)));
	if (has_work(r))
		text_table_cell(t, "%.3f", (double)sleeps / r->in->work);
	if (has_off(r)) {
		bool any = row && row->off.count;

		text_table_cell(t, "%s",
				any ? units_time(buffer,
						 rwsemlab_histogram_quantile(
							 &row->off, 0.5)) :
				      "-");
		text_table_cell(t, "%s",
				any ? units_time(buffer,
						 rwsemlab_histogram_quantile(
							 &row->off, 0.99)) :
				      "-");
	}
	text_split_cell(r, t, row);
}

int text_print_table(const struct text_report *r, struct text_table *t)
{
	return text_table_print(t, r->options->width, r->options->colour,
				r->out);
}

void text_rest(const struct text_report *r, size_t rows, uint64_t count,
	       const char *what)
{
	char a[UNITS_SIZE], b[UNITS_SIZE];

	if (r->shares)
		fprintf(r->out, "  and %zu more with %s\n", rows,
			units_share(a, count, share_base(r)));
	else
		fprintf(r->out,
			"  and %s more with %s %s (--top 0 shows all)\n",
			units_count(a, rows), units_count(b, count), what);
}

static void print_section(const struct text_report *r, const char *title,
			  uint64_t sleeps)
{
	char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE];

	text_title(r, title);
	if (r->shares)
		fprintf(r->out, ": %s of all recorded switches\n",
			units_share(a, sleeps, share_base(r)));
	else
		fprintf(r->out, ": %s of %s sleeps (%s)\n",
			units_count(a, sleeps), units_count(b, r->p->sleeps),
			units_share(c, sleeps, r->p->sleeps));
}

/* The name is a wrapper's then, or says by itself that nobody is known. */
static const char *cut_mark(const struct text_report *r,
			    const struct site *site)
{
	if (!site->cut || profile_text(r->p, site->caller)[0] == '[')
		return "";
	return " (callers not known)";
}

static int print_locks(const struct text_report *r)
{
	const struct summary *s = r->s;
	size_t nr = text_limit(r, s->nr_locks);
	struct text_table t = { 0 };
	uint64_t rest = 0;
	size_t i;

	print_section(r, "Sleeping locks", s->lock_sleeps);
	if (!s->nr_locks)
		return 0;
	sleep_columns(r, &t);
	text_table_column(&t, true, "lock");
	text_table_column(&t, true, "asked for by");
	text_table_column(&t, true, "family");
	text_table_column(&t, true, "slow path");
	for (i = 0; i < nr; i++) {
		const struct summary_row *row = s->locks[i];
		const struct site *site = summary_site(s, row);
		char name[64];

		sleep_cells(r, &t, row->sleeps, row);
		text_table_cell(&t, "%s",
				summary_lock_name(site, name, sizeof(name)));
		text_table_cell(&t, "%s%s", profile_text(r->p, site->caller),
				cut_mark(r, site));
		text_table_cell(&t, "%s", site->family[0] ? site->family : "-");
		text_table_cell(&t, "%s", profile_text(r->p, row->slow_path));
	}
	for (; i < s->nr_locks; i++)
		rest += s->locks[i]->sleeps;
	if (text_print_table(r, &t))
		return -1;
	if (nr < s->nr_locks)
		text_rest(r, s->nr_locks - nr, rest, "sleeps");
	return 0;
}

const char *text_site_name(const struct site *site, char *buffer, size_t size)
{
	switch (site->type) {
	case SITE_LOCK:
		return summary_lock_name(site, buffer, size);
	case SITE_OTHER:
		return site->kind;
	case SITE_NO_CHAIN:
		return site->caller ? "callers not known" : "no call chain";
	case SITE_UNKNOWN:
		break;
	}
	return "unknown";
}

static int print_others(const struct text_report *r)
{
	const struct summary *s = r->s;
	size_t nr = text_limit(r, s->nr_others);
	struct text_table t = { 0 };
	uint64_t rest = 0;
	size_t i;

	print_section(r, "Other sleeps",
		      s->other_sleeps + s->unknown_sleeps + s->no_chain_sleeps);
	if (!s->nr_others)
		return 0;
	sleep_columns(r, &t);
	text_table_column(&t, true, "kind");
	text_table_column(&t, true, "at");
	for (i = 0; i < nr; i++) {
		const struct summary_row *row = s->others[i];
		const struct site *site = summary_site(s, row);
		char name[64];

		sleep_cells(r, &t, row->sleeps, row);
		text_table_cell(&t, "%s",
				text_site_name(site, name, sizeof(name)));
		text_table_cell(&t, "%s", profile_text(r->p, site->caller));
	}
	for (; i < s->nr_others; i++)
		rest += s->others[i]->sleeps;
	if (text_print_table(r, &t))
		return -1;
	if (nr < s->nr_others)
		text_rest(r, s->nr_others - nr, rest, "sleeps");
	return 0;
}

static void print_warnings(const struct text_report *r)
{
	size_t i;

	if (profile_nr_warnings(r->p))
		fputc('\n', r->out);
	for (i = 0; i < profile_nr_warnings(r->p); i++) {
		uint64_t times;
		const char *text = profile_warning(r->p, i, &times);

		if (times > 1)
			fprintf(r->out, "note: %s (%" PRIu64 " times)\n", text,
				times);
		else
			fprintf(r->out, "note: %s\n", text);
	}
}

static int print_text(const struct report_input *in,
		      const struct report_options *options, FILE *out,
		      struct error *err)
{
	const struct text_report r = {
		.in = in,
		.options = options,
		.s = in->summary,
		.p = in->summary->profile,
		.out = out,
		.shares = in->summary->profile->unit == UNIT_SHARE,
	};

	print_header(&r);
	if (print_locks(&r) || print_others(&r) || text_contended(&r) ||
	    text_releases(&r) ||
	    (options->tree && text_tree_print(in, options, out)))
		return error_set(err, EXIT_USAGE, "out of memory");
	print_warnings(&r);
	return 0;
}

const struct report report_text = {
	.format.name = "text",
	.format.summary = "tables for a terminal",
	.print = print_text,
};

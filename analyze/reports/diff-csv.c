// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table of all values, a row for each measure of each line, quoted as
 * RFC 4180 says; what is not known is empty.
 */
#include <math.h>

#include "analyze/diff-report.h"
#include "analyze/reports/csv-text.h"
#include "analyze/reports/diff-words.h"

struct printing {
	const struct diff *d;
	const struct diff_comparison *c;
	FILE *out;
};

static void number(double value, FILE *out)
{
	fputc(',', out);
	if (isfinite(value))
		fprintf(out, "%.9g", value);
}

static void text(const char *value, FILE *out)
{
	fputc(',', out);
	csv_text(value, out);
}

static void value_cells(const struct printing *x, const char *name,
			const struct diff_value *v)
{
	text(name, x->out);
	number(v->side[0], x->out);
	number(v->side[1], x->out);
	number(v->ratio, x->out);
	number(v->interval.low, x->out);
	number(v->interval.high, x->out);
	number(v->p, x->out);
	number(v->q, x->out);
	text(diff_verdict_name(v->verdict), x->out);
	number(v->repeats ? (double)v->repeats : NAN, x->out);
	fputc('\n', x->out);
}

/* Section, what the line is, and its names on both sides. */
static void line_cells(const struct printing *x, const char *section,
		       const struct diff_line *line)
{
	static const char *const kinds[] = {
		[DIFF_FAMILY] = "family",
		[DIFF_SITE] = "site",
		[DIFF_WRAPPER] = "wrapper",
	};
	char lock[64];
	int s;

	fputs(section, x->out);
	text(x->c->side[1]->name, x->out);
	text(line ? kinds[line->kind] : "", x->out);
	text(line ? diff_text_of(&x->d->reading.texts, line->family) : "",
	     x->out);
	for (s = 0; s < 2; s++) {
		lock[0] = '\0';
		if (line)
			diff_lock_name(x->d, line, s, lock, sizeof(lock));
		text(lock, x->out);
		text(line && line->kind != DIFF_FAMILY ?
			     diff_site_name(x->d, line, s) :
			     "",
		     x->out);
	}
	text(line ? diff_status_name(line->status) : "", x->out);
}

static void print_lines(const struct printing *x, const char *section,
			const struct diff_line *line)
{
	unsigned int m;

	for (; line; line = line->next) {
		for (m = 0; m < NR_DIFF_MEASURES; m++) {
			const struct diff_value *v = &line->value[m];

			if (isnan(v->side[0]) && isnan(v->side[1]))
				continue;
			line_cells(x, section, line);
			value_cells(x, diff_measures[m].name, v);
		}
		print_lines(x, section, line->child);
	}
}

static int print_csv(const struct diff *d,
		     const struct diff_report_options *options, FILE *out,
		     struct error *err)
{
	struct printing x = { .d = d, .out = out };
	const struct diff_total *t;
	size_t i;

	(void)options;
	(void)err;
	fputs("section,new_side,level,family_or_kind,base_lock,base_site,"
	      "new_lock,new_site,status,measure,base,new,ratio,low,high,p,q,"
	      "verdict,runs_needed\n",
	      out);
	for (i = 0; i + 1 < d->nr_sides; i++) {
		x.c = &d->comparison[i];
		for (t = x.c->totals; t; t = t->next) {
			line_cells(&x, "totals", NULL);
			value_cells(&x, t->name, &t->value);
		}
		print_lines(&x, "locks", x.c->locks);
		print_lines(&x, "others", x.c->others);
	}
	return 0;
}

const struct diff_report diff_report_csv = {
	.format.name = "csv",
	.format.summary = "one table of all values, as comma-separated values",
	.print = print_csv,
};

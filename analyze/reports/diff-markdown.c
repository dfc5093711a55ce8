// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a mail or a commit message: 72 columns, readable as it is, and tables
 * that Markdown takes for code.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-report.h"
#include "analyze/reports/diff-words.h"

#define COLUMNS 72
#define INDENT	4
/* Columns of a table's first column, with intervals and without. */
#define NAME	  22
#define WIDE_NAME 35
#define PARAGRAPH 2048

struct printing {
	const struct diff *d;
	const struct diff_comparison *c;
	FILE *out;
	size_t printed, top;
	bool hidden, doubtful, few; /* marks that were printed */
};

/* ------------------------------------------------------------- paragraphs */

/* Breaks at blanks; what has none is printed whole. */
static void paragraph(FILE *out, const char *first, const char *rest,
		      const char *text)
{
	size_t used = strlen(first);
	bool begins = true;

	fputs(first, out);
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		if (!begins && used + 1 + length > COLUMNS) {
			fprintf(out, "\n%s", rest);
			used = strlen(rest);
			begins = true;
		}
		if (!begins)
			fputc(' ', out);
		fwrite(text, 1, length, out);
		used += length + !begins;
		begins = false;
		text += length;
	}
	fputc('\n', out);
}

static void describe(const struct printing *x, const char *which,
		     const struct diff_side *side, char *text, size_t size)
{
	const struct diff_texts *texts = &x->d->reading.texts;
	size_t i, nr = 0, used;

	for (i = 0; i < side->nr_runs; i++)
		nr += !side->run[i].dropped;
	used = (size_t)snprintf(text, size, "%s: %s", which, side->name);
	if (used < size && side->workload && side->workload != DIFF_NO_TEXT)
		used += (size_t)snprintf(text + used, size - used,
					 ", %zu run%s of %s", nr,
					 nr == 1 ? "" : "s",
					 diff_text_of(texts, side->workload));
	if (used < size && side->kernel && side->kernel != DIFF_NO_TEXT)
		snprintf(text + used, size - used, ", kernel %s",
			 diff_text_of(texts, side->kernel));
}

static void print_header(const struct printing *x)
{
	char text[PARAGRAPH], buffer[DIFF_WORDS];
	size_t i;

	describe(x, "base", x->c->side[0], text, sizeof(text));
	paragraph(x->out, "- ", "  ", text);
	describe(x, "new", x->c->side[1], text, sizeof(text));
	paragraph(x->out, "- ", "  ", text);
	if (x->c->test != DIFF_NO_TEST) {
		snprintf(text, sizeof(text), "test: %s; intervals 95 %%",
			 diff_words_test(buffer, x->c));
		paragraph(x->out, "- ", "  ", text);
	}
	for (i = 0; i < json_array_size(x->d->reading.notes); i++) {
		snprintf(text, sizeof(text), "note: %s",
			 json_string_value(
				 json_array_get(x->d->reading.notes, i)));
		paragraph(x->out, "- ", "  ", text);
	}
}

/* ----------------------------------------------------------------- tables */

/* A cell without blanks in it, so that columns stay apart when narrow. */
static const char *tight(char *text)
{
	char *to = text, *from;

	for (from = text; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
	return text;
}

static bool has_intervals(const struct printing *x)
{
	return x->c->test != DIFF_NO_TEST;
}

static void name_cell(const struct printing *x, unsigned int depth,
		      const char *name)
{
	int room = (has_intervals(x) ? NAME : WIDE_NAME) - (int)depth;

	fprintf(x->out, "%*s", (int)(INDENT + depth), "");
	if ((int)strlen(name) > room)
		fprintf(x->out, "%.*s>", room - 1, name);
	else
		fprintf(x->out, "%-*s", room, name);
}

static void value_cell(struct printing *x, char *text)
{
	if (!strcmp(text, "not expanded") || !strcmp(text, "not matched")) {
		x->hidden = true;
		fprintf(x->out, " %9s", "hidden");
	} else {
		fprintf(x->out, " %9s", tight(text));
	}
}

static const char *mark_of(struct printing *x, const struct diff_line *line,
			   const struct diff_value *v)
{
	if (line && line->status == DIFF_NOT_EXPANDED)
		return "";
	if (line && line->status == DIFF_NEW && v->verdict != DIFF_NOT_SHOWN &&
	    v->verdict != DIFF_TOO_FEW)
		return "new";
	if (line && line->status == DIFF_GONE && v->verdict != DIFF_NOT_SHOWN &&
	    v->verdict != DIFF_TOO_FEW)
		return "gone";
	switch (v->verdict) {
	case DIFF_MORE:
		return "more";
	case DIFF_LESS:
		return "less";
	case DIFF_DOUBTFUL:
		x->doubtful = true;
		return "?";
	case DIFF_TOO_FEW:
		x->few = true;
		return "few";
	default:
		return "";
	}
}

static void rest_cells(struct printing *x, const struct diff_line *line,
		       const struct diff_value *v)
{
	const char *mark = mark_of(x, line, v);
	char a[DIFF_WORDS];

	fprintf(x->out, " %6s", diff_words_ratio(a, v->ratio));
	diff_words_interval(a, v);
	tight(a);
	if (has_intervals(x) && (*mark || *a))
		fprintf(x->out, " %13s", a);
	/* No blanks at the end of a line: git would complain. */
	fprintf(x->out, "%s%s\n", *mark ? " " : "", mark);
}

static void heading(const struct printing *x, const char *what)
{
	int name = has_intervals(x) ? NAME : WIDE_NAME;

	fprintf(x->out, "\n%*s%-*s %9s %9s %6s%s\n", INDENT, "", name, what,
		"base", "new", "ratio",
		has_intervals(x) ? "      interval" : "");
}

static void print_line(struct printing *x, const struct diff_line *line,
		       unsigned int measure, unsigned int depth)
{
	char a[DIFF_WORDS];
	int s;

	name_cell(x, depth, diff_words_where(a, x->d, line));
	for (s = 0; s < 2; s++) {
		diff_words_side(a, line, measure, s);
		value_cell(x, a);
	}
	rest_cells(x, line, &line->value[measure]);
}

static void print_lines(struct printing *x, const struct diff_line *line,
			unsigned int measure, unsigned int depth)
{
	for (; line; line = line->next) {
		if (!diff_words_has(line, measure) ||
		    (x->top && x->printed >= x->top))
			continue;
		x->printed++;
		print_line(x, line, measure, depth);
		print_lines(x, line->child, measure, depth + 1);
	}
}

static void print_locks(struct printing *x)
{
	char text[PARAGRAPH], a[DIFF_WORDS];

	fputc('\n', x->out);
	snprintf(text, sizeof(text),
		 "Sleeping locks, %s, by what they protect and who asked for"
		 " them; ratio is new/base:",
		 diff_words_measure(a, x->d, x->c, x->c->per_sleeps));
	paragraph(x->out, "", "", text);
	heading(x, "lock");
	x->printed = 0;
	print_lines(x, x->c->locks, x->c->per_sleeps, 0);
}

static void remark(const struct printing *x, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void remark(const struct printing *x, const char *fmt, ...)
{
	char text[PARAGRAPH];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	paragraph(x->out, "- ", "  ", text);
}

/* Lines whose primitive changed, and whose callers are hidden. */
static void remark_lines(const struct printing *x, const struct diff_line *line)
{
	for (; line; line = line->next) {
		char base[64], new[64];

		remark_lines(x, line->child);
		if (line->kind == DIFF_WRAPPER)
			remark(x,
			       "%s (base) is put beside %s (new); the %s side"
			       " does not show the callers.",
			       diff_site_name(x->d, line, 0),
			       diff_site_name(x->d, line, 1),
			       line->cut & 1 ? "base" : "new");
		diff_lock_name(x->d, line, 0, base, sizeof(base));
		diff_lock_name(x->d, line, 1, new, sizeof(new));
		if (line->kind == DIFF_FAMILY && line->family && *base &&
		    *new &&strcmp(base, new) != 0)
			remark(x, "%s: %s (base), %s (new).",
			       diff_text_of(&x->d->reading.texts, line->family),
			       base, new);
	}
}

static void print_remarks(const struct printing *x)
{
	fputc('\n', x->out);
	remark_lines(x, x->c->locks);
	if (has_intervals(x))
		remark(x, "Lines without a mark: no change was shown%s%s.",
		       x->doubtful ? "; ?: below 5 % alone, but not among so"
				     " many lines" :
				     "",
		       x->few ? "; few: under 10 events" : "");
	if (x->hidden)
		remark(x, "hidden: that side does not show the callers, it may"
			  " be in another line.");
}

/* The totals of most interest, and room for their names. */
static const struct label {
	const char *name, *label;
} labels[] = {
	{ "work_per_s", "work/s" },
	{ "latency_p50_ns", "latency p50" },
	{ "latency_p99_ns", "latency p99" },
	{ "cs_per_s", "context switches/s" },
	{ "us_percent", "CPU time: user" },
	{ "sy_percent", "CPU time: system" },
	{ "id_percent", "CPU time: idle" },
	{ "sleeps_per_work", "sleeps/work" },
	{ "lock_sleeps_per_work", "lock sleeps/work" },
	{ "lock_acquisitions_per_work", "lock acquisitions/work" },
};

/* Where no work was done, or is known. */
static const struct label other_labels[] = {
	{ "sleeps_per_s", "sleeps/s" },
	{ "lock_sleeps_per_s", "lock sleeps/s" },
	{ "lock_acquisitions_per_s", "lock acquisitions/s" },
	{ "lock_share_of_switches", "locks, of all switches" },
};

static void print_labelled(struct printing *x, const struct label *list,
			   size_t nr)
{
	char a[DIFF_WORDS];
	size_t i;
	int s;

	for (i = 0; i < nr; i++) {
		const struct diff_total *t = diff_total(x->c, list[i].name);

		if (!t)
			continue;
		name_cell(x, 0, list[i].label);
		for (s = 0; s < 2; s++) {
			diff_words_value(a, t->format, t->value.side[s]);
			value_cell(x, a);
		}
		rest_cells(x, NULL, &t->value);
	}
}

static void print_totals(struct printing *x)
{
	bool work = x->c->per_sleeps == DIFF_SLEEPS_PER_WORK;

	heading(x, "total");
	print_labelled(x, labels, sizeof(labels) / sizeof(labels[0]));
	if (!work)
		print_labelled(x, other_labels,
			       sizeof(other_labels) / sizeof(other_labels[0]));
}

static int print_markdown(const struct diff *d,
			  const struct diff_report_options *options, FILE *out,
			  struct error *err)
{
	struct printing x = { .d = d, .out = out, .top = options->top };
	size_t i;

	(void)err;
	for (i = 0; i + 1 < d->nr_sides; i++) {
		x.c = &d->comparison[i];
		if (i)
			fputc('\n', out);
		print_header(&x);
		print_totals(&x);
		print_locks(&x);
		print_remarks(&x);
	}
	return 0;
}

const struct diff_report diff_report_markdown = {
	.format.name = "markdown",
	.format.summary = "72 columns, for a mail or a commit message",
	.print = print_markdown,
};

// SPDX-License-Identifier: GPL-2.0-only
/* The comparison that a person reads in a terminal. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/reports/diff-text-private.h"

void diff_text_title(const struct diff_text *x, const char *text)
{
	if (x->options->colour)
		fprintf(x->out, "\n\033[1m%s\033[0m", text);
	else
		fprintf(x->out, "\n%s", text);
}

/* ---------------------------------------------------------------- header */

static size_t counted(const struct diff_side *side)
{
	size_t i, nr = 0;

	for (i = 0; i < side->nr_runs; i++)
		nr += !side->run[i].dropped;
	return nr;
}

static void print_side(const struct diff_text *x, const char *which,
		       const struct diff_side *side)
{
	const struct diff_texts *texts = &x->d->reading.texts;

	fprintf(x->out, "%-5s %s: ", which, side->name);
	if (side->workload && side->workload != DIFF_NO_TEXT)
		fprintf(x->out, "%zu run%s of %s", counted(side),
			counted(side) == 1 ? "" : "s",
			diff_text_of(texts, side->workload));
	else if (counted(side) > 1)
		fprintf(x->out, "%zu recordings", counted(side));
	else
		fprintf(x->out, "%s", diff_text_of(texts, side->format));
	if (side->kernel && side->kernel != DIFF_NO_TEXT)
		fprintf(x->out, ", kernel %s",
			diff_text_of(texts, side->kernel));
	if (side->cpus)
		fprintf(x->out, ", %" PRIu32 " CPU%s", side->cpus,
			side->cpus == 1 ? "" : "s");
	fputc('\n', x->out);
}

static void print_header(const struct diff_text *x)
{
	char buffer[DIFF_WORDS];

	print_side(x, "base", x->c->side[0]);
	print_side(x, "new", x->c->side[1]);
	if (x->c->test != DIFF_NO_TEST)
		fprintf(x->out, "test  %s; intervals 95 %%\n",
			diff_words_test(buffer, x->c));
}

static void print_notes(const struct diff_text *x, const char *what,
			const json_t *notes)
{
	size_t i;

	for (i = 0; i < json_array_size(notes); i++)
		fprintf(x->out, "%s: %s\n", what,
			json_string_value(json_array_get(notes, i)));
}

/* ---------------------------------------------------------------- tables */

void diff_text_columns(const struct diff_text *x, struct text_table *t)
{
	text_table_column(t, false, "base");
	text_table_column(t, false, "new");
	text_table_column(t, false, "new/base");
	if (x->c->test != DIFF_NO_TEST)
		text_table_column(t, false, "interval");
	text_table_column(t, true, "verdict");
}

static void ratio_cells(const struct diff_text *x, struct text_table *t,
			const struct diff_line *line,
			const struct diff_value *v)
{
	char a[DIFF_WORDS];

	text_table_cell(t, "%s", diff_words_ratio(a, v->ratio));
	if (x->c->test != DIFF_NO_TEST)
		text_table_cell(t, "%s", diff_words_interval(a, v));
	text_table_cell(t, "%s", diff_words_verdict(a, x->c, line, v));
}

void diff_text_cells(const struct diff_text *x, struct text_table *t,
		     const struct diff_line *line, unsigned int measure)
{
	char a[DIFF_WORDS];
	int s;

	for (s = 0; s < 2; s++)
		text_table_cell(t, "%s", diff_words_side(a, line, measure, s));
	ratio_cells(x, t, line, &line->value[measure]);
}

void diff_text_more(struct text_table *t, const struct diff_line *line,
		    unsigned int measure)
{
	bool changed = line->value[measure].verdict >= DIFF_LESS;
	char a[DIFF_WORDS];

	text_table_cell(t, "%s", diff_words_side(a, line, measure, 0));
	text_table_cell(t, "%s%c", diff_words_side(a, line, measure, 1),
			changed ? '*' : ' ');
}

int diff_text_print(const struct diff_text *x, struct text_table *t)
{
	int ret = text_table_print(t, x->options->width, x->options->colour,
				   x->out);

	if (!ret && x->left)
		fprintf(x->out, "  and %zu more (--top 0 shows all)\n",
			x->left);
	return ret;
}

/* Whether there is room for one more line. */
bool diff_text_take(struct diff_text *x)
{
	if (x->options->top && x->printed >= x->options->top) {
		x->left++;
		return false;
	}
	x->printed++;
	return true;
}

/* ---------------------------------------------------------------- totals */

/* The others are in JSON and for --fail-if. */
static bool is_shown(const struct diff_text *x, const struct diff_total *t)
{
	static const char *const hidden[] = {
		"mean_b",
		"wa_percent",
		"st_percent",
		"preemptions_per_s",
		"lock_off_cpu_p50_ns",
		"lock_wait_p50_ns",
		"lock_failed_share",
		"lock_one_sleep_share",
		"lock_share_of_switches",
	};
	bool work = x->c->per_sleeps == DIFF_SLEEPS_PER_WORK;
	size_t i, length = strlen(t->name);

	if (x->c->test == DIFF_NO_TEST)
		return true;
	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (!strcmp(hidden[i], t->name))
			return false;
	/* Of two forms of a count, the one that the tables have. */
	if (!strncmp(t->name, "lock_", 5) || !strncmp(t->name, "sleeps_", 7)) {
		if (length > 6 && !strcmp(t->name + length - 6, "_per_s"))
			return !work;
		if (length > 9 && !strcmp(t->name + length - 9, "_per_work"))
			return work;
	}
	return true;
}

static int print_totals(struct diff_text *x)
{
	const struct diff_total *total;
	struct text_table t = { 0 };
	char a[DIFF_WORDS];
	int s;

	if (!x->c->totals)
		return 0;
	diff_text_title(x, "Totals");
	if (x->c->known & DIFF_NEEDS_WORK)
		fprintf(x->out, ", work is a %s", diff_words_unit(x->d, x->c));
	fputc('\n', x->out);
	diff_text_columns(x, &t);
	text_table_column(&t, true, "total");
	for (total = x->c->totals; total; total = total->next) {
		if (!is_shown(x, total))
			continue;
		for (s = 0; s < 2; s++)
			text_table_cell(&t, "%s",
					diff_words_value(a, total->format,
							 total->value.side[s]));
		ratio_cells(x, &t, NULL, &total->value);
		text_table_cell(&t, "%s", total->name);
	}
	x->left = 0;
	return diff_text_print(x, &t);
}

/* ---------------------------------------------------------------- sleeps */

/* A kind that was seen at one place is said in one line. */
static const struct diff_line *only_place(const struct diff_line *line)
{
	bool kind = line->kind == DIFF_FAMILY && line->type != SITE_LOCK;

	return kind && line->child && !line->child->next ? line->child : NULL;
}

/* What most runs have not at all is there with --top 0 only. */
static bool is_worth_a_line(struct diff_text *x, const struct diff_line *line)
{
	if (diff_words_has(line, x->c->per_sleeps))
		return true;
	if (!line->sum[0].sleeps && !line->sum[1].sleeps)
		return false;
	if (x->options->top)
		x->left++;
	return !x->options->top;
}

static void sleep_rows(struct diff_text *x, struct text_table *t,
		       const struct diff_line *line, unsigned int depth)
{
	char a[DIFF_WORDS], b[DIFF_WORDS];

	for (; line; line = line->next) {
		const struct diff_line *only = only_place(line);

		if (!is_worth_a_line(x, line))
			continue;
		if (!diff_text_take(x)) {
			sleep_rows(x, t, line->child, depth + 1);
			continue;
		}
		diff_text_cells(x, t, line, x->c->per_sleeps);
		if (x->c->known & DIFF_NEEDS_OFF)
			diff_text_more(t, line, DIFF_OFF_P99);
		if (line->type == SITE_LOCK)
			text_table_cell(t, "%s",
					diff_words_lock(a, x->d, line));
		text_table_cell(t, "%*s%s%s%s", (int)(2 * depth), "",
				diff_words_where(a, x->d, line),
				only ? ", " : "",
				only ? diff_words_where(b, x->d, only) : "");
		if (!only)
			sleep_rows(x, t, line->child, depth + 1);
	}
}

static bool any_has(const struct diff_line *line, unsigned int measure)
{
	for (; line; line = line->next)
		if (diff_words_has(line, measure))
			return true;
	return false;
}

static int print_sleeps(struct diff_text *x, const char *heading,
			const struct diff_line *lines, const char *where)
{
	struct text_table t = { 0 };
	char a[DIFF_WORDS];

	diff_text_title(x, heading);
	fprintf(x->out, ": %s\n",
		diff_words_measure(a, x->d, x->c, x->c->per_sleeps));
	if (!any_has(lines, x->c->per_sleeps)) {
		fputs("  none\n", x->out);
		return 0;
	}
	x->printed = x->left = 0;
	diff_text_columns(x, &t);
	if (x->c->known & DIFF_NEEDS_OFF) {
		text_table_column(&t, false, "off p99");
		text_table_column(&t, false, "new ");
	}
	if (lines->type == SITE_LOCK)
		text_table_column(&t, true, "lock");
	text_table_column(&t, true, where);
	sleep_rows(x, &t, lines, 0);
	return diff_text_print(x, &t);
}

/* ------------------------------------------------------------------- all */

static void print_noise(const struct diff_text *x)
{
	const struct diff_comparison *c = x->c;

	if (!x->d->aa)
		return;
	diff_text_title(x, "Noise floor");
	fprintf(x->out,
		": of %zu lines, %zu marked before control over all of them,"
		" %zu after\n",
		c->tested, c->marked_before, c->marked_after);
	if (!isnan(c->noise[0]))
		fprintf(x->out,
			"  half of the lines differ by less than %.1f %%, 95 of"
			" 100 by less than %.1f %%\n",
			100 * c->noise[0], 100 * c->noise[1]);
}

static void print_legend(const struct diff_text *x)
{
	if (x->c->test == DIFF_NO_TEST)
		return;
	fputs("\nnot shown: no change was shown, which is not to say there is"
	      " none; N runs:\nso many a side would settle it, if the"
	      " difference is real; doubtful: below 5 %\nalone, but not among"
	      " so many lines; too few: under 10 events; a star behind a\n"
	      "percentile or a share: that is a change, too\n",
	      x->out);
}

static int print_comparison(struct diff_text *x)
{
	print_header(x);
	print_notes(x, "note", x->d->reading.notes);
	print_notes(x, "warning", x->d->reading.warnings);
	if (print_totals(x) ||
	    print_sleeps(x, "Sleeping locks", x->c->locks, "asked for by") ||
	    print_sleeps(x, "Other sleeps", x->c->others, "kind, at") ||
	    diff_text_contended(x))
		return -1;
	print_noise(x);
	print_legend(x);
	return 0;
}

static int print_text(const struct diff *d,
		      const struct diff_report_options *options, FILE *out,
		      struct error *err)
{
	struct diff_text x = { .d = d, .options = options, .out = out };
	size_t i;

	for (i = 0; i + 1 < d->nr_sides; i++) {
		x.c = &d->comparison[i];
		if (i)
			fputc('\n', out);
		if (print_comparison(&x))
			return error_set(err, EXIT_USAGE, "out of memory");
	}
	return 0;
}

const struct diff_report diff_report_text = {
	.format.name = "text",
	.format.summary = "tables for people, the default",
	.print = print_text,
};

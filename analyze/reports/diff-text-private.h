/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the text comparison share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_DIFF_TEXT_PRIVATE_H
#define RWSEMLAB_ANALYZE_REPORTS_DIFF_TEXT_PRIVATE_H

#include "analyze/diff-report.h"
#include "analyze/reports/diff-words.h"
#include "analyze/text-table.h"

struct diff_text {
	const struct diff *d;
	const struct diff_comparison *c;
	const struct diff_report_options *options;
	FILE *out;
	size_t printed, left; /* lines of a table */
};

/**
 * diff_text_title() - begin a section, without its line's end
 */
void diff_text_title(const struct diff_text *x, const char *text);

/**
 * diff_text_columns() - base, new, their ratio, and what is known of it
 * diff_text_cells() - those of a line
 * diff_text_more() - another measure of it: base and new, the new one with a
 * star where it is a change
 */
void diff_text_columns(const struct diff_text *x, struct text_table *t);
void diff_text_cells(const struct diff_text *x, struct text_table *t,
		     const struct diff_line *line, unsigned int measure);
void diff_text_more(struct text_table *t, const struct diff_line *line,
		    unsigned int measure);

/**
 * diff_text_take() - whether there is room for one more line; else it is
 * counted as left
 * diff_text_print() - the table, and how many lines are left
 *
 * Return: 0, or -1 when memory ran out.
 */
bool diff_text_take(struct diff_text *x);
int diff_text_print(const struct diff_text *x, struct text_table *t);

/**
 * diff_text_contended() - the table of contended acquisitions, where there
 * are any
 *
 * Return: 0, or -1 when memory ran out.
 */
int diff_text_contended(struct diff_text *x);

#endif

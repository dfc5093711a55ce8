/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the text report share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_TEXT_PRIVATE_H
#define RWSEMLAB_ANALYZE_REPORTS_TEXT_PRIVATE_H

#include "analyze/report.h"
#include "analyze/text-table.h"
#include "analyze/units.h"

struct text_report {
	const struct report_input *in;
	const struct report_options *options;
	const struct summary *s;
	const struct profile *p;
	FILE *out;
	bool shares; /* the input knew shares of all switches only */
};

/* The first columns of rows and cells, and what is common to all tables. */
void text_title(const struct text_report *r, const char *title);
size_t text_limit(const struct text_report *r, size_t nr);
void text_split_column(const struct text_report *r, struct text_table *t);
void text_split_cell(const struct text_report *r, struct text_table *t,
		     const struct summary_row *row);
int text_print_table(const struct text_report *r, struct text_table *t);
void text_rest(const struct text_report *r, size_t rows, uint64_t count,
	       const char *what);

/**
 * text_site_name() - "rwsem:W", "pipe", "unknown" …: what a site is
 *
 * Return: @buffer or a constant
 */
const char *text_site_name(const struct site *site, char *buffer, size_t size);

/* The sections; 0, or -1 when memory ran out. */
int text_contended(const struct text_report *r);
int text_releases(const struct text_report *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of a `perf report` call graph, from perf's --stdio or its terminal
 * browser, as it comes out of a mail: what it is and where it stands.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_REPORT_LINE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_REPORT_LINE_H

#include "analyze/readers/text.h"

enum report_line_kind {
	REPORT_BLANK, /* nothing, or only the rails of the tree: '|' */
	REPORT_COMMENT, /* "# …", and the browser's "Samples: …" */
	REPORT_ENTRY, /* "59.51%  exim  [kernel.kallsyms]  [k] __schedule" */
	REPORT_VALUE, /* "99.98% schedule", "--99.98%--schedule": a branch */
	REPORT_NAME, /* "schedule": the chain goes on */
	REPORT_OTHER,
};

#define REPORT_MAX_VALUES 3

struct report_line {
	enum report_line_kind kind;
	/*
	 * Where it stands in the tree: a line belongs to the last one before
	 * it whose level is less.
	 */
	int level;
	char fold; /* the browser's '+' or '-', 0: none */
	bool in_tree; /* it has a fold, rails or dashes */
	int percent_column; /* of the first '%' */
	uint32_t nr_values;
	uint64_t value[REPORT_MAX_VALUES]; /* percent: in 10^-9 of the whole;
					      else a count */
	bool is_percent;
	bool is_inline;
	bool is_rest; /* "[...]": what perf did not expand */
	bool is_entry_or_prose; /* VALUE: what follows it is no symbol */
	struct text name; /* without remarks; empty where -g flat has none */
	struct text fields; /* VALUE, ENTRY: all behind the values;
			       COMMENT: from '#' on */
};

/**
 * report_line_parse() - find out what a line is
 * @l: its name and fields point into @text
 */
void report_line_parse(struct text text, struct report_line *l);

struct report_fields {
	struct text comm, dso, symbol; /* empty: not shown */
	bool is_kernel; /* the symbol was marked "[k]" */
};

/**
 * report_fields_parse() - the columns of an entry, in any order
 * @fields: struct report_line's of an entry
 */
void report_fields_parse(struct text fields, struct report_fields *f);

#endif

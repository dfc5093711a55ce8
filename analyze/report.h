/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report format is, and the list of them.  A format's file ends in
 * its const struct report; reports.def lists it.
 */
#ifndef RWSEMLAB_ANALYZE_REPORT_H
#define RWSEMLAB_ANALYZE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "analyze/summary.h"
#include "analyze/tree.h"

struct report_input {
	const struct summary *summary;
	/* Where a workload ran: its units of work over all runs, else 0. */
	double work;
	const char *unit; /* "message"; NULL without a workload */
	json_t *session; /* JSON formats show it as "session"; NULL: none */
};

struct report_options {
	unsigned int width; /* columns of the terminal, 0: as needed */
	unsigned int top; /* rows of each table, 0: all */
	bool colour;
	bool wide; /* columns that are left out of a narrow report, too */
	bool tree; /* text: call trees, too */
	enum tree_order order; /* of the tree */
	enum weight weight; /* of trees and folded stacks */
	double percent_limit; /* of trees: branches below it are summed up; below
				 0: what the format thinks best */
};

struct report {
	const char *name; /* what --format takes */
	const char *summary; /* one line */
	bool binary; /* not for a terminal */
	enum split_by split; /* unless --by says otherwise */
	/* Why it can't be used here; NULL: it can.  No function: always. */
	const char *(*missing)(void);
	/* Returns 0, or -1 with @err set; write errors are the caller's. */
	int (*print)(const struct report_input *in,
		     const struct report_options *options, FILE *out,
		     struct error *err);
};

/**
 * report_find() - the format of a name
 *
 * Return: NULL with @err set: which ones there are, or why this one can't be
 * used here (exit code 3).
 */
const struct report *report_find(const char *name, struct error *err);

/**
 * report_at() - the formats in the order of the list, NULL behind the last
 */
const struct report *report_at(size_t i);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report format is, and the list of them.  A format's file ends in
 * its const struct report; reports.def lists it.
 */
#ifndef RWSEMLAB_ANALYZE_REPORT_H
#define RWSEMLAB_ANALYZE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "analyze/format.h"
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
	struct format format; /* first: the list is of these */
	bool binary; /* not for a terminal */
	enum split_by split; /* unless --by says otherwise */
	/* Returns 0, or -1 with @err set; write errors are the caller's. */
	int (*print)(const struct report_input *in,
		     const struct report_options *options, FILE *out,
		     struct error *err);
};

/**
 * report_find() - the format of a name; see format_find()
 */
const struct report *report_find(const char *name, struct error *err);

/**
 * report_format_at() - the formats in the order of the list, NULL behind the last
 */
const struct format *report_format_at(size_t i);

#endif

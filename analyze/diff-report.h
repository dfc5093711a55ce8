/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a format of a comparison is, and the list of them.  A format's file
 * ends in its const struct diff_report; diff-reports.def lists it.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_REPORT_H
#define RWSEMLAB_ANALYZE_DIFF_REPORT_H

#include <stdio.h>

#include "analyze/diff.h"
#include "analyze/format.h"

struct diff_report_options {
	unsigned int width; /* columns of the terminal, 0: as needed */
	unsigned int top; /* rows of each table, 0: all */
	bool colour;
	enum tree_order order; /* of trees */
	enum weight weight; /* of trees */
	double percent_limit; /* of trees; below 0: the format's own */
};

struct diff_report {
	struct format format; /* first: the list is of these */
	/* Returns 0, or -1 with @err set; write errors are the caller's. */
	int (*print)(const struct diff *d,
		     const struct diff_report_options *options, FILE *out,
		     struct error *err);
};

/**
 * diff_report_find() - the format of a name; see format_find()
 */
const struct diff_report *diff_report_find(const char *name, struct error *err);

/**
 * diff_report_format_at() - the formats in the order of the list, NULL behind
 * the last
 */
const struct format *diff_report_format_at(size_t i);

/**
 * diff_document() - the comparison as rwsemlab-json(5) describes it
 * @failed: set to true when memory ran out; else it stays as it is
 *
 * Return: a new object.
 */
json_t *diff_document(const struct diff *d, bool *failed);

#endif

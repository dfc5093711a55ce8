/* SPDX-License-Identifier: GPL-2.0-only */
/* What diff-html.c and diff-html-tree.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_DIFF_HTML_DATA_H
#define RWSEMLAB_ANALYZE_REPORTS_DIFF_HTML_DATA_H

#include <stdio.h>

#include "analyze/diff.h"

/**
 * diff_html_tree_write() - print the stacks of both sides as a JSON object
 * @percent_limit: branches below it in every weight on both sides are left
 *                 out, and counted
 *
 * measures: name, the weight that it is made of, and what that is per on each
 * side.  nodes are in the order of a walk from the root, each as [depth, name,
 * weights of the base, weights of the new side, a letter of the verdict by
 * measure].  ends: where stacks of a side end, as [node, line, side, weights];
 * a line is numbered in the order of locks and then others of the comparison,
 * each before its rows.
 *
 * Return: 0, or -1 when memory ran out.
 */
int diff_html_tree_write(const struct diff *d, const struct diff_comparison *c,
			 enum tree_order order, double percent_limit,
			 FILE *out);

#endif

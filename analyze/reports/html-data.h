/* SPDX-License-Identifier: GPL-2.0-only */
/* What html.c and html-tree.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_HTML_DATA_H
#define RWSEMLAB_ANALYZE_REPORTS_HTML_DATA_H

#include "analyze/report.h"

/**
 * html_tree_write() - print the stacks as members of a JSON object
 * @percent_limit: branches below it in every weight are left out, and counted
 *
 * percent_limit, weights, total, pruned, sites, nodes, names; nodes are in
 * the order of a walk from the root, each as
 * [depth, name, sleeps, off_cpu_ns, wait_ns, site that it ends at or -1].
 *
 * Return: 0, or -1 when memory ran out.
 */
int html_tree_write(const struct summary *s, double percent_limit, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of a call tree's nodes in each run: what counts of them, and what
 * tests are made from.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_TREE_RUNS_H
#define RWSEMLAB_ANALYZE_DIFF_TREE_RUNS_H

#include "analyze/diff-tree.h"

/* Arrays are by number of the node, and [2] by side. */
struct diff_tree_runs {
	uint32_t nr;
	const struct diff_node **node, **parent;
	uint64_t (*run[2])[NR_WEIGHTS]; /* diff_tree_run() finds them */
	size_t nr_runs[2];
};

/**
 * diff_tree_runs_count() - add up the stacks of both sides
 *
 * Return: 0, or -1 when memory ran out.  Free with diff_tree_runs_free() in
 * any case.
 */
int diff_tree_runs_count(struct diff_tree_runs *runs,
			 const struct diff_tree *tree,
			 const struct diff_comparison *c);
void diff_tree_runs_free(struct diff_tree_runs *runs);

/**
 * diff_tree_run() - a node's numbers in one run of a side, by weight
 */
const uint64_t *diff_tree_run(const struct diff_tree_runs *runs,
			      uint32_t number, int side, size_t run);

#endif

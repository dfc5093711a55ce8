/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the data say of each node of a call tree: the same tests as for lines,
 * of the node's own numbers.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_TREE_VALUES_H
#define RWSEMLAB_ANALYZE_DIFF_TREE_VALUES_H

#include "analyze/diff-tree-runs.h"

/* A measure whose values add up along a tree. */
struct diff_tree_measure {
	unsigned int measure; /* DIFF_SLEEPS_PER_WORK … */
	enum weight weight; /* what it is made of */
	double per[2]; /* and what that is per: of a side's runs that have it */
	enum diff_verdict *verdict; /* by number of the node */
	uint32_t left; /* nodes that were too many to test: DIFF_UNTESTED */
};

struct diff_tree_values {
	struct diff_tree_runs runs;
	struct diff_tree_measure *measure;
	uint32_t nr; /* of measures that the comparison knows */
};

/**
 * diff_tree_values_new() - test every node in every measure that is known
 *
 * Verdicts are after false-discovery control over the nodes of a measure; one
 * that has the numbers of its parent is tested with it.  Where tests would
 * take too long the largest nodes have them, and the others are counted.
 *
 * Return: NULL when memory ran out.
 */
struct diff_tree_values *diff_tree_values_new(const struct diff_tree *tree,
					      const struct diff_comparison *c);
void diff_tree_values_free(struct diff_tree_values *values);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of both sides in one call tree: merged by the names of their
 * frames without compiler suffixes, the scheduler left out, and a lock's own
 * functions and wrappers folded to one node, whatever the primitive.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_TREE_H
#define RWSEMLAB_ANALYZE_DIFF_TREE_H

#include "analyze/diff.h"

struct diff_node {
	uint32_t number; /* the root's is 0 */
	uint32_t name; /* text of d->reading.texts; 0 in the root */
	/* Text: the primitive of a folded lock on each side; 0: none. */
	uint32_t lock[2];
	/* By side (0: base) and weight: its own and its children's. */
	uint64_t total[2][NR_WEIGHTS];
	struct diff_node *child, *next; /* most first, after the sorting */
};

struct diff_tree;

/**
 * diff_tree_new() - merge the stacks of both sides of a comparison
 *
 * Of each number, the runs that count and have it are in it.  With UNIT_SHARE, sleeps are shares of
 * all recorded switches in 10^-9.
 *
 * Return: NULL when memory ran out.
 */
struct diff_tree *diff_tree_new(const struct diff *d,
				const struct diff_comparison *c,
				enum tree_order order);
void diff_tree_free(struct diff_tree *tree);
const struct diff_node *diff_tree_root(const struct diff_tree *tree);

/**
 * diff_tree_nr() - how many nodes there are, the root's included
 * diff_tree_end() - the node at which a stack ends, NULL where none does
 * @names: from the leaf on, as the stacks of a side have them
 */
uint32_t diff_tree_nr(const struct diff_tree *tree);
const struct diff_node *diff_tree_end(const struct diff_tree *tree,
				      const uint32_t *names, uint32_t nr);

/**
 * diff_tree_per() - what to divide a side's totals of a weight by, so that they
 * compare
 *
 * Units of work, seconds, or all sleeps or switches: what the comparison
 * shows first.
 */
double diff_tree_per(const struct diff_tree *tree, int side,
		     enum weight weight);

/**
 * diff_tree_sort() - put the children of every node in order: the largest on
 * either side first, each per what diff_tree_per() says; equal ones by name
 *
 * Return: 0, or -1 when memory ran out.
 */
int diff_tree_sort(struct diff_tree *tree, enum weight weight);

/**
 * diff_tree_missing() - why a comparison has no such numbers, NULL if it has
 */
const char *diff_tree_missing(const struct diff_comparison *c,
			      enum weight weight);

#endif

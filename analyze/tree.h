/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call trees: the stacks of a profile, merged by the names of their frames.
 */
#ifndef RWSEMLAB_ANALYZE_TREE_H
#define RWSEMLAB_ANALYZE_TREE_H

#include "analyze/summary.h"

/* What stacks can be weighed by. */
enum weight {
	WEIGHT_SLEEPS, /* times */
	WEIGHT_OFF, /* ns off the CPU in sleeps that ended */
	WEIGHT_WAIT, /* ns of contended acquisitions, begin to end */
	NR_WEIGHTS,
};

enum tree_order {
	TREE_CALLER, /* from the outermost caller down */
	TREE_CALLEE, /* from where the task sleeps up through its callers */
};

struct tree_node {
	uint32_t name; /* string; 0 in the root */
	uint32_t site; /* of a stack that ends here; those merged share it */
	bool ends; /* some stack ends here */
	uint64_t total[NR_WEIGHTS]; /* its own and its children's */
	struct tree_node *child, *next; /* most first, after tree_sort() */
};

struct tree;

/**
 * tree_new() - merge all stacks of a summary's profile
 * @flags: enum path_flags of paths.h
 *
 * Return: NULL when memory ran out.
 */
struct tree *tree_new(const struct summary *summary, enum tree_order order,
		      unsigned int flags);
void tree_free(struct tree *tree);

struct tree_node *tree_root(const struct tree *tree);

/**
 * tree_own() - what of a node's total is not its children's
 */
uint64_t tree_own(const struct tree_node *node, enum weight weight);

/**
 * tree_sort() - put the children of every node in order: most first, equal
 * ones by name
 *
 * Return: 0, or -1 when memory ran out.
 */
int tree_sort(struct tree *tree, enum weight weight);

/**
 * weight_name() - "sleeps", "off_cpu_ns", "wait_ns": what --value takes
 * weight_missing() - why a profile has no such numbers, NULL if it has
 */
const char *weight_name(enum weight weight);
const char *weight_missing(const struct profile *p, enum weight weight);

/**
 * weights_of_sleeps(), weights_of_acquisitions() - the numbers of a row
 */
void weights_of_sleeps(const struct sleep_row *row, uint64_t w[NR_WEIGHTS]);
void weights_of_acquisitions(const struct acquisition_row *row,
			     uint64_t w[NR_WEIGHTS]);

#endif

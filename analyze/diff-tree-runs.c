// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-tree-runs.h"

#include <stdlib.h>
#include <string.h>

static void find_nodes(struct diff_tree_runs *runs,
		       const struct diff_node *node)
{
	const struct diff_node *child;

	runs->node[node->number] = node;
	for (child = node->child; child; child = child->next) {
		runs->parent[child->number] = node;
		find_nodes(runs, child);
	}
}

static uint64_t (*run_of(const struct diff_tree_runs *runs, uint32_t number,
			 int side))[NR_WEIGHTS]
{
	return runs->run[side] + (size_t)number * runs->nr_runs[side];
}

const uint64_t *diff_tree_run(const struct diff_tree_runs *runs,
			      uint32_t number, int side, size_t run)
{
	return &run_of(runs, number, side)[run][0];
}

static void add_stack(struct diff_tree_runs *runs, int side, uint32_t number,
		      const struct diff_stack *stack)
{
	uint64_t(*to)[NR_WEIGHTS] = run_of(runs, number, side);
	unsigned int w;
	size_t i;

	for (w = 0; w < NR_WEIGHTS; w++)
		for (i = 0; i < runs->nr_runs[side]; i++)
			to[i][w] += stack->run[i][w];
}

static void count_side(struct diff_tree_runs *runs, int k,
		       const struct diff_tree *tree,
		       const struct diff_side *side)
{
	uint32_t i;

	for (i = 0; i < side->stacks.nr; i++) {
		const struct diff_stack *stack = interned_at(&side->stacks, i);
		const struct diff_node *node = diff_tree_end(
			tree, interned_key(side->stacks.entry[i]), stack->nr);

		for (; node; node = runs->parent[node->number])
			add_stack(runs, k, node->number, stack);
	}
}

int diff_tree_runs_count(struct diff_tree_runs *runs,
			 const struct diff_tree *tree,
			 const struct diff_comparison *c)
{
	int k;

	memset(runs, 0, sizeof(*runs));
	runs->nr = diff_tree_nr(tree);
	runs->node = calloc(runs->nr, sizeof(struct diff_node *));
	runs->parent = calloc(runs->nr, sizeof(struct diff_node *));
	if (!runs->node || !runs->parent)
		return -1;
	find_nodes(runs, diff_tree_root(tree));
	for (k = 0; k < 2; k++) {
		runs->nr_runs[k] = c->side[k]->nr_runs;
		runs->run[k] = calloc((size_t)runs->nr * runs->nr_runs[k] + 1,
				      sizeof(*runs->run[k]));
		if (!runs->run[k])
			return -1;
		count_side(runs, k, tree, c->side[k]);
	}
	return 0;
}

void diff_tree_runs_free(struct diff_tree_runs *runs)
{
	int k;

	for (k = 0; k < 2; k++)
		free(runs->run[k]);
	free(runs->node);
	free(runs->parent);
}

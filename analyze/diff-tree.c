// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-tree.h"

#include <string.h>

#include "analyze/table.h"

struct node_key {
	const struct diff_node *parent;
	uint64_t name;
};

struct entry {
	struct diff_node node; /* first: an entry is found from its node */
	struct node_key key;
	uint32_t children;
	UT_hash_handle hh;
};

struct diff_tree {
	const struct diff *d;
	const struct diff_comparison *c;
	struct entry *table;
	struct entry root;
	enum tree_order order;
	double per[2][NR_WEIGHTS];
};

static struct entry *find_child(const struct diff_tree *tree,
				const struct node_key *key)
{
	struct entry *e;

	HASH_FIND(hh, tree->table, key, sizeof(*key), e);
	return e;
}

static struct diff_node *get_child(struct diff_tree *tree,
				   struct diff_node *parent, uint32_t name)
{
	struct entry *above = (struct entry *)parent;
	const struct node_key key = { parent, name };
	struct entry *e = find_child(tree, &key);

	if (e)
		return &e->node;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->key = key;
	e->node.name = name;
	HASH_ADD(hh, tree->table, key, sizeof(key), e);
	if (!e->hh.tbl) {
		free(e);
		return NULL;
	}
	e->node.number = HASH_COUNT(tree->table);
	e->node.next = parent->child;
	parent->child = &e->node;
	above->children++;
	return &e->node;
}

static void add_total(struct diff_node *node, int side,
		      const uint64_t total[NR_WEIGHTS])
{
	unsigned int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		node->total[side][i] += total[i];
}

/* Of the stack's frames, which go from the leaf on, that of a depth. */
static uint32_t at_depth(const struct diff_tree *tree, uint32_t nr, uint32_t i)
{
	return tree->order == TREE_CALLEE ? i : nr - 1 - i;
}

static int add_stack(struct diff_tree *tree, int side, const uint32_t *names,
		     const struct diff_stack *stack)
{
	struct diff_node *node = &tree->root.node;
	uint64_t total[NR_WEIGHTS];
	uint32_t i;

	diff_stack_total(tree->c->side[side], stack, total);
	add_total(node, side, total);
	for (i = 0; i < stack->nr; i++) {
		uint32_t at = at_depth(tree, stack->nr, i);

		node = get_child(tree, node, names[at]);
		if (!node)
			return -1;
		add_total(node, side, total);
		if (!at && stack->lock && !node->lock[side])
			node->lock[side] = stack->lock;
	}
	return 0;
}

static int add_side(struct diff_tree *tree, int side)
{
	const struct interned *stacks = &tree->c->side[side]->stacks;
	uint32_t i;

	for (i = 0; i < stacks->nr; i++)
		if (add_stack(tree, side, interned_key(stacks->entry[i]),
			      interned_at(stacks, i)))
			return -1;
	return 0;
}

static double per_of(const struct diff_comparison *c, int side,
		     enum weight weight)
{
	const struct diff_side *s = c->side[side];
	double per = 0;
	size_t i;

	for (i = 0; i < s->nr_runs; i++) {
		const struct diff_run *run = &s->run[i];

		if (!diff_run_has(run, weight))
			continue;
		switch (c->per_sleeps) {
		case DIFF_SLEEPS_PER_WORK:
			per += run->work;
			break;
		case DIFF_SLEEPS_PER_S:
			per += run->seconds;
			break;
		case DIFF_SHARE_OF_SWITCHES:
			per += (double)run->switches;
			break;
		default:
			per += (double)run->sleeps;
			break;
		}
	}
	return per > 0 ? per : 1;
}

struct diff_tree *diff_tree_new(const struct diff *d,
				const struct diff_comparison *c,
				enum tree_order order)
{
	struct diff_tree *tree = calloc(1, sizeof(*tree));
	unsigned int w;

	if (!tree)
		return NULL;
	tree->d = d;
	tree->c = c;
	tree->order = order;
	for (w = 0; w < NR_WEIGHTS; w++) {
		tree->per[0][w] = per_of(c, 0, (enum weight)w);
		tree->per[1][w] = per_of(c, 1, (enum weight)w);
	}
	if (!add_side(tree, 0) && !add_side(tree, 1))
		return tree;
	diff_tree_free(tree);
	return NULL;
}

void diff_tree_free(struct diff_tree *tree)
{
	struct entry *e, *next;

	if (!tree)
		return;
	HASH_ITER(hh, tree->table, e, next) {
		HASH_DEL(tree->table, e);
		free(e);
	}
	free(tree);
}

const struct diff_node *diff_tree_root(const struct diff_tree *tree)
{
	return &tree->root.node;
}

uint32_t diff_tree_nr(const struct diff_tree *tree)
{
	return HASH_COUNT(tree->table) + 1;
}

const struct diff_node *diff_tree_end(const struct diff_tree *tree,
				      const uint32_t *names, uint32_t nr)
{
	const struct diff_node *node = &tree->root.node;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		const struct node_key key = { node,
					      names[at_depth(tree, nr, i)] };
		const struct entry *e = find_child(tree, &key);

		if (!e)
			return NULL;
		node = &e->node;
	}
	return node;
}

double diff_tree_per(const struct diff_tree *tree, int side, enum weight weight)
{
	return tree->per[side][weight];
}

const char *diff_tree_missing(const struct diff_comparison *c,
			      enum weight weight)
{
	if (weight == WEIGHT_OFF && !(c->known & DIFF_NEEDS_OFF))
		return "a side has not all switches, so times off the CPU are"
		       " not known";
	if (weight == WEIGHT_WAIT && !(c->known & DIFF_NEEDS_CONTENTION))
		return "a side has no lock:contention_begin, so waits are not"
		       " known";
	return NULL;
}

/* ----------------------------------------------------------------- order */

struct order {
	const struct diff_tree *tree;
	enum weight weight;
};

static double largest(const struct order *by, const struct diff_node *node)
{
	double a = (double)node->total[0][by->weight] /
		   diff_tree_per(by->tree, 0, by->weight);
	double b = (double)node->total[1][by->weight] /
		   diff_tree_per(by->tree, 1, by->weight);

	return a > b ? a : b;
}

static int compare(const void *a, const void *b, void *order)
{
	const struct diff_node *x = *(const struct diff_node *const *)a;
	const struct diff_node *y = *(const struct diff_node *const *)b;
	const struct order *by = order;
	const struct diff_texts *texts = &by->tree->d->reading.texts;
	double m = largest(by, x), n = largest(by, y);

	if (m != n)
		return m < n ? 1 : -1;
	return strcmp(diff_text_of(texts, x->name),
		      diff_text_of(texts, y->name));
}

static void sort_children(struct diff_node *node, uint32_t nr,
			  struct diff_node **list, struct order *by)
{
	struct diff_node **link = &node->child;
	struct diff_node *child;
	uint32_t i = 0;

	for (child = node->child; child; child = child->next)
		list[i++] = child;
	qsort_r(list, nr, sizeof(struct diff_node *), compare, by);
	for (i = 0; i < nr; i++) {
		*link = list[i];
		link = &list[i]->next;
	}
	*link = NULL;
}

int diff_tree_sort(struct diff_tree *tree, enum weight weight)
{
	struct order by = { tree, weight };
	uint32_t most = tree->root.children;
	struct diff_node **list;
	struct entry *e;

	for (e = tree->table; e; e = e->hh.next)
		if (e->children > most)
			most = e->children;
	list = calloc((size_t)most + 1, sizeof(struct diff_node *));
	if (!list)
		return -1;
	sort_children(&tree->root.node, tree->root.children, list, &by);
	for (e = tree->table; e; e = e->hh.next)
		if (e->children > 1)
			sort_children(&e->node, e->children, list, &by);
	free(list);
	return 0;
}

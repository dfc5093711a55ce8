// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/tree.h"

#include <string.h>

#include "analyze/paths.h"
#include "analyze/table.h"

struct node_key {
	const struct tree_node *parent;
	uint64_t name;
};

struct entry {
	struct tree_node node; /* first: an entry is found from its node */
	struct node_key key;
	uint32_t children;
	UT_hash_handle hh;
};

struct tree {
	struct profile *p;
	struct entry *table;
	struct entry root;
	enum tree_order order;
	unsigned int flags; /* of paths */
};

const char *weight_name(enum weight weight)
{
	static const char *const names[NR_WEIGHTS] = {
		[WEIGHT_SLEEPS] = "sleeps",
		[WEIGHT_OFF] = "off_cpu_ns",
		[WEIGHT_WAIT] = "wait_ns",
	};

	return names[weight];
}

const char *weight_missing(const struct profile *p, enum weight weight)
{
	if (weight == WEIGHT_OFF &&
	    (!p->has_all_switches || p->unit == UNIT_SHARE))
		return "not all switches were recorded, so times off the CPU"
		       " are not known";
	if (weight == WEIGHT_WAIT && !p->has_contention)
		return "no lock:contention_begin was recorded, so waits are"
		       " not known";
	return NULL;
}

void weights_of_sleeps(const struct sleep_row *row, uint64_t w[NR_WEIGHTS])
{
	w[WEIGHT_SLEEPS] = row->sleeps;
	w[WEIGHT_OFF] = row->off_ns;
	w[WEIGHT_WAIT] = 0;
}

void weights_of_acquisitions(const struct acquisition_row *row,
			     uint64_t w[NR_WEIGHTS])
{
	w[WEIGHT_SLEEPS] = 0;
	w[WEIGHT_OFF] = 0;
	w[WEIGHT_WAIT] = row->wait_ns;
}

static struct tree_node *get_child(struct tree *tree, struct tree_node *parent,
				   uint32_t name)
{
	struct entry *above = (struct entry *)parent;
	const struct node_key key = { parent, name };
	struct entry *e;

	HASH_FIND(hh, tree->table, &key, sizeof(key), e);
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
	e->node.next = parent->child;
	parent->child = &e->node;
	above->children++;
	return &e->node;
}

static void add_weights(struct tree_node *node, const uint64_t w[NR_WEIGHTS])
{
	unsigned int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		node->total[i] += w[i];
}

static int add_stack(struct tree *tree, struct path *path, uint32_t stack,
		     uint64_t group, const uint64_t w[NR_WEIGHTS])
{
	struct tree_node *node = &tree->root.node;
	uint32_t i;

	if (!w[WEIGHT_SLEEPS] && !w[WEIGHT_OFF] && !w[WEIGHT_WAIT])
		return 0;
	if (path_take(path, stack, group, tree->flags))
		return -1;
	add_weights(node, w);
	for (i = 0; i < path->nr; i++) {
		uint32_t at = tree->order == TREE_CALLER ? i : path->nr - 1 - i;

		node = get_child(tree, node, path->name[at]);
		if (!node)
			return -1;
		add_weights(node, w);
	}
	node->ends = true;
	node->site = sites_of_stack(path->summary->sites, stack);
	return 0;
}

static int add_rows(struct tree *tree, struct path *path)
{
	const struct profile *p = tree->p;
	uint64_t w[NR_WEIGHTS];
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		weights_of_sleeps(row, w);
		if (add_stack(tree, path, row->stack, row->group, w))
			return -1;
	}
	for (i = 0; i < profile_nr_acquisition_rows(p); i++) {
		const struct acquisition_row *row =
			profile_get_acquisition_row(p, i);

		weights_of_acquisitions(row, w);
		if (add_stack(tree, path, row->stack, row->group, w))
			return -1;
	}
	return 0;
}

struct tree *tree_new(const struct summary *summary, enum tree_order order,
		      unsigned int flags)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	struct path path;
	int ret;

	if (!tree)
		return NULL;
	tree->p = summary->profile;
	tree->order = order;
	tree->flags = flags;
	ret = path_init(&path, summary);
	if (!ret)
		ret = add_rows(tree, &path);
	path_free(&path);
	if (!ret)
		return tree;
	tree_free(tree);
	return NULL;
}

void tree_free(struct tree *tree)
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

struct tree_node *tree_root(const struct tree *tree)
{
	return (struct tree_node *)&tree->root.node;
}

uint64_t tree_own(const struct tree_node *node, enum weight weight)
{
	uint64_t own = node->total[weight];
	const struct tree_node *child;

	for (child = node->child; child; child = child->next)
		own -= child->total[weight];
	return own;
}

struct order {
	const struct profile *p;
	enum weight weight;
};

static int compare(const void *a, const void *b, void *order)
{
	const struct tree_node *x = *(const struct tree_node *const *)a;
	const struct tree_node *y = *(const struct tree_node *const *)b;
	const struct order *by = order;
	uint64_t m = x->total[by->weight], n = y->total[by->weight];

	if (m != n)
		return m < n ? 1 : -1;
	return strcmp(profile_text(by->p, x->name),
		      profile_text(by->p, y->name));
}

static void sort_children(struct tree_node *node, uint32_t nr,
			  struct tree_node **list, struct order *by)
{
	struct tree_node **link = &node->child;
	struct tree_node *child;
	uint32_t i = 0;

	for (child = node->child; child; child = child->next)
		list[i++] = child;
	qsort_r(list, nr, sizeof(struct tree_node *), compare, by);
	for (i = 0; i < nr; i++) {
		*link = list[i];
		link = &list[i]->next;
	}
	*link = NULL;
}

int tree_sort(struct tree *tree, enum weight weight)
{
	struct order by = { tree->p, weight };
	uint32_t most = tree->root.children;
	struct tree_node **list;
	struct entry *e;

	for (e = tree->table; e; e = e->hh.next)
		if (e->children > most)
			most = e->children;
	list = calloc(most + 1, sizeof(struct tree_node *));
	if (!list)
		return -1;
	sort_children(&tree->root.node, tree->root.children, list, &by);
	for (e = tree->table; e; e = e->hh.next)
		if (e->children > 1)
			sort_children(&e->node, e->children, list, &by);
	free(list);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interval tree of an anon_vma: ordered by first page, each node with the
 * last page of its subtree, as the kernel's.  It is balanced by random
 * priorities (a treap: Seidel and Aragon, "Randomized search trees", 1996)
 * where the kernel's is red and black: the depths are about the same.
 */
#include "workloads/locks/anon-vma/anon-vma.h"

static void update(struct anon_vma_chain *node)
{
	uint64_t last = node->vma->last;

	if (node->left && node->left->subtree_last > last)
		last = node->left->subtree_last;
	if (node->right && node->right->subtree_last > last)
		last = node->right->subtree_last;
	node->subtree_last = last;
}

/* Equal first pages are ordered by address: one order for all. */
static bool before(const struct anon_vma_chain *a,
		   const struct anon_vma_chain *b)
{
	if (a->vma->first != b->vma->first)
		return a->vma->first < b->vma->first;
	return (uintptr_t)a < (uintptr_t)b;
}

/* Parts @tree at @at into those before it and the others. */
static void split(struct anon_vma_chain *tree, struct anon_vma_chain *at,
		  struct anon_vma_chain **less, struct anon_vma_chain **more)
{
	if (!tree) {
		*less = NULL;
		*more = NULL;
	} else if (before(tree, at)) {
		*less = tree;
		split(tree->right, at, &tree->right, more);
		update(tree);
	} else {
		*more = tree;
		split(tree->left, at, less, &tree->left);
		update(tree);
	}
}

static struct anon_vma_chain *merge(struct anon_vma_chain *less,
				    struct anon_vma_chain *more)
{
	if (!less || !more)
		return less ? less : more;
	if (less->priority >= more->priority) {
		less->right = merge(less->right, more);
		update(less);
		return less;
	}
	more->left = merge(less, more->left);
	update(more);
	return more;
}

void anon_vma_interval_tree_insert(struct anon_vma_chain *node,
				   struct anon_vma_chain **root)
{
	struct anon_vma_chain **at = root;

	while (*at && (*at)->priority >= node->priority) {
		if ((*at)->subtree_last < node->vma->last)
			(*at)->subtree_last = node->vma->last;
		at = before(*at, node) ? &(*at)->right : &(*at)->left;
	}
	split(*at, node, &node->left, &node->right);
	update(node);
	*at = node;
}

static void remove_below(struct anon_vma_chain *node,
			 struct anon_vma_chain **root)
{
	if (*root == node) {
		*root = merge(node->left, node->right);
		return;
	}
	remove_below(node,
		     before(*root, node) ? &(*root)->right : &(*root)->left);
	update(*root);
}

void anon_vma_interval_tree_remove(struct anon_vma_chain *node,
				   struct anon_vma_chain **root)
{
	remove_below(node, root);
	node->left = NULL;
	node->right = NULL;
}

void anon_vma_interval_tree_each(struct anon_vma_chain *root, uint64_t page,
				 void (*fn)(struct anon_vma_chain *node,
					    void *arg),
				 void *arg)
{
	while (root && root->subtree_last >= page) {
		anon_vma_interval_tree_each(root->left, page, fn, arg);
		if (root->vma->first > page)
			return;
		if (root->vma->last >= page)
			fn(root, arg);
		root = root->right;
	}
}

static const char *wrong_between(const struct anon_vma_chain *root,
				 const struct anon_vma_chain *low,
				 const struct anon_vma_chain *high)
{
	const char *wrong;
	uint64_t last;

	if (!root)
		return NULL;
	if ((low && !before(low, root)) || (high && !before(root, high)))
		return "an interval tree is out of order";
	if ((root->left && root->left->priority > root->priority) ||
	    (root->right && root->right->priority > root->priority))
		return "an interval tree's heap is broken";
	last = root->vma->last;
	if (root->left && root->left->subtree_last > last)
		last = root->left->subtree_last;
	if (root->right && root->right->subtree_last > last)
		last = root->right->subtree_last;
	if (root->subtree_last != last)
		return "an interval tree's subtree_last is wrong";
	wrong = wrong_between(root->left, low, root);
	return wrong ? wrong : wrong_between(root->right, root, high);
}

const char *anon_vma_interval_tree_wrong(const struct anon_vma_chain *root)
{
	return wrong_between(root, NULL, NULL);
}

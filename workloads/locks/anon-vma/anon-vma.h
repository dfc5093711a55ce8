/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's reverse map of anonymous memory, mm/rmap.c, in a model: the
 * same structures, the same lock at the same places.
 *
 * A vma has one anon_vma of its own and hangs, through anon_vma_chains, in
 * the interval trees of those of all its ancestors.  One lock, in the root,
 * protects every tree of the family: each fork and exit takes it for each of
 * its vmas.
 */
#ifndef WORKLOADS_LOCKS_ANON_VMA_H
#define WORKLOADS_LOCKS_ANON_VMA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/rwsemlab.h"

/* How long the root's lock is held across a clone, and how. */
enum rmap_rules {
	/* bb4aa39676f7: over the whole clone; walkers exclude each other */
	RMAP_3_0,
	/* 4fc3f1d66b1e: the same; walkers are readers */
	RMAP_3_8,
	/*
	 * bfc2b13b05a1: chains are allocated before, the lock is for the
	 * trees alone; vmas without pages are passed by
	 */
	RMAP_7_0,
};

struct list_node {
	struct list_node *next, *prev;
};

struct anon_vma {
	struct rwsemlab_lock rwsem; /* the root's alone is used */
	struct anon_vma *root, *parent;
	atomic_uint refcount;
	unsigned int num_children, num_active_vmas; /* under the root's lock */
	struct anon_vma_chain *rb_root; /* interval tree, as those */
	struct rmap *rmap;
};

struct vm_area_struct {
	uint64_t first, last; /* pages */
	struct anon_vma *anon_vma;
	struct list_node anon_vma_chain;
	struct rmap *rmap;
};

/* One vma in the tree of one anon_vma. */
struct anon_vma_chain {
	struct vm_area_struct *vma;
	struct anon_vma *anon_vma;
	struct list_node same_vma;
	/* interval-tree.c */
	struct anon_vma_chain *left, *right;
	uint64_t subtree_last;
	uint32_t priority;
};

/* What a process tree works by. */
struct rmap {
	enum rmap_rules rules;
	struct rwsemlab_class *class_; /* of the roots' locks */
	atomic_long anon_vmas, chains; /* how many there are */
};

/**
 * anon_vma_prepare() - a first page: give @vma an anon_vma, its own root
 *
 * Return: 0 or -ENOMEM.
 */
int anon_vma_prepare(struct vm_area_struct *vma);

/**
 * anon_vma_fork() - @vma, a new copy of @pvma in a child process
 *
 * The two may be used by the calling task alone.  Return: 0 or -ENOMEM, then
 * @vma is as before.
 */
int anon_vma_fork(struct vm_area_struct *vma, struct vm_area_struct *pvma);

/**
 * anon_vma_clone() - hang @dst into the trees that @src hangs in
 *
 * Return: 0 or -ENOMEM.
 */
int anon_vma_clone(struct vm_area_struct *dst, struct vm_area_struct *src);

/**
 * unlink_anon_vmas() - the end of a vma
 */
void unlink_anon_vmas(struct vm_area_struct *vma);

/**
 * __put_anon_vma() - the last reference of @anon_vma is gone: free it
 */
void __put_anon_vma(struct anon_vma *anon_vma);

/**
 * rmap_walk_anon() - find every vma that may map @page of @anon_vma
 * @wrong: gets the text of what is wrong with the tree; else unchanged
 *
 * Return: how many there are.
 */
unsigned int rmap_walk_anon(const struct rmap *rmap, struct anon_vma *anon_vma,
			    uint64_t page, const char **wrong);

/**
 * anon_vma_wrong() - check a whole tree
 *
 * Return: NULL or a constant text.
 */
const char *anon_vma_wrong(struct anon_vma *anon_vma);

/* interval-tree.c: all under the root's lock; it does not allocate. */

/**
 * anon_vma_interval_tree_insert() - @node's vma is set and does not move
 */
void anon_vma_interval_tree_insert(struct anon_vma_chain *node,
				   struct anon_vma_chain **root);

/**
 * anon_vma_interval_tree_remove() - @node must be in the tree
 */
void anon_vma_interval_tree_remove(struct anon_vma_chain *node,
				   struct anon_vma_chain **root);

/**
 * anon_vma_interval_tree_each() - call @fn for every one that has @page
 */
void anon_vma_interval_tree_each(struct anon_vma_chain *root, uint64_t page,
				 void (*fn)(struct anon_vma_chain *node,
					    void *arg),
				 void *arg);

/**
 * anon_vma_interval_tree_wrong() - is its order, its heap or a sum not right?
 *
 * Return: NULL or a constant text.
 */
const char *anon_vma_interval_tree_wrong(const struct anon_vma_chain *root);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * mm/rmap.c's part for anonymous memory.  The functions that the kernel
 * inlines are inlined, so that call sites and stacks have the same names.
 */
#include "workloads/locks/anon-vma/anon-vma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define entry_of(node_)                      \
	((struct anon_vma_chain *)(void *)(( \
		char *)(node_)-offsetof(struct anon_vma_chain, same_vma)))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE      __attribute__((noinline))

static void list_add(struct list_node *new, struct list_node *head)
{
	new->next = head->next;
	new->prev = head;
	head->next->prev = new;
	head->next = new;
}

static void list_del(struct list_node *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

static ALWAYS_INLINE void anon_vma_lock_write(struct anon_vma *anon_vma)
{
	rwsemlab_down_write(&anon_vma->root->rwsem);
}

static ALWAYS_INLINE void anon_vma_unlock_write(struct anon_vma *anon_vma)
{
	rwsemlab_up_write(&anon_vma->root->rwsem);
}

static ALWAYS_INLINE struct anon_vma *
lock_anon_vma_root(struct anon_vma *root, struct anon_vma *anon_vma)
{
	struct anon_vma *new_root = anon_vma->root;

	if (new_root == root)
		return root;
	if (root)
		rwsemlab_up_write(&root->rwsem);
	rwsemlab_down_write(&new_root->rwsem);
	return new_root;
}

static ALWAYS_INLINE void unlock_anon_vma_root(struct anon_vma *root)
{
	if (root)
		rwsemlab_up_write(&root->rwsem);
}

static struct anon_vma *anon_vma_alloc(struct rmap *rmap)
{
	struct anon_vma *anon_vma = aligned_alloc(64, sizeof(*anon_vma));

	if (!anon_vma)
		return NULL;
	memset(anon_vma, 0, sizeof(*anon_vma));
	if (rwsemlab_lock_init(&anon_vma->rwsem, rmap->class_)) {
		free(anon_vma);
		return NULL;
	}
	atomic_init(&anon_vma->refcount, 1);
	anon_vma->root = anon_vma;
	anon_vma->parent = anon_vma;
	anon_vma->rmap = rmap;
	atomic_fetch_add(&rmap->anon_vmas, 1);
	return anon_vma;
}

static void anon_vma_release(struct anon_vma *anon_vma)
{
	atomic_fetch_sub(&anon_vma->rmap->anon_vmas, 1);
	rwsemlab_lock_destroy(&anon_vma->rwsem);
	free(anon_vma);
}

/* A walker may still be on its way out of the root's lock. */
static ALWAYS_INLINE void anon_vma_free(struct anon_vma *anon_vma)
{
	struct anon_vma *root = anon_vma->root;

	if (!rwsemlab_down_write_trylock(&root->rwsem))
		rwsemlab_down_write(&root->rwsem);
	rwsemlab_up_write(&root->rwsem);
	anon_vma_release(anon_vma);
}

NOINLINE void __put_anon_vma(struct anon_vma *anon_vma)
{
	struct anon_vma *root = anon_vma->root;

	anon_vma_free(anon_vma);
	if (root != anon_vma && atomic_fetch_sub(&root->refcount, 1) == 1)
		anon_vma_free(root);
}

static void put_anon_vma(struct anon_vma *anon_vma)
{
	if (atomic_fetch_sub(&anon_vma->refcount, 1) == 1)
		__put_anon_vma(anon_vma);
}

static struct anon_vma_chain *anon_vma_chain_alloc(struct rmap *rmap)
{
	struct anon_vma_chain *avc = calloc(1, sizeof(*avc));
	uint64_t x = (uint64_t)(uintptr_t)avc;

	if (!avc)
		return NULL;
	/* Its address is as random as a tree's balance needs. */
	x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull;
	avc->priority = (uint32_t)(x >> 32);
	atomic_fetch_add_explicit(&rmap->chains, 1, memory_order_relaxed);
	return avc;
}

static void anon_vma_chain_free(struct anon_vma_chain *avc)
{
	atomic_fetch_sub_explicit(&avc->vma->rmap->chains, 1,
				  memory_order_relaxed);
	free(avc);
}

static void anon_vma_chain_assign(struct vm_area_struct *vma,
				  struct anon_vma_chain *avc,
				  struct anon_vma *anon_vma)
{
	avc->vma = vma;
	avc->anon_vma = anon_vma;
	list_add(&avc->same_vma, &vma->anon_vma_chain);
}

NOINLINE int anon_vma_prepare(struct vm_area_struct *vma)
{
	struct anon_vma *anon_vma = anon_vma_alloc(vma->rmap);
	struct anon_vma_chain *avc;

	avc = anon_vma ? anon_vma_chain_alloc(vma->rmap) : NULL;
	if (!avc) {
		if (anon_vma)
			anon_vma_release(anon_vma);
		return -ENOMEM;
	}
	anon_vma->num_children++; /* the root is its own parent */
	anon_vma_lock_write(anon_vma);
	vma->anon_vma = anon_vma;
	anon_vma_chain_assign(vma, avc, anon_vma);
	anon_vma_interval_tree_insert(avc, &anon_vma->rb_root);
	anon_vma->num_active_vmas++;
	anon_vma_unlock_write(anon_vma);
	return 0;
}

/* Chains for all of @src's on @dst, in its order; not in any tree yet. */
static int alloc_chains(struct vm_area_struct *dst, struct vm_area_struct *src)
{
	struct list_node *node;
	struct anon_vma_chain *avc;

	for (node = src->anon_vma_chain.prev; node != &src->anon_vma_chain;
	     node = node->prev) {
		avc = anon_vma_chain_alloc(dst->rmap);
		if (!avc)
			return -ENOMEM;
		anon_vma_chain_assign(dst, avc, entry_of(node)->anon_vma);
	}
	return 0;
}

static void free_chains(struct vm_area_struct *vma)
{
	while (vma->anon_vma_chain.next != &vma->anon_vma_chain) {
		struct anon_vma_chain *avc = entry_of(vma->anon_vma_chain.next);

		list_del(&avc->same_vma);
		anon_vma_chain_free(avc);
	}
}

/* 7.0: only the trees under the lock. */
static ALWAYS_INLINE int clone_allocated(struct vm_area_struct *dst,
					 struct vm_area_struct *src)
{
	struct list_node *node;

	if (alloc_chains(dst, src)) {
		free_chains(dst);
		return -ENOMEM;
	}
	anon_vma_lock_write(src->anon_vma);
	for (node = dst->anon_vma_chain.prev; node != &dst->anon_vma_chain;
	     node = node->prev) {
		struct anon_vma_chain *avc = entry_of(node);

		anon_vma_interval_tree_insert(avc, &avc->anon_vma->rb_root);
	}
	anon_vma_unlock_write(src->anon_vma);
	return 0;
}

NOINLINE int anon_vma_clone(struct vm_area_struct *dst,
			    struct vm_area_struct *src)
{
	struct anon_vma *root = NULL;
	struct list_node *node;

	if (src->rmap->rules == RMAP_7_0)
		return clone_allocated(dst, src);
	for (node = src->anon_vma_chain.prev; node != &src->anon_vma_chain;
	     node = node->prev) {
		struct anon_vma *anon_vma = entry_of(node)->anon_vma;
		/* GFP_NOWAIT: with the lock held but for the first. */
		struct anon_vma_chain *avc = anon_vma_chain_alloc(dst->rmap);

		if (!avc) {
			unlock_anon_vma_root(root);
			unlink_anon_vmas(dst);
			return -ENOMEM;
		}
		root = lock_anon_vma_root(root, anon_vma);
		anon_vma_chain_assign(dst, avc, anon_vma);
		anon_vma_interval_tree_insert(avc, &anon_vma->rb_root);
	}
	unlock_anon_vma_root(root);
	return 0;
}

NOINLINE int anon_vma_fork(struct vm_area_struct *vma,
			   struct vm_area_struct *pvma)
{
	struct anon_vma_chain *avc;
	struct anon_vma *anon_vma;

	vma->anon_vma = NULL;
	if (!pvma->anon_vma)
		return 0;
	/* First into the parent's trees: it has pages that are not copied. */
	if (anon_vma_clone(vma, pvma))
		return -ENOMEM;
	anon_vma = anon_vma_alloc(vma->rmap);
	avc = anon_vma ? anon_vma_chain_alloc(vma->rmap) : NULL;
	if (!avc) {
		if (anon_vma)
			anon_vma_release(anon_vma);
		unlink_anon_vmas(vma);
		return -ENOMEM;
	}
	anon_vma->num_active_vmas++;
	anon_vma->root = pvma->anon_vma->root;
	anon_vma->parent = pvma->anon_vma;
	/* The lock is there: it must outlive this one. */
	atomic_fetch_add(&anon_vma->root->refcount, 1);
	vma->anon_vma = anon_vma;
	anon_vma_chain_assign(vma, avc, anon_vma);
	anon_vma_lock_write(anon_vma);
	anon_vma_interval_tree_insert(avc, &anon_vma->rb_root);
	anon_vma->parent->num_children++;
	anon_vma_unlock_write(anon_vma);
	return 0;
}

NOINLINE void unlink_anon_vmas(struct vm_area_struct *vma)
{
	struct list_node *head = &vma->anon_vma_chain;
	struct anon_vma *root = NULL;
	struct list_node *node, *next;

	for (node = head->next; node != head; node = next) {
		struct anon_vma_chain *avc = entry_of(node);
		struct anon_vma *anon_vma = avc->anon_vma;

		next = node->next;
		root = lock_anon_vma_root(root, anon_vma);
		anon_vma_interval_tree_remove(avc, &anon_vma->rb_root);
		/* Those that are empty are freed without the lock, below. */
		if (!anon_vma->rb_root) {
			anon_vma->parent->num_children--;
			continue;
		}
		list_del(node);
		anon_vma_chain_free(avc);
	}
	if (vma->anon_vma)
		vma->anon_vma->num_active_vmas--;
	vma->anon_vma = NULL;
	unlock_anon_vma_root(root);
	for (node = head->next; node != head; node = next) {
		struct anon_vma_chain *avc = entry_of(node);

		next = node->next;
		put_anon_vma(avc->anon_vma);
		list_del(node);
		anon_vma_chain_free(avc);
	}
}

struct walk {
	struct anon_vma *anon_vma;
	unsigned int found;
	const char *wrong;
};

static void walk_one(struct anon_vma_chain *avc, void *arg)
{
	struct walk *walk = arg;

	walk->found++;
	if (avc->anon_vma != walk->anon_vma)
		walk->wrong = "a chain hangs in the wrong tree";
}

NOINLINE unsigned int rmap_walk_anon(const struct rmap *rmap,
				     struct anon_vma *anon_vma, uint64_t page,
				     const char **wrong)
{
	struct walk walk = { .anon_vma = anon_vma };
	struct rwsemlab_lock *lock = &anon_vma->root->rwsem;
	bool exclusive = rmap->rules == RMAP_3_0;

	if (exclusive)
		rwsemlab_down_write(lock);
	else
		rwsemlab_down_read(lock);
	anon_vma_interval_tree_each(anon_vma->rb_root, page, walk_one, &walk);
	if (exclusive)
		rwsemlab_up_write(lock);
	else
		rwsemlab_up_read(lock);
	if (walk.wrong)
		*wrong = walk.wrong;
	return walk.found;
}

const char *anon_vma_wrong(struct anon_vma *anon_vma)
{
	const char *wrong;

	anon_vma_lock_write(anon_vma);
	wrong = anon_vma_interval_tree_wrong(anon_vma->rb_root);
	anon_vma_unlock_write(anon_vma);
	return wrong;
}

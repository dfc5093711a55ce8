// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/maps.h"

#include <stddef.h>
#include <stdlib.h>

#define SLAB_NODES 1024

/*
 * Nodes that one operation may copy: a few paths from the root.  The depth of
 * a treap of 2^32 nodes exceeds 200 with a probability below 2^-40.
 */
#define RESERVE 1024

struct map_node {
	struct mapping m;
	struct map_node *left, *right;
	uint64_t sum; /* of the hashes of all mappings below and here */
	uint32_t priority; /* not above its parent's */
	uint32_t refs;
};

struct map_slab {
	struct map_slab *next;
	struct map_node node[SLAB_NODES];
};

struct map_pool {
	struct map_slab *slabs;
	struct map_node *spare; /* linked by left */
	size_t nr_spare;
	uint64_t random;
};

struct map_pool *map_pool_new(void)
{
	struct map_pool *pool = calloc(1, sizeof(*pool));

	if (pool)
		pool->random = 0x9e3779b97f4a7c15u;
	return pool;
}

void map_pool_free(struct map_pool *pool)
{
	struct map_slab *slab;

	if (!pool)
		return;
	while ((slab = pool->slabs)) {
		pool->slabs = slab->next;
		free(slab);
	}
	free(pool);
}

/* Have enough nodes that an operation can't fail half-way. */
static int reserve(struct map_pool *pool)
{
	struct map_slab *slab;
	size_t i;

	while (pool->nr_spare < RESERVE) {
		slab = malloc(sizeof(*slab));
		if (!slab)
			return -1;
		slab->next = pool->slabs;
		pool->slabs = slab;
		for (i = 0; i < SLAB_NODES; i++) {
			slab->node[i].left = pool->spare;
			pool->spare = &slab->node[i];
		}
		pool->nr_spare += SLAB_NODES;
	}
	return 0;
}

/* Marsaglia's xorshift64*. */
static uint32_t random_priority(struct map_pool *pool)
{
	pool->random ^= pool->random >> 12;
	pool->random ^= pool->random << 25;
	pool->random ^= pool->random >> 27;
	return (uint32_t)((pool->random * 0x2545f4914f6cdd1du) >> 32);
}

/* The finaliser of MurmurHash3. */
static uint64_t mix(uint64_t v)
{
	v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdu;
	v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53u;
	return v ^ (v >> 33);
}

static uint64_t hash_of(const struct mapping *m)
{
	uint64_t h = mix(m->start + 0x9e3779b97f4a7c15u);

	h = mix(h ^ m->end);
	h = mix(h ^ m->offset);
	return mix(h ^ ((uint64_t)m->pid << 32 | m->image));
}

static struct map_node *take_node(struct map_pool *pool)
{
	struct map_node *n = pool->spare;

	pool->spare = n->left;
	pool->nr_spare--;
	return n;
}

static struct map_node *new_node(struct map_pool *pool, const struct mapping *m)
{
	struct map_node *n = take_node(pool);

	*n = (struct map_node){
		.m = *m,
		.sum = hash_of(m),
		.priority = random_priority(pool),
		.refs = 1,
	};
	return n;
}

static struct map_node *get(struct map_node *n)
{
	if (n)
		n->refs++;
	return n;
}

static void put(struct map_pool *pool, struct map_node *n)
{
	while (n && !--n->refs) {
		struct map_node *right = n->right;

		put(pool, n->left);
		n->left = pool->spare;
		pool->spare = n;
		pool->nr_spare++;
		n = right;
	}
}

static void add_up(struct map_node *n)
{
	n->sum = hash_of(&n->m);
	if (n->left)
		n->sum += n->left->sum;
	if (n->right)
		n->sum += n->right->sum;
}

/* A node that is ours alone, in exchange for the reference to @n. */
static struct map_node *own(struct map_pool *pool, struct map_node *n)
{
	struct map_node *copy;

	if (n->refs == 1)
		return n;
	copy = take_node(pool);
	*copy = *n;
	copy->refs = 1;
	get(copy->left);
	get(copy->right);
	n->refs--;
	return copy;
}

/* Those that start below @key and the others.  Takes over @n. */
static void split(struct map_pool *pool, struct map_node *n, uint64_t key,
		  struct map_node **below, struct map_node **others)
{
	if (!n) {
		*below = NULL;
		*others = NULL;
		return;
	}
	n = own(pool, n);
	if (n->m.start < key) {
		split(pool, n->right, key, &n->right, others);
		*below = n;
	} else {
		split(pool, n->left, key, below, &n->left);
		*others = n;
	}
	add_up(n);
}

/* All of @low lies below all of @high.  Takes over both. */
static struct map_node *join(struct map_pool *pool, struct map_node *low,
			     struct map_node *high)
{
	struct map_node *n;

	if (!low || !high)
		return low ? low : high;
	if (low->priority > high->priority) {
		n = own(pool, low);
		n->right = join(pool, n->right, high);
	} else {
		n = own(pool, high);
		n->left = join(pool, low, n->left);
	}
	add_up(n);
	return n;
}

/* Cut what the last mapping of @n has at and beyond @end.  Takes over @n. */
static struct map_node *trim(struct map_pool *pool, struct map_node *n,
			     uint64_t end)
{
	n = own(pool, n);
	if (n->right)
		n->right = trim(pool, n->right, end);
	else
		n->m.end = end;
	add_up(n);
	return n;
}

static const struct map_node *last(const struct map_node *n)
{
	while (n && n->right)
		n = n->right;
	return n;
}

/* Whether something is left of the last one of @n beyond @end. */
static bool beyond(const struct map_node *n, uint64_t end, struct mapping *rest)
{
	const struct map_node *l = last(n);

	if (!l || l->m.end <= end)
		return false;
	*rest = l->m;
	rest->start = end;
	rest->offset += end - l->m.start;
	return true;
}

static void replace(struct map_pool *pool, struct space *s, uint64_t start,
		    uint64_t end, const struct mapping *m)
{
	struct map_node *low, *middle, *high, *n;
	struct mapping rest;
	bool has_rest;

	split(pool, s->root, start, &low, &middle);
	split(pool, middle, end, &middle, &high);
	has_rest = beyond(middle, end, &rest) ||
		   (!middle && beyond(low, end, &rest));
	if (beyond(low, start, &(struct mapping){ 0 }))
		low = trim(pool, low, start);
	put(pool, middle);
	if (m) {
		n = new_node(pool, m);
		low = join(pool, low, n);
	}
	if (has_rest) {
		n = new_node(pool, &rest);
		high = join(pool, n, high);
	}
	s->root = join(pool, low, high);
}

int space_map(struct map_pool *pool, struct space *s, const struct mapping *m)
{
	if (m->start >= m->end)
		return 0;
	if (reserve(pool))
		return -1;
	replace(pool, s, m->start, m->end, m);
	return 0;
}

int space_unmap(struct map_pool *pool, struct space *s, uint64_t start,
		uint64_t end)
{
	if (start >= end || !s->root)
		return 0;
	if (reserve(pool))
		return -1;
	replace(pool, s, start, end, NULL);
	return 0;
}

bool space_find(const struct space *s, uint64_t address, struct mapping *m)
{
	const struct map_node *n = s->root, *found = NULL;

	while (n) {
		if (n->m.start <= address)
			found = n;
		n = n->m.start <= address ? n->right : n->left;
	}
	if (!found || address >= found->m.end)
		return false;
	*m = found->m;
	return true;
}

uint64_t space_id(const struct space *s)
{
	return s->root ? s->root->sum : 0;
}

struct space space_copy(const struct space *s)
{
	return (struct space){ get(s->root) };
}

void space_free(struct map_pool *pool, struct space *s)
{
	put(pool, s->root);
	s->root = NULL;
}

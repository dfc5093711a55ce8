/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces as they change over time: which file lies where.
 *
 * A space is a persistent tree: a copy (fork) costs nothing and shares what
 * it can, a change copies the path to it.  So thousands of short-lived
 * processes need little memory, and no number of mappings makes an operation
 * slower than O(log n).  A treap, after Seidel and Aragon, "Randomized Search
 * Trees", 1996; the persistent form copies nodes that are shared.
 *
 * No function locks; all spaces of a pool belong to one thread at a time.
 */
#ifndef RWSEMLAB_ANALYZE_MAPS_H
#define RWSEMLAB_ANALYZE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct map_pool;
struct map_node;

/* The address space itself: a value, to be copied by space_copy() only. */
struct space {
	struct map_node *root; /* NULL: nothing mapped */
};

struct mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t offset; /* of start in the file */
	uint32_t image; /* the caller's number for the file */
	uint32_t pid; /* who mapped it: the caller's too */
};

struct map_pool *map_pool_new(void); /* NULL: out of memory */
void map_pool_free(struct map_pool *pool); /* and all its spaces */

/**
 * space_map() - map a file, over whatever lies there
 *
 * Return: 0, or -1 when memory ran out, with the space unchanged.
 */
int space_map(struct map_pool *pool, struct space *s, const struct mapping *m);

/**
 * space_unmap() - remove what lies in [start, end); returns as space_map()
 */
int space_unmap(struct map_pool *pool, struct space *s, uint64_t start,
		uint64_t end);

/**
 * space_find() - the mapping at an address
 *
 * Return: whether there is one; then *m is it.
 */
bool space_find(const struct space *s, uint64_t address, struct mapping *m);

/**
 * space_id() - a number that is the same for spaces that hold the same
 *
 * The sum of 64-bit hashes of the mappings; 0 for an empty space.
 */
uint64_t space_id(const struct space *s);

struct space space_copy(const struct space *s);
void space_free(struct map_pool *pool, struct space *s); /* empties it */

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uthash as this project uses it: XXH3 as the hash, and memory that runs out
 * is an error to handle, not the end of the program.  After HASH_ADD_* an
 * element whose hh.tbl is NULL was not added.
 */
#ifndef RWSEMLAB_ANALYZE_TABLE_H
#define RWSEMLAB_ANALYZE_TABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <xxhash.h>

#define HASH_NONFATAL_OOM	     1
#define uthash_nonfatal_oom(element) ((element)->hh.tbl = NULL)
#define HASH_FUNCTION(key, length, value) \
	((value) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* Elements by number; item[0] is the empty one. */
struct numbered {
	void **item;
	uint32_t nr;
	uint32_t size;
};

/**
 * numbered_add() - give an element the next number
 *
 * Return: 0, or -1 when memory ran out or numbers did.
 */
static inline int numbered_add(struct numbered *n, void *element)
{
	if (n->nr == n->size) {
		uint32_t size = n->size ? n->size * 2 : 64;
		void **grown;

		if (size < n->size)
			return -1;
		grown = realloc(n->item, size * sizeof(*grown));
		if (!grown)
			return -1;
		n->item = grown;
		n->size = size;
	}
	n->item[n->nr++] = element;
	return 0;
}

#endif

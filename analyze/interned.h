/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of things that are kept once: a key of bytes, a number given in the
 * order of adding, and a value beside it.  Keys and values stay where they
 * are for the life of the table.
 */
#ifndef RWSEMLAB_ANALYZE_INTERNED_H
#define RWSEMLAB_ANALYZE_INTERNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interned_entry;

/* Zero-initialise. */
struct interned {
	struct interned_entry *table;
	struct interned_entry **entry; /* by number */
	uint32_t nr, size;
};

/**
 * interned_get() - the entry of a key, added when new
 * @key: @key_size bytes, padding included; copied
 * @value_size: bytes of the value, zeroed when new
 * @added: set to whether it is new; may be NULL
 *
 * Return: NULL when memory ran out.
 */
struct interned_entry *interned_get(struct interned *t, const void *key,
				    size_t key_size, size_t value_size,
				    bool *added);

/**
 * interned_find() - the entry of a key, or NULL
 */
struct interned_entry *interned_find(const struct interned *t, const void *key,
				     size_t key_size);

/* Of an entry; the key has a zero byte behind it. */
uint32_t interned_number(const struct interned_entry *entry);
const void *interned_key(const struct interned_entry *entry);
void *interned_value(struct interned_entry *entry);

/**
 * interned_at() - the value of a number, which must be below t->nr
 */
void *interned_at(const struct interned *t, uint32_t number);

/**
 * interned_free() - release everything and zero the table
 */
void interned_free(struct interned *t);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/interned.h"

#include <string.h>

#include "analyze/table.h"

struct interned_entry {
	UT_hash_handle hh;
	uint32_t number;
	uint32_t value_at; /* in data; the key is at its start */
	_Alignas(16) unsigned char data[];
};

struct interned_entry *interned_find(const struct interned *t, const void *key,
				     size_t key_size)
{
	struct interned_entry *e;

	HASH_FIND(hh, t->table, key, key_size, e);
	return e;
}

static int give_number(struct interned *t, struct interned_entry *e)
{
	if (t->nr == t->size) {
		uint32_t size = t->size ? t->size * 2 : 64;
		struct interned_entry **grown;

		if (size < t->size)
			return -1;
		grown = realloc(t->entry, size * sizeof(*grown));
		if (!grown)
			return -1;
		t->entry = grown;
		t->size = size;
	}
	e->number = t->nr;
	t->entry[t->nr] = e;
	return 0;
}

struct interned_entry *interned_get(struct interned *t, const void *key,
				    size_t key_size, size_t value_size,
				    bool *added)
{
	size_t value_at = (key_size + 1 + 15) & ~(size_t)15;
	struct interned_entry *e = interned_find(t, key, key_size);

	if (added)
		*added = !e;
	if (e)
		return e;
	e = calloc(1, sizeof(*e) + value_at + value_size);
	if (!e)
		return NULL;
	if (key_size)
		memcpy(e->data, key, key_size);
	e->value_at = (uint32_t)value_at;
	if (give_number(t, e)) {
		free(e);
		return NULL;
	}
	HASH_ADD_KEYPTR(hh, t->table, e->data, key_size, e);
	if (!e->hh.tbl) {
		free(e);
		return NULL;
	}
	t->nr++;
	return e;
}

uint32_t interned_number(const struct interned_entry *entry)
{
	return entry->number;
}

const void *interned_key(const struct interned_entry *entry)
{
	return entry->data;
}

void *interned_value(struct interned_entry *entry)
{
	return entry->data + entry->value_at;
}

void *interned_at(const struct interned *t, uint32_t number)
{
	return interned_value(t->entry[number]);
}

void interned_free(struct interned *t)
{
	uint32_t i;

	HASH_CLEAR(hh, t->table);
	for (i = 0; i < t->nr; i++)
		free(t->entry[i]);
	free(t->entry);
	memset(t, 0, sizeof(*t));
}

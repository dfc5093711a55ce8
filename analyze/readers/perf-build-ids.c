// SPDX-License-Identifier: GPL-2.0-only
/*
 * BUILD_ID, the feature and the record: path → build-id.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-private.h"
#include "analyze/table.h"

#define HEADER	8
#define ID_AT	12
#define NAME_AT 36

struct entry {
	UT_hash_handle hh;
	uint8_t id[20], size;
	char path[];
};

struct pd_build_ids {
	struct entry *entries;
};

void pd_build_ids_free(struct pd_build_ids *b)
{
	struct entry *e, *next;

	if (!b)
		return;
	HASH_ITER(hh, b->entries, e, next) {
		HASH_DEL(b->entries, e);
		free(e);
	}
	free(b);
}

static void keep(struct pd_reader *d, const char *path, size_t length,
		 const unsigned char *id, uint8_t size)
{
	struct pd_build_ids *b = d->build_ids;
	struct entry *e;

	if (!b)
		b = d->build_ids = calloc(1, sizeof(*b));
	if (!b) {
		profile_fail(d->p);
		return;
	}
	HASH_FIND(hh, b->entries, path, length, e);
	if (e)
		return;
	e = calloc(1, sizeof(*e) + length + 1);
	if (!e) {
		profile_fail(d->p);
		return;
	}
	memcpy(e->id, id, size);
	e->size = size;
	memcpy(e->path, path, length);
	HASH_ADD_KEYPTR(hh, b->entries, e->path, length, e);
	if (e->hh.tbl)
		return;
	free(e);
	profile_fail(d->p);
}

static bool is_module(const char *path)
{
	return *path == '[' || strstr(path, ".ko");
}

static void keep_kernel(struct pd_reader *d, const unsigned char *id,
			uint8_t size)
{
	struct profile_kernel *k = &d->p->kernel;

	if (k->build_id_size)
		return;
	memcpy(k->build_id, id, size);
	k->build_id_size = size;
}

/*
 * Linux 2.6.33 wrote entries without a pid; perf tells them by the kernel's
 * name, of which the first four letters end up where the id's end should be.
 */
static bool has_no_pid(const unsigned char *data, size_t size)
{
	static const char rest[] = "nel.kallsyms]";

	return size >= NAME_AT + sizeof(rest) &&
	       !memcmp(data + NAME_AT, rest, sizeof(rest) - 1);
}

static void read_one(struct pd_reader *d, const unsigned char *from,
		     size_t size, uint16_t misc, size_t shift)
{
	const unsigned char *id = from + ID_AT - shift;
	const char *path = (const char *)from + NAME_AT - shift;
	size_t length = strnlen(path, size - (NAME_AT - shift));
	uint8_t id_size = 20;

	if (misc & PD_MISC_BUILD_ID_SIZE)
		id_size = id[20] <= 20 ? id[20] : 20;
	if (!id_size || !length)
		return;
	if ((misc & PD_MISC_MODE) == PD_MODE_KERNEL &&
	    (pd_is_kernel_image(path, length) ||
	     (!is_module(path) && path[length] == '\0')))
		keep_kernel(d, id, id_size);
	keep(d, path, length, id, id_size);
}

void pd_build_ids_read(struct pd_reader *d, const unsigned char *data,
		       size_t size)
{
	size_t shift = has_no_pid(data, size) ? 4 : 0;

	while (size >= NAME_AT - shift + 1) {
		uint16_t misc = pd_u16(data + 4, d->swap);
		size_t length = pd_u16(data + 6, d->swap);

		if (length < NAME_AT - shift + 1 || length > size) {
			profile_warn(d->p,
				     "%s: the list of build-ids is "
				     "damaged; its rest is not used",
				     d->in->name);
			return;
		}
		read_one(d, data, length, misc, shift);
		data += length;
		size -= length;
	}
}

const unsigned char *pd_build_id_of(const struct pd_reader *d, const char *path,
				    uint8_t *size)
{
	struct entry *e = NULL;

	if (d->build_ids)
		HASH_FIND_STR(d->build_ids->entries, path, e);
	*size = e ? e->size : 0;
	return e ? e->id : NULL;
}

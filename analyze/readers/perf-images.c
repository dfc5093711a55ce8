// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is mapped: files and generated code, numbered.  A profile's dso is
 * made of it only when a call chain leads there.
 */
#include <string.h>

#include "analyze/readers/perf-images.h"
#include "analyze/readers/perf-private.h"
#include "analyze/table.h"

struct image_key {
	uint8_t kind, build_id_size;
	uint8_t build_id[20];
	char path[];
};

struct image {
	UT_hash_handle hh;
	uint32_t number;
	uint32_t dso; /* 0: not made yet, or one for each pid */
	size_t length;
	struct image_key key;
};

struct pd_images {
	struct image *images;
	struct numbered by_number;
	uint32_t kernel_dso;
};

struct pd_images *pd_images_new(void)
{
	struct pd_images *t = calloc(1, sizeof(*t));

	if (t && numbered_add(&t->by_number, NULL)) {
		free(t);
		return NULL;
	}
	return t;
}

void pd_images_free(struct pd_images *t)
{
	struct image *i, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->images, i, next) {
		HASH_DEL(t->images, i);
		free(i);
	}
	free(t->by_number.item);
	free(t);
}

static struct image *new_image(enum pd_image_kind kind, const char *path,
			       size_t length, const unsigned char *build_id,
			       uint8_t size)
{
	struct image *i = calloc(1, sizeof(*i) + length + 1);

	if (!i)
		return NULL;
	i->length = length;
	i->key.kind = (uint8_t)kind;
	i->key.build_id_size = size;
	if (size)
		memcpy(i->key.build_id, build_id, size);
	memcpy(i->key.path, path, length);
	return i;
}

uint32_t pd_image(struct pd_reader *d, enum pd_image_kind kind,
		  const char *path, size_t length,
		  const unsigned char *build_id, uint8_t size)
{
	struct pd_images *t = d->images;
	struct image *i, *old;
	size_t bytes;

	length = strnlen(path, length);
	i = new_image(kind, path, length, build_id, size);
	if (!i)
		goto failed;
	bytes = sizeof(i->key) + length;
	HASH_FIND(hh, t->images, &i->key, bytes, old);
	if (old) {
		free(i);
		return old->number;
	}
	i->number = t->by_number.nr;
	HASH_ADD(hh, t->images, key, bytes, i);
	if (!i->hh.tbl)
		goto failed_free;
	if (numbered_add(&t->by_number, i)) {
		HASH_DEL(t->images, i);
		goto failed_free;
	}
	return i->number;

failed_free:
	free(i);
failed:
	profile_fail(d->p);
	return 0;
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Memory that is no file; generated code may lie there. */
static bool is_anonymous(const char *path)
{
	static const char *const names[] = {
		"//anon",    "/anon_hugepage",
		"/dev/zero", "/SYSV",
		"[heap]",    "[stack",
		"[anon",     "/memfd:doublemapper", /* .NET's */
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (starts(path, names[i]))
			return true;
	return false;
}

static enum dso_kind kind_of(const struct image *i)
{
	if (i->key.kind == PD_IMAGE_MODULE)
		return DSO_MODULE;
	if (starts(i->key.path, "[vdso"))
		return DSO_VDSO;
	return is_anonymous(i->key.path) ? DSO_PERF_MAP : DSO_USER;
}

static uint32_t make_dso(struct pd_reader *d, const struct image *i,
			 enum dso_kind kind, uint32_t pid)
{
	const unsigned char *id = i->key.build_id;
	uint8_t size = i->key.build_id_size;
	struct dso dso = { .kind = kind, .pid = pid };

	dso.path = profile_string(d->p, i->key.path, i->length);
	if (!size && kind != DSO_PERF_MAP)
		id = pd_build_id_of(d, i->key.path, &size);
	dso.build_id_size = size;
	if (size)
		memcpy(dso.build_id, id, size);
	return profile_dso(d->p, &dso);
}

uint32_t pd_kernel_dso(struct pd_reader *d)
{
	struct pd_images *t = d->images;
	struct dso dso = { .kind = DSO_KERNEL };

	if (!t->kernel_dso) {
		dso.path = profile_string(d->p, "[kernel]", 8);
		t->kernel_dso = profile_dso(d->p, &dso);
	}
	return t->kernel_dso;
}

void pd_image_frame(struct pd_reader *d, const struct mapping *m,
		    uint64_t address, struct frame *frame)
{
	struct image *i = d->images->by_number.item[m->image];
	enum dso_kind kind;

	if (!i)
		return;
	if (i->key.kind == PD_IMAGE_SYMBOL) {
		frame->dso = pd_kernel_dso(d);
		frame->symbol = profile_string(d->p, i->key.path, i->length);
		frame->offset = (uint32_t)(address - m->start);
		return;
	}
	kind = kind_of(i);
	if (kind == DSO_PERF_MAP) {
		frame->dso = make_dso(d, i, kind, m->pid);
		return;
	}
	if (!i->dso)
		i->dso = make_dso(d, i, kind, 0);
	frame->dso = i->dso;
	if (kind != DSO_MODULE)
		frame->address = address - m->start + m->offset;
}

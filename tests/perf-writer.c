// SPDX-License-Identifier: GPL-2.0-only
#include "tests/perf-writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/tap.h"

#define ROUND 68

void pw_put(struct pw_bytes *b, const void *from, size_t size)
{
	if (b->size + size > b->room) {
		b->room = 2 * (b->size + size);
		b->data = realloc(b->data, b->room);
		if (!b->data)
			tap_bail("out of memory");
	}
	if (size)
		memcpy(b->data + b->size, from, size);
	b->size += size;
}

static void put_number(const struct pw *w, struct pw_bytes *b, uint64_t v,
		       unsigned int size)
{
	unsigned char bytes[8];
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[w->o.big_endian ? size - 1 - i : i] =
			(unsigned char)(v >> (8 * i));
	pw_put(b, bytes, size);
}

void pw_u16(const struct pw *w, struct pw_bytes *b, uint16_t v)
{
	put_number(w, b, v, 2);
}

void pw_u32(const struct pw *w, struct pw_bytes *b, uint32_t v)
{
	put_number(w, b, v, 4);
}

void pw_u64(const struct pw *w, struct pw_bytes *b, uint64_t v)
{
	put_number(w, b, v, 8);
}

void pw_text(struct pw_bytes *b, const char *text, size_t size)
{
	static const char zeros[4096];
	size_t length = strlen(text);

	pw_put(b, text, length);
	pw_put(b, zeros, size - length);
}

void pw_init(struct pw *w, const struct pw_options *o)
{
	*w = (struct pw){ .o = *o };
	if (!w->o.attr_size)
		w->o.attr_size = 112;
	if (!w->o.cut)
		w->o.cut = 4096;
	if (!w->o.release)
		w->o.release = "6.1.0";
}

void pw_free(struct pw *w)
{
	unsigned int i;

	for (i = 0; i < PW_MAX_STREAMS; i++)
		free(w->stream[i].data);
	for (i = 0; i < w->nr_formats; i++)
		free(w->format[i].text);
	free(w->pending.data);
	free(w->build_ids.data);
	ZSTD_freeCCtx(w->zstd);
}

unsigned int pw_add_attr(struct pw *w, const struct pw_attr *a)
{
	if (w->nr_attrs == PW_MAX_ATTRS)
		tap_bail("too many attrs");
	w->attr[w->nr_attrs] = *a;
	return w->nr_attrs++;
}

void pw_add_format(struct pw *w, const char *system, const char *text)
{
	if (w->nr_formats == PW_MAX_FORMATS)
		tap_bail("too many formats");
	w->format[w->nr_formats].system = system;
	w->format[w->nr_formats++].text = strdup(text);
}

void pw_add_build_id(struct pw *w, uint16_t misc, const char *path,
		     const unsigned char id[20])
{
	size_t length = (strlen(path) + 8) & ~7ul;
	struct pw_bytes *b = &w->build_ids;

	pw_u32(w, b, 67);
	pw_u16(w, b, misc | 1 << 15);
	pw_u16(w, b, (uint16_t)(36 + length));
	pw_u32(w, b, UINT32_MAX);
	pw_put(b, id, 20);
	pw_put(b, "\24\0\0\0", 4);
	pw_text(b, path, length);
}

/* One COMPRESSED record out of the first @size pending bytes. */
static void compress_some(struct pw *w, size_t size)
{
	struct pw_bytes *b = &w->stream[w->to];
	unsigned char out[32768];
	ZSTD_inBuffer from = { w->pending.data, size, 0 };
	ZSTD_outBuffer to = { out, sizeof(out), 0 };
	bool is_new = w->o.compressed == 83;
	size_t padded;

	if (!w->zstd)
		w->zstd = ZSTD_createCCtx();
	if (ZSTD_compressStream2(w->zstd, &to, &from, ZSTD_e_flush))
		tap_bail("zstd");
	padded = is_new ? (to.pos + 7) & ~7ul : to.pos;
	memset(out + to.pos, 0, padded - to.pos);
	pw_u32(w, b, w->o.compressed);
	pw_u16(w, b, 0);
	pw_u16(w, b, (uint16_t)((is_new ? 16 : 8) + padded));
	if (is_new)
		pw_u64(w, b, to.pos);
	pw_put(b, out, padded);
	w->pending.size -= size;
	memmove(w->pending.data, w->pending.data + size, w->pending.size);
}

static void compress(struct pw *w, bool all)
{
	while (w->pending.size >= w->o.cut)
		compress_some(w, w->o.cut);
	if (all && w->pending.size)
		compress_some(w, w->pending.size);
}

void pw_stream(struct pw *w, unsigned int number)
{
	compress(w, true);
	ZSTD_freeCCtx(w->zstd);
	w->zstd = NULL;
	w->to = number;
}

/* What sample_id_all appends. */
static void put_trailer(struct pw *w, struct pw_bytes *b,
			const struct pw_stamp *s)
{
	uint64_t type = w->attr[s->attr].sample_type;

	if (!(w->attr[s->attr].flags >> 18 & 1))
		return;
	if (type & 1 << 1) {
		pw_u32(w, b, (uint32_t)s->pid);
		pw_u32(w, b, (uint32_t)s->tid);
	}
	if (type & 1 << 2)
		pw_u64(w, b, s->time);
	if (type & 1 << 6)
		pw_u64(w, b, s->id);
	if (type & 1 << 9)
		pw_u64(w, b, s->id);
	if (type & 1 << 7) {
		pw_u32(w, b, s->cpu);
		pw_u32(w, b, 0);
	}
	if (type & 1 << 16)
		pw_u64(w, b, s->id);
}

void pw_record(struct pw *w, uint32_t type, uint16_t misc,
	       const struct pw_bytes *body, const struct pw_stamp *stamp)
{
	struct pw_bytes all = { 0 }, *b;
	/* The kernel's own records are compressed, rounds are not. */
	bool inside = w->o.compressed && type < 64;

	if (body)
		pw_put(&all, body->data, body->size);
	if (stamp)
		put_trailer(w, &all, stamp);
	if (!inside)
		compress(w, true);
	if (all.size + 8 > UINT16_MAX)
		tap_bail("a record of %zu bytes", all.size);
	b = inside ? &w->pending : &w->stream[w->to];
	pw_u32(w, b, type);
	pw_u16(w, b, misc);
	pw_u16(w, b, (uint16_t)(all.size + 8));
	pw_put(b, all.data, all.size);
	if (inside)
		compress(w, false);
	free(all.data);
}

static void put_read(struct pw *w, struct pw_bytes *b, const struct pw_attr *a)
{
	bool group = a->read_format & 8;
	unsigned int i;

	if (group)
		pw_u64(w, b, 2);
	else
		pw_u64(w, b, 11);
	if (a->read_format & 1)
		pw_u64(w, b, 22);
	if (a->read_format & 2)
		pw_u64(w, b, 33);
	for (i = 0; i < (group ? 2 : 1); i++) {
		if (group)
			pw_u64(w, b, 44 + i);
		if (a->read_format & 4)
			pw_u64(w, b, a->id[0]);
		if (a->read_format & 16)
			pw_u64(w, b, 0);
	}
}

static void put_fixed(struct pw *w, struct pw_bytes *b, uint64_t type,
		      const struct pw_stamp *s)
{
	if (type & 1 << 16)
		pw_u64(w, b, s->id);
	if (type & 1 << 0)
		pw_u64(w, b, 0xffffffff81000000u);
	if (type & 1 << 1) {
		pw_u32(w, b, (uint32_t)s->pid);
		pw_u32(w, b, (uint32_t)s->tid);
	}
	if (type & 1 << 2)
		pw_u64(w, b, s->time);
	if (type & 1 << 3)
		pw_u64(w, b, 0);
	if (type & 1 << 6)
		pw_u64(w, b, s->id);
	if (type & 1 << 9)
		pw_u64(w, b, s->id);
	if (type & 1 << 7) {
		pw_u32(w, b, s->cpu);
		pw_u32(w, b, 0);
	}
	if (type & 1 << 8)
		pw_u64(w, b, 1);
}

void pw_sample(struct pw *w, const struct pw_sample *s)
{
	const struct pw_attr *a = &w->attr[s->at.attr];
	struct pw_bytes b = { 0 };
	uint64_t i;

	put_fixed(w, &b, a->sample_type, &s->at);
	if (a->sample_type & 1 << 4)
		put_read(w, &b, a);
	if (a->sample_type & 1 << 5) {
		pw_u64(w, &b, s->nr);
		for (i = 0; i < s->nr; i++)
			pw_u64(w, &b, s->chain[i]);
	}
	if (a->sample_type & 1 << 10) {
		/* The kernel makes the size and the data a multiple of 8. */
		uint32_t size = ((s->raw_size + 4 + 7) & ~7u) - 4;

		pw_u32(w, &b, size);
		pw_put(&b, s->raw, s->raw_size);
		pw_text(&b, "", size - s->raw_size);
	}
	pw_put(&b, s->rest, s->rest_size);
	pw_record(w, 9, 1, &b, NULL);
	free(b.data);
}

void pw_round(struct pw *w)
{
	pw_record(w, ROUND, 0, NULL, NULL);
}

void pw_mmap(struct pw *w, int32_t pid, uint64_t start, uint64_t length,
	     uint64_t offset, const char *path, const struct pw_stamp *stamp)
{
	struct pw_bytes b = { 0 };

	pw_u32(w, &b, (uint32_t)pid);
	pw_u32(w, &b, (uint32_t)pid);
	pw_u64(w, &b, start);
	pw_u64(w, &b, length);
	pw_u64(w, &b, offset);
	pw_text(&b, path, (strlen(path) + 8) & ~7ul);
	pw_record(w, 1, pid == -1 ? 1 : 2, &b, stamp);
	free(b.data);
}

void pw_comm(struct pw *w, int32_t pid, const char *comm, bool exec,
	     const struct pw_stamp *stamp)
{
	struct pw_bytes b = { 0 };

	pw_u32(w, &b, (uint32_t)pid);
	pw_u32(w, &b, (uint32_t)pid);
	pw_text(&b, comm, 16);
	pw_record(w, 3, exec ? 1 << 13 : 0, &b, stamp);
	free(b.data);
}

void pw_task(struct pw *w, uint32_t type, int32_t pid, int32_t parent,
	     int32_t tid, const struct pw_stamp *stamp)
{
	struct pw_bytes b = { 0 };

	pw_u32(w, &b, (uint32_t)pid);
	pw_u32(w, &b, (uint32_t)parent);
	pw_u32(w, &b, (uint32_t)tid);
	pw_u32(w, &b, (uint32_t)parent);
	pw_u64(w, &b, stamp ? stamp->time : 0);
	pw_record(w, type, 0, &b, stamp);
	free(b.data);
}

void pw_lost(struct pw *w, uint64_t id, uint64_t lost,
	     const struct pw_stamp *stamp)
{
	struct pw_bytes b = { 0 };

	pw_u64(w, &b, id);
	pw_u64(w, &b, lost);
	pw_record(w, 2, 0, &b, stamp);
	free(b.data);
}

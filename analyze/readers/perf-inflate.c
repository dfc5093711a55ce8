// SPDX-License-Identifier: GPL-2.0-only
/*
 * COMPRESSED and COMPRESSED2 records: the payloads of all of them are one
 * zstd stream, and records of the stream lie across the payloads' borders.
 *
 * A stream may ask for a window of up to 128 MiB, zstd's own limit: perf record
 * -z 22 does so however short the recording is.  Only what the data fills of
 * it becomes memory; at perf's default level the window has 512 KiB.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "analyze/readers/perf-bytes.h"
#include "analyze/readers/perf-format.h"
#include "analyze/readers/perf-stream.h"

#define BUFFER_SIZE (4 * PD_MAX_RECORD)

/* Recordings shrink 10 to 100 times; more is made to waste our time. */
#define MAX_RATIO 2048

struct pd_inflate {
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;
	struct pd_buffer out;
	uint64_t offset; /* of the record that is being taken apart */
	uint64_t fed, made; /* bytes in and out so far */
	bool full; /* zstd may hold back output that did not fit */
};

void pd_inflate_free(struct pd_inflate *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->zstd);
	free(z->out.data);
	free(z);
}

static struct pd_inflate *inflate_new(void)
{
	struct pd_inflate *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->zstd = ZSTD_createDStream();
	z->out.size = BUFFER_SIZE;
	z->out.data = malloc(z->out.size);
	if (z->zstd && z->out.data)
		return z;
	pd_inflate_free(z);
	return NULL;
}

int pd_inflate_feed(struct pd_stream *s, const struct pd_record *r,
		    struct error *err)
{
	size_t header = r->type == PD_COMPRESSED2 ? 16 : 8;
	struct pd_inflate *z = s->inflate;
	uint64_t size;

	if (s->is_plain)
		return error_set(err, EXIT_USAGE,
				 "%s: offset %llu: a compressed record in a "
				 "file that is not; it is damaged",
				 s->name, (unsigned long long)r->offset);
	if (!z)
		z = s->inflate = inflate_new();
	if (!z)
		return error_set(err, EXIT_USAGE, "%s: out of memory", s->name);
	if (r->size < header)
		goto bad;
	size = r->size - header;
	if (header == 16) {
		if (pd_u64(r->data + 8, s->swap) > size)
			goto bad;
		size = pd_u64(r->data + 8, s->swap);
	}
	z->in = (ZSTD_inBuffer){ .src = r->data + header, .size = size };
	z->fed += size;
	z->offset = r->offset;
	return 0;

bad:
	return error_set(err, EXIT_USAGE,
			 "%s: offset %llu: a compressed record of %u bytes "
			 "holds less than it says; the file is damaged",
			 s->name, (unsigned long long)r->offset, r->size);
}

/* More decompressed bytes.  1; 0: more has to be fed; -1. */
static int inflate_more(struct pd_stream *s, struct error *err)
{
	struct pd_inflate *z = s->inflate;
	struct pd_buffer *b = &z->out;
	ZSTD_outBuffer out;
	size_t ret, before = z->in.pos;

	if (z->in.pos == z->in.size && !z->full)
		return 0;
	b->have -= b->at;
	memmove(b->data, b->data + b->at, b->have);
	b->at = 0;
	out = (ZSTD_outBuffer){ b->data, b->size, b->have };
	ret = ZSTD_decompressStream(z->zstd, &out, &z->in);
	if (ZSTD_isError(ret))
		return error_set(err, EXIT_USAGE,
				 "%s: offset %llu: cannot decompress: %s",
				 s->name, (unsigned long long)z->offset,
				 ZSTD_getErrorName(ret));
	z->made += out.pos - b->have;
	z->full = out.pos == out.size;
	if (z->made / MAX_RATIO > z->fed)
		return error_set(err, EXIT_USAGE,
				 "%s: offset %llu: compressed data grows more "
				 "than %d times; that is no recording",
				 s->name, (unsigned long long)z->offset,
				 MAX_RATIO);
	if (out.pos == b->have && z->in.pos == before)
		z->in.pos = z->in.size; /* it wants no more of this */
	b->have = out.pos;
	return 1;
}

int pd_inflate_next(struct pd_stream *s, struct pd_record *r, struct error *err)
{
	struct pd_inflate *z = s->inflate;
	int ret;

	while (!(ret = pd_buffer_record(&z->out, r, s->swap))) {
		ret = inflate_more(s, err);
		if (ret <= 0)
			return ret;
	}
	if (ret < 0 || r->type == PD_COMPRESSED || r->type == PD_COMPRESSED2)
		return error_set(err, EXIT_USAGE,
				 "%s: offset %llu: compressed data holds a "
				 "record of type %u and size %u, which can't "
				 "be; the file is damaged",
				 s->name, (unsigned long long)z->offset,
				 r->type, r->size);
	r->offset = z->offset;
	return 1;
}

size_t pd_inflate_rest(const struct pd_stream *s)
{
	const struct pd_buffer *b = &s->inflate->out;
	size_t left = b->have - b->at;

	if (left < 8)
		return left ? 8 - left : 0;
	return pd_u16(b->data + b->at + 6, s->swap) - left;
}

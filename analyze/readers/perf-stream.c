// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/readers/perf-bytes.h"
#include "analyze/readers/perf-format.h"

#define HEADER_SIZE 8

int pd_stream_open(struct pd_stream *s, uint64_t begin, uint64_t end,
		   size_t buffer_size)
{
	s->read_at = begin;
	s->end = end;
	s->buffer.size = buffer_size;
	s->buffer.data = malloc(buffer_size);
	return s->buffer.data ? 0 : -1;
}

void pd_stream_close(struct pd_stream *s)
{
	free(s->buffer.data);
	pd_inflate_free(s->inflate);
	s->buffer = (struct pd_buffer){ 0 };
	s->inflate = NULL;
}

static uint64_t offset_of(const struct pd_stream *s)
{
	return s->read_at - (s->buffer.have - s->buffer.at);
}

static ssize_t read_some(struct pd_stream *s, void *to, size_t size)
{
	ssize_t got;

	if (s->head_left) {
		if (size > s->head_left)
			size = s->head_left;
		memcpy(to, s->head, size);
		s->head += size;
		s->head_left -= size;
		return (ssize_t)size;
	}
	do {
		if (s->can_seek)
			got = pread(s->fd, to, size, (off_t)s->read_at);
		else
			got = read(s->fd, to, size);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* More into the buffer.  1; 0: the input ends here; -1. */
static int refill(struct pd_stream *s, struct error *err)
{
	struct pd_buffer *b = &s->buffer;
	size_t space;
	ssize_t got;

	b->have -= b->at;
	memmove(b->data, b->data + b->at, b->have);
	b->at = 0;
	space = b->size - b->have;
	if (s->read_size && space > s->read_size)
		space = s->read_size;
	if (space > s->end - s->read_at)
		space = s->end - s->read_at;
	if (!space)
		return 0;
	got = read_some(s, b->data + b->have, space);
	if (got < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot read at %llu",
				   s->name, (unsigned long long)s->read_at);
	b->have += (size_t)got;
	s->read_at += (uint64_t)got;
	return got > 0;
}

int pd_buffer_record(struct pd_buffer *b, struct pd_record *r, bool swap)
{
	const unsigned char *from = b->data + b->at;
	size_t left = b->have - b->at;

	if (left < HEADER_SIZE)
		return 0;
	r->type = pd_u32(from, swap);
	r->misc = pd_u16(from + 4, swap);
	r->size = pd_u16(from + 6, swap);
	if (r->size < HEADER_SIZE)
		return -1;
	if (left < r->size)
		return 0;
	r->data = from;
	b->at += r->size;
	return 1;
}

/* The input ended; how much of the record that began is missing? */
static void note_missing(struct pd_stream *s)
{
	size_t left = s->buffer.have - s->buffer.at;

	if (s->end != UINT64_MAX && s->read_at < s->end)
		s->missing = s->end - s->read_at;
	else if (left >= HEADER_SIZE)
		s->missing =
			pd_u16(s->buffer.data + s->buffer.at + 6, s->swap) -
			left;
	else if (left)
		s->missing = HEADER_SIZE - left;
	else if (s->inflate)
		s->missing = pd_inflate_rest(s);
}

static int outer_next(struct pd_stream *s, struct pd_record *r,
		      struct error *err)
{
	int ret;

	while (!(ret = pd_buffer_record(&s->buffer, r, s->swap))) {
		ret = refill(s, err);
		if (ret < 0)
			return -1;
		if (!ret) {
			note_missing(s);
			return 0;
		}
	}
	if (ret < 0)
		return error_set(err, EXIT_USAGE,
				 "%s: offset %llu: a record of type %u is "
				 "given %u bytes, less than its header has; "
				 "the file is damaged",
				 s->name, (unsigned long long)offset_of(s),
				 r->type, r->size);
	r->offset = offset_of(s) - r->size;
	return 1;
}

int pd_stream_next(struct pd_stream *s, struct pd_record *r, struct error *err)
{
	int ret;

	for (;;) {
		if (s->inflate) {
			ret = pd_inflate_next(s, r, err);
			if (ret)
				return ret;
		}
		ret = outer_next(s, r, err);
		if (ret <= 0)
			return ret;
		if (r->type != PD_COMPRESSED && r->type != PD_COMPRESSED2)
			return 1;
		if (pd_inflate_feed(s, r, err))
			return -1;
	}
}

static int payload_cut(struct pd_stream *s, struct error *err)
{
	return error_set(err, EXIT_USAGE,
			 "%s: offset %llu: the data that a record announces "
			 "goes beyond the end of the file",
			 s->name, (unsigned long long)offset_of(s));
}

/* Take what the buffer holds of it, or fill the buffer again. */
static int payload_part(struct pd_stream *s, unsigned char *to, uint64_t size,
			uint64_t *got, struct error *err)
{
	struct pd_buffer *b = &s->buffer;
	uint64_t part = b->have - b->at;
	int ret;

	if (part) {
		part = part < size ? part : size;
		memcpy(to, b->data + b->at, part);
		b->at += part;
		*got += part;
		return 0;
	}
	ret = refill(s, err);
	if (!ret)
		return payload_cut(s, err);
	return ret < 0 ? -1 : 0;
}

static unsigned char *no_memory(struct pd_stream *s, struct error *err)
{
	error_set(err, EXIT_USAGE, "%s: out of memory", s->name);
	return NULL;
}

unsigned char *pd_stream_payload(struct pd_stream *s, uint64_t size,
				 struct error *err)
{
	uint64_t got = 0, room = size < PD_MAX_RECORD ? size : PD_MAX_RECORD;
	unsigned char *all = malloc(room + 1), *grown;

	if (!all)
		return no_memory(s, err);
	while (got < size) {
		if (payload_part(s, all + got, room - got, &got, err)) {
			free(all);
			return NULL;
		}
		if (got < room || got == size)
			continue;
		room = 2 * room < size ? 2 * room : size;
		grown = realloc(all, room + 1);
		if (!grown) {
			free(all);
			return no_memory(s, err);
		}
		all = grown;
	}
	all[size] = '\0';
	return all;
}

int pd_stream_skip(struct pd_stream *s, uint64_t size, struct error *err)
{
	struct pd_buffer *b = &s->buffer;
	int ret = 1;

	while (ret > 0 && size > b->have - b->at) {
		size -= b->have - b->at;
		b->at = b->have;
		if (s->can_seek && !s->head_left) {
			if (size > s->end - s->read_at) {
				s->missing = size - (s->end - s->read_at);
				size = s->end - s->read_at;
			}
			s->read_at += size;
			return 0;
		}
		ret = refill(s, err);
	}
	if (ret <= 0) {
		s->missing = ret ? s->missing : size;
		return ret;
	}
	b->at += size;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records one after another, from a file, a part of it or a pipe.  What is
 * inside COMPRESSED records comes out as if it stood there uncompressed.
 *
 * Memory: one buffer, whatever the size of the input.  Files are read, not
 * mapped: a file that is cut short meanwhile must not end in SIGBUS, and
 * copying costs less than what is saved in page faults.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_STREAM_H
#define RWSEMLAB_ANALYZE_READERS_PERF_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct pd_inflate;

struct pd_buffer {
	unsigned char *data;
	size_t size, at, have; /* data[at … have) is not consumed yet */
};

struct pd_stream {
	const char *name; /* of the file, for messages */
	int fd;
	bool swap; /* another byte order than ours */
	bool can_seek;
	const unsigned char *head; /* bytes already taken from a pipe */
	size_t head_left;
	uint64_t read_at; /* file offset behind the buffer */
	uint64_t end; /* of the records, UINT64_MAX: the end of the input */
	size_t read_size; /* bytes to read at once, 0: as the buffer holds */
	bool is_plain; /* COMPRESSED records have no place here */
	struct pd_buffer buffer;
	struct pd_inflate *inflate; /* set by the first COMPRESSED record */
	uint64_t missing; /* bytes that the last, cut record lacks */
	uint64_t last_time; /* the reader's: of the last record with a time */
};

struct pd_record {
	const unsigned char *data; /* valid until the next call */
	uint64_t offset; /* in the file; of the COMPRESSED record it was in */
	uint32_t type;
	uint16_t misc, size;
};

/**
 * pd_stream_open() - prepare a zeroed stream whose first four members are set
 * @begin: file offset of the first record; ignored unless @can_seek
 * @end:   file offset behind the last one
 * @buffer_size: bytes, at least PD_MAX_RECORD
 *
 * Return: 0, or -1 when memory ran out.
 */
int pd_stream_open(struct pd_stream *s, uint64_t begin, uint64_t end,
		   size_t buffer_size);

/* Frees what the stream holds; the file stays open. */
void pd_stream_close(struct pd_stream *s);

/* A record's size has 16 bits. */
#define PD_MAX_RECORD 65536

/**
 * pd_stream_next() - the next record
 *
 * Return: 1; 0 at the end, with @missing set when that is within a record;
 * -1 with @err set: a record that can't be one, a read error.
 */
int pd_stream_next(struct pd_stream *s, struct pd_record *r, struct error *err);

/**
 * pd_stream_payload() - the bytes behind a record that its size excludes
 * @size: how many
 *
 * Return: a buffer to free(), with a zero byte after its end; NULL with @err
 * set.  Memory follows what is there, not @size.
 */
unsigned char *pd_stream_payload(struct pd_stream *s, uint64_t size,
				 struct error *err);

/**
 * pd_stream_skip() - jump over such bytes
 *
 * Return: 0, or -1 with @err set.  At the end of the input it sets @missing.
 */
int pd_stream_skip(struct pd_stream *s, uint64_t size, struct error *err);

/* For perf-inflate.c: the first record in a buffer.  1; 0: not all there. */
int pd_buffer_record(struct pd_buffer *b, struct pd_record *r, bool swap);

/**
 * pd_inflate_feed() - take the payload of a COMPRESSED record
 *
 * @data has to stay until pd_inflate_next() returns 0.
 *
 * Return: 0, or -1 with @err set.
 */
int pd_inflate_feed(struct pd_stream *s, const struct pd_record *r,
		    struct error *err);

/**
 * pd_inflate_next() - the next record out of it
 *
 * Return: 1; 0: more has to be fed; -1 with @err set.
 */
int pd_inflate_next(struct pd_stream *s, struct pd_record *r,
		    struct error *err);
size_t pd_inflate_rest(const struct pd_stream *s); /* bytes of a cut record */
void pd_inflate_free(struct pd_inflate *z);

#endif

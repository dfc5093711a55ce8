/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that grow, for building a file in memory.
 */
#ifndef RWSEMLAB_ANALYZE_RECORD_BUFFER_H
#define RWSEMLAB_ANALYZE_RECORD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_buffer {
	unsigned char *data;
	size_t size;
	size_t capacity;
	bool failed; /* memory ran out; what is added since is missing */
};

void record_buffer_add(struct record_buffer *b, const void *bytes, size_t size);
void record_buffer_u32(struct record_buffer *b, uint32_t value);
void record_buffer_u64(struct record_buffer *b, uint64_t value);

/**
 * record_buffer_string() - a string, its zero, and zeros up to a multiple
 * @align: a power of two
 */
void record_buffer_string(struct record_buffer *b, const char *text,
			  size_t align);

/**
 * record_buffer_align() - zeros until the size is a multiple of @align
 */
void record_buffer_align(struct record_buffer *b, size_t align);

/**
 * record_buffer_file() - add what a file holds, up to @max bytes
 *
 * Return: the number of bytes added, -1 with errno when it can't be read.
 */
long record_buffer_file(struct record_buffer *b, const char *path, size_t max);

/**
 * record_read_text() - the start of a small file, as a string without the
 * newline at its end
 *
 * Return: its length, -1 when it can't be read or is empty.
 */
int record_read_text(const char *path, char *text, size_t size);

/**
 * record_read_id() - a pid or tid from the start of a text
 *
 * Return: the number; 0 where there is none, or none that can be.
 */
int record_read_id(const char *text);

void record_buffer_free(struct record_buffer *b);

#endif

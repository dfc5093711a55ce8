// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/record-buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room for @size more bytes; NULL when memory ran out. */
static unsigned char *record_buffer_room(struct record_buffer *b, size_t size)
{
	size_t capacity = b->capacity ? b->capacity : 4096;
	unsigned char *data;

	if (b->failed || size > SIZE_MAX / 4 - b->size) {
		b->failed = true;
		return NULL;
	}
	while (capacity < b->size + size)
		capacity *= 2;
	if (capacity != b->capacity) {
		data = realloc(b->data, capacity);
		if (!data) {
			b->failed = true;
			return NULL;
		}
		b->data = data;
		b->capacity = capacity;
	}
	return b->data + b->size;
}

void record_buffer_add(struct record_buffer *b, const void *bytes, size_t size)
{
	unsigned char *room = record_buffer_room(b, size);

	if (!room || !size)
		return;
	memcpy(room, bytes, size);
	b->size += size;
}

void record_buffer_u32(struct record_buffer *b, uint32_t value)
{
	record_buffer_add(b, &value, sizeof(value));
}

void record_buffer_u64(struct record_buffer *b, uint64_t value)
{
	record_buffer_add(b, &value, sizeof(value));
}

static void record_buffer_zeros(struct record_buffer *b, size_t size)
{
	unsigned char *room = record_buffer_room(b, size);

	if (!room)
		return;
	memset(room, 0, size);
	b->size += size;
}

void record_buffer_align(struct record_buffer *b, size_t align)
{
	record_buffer_zeros(b, (align - b->size % align) % align);
}

void record_buffer_string(struct record_buffer *b, const char *text,
			  size_t align)
{
	size_t size = strlen(text) + 1;

	record_buffer_add(b, text, size);
	record_buffer_zeros(b, (align - size % align) % align);
}

long record_buffer_file(struct record_buffer *b, const char *path, size_t max)
{
	size_t start = b->size;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	if (fd < 0)
		return -1;
	/* The sizes that procfs, sysfs and tracefs tell are not to be used. */
	while (b->size - start < max) {
		size_t want = max - (b->size - start);
		unsigned char *room;

		if (want > 65536)
			want = 65536;
		room = record_buffer_room(b, want);
		if (!room) {
			errno = ENOMEM;
			got = -1;
			break;
		}
		got = read(fd, room, want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		b->size += (size_t)got;
	}
	close(fd);
	if (got < 0) {
		b->size = start;
		return -1;
	}
	return (long)(b->size - start);
}

int record_read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -1;
	do {
		got = read(fd, text, size - 1);
	} while (got < 0 && errno == EINTR);
	close(fd);
	if (got > 0 && text[got - 1] == '\n')
		got--;
	if (got <= 0)
		return -1;
	text[got] = 0;
	return (int)got;
}

int record_read_id(const char *text)
{
	long id = strtol(text, NULL, 10);

	return id > 0 && id <= INT_MAX ? (int)id : 0;
}

void record_buffer_free(struct record_buffer *b)
{
	free(b->data);
	*b = (struct record_buffer){ 0 };
}

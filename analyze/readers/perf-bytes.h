/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in perf.data: unaligned, in the byte order of the machine that
 * recorded it.  @swap says that this is not our own.  Callers check bounds.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_BYTES_H
#define RWSEMLAB_ANALYZE_READERS_PERF_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t pd_u16(const void *from, bool swap)
{
	uint16_t v;

	memcpy(&v, from, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t pd_u32(const void *from, bool swap)
{
	uint32_t v;

	memcpy(&v, from, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t pd_u64(const void *from, bool swap)
{
	uint64_t v;

	memcpy(&v, from, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline int32_t pd_s32(const void *from, bool swap)
{
	return (int32_t)pd_u32(from, swap);
}

/* A part of the file in memory, read from front to back. */
struct pd_cursor {
	const unsigned char *at, *end;
	bool swap;
	bool failed; /* something did not fit; all later reads give 0 */
};

static inline size_t pd_left(const struct pd_cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* @size bytes, or NULL when fewer are left. */
static inline const unsigned char *pd_take(struct pd_cursor *c, uint64_t size)
{
	const unsigned char *from = c->at;

	if (c->failed || size > pd_left(c)) {
		c->failed = true;
		return NULL;
	}
	c->at += size;
	return from;
}

static inline uint32_t pd_take_u32(struct pd_cursor *c)
{
	const unsigned char *from = pd_take(c, 4);

	return from ? pd_u32(from, c->swap) : 0;
}

static inline uint64_t pd_take_u64(struct pd_cursor *c)
{
	const unsigned char *from = pd_take(c, 8);

	return from ? pd_u64(from, c->swap) : 0;
}

/* Up to and with a zero byte; NULL when there is none. */
static inline const char *pd_take_string(struct pd_cursor *c)
{
	const unsigned char *zero = c->failed ? NULL :
						memchr(c->at, 0, pd_left(c));

	if (!zero) {
		c->failed = true;
		return NULL;
	}
	return (const char *)pd_take(c, (uint64_t)(zero - c->at) + 1);
}

#endif

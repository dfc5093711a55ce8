/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking a piece of text apart from its left end.  Nothing here reads beyond
 * the end, depends on the locale or on a terminating zero.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_TEXT_H
#define RWSEMLAB_ANALYZE_READERS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	const char *at, *end;
};

static inline struct text text_of(const char *at, size_t length)
{
	return (struct text){ at, at + length };
}

static inline size_t text_length(const struct text *t)
{
	return (size_t)(t->end - t->at);
}

static inline bool text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * text_trim() - without spaces and tabs at both ends
 */
struct text text_trim(struct text t);
void text_skip_blanks(struct text *t);

bool text_equals(const struct text *t, const char *s);
bool text_starts(const struct text *t, const char *s);
bool text_ends(const struct text *t, const char *s);

/**
 * text_find() - where @s occurs first; NULL: nowhere
 */
const char *text_find(const struct text *t, const char *s);

/*
 * Each takes something off the left end and returns true, or returns false
 * and leaves @t as it was.
 */

bool text_take(struct text *t, const char *s);
bool text_take_u64(struct text *t, uint64_t *v); /* decimal */
bool text_take_i32(struct text *t, int32_t *v);
bool text_take_hex(struct text *t, uint64_t *v); /* without "0x" */

/**
 * text_take_fixed() - a decimal number such as "59.51", as billionths
 * @whole: the part before the point
 * @billionths: behind it: 510000000; digits beyond the ninth are dropped
 * @has_point: whether there was one; digits must follow it
 */
bool text_take_fixed(struct text *t, uint64_t *whole, uint32_t *billionths,
		     bool *has_point);

/**
 * text_take_word() - up to the next space or tab; never an empty one
 */
bool text_take_word(struct text *t, struct text *word);

#endif

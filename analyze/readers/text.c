// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/text.h"

#include <string.h>

struct text text_trim(struct text t)
{
	text_skip_blanks(&t);
	while (t.at < t.end && text_is_blank(t.end[-1]))
		t.end--;
	return t;
}

void text_skip_blanks(struct text *t)
{
	while (t->at < t->end && text_is_blank(*t->at))
		t->at++;
}

bool text_starts(const struct text *t, const char *s)
{
	size_t n = strlen(s);

	return text_length(t) >= n && !memcmp(t->at, s, n);
}

bool text_ends(const struct text *t, const char *s)
{
	size_t n = strlen(s);

	return text_length(t) >= n && !memcmp(t->end - n, s, n);
}

bool text_equals(const struct text *t, const char *s)
{
	return text_length(t) == strlen(s) && text_starts(t, s);
}

const char *text_find(const struct text *t, const char *s)
{
	return memmem(t->at, text_length(t), s, strlen(s));
}

bool text_take(struct text *t, const char *s)
{
	if (!text_starts(t, s))
		return false;
	t->at += strlen(s);
	return true;
}

bool text_take_u64(struct text *t, uint64_t *v)
{
	const char *at = t->at;
	uint64_t n = 0;

	while (at < t->end && text_is_digit(*at)) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*at - '0'), &n))
			return false;
		at++;
	}
	if (at == t->at)
		return false;
	t->at = at;
	*v = n;
	return true;
}

bool text_take_i32(struct text *t, int32_t *v)
{
	struct text rest = *t;
	bool negative = text_take(&rest, "-");
	uint64_t n;

	if (!text_take_u64(&rest, &n) || n > INT32_MAX)
		return false;
	*v = negative ? -(int32_t)n : (int32_t)n;
	*t = rest;
	return true;
}

static int hex_digit(char c)
{
	if (text_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool text_take_hex(struct text *t, uint64_t *v)
{
	const char *at = t->at;
	uint64_t n = 0;

	while (at < t->end && hex_digit(*at) >= 0) {
		if (n >> 60)
			return false;
		n = n << 4 | (uint64_t)hex_digit(*at);
		at++;
	}
	if (at == t->at)
		return false;
	t->at = at;
	*v = n;
	return true;
}

bool text_take_fixed(struct text *t, uint64_t *whole, uint32_t *billionths,
		     bool *has_point)
{
	uint32_t scale = 100000000;
	struct text rest = *t;
	uint32_t n = 0;

	if (!text_take_u64(&rest, whole))
		return false;
	*has_point = text_take(&rest, ".");
	if (*has_point && (rest.at == rest.end || !text_is_digit(*rest.at)))
		return false;
	while (*has_point && rest.at < rest.end && text_is_digit(*rest.at)) {
		n += scale * (uint32_t)(*rest.at++ - '0');
		scale /= 10;
	}
	*billionths = n;
	*t = rest;
	return true;
}

bool text_take_word(struct text *t, struct text *word)
{
	const char *at = t->at;

	while (at < t->end && !text_is_blank(*at))
		at++;
	if (at == t->at)
		return false;
	*word = (struct text){ t->at, at };
	t->at = at;
	return true;
}

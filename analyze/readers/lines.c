// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEEK_BYTES  4096 /* what input.c looks at */
#define FIRST_BYTES (1u << 17) /* of the buffer; long lines make it grow */
/* Room for the longest line, its line end, and some of what is behind it. */
#define MAX_BYTES (2 * LINE_MAX_BYTES)

struct lines {
	int fd;
	const unsigned char *head; /* of a pipe: what was read before */
	size_t head_left;
	bool at_end;
	bool again;
	struct line last;
	char *at, *end; /* what of the buffer was not handed out */
	char *buffer;
	size_t size;
};

struct lines *lines_open(const struct input *in)
{
	struct lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->size = FIRST_BYTES;
	l->buffer = malloc(l->size);
	if (!l->buffer) {
		free(l);
		return NULL;
	}
	l->fd = in->fd;
	l->head = in->head;
	l->head_left = in->is_regular ? 0 : in->peeked;
	l->at = l->buffer;
	l->end = l->buffer;
	return l;
}

void lines_close(struct lines *l)
{
	if (l)
		free(l->buffer);
	free(l);
}

static ssize_t read_some(struct lines *l, char *to, size_t size)
{
	ssize_t n;

	if (l->head_left) {
		if (size > l->head_left)
			size = l->head_left;
		memcpy(to, l->head, size);
		l->head += size;
		l->head_left -= size;
		return (ssize_t)size;
	}
	do
		n = read(l->fd, to, size);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Make room behind what is left, which moves to the front. */
static int make_room(struct lines *l)
{
	size_t left = (size_t)(l->end - l->at);
	char *grown;

	memmove(l->buffer, l->at, left);
	if (left > l->size / 2 && l->size < MAX_BYTES) {
		grown = realloc(l->buffer, 2 * l->size);
		if (!grown)
			return -1;
		l->buffer = grown;
		l->size *= 2;
	}
	l->at = l->buffer;
	l->end = l->buffer + left;
	return 0;
}

static int fill(struct lines *l)
{
	ssize_t n;

	if (make_room(l))
		return -1;
	n = read_some(l, l->end, (size_t)(l->buffer + l->size - l->end));
	if (n < 0)
		return -1;
	if (n == 0)
		l->at_end = true;
	l->end += n;
	return 0;
}

static void set_line(struct lines *l, struct line *line, size_t length)
{
	line->text = l->at;
	line->length = length;
	line->number = l->last.number + 1;
	line->cut = false;
	if (length && line->text[length - 1] == '\r')
		line->length--;
	if (line->length > LINE_MAX_BYTES) {
		line->length = LINE_MAX_BYTES;
		line->cut = true;
	}
	l->last = *line;
}

/* The rest of a line that is too long; the kept part is where it was. */
static int drop_rest(struct lines *l, size_t length)
{
	char *rest = l->buffer + length;

	for (;;) {
		char *newline = memchr(rest, '\n', (size_t)(l->end - rest));
		ssize_t n;

		if (newline) {
			l->at = newline + 1;
			return 0;
		}
		n = read_some(l, rest, l->size - length);
		if (n < 0)
			return -1;
		l->end = rest + n;
		if (n == 0) {
			l->at_end = true;
			l->at = l->end;
			return 0;
		}
	}
}

static int next_line(struct lines *l, struct line *line)
{
	size_t searched = 0;

	for (;;) {
		size_t have = (size_t)(l->end - l->at);
		char *newline = memchr(l->at + searched, '\n', have - searched);

		if (newline) {
			set_line(l, line, (size_t)(newline - l->at));
			l->at = newline + 1;
			return 1;
		}
		if (have > LINE_MAX_BYTES + 1) {
			memmove(l->buffer, l->at, have);
			l->end = l->buffer + have;
			l->at = l->buffer;
			set_line(l, line, have);
			return drop_rest(l, LINE_MAX_BYTES) ? -1 : 1;
		}
		if (l->at_end) {
			if (!have)
				return 0;
			set_line(l, line, have);
			l->at = l->end;
			return 1;
		}
		searched = have;
		if (fill(l))
			return -1;
	}
}

int lines_next(struct lines *l, struct line *line)
{
	if (l->again) {
		l->again = false;
		*line = l->last;
		return 1;
	}
	return next_line(l, line);
}

void lines_again(struct lines *l)
{
	l->again = l->last.number != 0;
}

void skip_line(struct skipped *s, const struct line *line)
{
	if (!s->lines++)
		s->first = line->number;
}

void skipped_warn(const struct skipped *s, struct profile *p,
		  const struct input *in, const char *what)
{
	if (!s->lines)
		return;
	profile_warn(p, "%s: %llu %s not used, the first is line %llu: %s",
		     in->name, (unsigned long long)s->lines,
		     s->lines == 1 ? "line" : "lines",
		     (unsigned long long)s->first, what);
}

bool head_line(const struct input *in, size_t *at, struct line *line)
{
	const char *text = (const char *)in->head + *at;
	size_t left = in->peeked - *at;
	const char *newline = left ? memchr(text, '\n', left) : NULL;
	bool more = in->is_regular ? in->size > in->peeked :
				     in->peeked >= PEEK_BYTES;

	if (!left || (!newline && *at && more))
		return false;
	line->text = text;
	line->length = newline ? (size_t)(newline - text) : left;
	line->number = 0;
	line->cut = !newline && more;
	*at += newline ? line->length + 1 : line->length;
	if (line->length && line->text[line->length - 1] == '\r')
		line->length--;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a text input, one after the other: from a file or a pipe, in
 * constant memory, whatever bytes there are.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_LINES_H
#define RWSEMLAB_ANALYZE_READERS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/input.h"

#define LINE_MAX_BYTES (1u << 20) /* what is beyond is dropped */

struct line {
	const char *text; /* without its line end, and no zero behind it;
			     zero bytes within are as they were read */
	size_t length;
	uint64_t number; /* from 1 */
	bool cut; /* it was longer than LINE_MAX_BYTES */
};

struct lines;

/**
 * lines_open() - start with the first line
 * @in: a file or a pipe, as input.h describes; its fd stays the caller's
 *
 * Return: NULL when memory ran out.
 */
struct lines *lines_open(const struct input *in);
void lines_close(struct lines *l); /* NULL is fine */

/**
 * lines_next() - the next line
 * @line: filled; its text stays valid until the next call
 *
 * A line ends in "\n", "\r\n" or at the end of the input.
 *
 * Return: 1; 0 at the end; -1 when reading failed, with errno set.
 */
int lines_next(struct lines *l, struct line *line);

/**
 * lines_again() - make the next lines_next() give the last line once more
 */
void lines_again(struct lines *l);

/* Lines that could not be used: how many, and the number of the first. */
struct skipped {
	uint64_t lines;
	uint64_t first;
};

/**
 * skip_line() - count a line that is not used
 */
void skip_line(struct skipped *s, const struct line *line);

/**
 * skipped_warn() - a profile_warn() about them, if there are any
 * @in:   names the input
 * @what: what they are not, or why: "no sample, no frame of a call chain"
 */
void skipped_warn(const struct skipped *s, struct profile *p,
		  const struct input *in, const char *what);

/**
 * head_line() - the lines of an input's first bytes, for matches()
 * @at: where to go on; 0 at first
 *
 * The last line is left out when the input may go on, for then it may be
 * incomplete; but not when it is the only one.
 *
 * Return: false when there is none.
 */
bool head_line(const struct input *in, size_t *at, struct line *line);

#endif

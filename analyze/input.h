/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader gets, and the list of readers.  A reader's file ends in its
 * const struct reader; readers.def lists them, the most particular first.
 */
#ifndef RWSEMLAB_ANALYZE_INPUT_H
#define RWSEMLAB_ANALYZE_INPUT_H

#include "analyze/profile.h"

/*
 * The first bytes of an input, whatever it is: a file, a pipe, a folder.
 * For a regular file @fd can seek, and its offset is 0 when read() is called;
 * for a pipe @fd is just behind the @peeked bytes, which a reader must take
 * from @head first.
 */
struct input {
	int fd;
	const char *name; /* for messages */
	bool is_directory;
	bool is_regular;
	uint64_t size; /* of a regular file */
	const unsigned char *head;
	size_t peeked; /* bytes in head: 4096, or the whole of a shorter one */
};

struct reader {
	const char *name; /* "perf.data" */
	/* Whether this is the reader for the input; looks at head only. */
	bool (*matches)(const struct input *in);
	/*
	 * Adds everything to @p.  Returns 0, or -1 with @err set; what was
	 * counted before the error stays in @p.
	 */
	int (*read)(const struct input *in, struct profile *p,
		    struct error *err);
};

/**
 * input_read() - find out what @path is and add it to a profile
 * @path: a file; "-" for standard input; a perf.data directory
 *
 * Return: 0, or -1 with @err set (exit code 2: can't be read, nothing that
 * any reader knows; the message says what it looked like).
 */
int input_read(const char *path, struct profile *p, struct error *err);

#endif

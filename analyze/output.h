/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a report goes: standard output, or a file that appears whole or not
 * at all.
 */
#ifndef RWSEMLAB_ANALYZE_OUTPUT_H
#define RWSEMLAB_ANALYZE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct output {
	FILE *file;
	const char *name; /* for messages */
	char *path, *temporary; /* NULL: written in place */
};

/**
 * output_open() - begin a file, or use standard output
 * @path: NULL for standard output.  A regular file of that name is replaced
 *        by output_close(), not before; others (a pipe, a device) are opened.
 *
 * Return: 0, or -1 with @err set.
 */
int output_open(struct output *out, const char *path, struct error *err);

/**
 * output_terminal() - what the terminal is like that an output goes to
 * @width: its columns; left alone where it is none
 * @colour: set to whether it takes colours and the user wants them
 */
void output_terminal(const struct output *out, unsigned int *width,
		     bool *colour);

/**
 * output_close() - end what output_open() began
 * @keep: false removes what was written; an older file stays as it was
 *
 * Standard output is only flushed.
 *
 * Return: 0, or -1 with @err set when not everything could be written; then
 * nothing is kept.
 */
int output_close(struct output *out, bool keep, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inputs from memory, and what became of them in a form that is easy to write
 * down in a test.
 */
#ifndef RWSEMLAB_IMPORT_H
#define RWSEMLAB_IMPORT_H

#include <stddef.h>

#include "analyze/profile.h"

/**
 * import_bytes() - read an input into a new profile, as the program would
 * @err: says why nothing or not all could be read
 *
 * Ends the test where memory or a temporary file fails.
 *
 * Return: the profile, for profile_free(); of whatever was read
 */
struct profile *import_bytes(const void *bytes, size_t size, struct error *err);
struct profile *import_text(const char *text, struct error *err);

/**
 * import_rows() - all rows of switches, one a line, in the order of the input
 *
 *	SLEEPS[+PREEMPTIONS] COMM LEAF CALLER … [cut]
 *
 * Shares are in percent with four decimals.  Blanks in names are shown as
 * '_', "u:" stands before a frame of user mode, and an unnamed frame is its
 * address and dso.
 *
 * Return: a string for free()
 */
char *import_rows(struct profile *p);

/**
 * import_warning() - whether a warning has this in it
 */
bool import_warning(const struct profile *p, const char *part);

#endif

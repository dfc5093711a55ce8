/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What text readers begin with: the unit of their numbers, and the comments of
 * `perf script --header` and `perf report --header`: which machine, which
 * kernel, which command.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_TEXT_HEADER_H
#define RWSEMLAB_ANALYZE_READERS_TEXT_HEADER_H

#include "analyze/input.h"
#include "analyze/readers/text.h"

/**
 * text_header() - take what a comment says into the profile
 * @comment: the line from its '#' on; lines of other form do nothing
 */
void text_header(struct profile *p, struct text comment);

/**
 * text_set_unit() - begin to add numbers of this unit to a profile
 *
 * Shares and counts have no common base, so what is there already must be of
 * the same unit.
 *
 * Return: 0, or -1 with @err set.
 */
int text_set_unit(struct profile *p, enum profile_unit unit,
		  const struct input *in, struct error *err);

#endif

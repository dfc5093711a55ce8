/* SPDX-License-Identifier: GPL-2.0-only */
/* What diff-side.c asks of diff-rows.c; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_DIFF_SIDE_PRIVATE_H
#define RWSEMLAB_ANALYZE_DIFF_SIDE_PRIVATE_H

#include "analyze/diff-side.h"

/**
 * diff_rows_count() - add a profile's rows and stacks to run number @run
 *
 * Return: 0, or -1 when memory ran out.
 */
int diff_rows_count(struct diff_side *side, struct diff_texts *texts,
		    struct sites *sites, struct profile *p, size_t run);

#endif

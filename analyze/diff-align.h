/* SPDX-License-Identifier: GPL-2.0-only */
/* What diff-align.c and diff-wrappers.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_DIFF_ALIGN_H
#define RWSEMLAB_ANALYZE_DIFF_ALIGN_H

#include "analyze/diff-private.h"

struct align {
	const struct diff *d;
	struct diff_comparison *c;
	struct interned table; /* what makes rows equal, to its line */
	struct diff_line **line; /* NULL: merged into another, or done */
	size_t nr, size;
};

/* Step 3.  Functions return 0, or -1 when memory ran out. */
int diff_align_wrappers(struct align *a);

/* What one side alone has is no news where the other side's callers are not
   known: it may be inside. */
int diff_align_hidden(struct align *a);

#endif

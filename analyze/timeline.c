// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/timeline.h"

#include <string.h>

static void halve(struct timeline *t)
{
	uint32_t kind, i;

	for (kind = 0; kind < NR_TIMELINE_KINDS; kind++) {
		uint64_t *count = t->count[kind];

		for (i = 0; i < TIMELINE_SLICES / 2; i++)
			count[i] = count[2 * i] + count[2 * i + 1];
		memset(count + i, 0, (TIMELINE_SLICES - i) * sizeof(*count));
	}
	t->slice_ns *= 2;
	t->nr = (t->nr + 1) / 2;
}

void timeline_add(struct timeline *t, uint64_t at, enum timeline_kind kind)
{
	uint64_t slice;

	if (!t->slice_ns)
		t->slice_ns = TIMELINE_FIRST_NS;
	/* Ends before a slice overflows: by then 512 reach beyond 2^64 ns. */
	while ((slice = at / t->slice_ns) >= TIMELINE_SLICES)
		halve(t);
	t->count[kind][slice]++;
	if (slice >= t->nr)
		t->nr = (uint32_t)slice + 1;
}

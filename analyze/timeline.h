/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Switches over time, in a bounded number of equal slices: when time goes
 * beyond the last one, every two become one.
 */
#ifndef RWSEMLAB_ANALYZE_TIMELINE_H
#define RWSEMLAB_ANALYZE_TIMELINE_H

#include <stdint.h>

#define TIMELINE_SLICES	  512
#define TIMELINE_FIRST_NS 1000000 /* a slice of a short recording */

enum timeline_kind {
	TIMELINE_SLEEP,
	TIMELINE_PREEMPTION,
	TIMELINE_FROM_IDLE,
	NR_TIMELINE_KINDS,
};

/* Zero-initialise. */
struct timeline {
	uint64_t slice_ns; /* 0: nothing was counted */
	uint32_t nr; /* slices up to the last count */
	uint64_t count[NR_TIMELINE_KINDS][TIMELINE_SLICES];
};

/**
 * timeline_add() - count one switch
 * @at: ns since the beginning; any order
 */
void timeline_add(struct timeline *t, uint64_t at, enum timeline_kind kind);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first line of a sample as `perf script` prints it:
 *
 *	comm pid [cpu] time: event: fields
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_LINE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_LINE_H

#include "analyze/readers/text.h"

struct script_line {
	struct text comm;
	int32_t tid;
	uint32_t cpu; /* 0 when it was not printed */
	uint64_t time; /* ns */
	uint64_t period; /* 0 when it was not printed */
	struct text event; /* "sched:sched_switch"; "PERF_RECORD_LOST" … */
	struct text fields; /* what follows it */
};

/**
 * script_line_parse() - take the first line of a sample apart
 *
 * Known are all that perf has printed by default since 3.0, and these
 * additions: pid/tid, misc flags, nanoseconds, the period.
 *
 * Return: false when @text is something else.
 */
bool script_line_parse(struct text text, struct script_line *l);

#endif

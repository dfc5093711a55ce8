/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One sample of `perf script` at a time: from its first line and its call
 * chain to an event that is counted.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_SAMPLE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_SAMPLE_H

#include "analyze/account.h"
#include "analyze/readers/perf-script-chain.h"
#include "analyze/readers/perf-script-line.h"
#include "analyze/readers/perf-script-trace.h"
#include "analyze/readers/text-frames.h"

struct script_state;

struct script_sample {
	void (*count)(
		struct script_state *s); /* NULL: its chain is not needed */
	uint64_t time;
	uint64_t period;
	uint32_t cpu;
	int32_t tid;
	union {
		struct trace_switch sw;
		struct {
			uint64_t lock;
			uint32_t flags;
			int32_t ret;
		} contention;
		int32_t woken;
	};
	uint32_t nr_frames;
	uint32_t stack_flags;
	uint32_t frame[TEXT_MAX_FRAMES];
};

struct script_state {
	struct profile *p;
	struct account *account;
	struct chain_cache *cache;
	uint64_t newest;
	bool in_sample; /* its chain may follow */
	bool since_4_14;
	bool seen_waking;
	struct script_sample sample;
};

/**
 * script_begin() - a sample begins; the one before must have ended
 *
 * Return: false when the fields are not what the event's should be.
 */
bool script_begin(struct script_state *s, const struct script_line *l);

/**
 * script_frame() - a line of the sample's call chain
 *
 * Lines that are no frame, of source code for example, are left out.
 *
 * Return: false when no sample has begun.
 */
bool script_frame(struct script_state *s, struct text text);

/**
 * script_end() - count the sample, if one has begun
 */
void script_end(struct script_state *s);

#endif

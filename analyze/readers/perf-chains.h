/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains as recorded, each distinct one kept once for as long as queued
 * items refer to it, and not much longer.
 *
 * Chains of different processes that are the same code differ in their
 * addresses, so distinct raw chains grow with the recording; they live in
 * segments, and the oldest segment goes when there are too many.  A chain
 * that is still asked for is copied to the newest segment.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_CHAINS_H
#define RWSEMLAB_ANALYZE_READERS_PERF_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_chain {
	uint64_t hash[2];
	uint32_t nr;
	bool has_user; /* addresses that depend on the process */
	bool is_cut; /* at the most that the kernel records, or a part lacks */
	/* The stack it was last found to be, valid while @space matches. */
	uint32_t stack;
	uint64_t space;
	uint64_t ip[];
};

#define PD_SEGMENT_SIZE (1u << 20)
#define PD_MAX_SEGMENTS 12

/* Aligned to its size, so that a chain leads to its segment. */
struct pd_segment {
	uint32_t used; /* bytes */
	uint32_t refs; /* items that refer to its chains */
	bool retired; /* its chains are found no more */
	struct pd_segment *next; /* the next newer one */
};

struct pd_chains {
	struct pd_chain **slot; /* open addressing by hash[0] */
	size_t nr, size;
	struct pd_segment *oldest, *newest;
	bool failed; /* out of memory */
};

/**
 * pd_chain_get() - the kept chain that equals a recorded one
 * @ips: @nr entries in our byte order, maybe unaligned
 *
 * Equal means the same 128-bit H3.
 *
 * Return: NULL when memory ran out.  The caller's item owns a reference.
 */
struct pd_chain *pd_chain_get(struct pd_chains *c, const void *ips, uint32_t nr,
			      uint32_t max_stack);
void pd_chain_put(struct pd_chain *chain);

int pd_chains_init(struct pd_chains *c);
void pd_chains_free(struct pd_chains *c);

#endif

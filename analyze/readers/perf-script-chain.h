/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a call chain as `perf script` prints them:
 *
 *	ffffffff821fb643 schedule+0x23 ([kernel.kallsyms])
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_CHAIN_H
#define RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_CHAIN_H

#include "analyze/profile.h"
#include "analyze/readers/text.h"

struct chain_cache;

/**
 * chain_cache_new() - remembers lines, of which most come again and again
 *
 * Return: NULL when memory ran out.
 */
struct chain_cache *chain_cache_new(struct profile *p);
void chain_cache_free(struct chain_cache *c); /* NULL is fine */

/**
 * chain_frame() - the frame of a line
 * @leaf: it is the first of its chain, so not a return address
 * @frame: its number
 *
 * Return: false when @text is something else, a source line for example.
 */
bool chain_frame(struct chain_cache *c, struct text text, bool leaf,
		 uint32_t *frame);

#endif

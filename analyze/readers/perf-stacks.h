/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recorded call chain and the address spaces of its time → a stack of the
 * profile.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_STACKS_H
#define RWSEMLAB_ANALYZE_READERS_PERF_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct pd_reader;
struct pd_item;
struct pd_stacks;

struct pd_stacks *pd_stacks_new(void); /* NULL: out of memory */
void pd_stacks_free(struct pd_stacks *s);

/**
 * pd_chain_stack() - the profile's stack for an item's chain, at this time
 *
 * Return: its number; 0 when the item has no chain.
 */
uint32_t pd_chain_stack(struct pd_reader *d, const struct pd_item *item);

#endif

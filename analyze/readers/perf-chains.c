// SPDX-License-Identifier: GPL-2.0-only
#define XXH_INLINE_ALL
#include "analyze/readers/perf-chains.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analyze/readers/perf-format.h"

#define FIRST_SLOTS 4096
#define HEADER	    sizeof(struct pd_segment)

int pd_chains_init(struct pd_chains *c)
{
	c->size = FIRST_SLOTS;
	c->slot = calloc(c->size, sizeof(*c->slot));
	return c->slot ? 0 : -1;
}

void pd_chains_free(struct pd_chains *c)
{
	struct pd_segment *s;

	while ((s = c->oldest)) {
		c->oldest = s->next;
		free(s);
	}
	free(c->slot);
}

static struct pd_segment *segment_of(const struct pd_chain *chain)
{
	const uintptr_t mask = ~((uintptr_t)PD_SEGMENT_SIZE - 1);

	return (struct pd_segment *)((uintptr_t)chain & mask);
}

static size_t chain_size(uint32_t nr)
{
	return sizeof(struct pd_chain) + nr * sizeof(uint64_t);
}

static bool same(const struct pd_chain *chain, const uint64_t hash[2])
{
	return chain->hash[0] == hash[0] && chain->hash[1] == hash[1];
}

/* Where the chain of a hash is, or where it would go. */
static size_t find_slot(const struct pd_chains *c, const uint64_t hash[2])
{
	size_t i = hash[0] & (c->size - 1);

	while (c->slot[i] && !same(c->slot[i], hash))
		i = (i + 1) & (c->size - 1);
	return i;
}

static int grow_slots(struct pd_chains *c)
{
	struct pd_chain **old = c->slot;
	size_t i, size = c->size;

	c->slot = calloc(2 * size, sizeof(*c->slot));
	if (!c->slot) {
		c->slot = old;
		return -1;
	}
	c->size = 2 * size;
	for (i = 0; i < size; i++)
		if (old[i])
			c->slot[find_slot(c, old[i]->hash)] = old[i];
	free(old);
	return 0;
}

/*
 * Deletion from a table with linear probing: Knuth, The Art of Computer
 * Programming, volume 3, algorithm 6.4 R.
 */
static void remove_slot(struct pd_chains *c, size_t hole)
{
	size_t mask = c->size - 1, i = hole, home;

	for (;;) {
		i = (i + 1) & mask;
		if (!c->slot[i])
			break;
		home = c->slot[i]->hash[0] & mask;
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		c->slot[hole] = c->slot[i];
		hole = i;
	}
	c->slot[hole] = NULL;
	c->nr--;
}

/* Chains of the segment are found no more; items still refer to some. */
static void retire(struct pd_chains *c, struct pd_segment *s)
{
	struct pd_chain *chain;
	size_t at = HEADER, i;

	s->retired = true;
	while (at < s->used) {
		chain = (struct pd_chain *)((char *)s + at);
		i = find_slot(c, chain->hash);
		if (c->slot[i] == chain)
			remove_slot(c, i);
		at += chain_size(chain->nr);
	}
}

/* Retire what is over the limit, free what nobody refers to any more. */
static void clean_up(struct pd_chains *c)
{
	struct pd_segment **link = &c->oldest, *s;
	uint32_t active = 0;

	for (s = c->oldest; s; s = s->next)
		active += !s->retired;
	for (s = c->oldest; s && active >= PD_MAX_SEGMENTS; s = s->next) {
		if (s->retired)
			continue;
		retire(c, s);
		active--;
	}
	while ((s = *link)) {
		if (!s->retired || s->refs) {
			link = &s->next;
			continue;
		}
		*link = s->next;
		free(s);
	}
	c->newest = c->oldest;
	while (c->newest && c->newest->next)
		c->newest = c->newest->next;
}

static struct pd_segment *add_segment(struct pd_chains *c)
{
	struct pd_segment *s;

	clean_up(c);
	s = aligned_alloc(PD_SEGMENT_SIZE, PD_SEGMENT_SIZE);
	if (!s)
		return NULL;
	*s = (struct pd_segment){ .used = HEADER };
	if (c->newest)
		c->newest->next = s;
	else
		c->oldest = s;
	c->newest = s;
	return s;
}

static void describe(struct pd_chain *chain, uint32_t max_stack)
{
	bool kernel = false, cut = false;
	uint32_t i, addresses = 0;

	for (i = 0; i < chain->nr; i++) {
		uint64_t ip = chain->ip[i];

		if (ip >= PD_CONTEXT_FIRST) {
			kernel = ip == PD_CONTEXT_KERNEL;
			cut = ip == PD_CONTEXT_USER_DEFERRED;
			continue;
		}
		addresses++;
		if (!kernel)
			chain->has_user = true;
	}
	chain->is_cut = cut || addresses >= (max_stack ? max_stack : 127);
}

static struct pd_chain *add_chain(struct pd_chains *c, const void *ips,
				  uint32_t nr, const uint64_t hash[2],
				  uint32_t max_stack)
{
	struct pd_segment *s = c->newest;
	struct pd_chain *chain;

	if (!s || s->retired || PD_SEGMENT_SIZE - s->used < chain_size(nr))
		s = add_segment(c);
	if (!s)
		return NULL;
	if (2 * c->nr >= c->size && grow_slots(c))
		return NULL;
	chain = (struct pd_chain *)((char *)s + s->used);
	s->used += chain_size(nr);
	*chain = (struct pd_chain){
		.hash = { hash[0], hash[1] },
		.nr = nr,
	};
	memcpy(chain->ip, ips, nr * sizeof(uint64_t));
	describe(chain, max_stack);
	c->slot[find_slot(c, hash)] = chain;
	c->nr++;
	return chain;
}

struct pd_chain *pd_chain_get(struct pd_chains *c, const void *ips, uint32_t nr,
			      uint32_t max_stack)
{
	XXH128_hash_t h = XXH3_128bits(ips, nr * sizeof(uint64_t));
	const uint64_t hash[2] = { h.low64, h.high64 };
	struct pd_chain *chain = c->slot[find_slot(c, hash)];

	if (!chain)
		chain = add_chain(c, ips, nr, hash, max_stack);
	if (!chain) {
		c->failed = true;
		return NULL;
	}
	segment_of(chain)->refs++;
	return chain;
}

void pd_chain_put(struct pd_chain *chain)
{
	if (chain)
		segment_of(chain)->refs--;
}

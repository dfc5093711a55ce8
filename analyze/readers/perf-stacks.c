// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-stacks.h"

#include <stdlib.h>

#include "analyze/readers/perf-images.h"
#include "analyze/readers/perf-private.h"

#define KNOWN_FRAMES 16384
#define KNOWN_STACKS 32768

/*
 * Addresses that no mapping covers are mostly misread stack words; they
 * differ from process to process, so only so many are kept apart.
 */
#define MAX_UNKNOWN 65536

/* Both tables keep the latest entry of each slot. */
struct known_frame {
	uint64_t ip, space;
	uint32_t frame;
};

struct known_stack {
	uint64_t hash, space;
	uint32_t stack;
};

struct pd_stacks {
	struct known_frame frame[KNOWN_FRAMES];
	struct known_stack stack[KNOWN_STACKS];
	uint32_t unknown; /* frames so far */
	uint32_t list[PD_MAX_JOINED];
};

struct pd_stacks *pd_stacks_new(void)
{
	return calloc(1, sizeof(struct pd_stacks));
}

void pd_stacks_free(struct pd_stacks *s)
{
	free(s);
}

static uint32_t unknown_frame(struct pd_reader *d, struct frame *frame)
{
	struct pd_stacks *s = d->stacks;
	uint32_t before = profile_nr_frames(d->p), number;

	if (s->unknown >= MAX_UNKNOWN) {
		profile_warn(d->p,
			     "more than %d addresses lie in no mapping; "
			     "further ones are shown as address 0",
			     MAX_UNKNOWN);
		frame->address = 0;
	}
	number = profile_frame(d->p, frame);
	s->unknown += profile_nr_frames(d->p) - before;
	return number;
}

static uint32_t new_frame(struct pd_reader *d, const struct space *space,
			  uint64_t ip, uint32_t flags)
{
	struct frame frame = { .address = ip, .flags = flags };
	struct mapping m;

	if (space_find(space, ip, &m))
		pd_image_frame(d, &m, ip, &frame);
	else if (flags & FRAME_KERNEL)
		frame.dso = pd_kernel_dso(d);
	else
		return unknown_frame(d, &frame);
	return profile_frame(d->p, &frame);
}

/* @space_id is that of @space; bit 0 of it also keeps exact frames apart. */
static uint32_t frame_of(struct pd_reader *d, const struct space *space,
			 uint64_t space_id, uint64_t ip, uint32_t flags)
{
	uint64_t hash = (ip ^ space_id) * 0x9e3779b97f4a7c15u;
	struct known_frame *k = &d->stacks->frame[hash >> 50];

	_Static_assert(KNOWN_FRAMES == 1 << (64 - 50), "index has 14 bits");
	if (k->ip == ip && k->space == space_id && k->frame)
		return k->frame;
	k->ip = ip;
	k->space = space_id;
	k->frame = new_frame(d, space, ip, flags);
	return k->frame;
}

enum mode {
	MODE_SKIP,
	MODE_KERNEL,
	MODE_USER
};

static enum mode mode_of(uint64_t marker)
{
	switch (marker) {
	case PD_CONTEXT_KERNEL:
		return MODE_KERNEL;
	case PD_CONTEXT_USER:
		return MODE_USER;
	default:
		/* Guests, hypervisors, and a cookie of USER_DEFERRED. */
		return MODE_SKIP;
	}
}

static uint32_t resolve(struct pd_reader *d, const struct pd_chain *chain,
			const struct space *user)
{
	const struct space *kernel = tasks_kernel(d->tasks);
	uint64_t kernel_id = space_id(kernel), user_id = space_id(user);
	uint32_t *list = d->stacks->list, nr = 0, i;
	enum mode mode = MODE_USER;
	bool first = true;

	if (chain->nr && (int64_t)chain->ip[0] < 0)
		mode = MODE_KERNEL;
	for (i = 0; i < chain->nr; i++) {
		uint64_t ip = chain->ip[i];

		if (ip >= PD_CONTEXT_FIRST) {
			mode = mode_of(ip);
			first = true;
			continue;
		}
		/* powerpc notes a 0 where it does not trust a link register */
		if (!ip || mode == MODE_SKIP)
			continue;
		if (mode == MODE_KERNEL)
			list[nr++] = frame_of(d, kernel, ~kernel_id, ip,
					      FRAME_KERNEL);
		else
			list[nr++] = frame_of(d, user, user_id ^ first, ip,
					      first ? FRAME_EXACT : 0);
		first = false;
	}
	return profile_stack(d->p, list, nr, chain->is_cut ? STACK_CUT : 0);
}

/* The address at which the user's code goes on, 0: none recorded. */
static uint64_t user_leaf(const struct pd_chain *chain)
{
	uint32_t i;

	for (i = 0; i + 1 < chain->nr; i++)
		if (chain->ip[i] == PD_CONTEXT_USER)
			return chain->ip[i + 1];
	return 0;
}

/*
 * The space that a chain's user part is of: while a task executes another
 * program, up to the moment when that runs, it is the one before.
 */
static const struct space *user_space(struct pd_reader *d,
				      const struct pd_item *item)
{
	const struct space *before, *now;
	struct mapping m;
	uint64_t leaf;

	now = tasks_space(d->tasks, item->pid, &before);
	if (!before)
		return now;
	leaf = user_leaf(item->chain);
	if (!space_find(now, leaf, &m) && space_find(before, leaf, &m))
		return before;
	tasks_started(d->tasks, item->pid);
	return now;
}

uint32_t pd_chain_stack(struct pd_reader *d, const struct pd_item *item)
{
	static const struct space nothing = { NULL };
	const struct space *user = &nothing;
	struct pd_chain *chain = item->chain;
	struct known_stack *k;
	uint64_t space;

	if (!chain)
		return 0;
	if (chain->has_user)
		user = user_space(d, item);
	space = space_id(tasks_kernel(d->tasks)) * 3 + space_id(user) + 1;
	if (chain->space == space)
		return chain->stack;
	k = &d->stacks->stack[(chain->hash[0] ^ space) % KNOWN_STACKS];
	if (k->hash != chain->hash[1] || k->space != space) {
		k->hash = chain->hash[1];
		k->space = space;
		k->stack = resolve(d, chain, user);
	}
	chain->space = space;
	chain->stack = k->stack;
	return chain->stack;
}

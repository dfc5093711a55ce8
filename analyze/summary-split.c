// SPDX-License-Identifier: GPL-2.0-only
/* Splits that need what is known only after all events: names, and wakers. */
#include <stdio.h>
#include <string.h>

#include "analyze/summary-private.h"
#include "analyze/symbols.h"

#define STACK_TEXT 1024

static void append(char *text, size_t size, const char *what)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? " < " : "", what);
}

/* Stacks that read the same are one, wherever their addresses lie. */
static uint64_t stack_group(const struct summary *s, uint32_t stack)
{
	const struct stack *x = profile_get_stack(s->profile, stack);
	char text[STACK_TEXT] = "", name[256];
	uint32_t i;

	for (i = sites_leaf(s->sites, stack); i < x->nr; i++) {
		profile_frame_name(s->profile, x->frame[i], name, sizeof(name));
		name[site_strip(name)] = '\0';
		append(text, sizeof(text), name);
	}
	return profile_string(s->profile, text, strlen(text));
}

uint64_t summary_group(const struct summary *s, uint32_t stack, uint64_t group)
{
	if (s->profile->split == SPLIT_STACK)
		return stack_group(s, stack);
	if (s->profile->split == SPLIT_CGROUP)
		return profile_cgroup_path(s->profile, (uint32_t)group);
	return group;
}

static uint32_t waker_name(struct summary *s, const struct summary_release *x)
{
	const char *by = x->releaser ? profile_text(s->profile, x->releaser) :
				       "unknown";
	char text[320];

	if (x->interrupt)
		snprintf(text, sizeof(text), "%s (interrupt)", by);
	else
		snprintf(text, sizeof(text), "%s of %s", by,
			 x->comm ? profile_text(s->profile, x->comm) : "?");
	return profile_string(s->profile, text, strlen(text));
}

static void move_sleeps(struct summary *s, const struct summary_release *x)
{
	struct summary_row *from = summary_find_row(s, x->site, 0);
	struct summary_row *to;
	uint64_t count = x->count;

	if (!from || !count)
		return;
	if (count > from->sleeps)
		count = from->sleeps;
	to = summary_get_row(s, x->site, waker_name(s, x));
	if (!to)
		return;
	to->slow_path = from->slow_path;
	to->sleeps += count;
	from->sleeps -= count;
	/* Which of the sleeps those were, and in which state, is not known. */
	rwsemlab_histogram_free(&from->off);
	memset(from->by_state, 0, sizeof(from->by_state));
	from->off_ns = 0;
	from->woken = 0;
	from->runnable_ns = 0;
}

void summary_split_wakers(struct summary *s)
{
	size_t i;

	for (i = 0; i < s->nr_releases; i++)
		move_sleeps(s, s->releases[i]);
}

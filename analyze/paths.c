// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add_string(struct profile *p, const char *text)
{
	return profile_string(p, text, strlen(text));
}

static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

static uint32_t name_of(const struct summary *s, uint32_t frame)
{
	uint32_t name = sites_frame_name(s->sites, frame);
	const char *text = profile_text(s->profile, name);
	char *copy;

	if (is_printable(text))
		return name;
	copy = strdup(text);
	if (!copy) {
		profile_fail(s->profile);
		return 0;
	}
	make_printable(copy);
	name = add_string(s->profile, copy);
	free(copy);
	return name;
}

int path_init(struct path *path, const struct summary *summary)
{
	struct profile *p = summary->profile;
	uint32_t i;

	memset(path, 0, sizeof(*path));
	path->summary = summary;
	path->nr_names = profile_nr_frames(p);
	path->names = calloc(path->nr_names + 1, sizeof(*path->names));
	if (!path->names)
		return -1;
	for (i = 0; i < path->nr_names; i++)
		path->names[i] = name_of(summary, i);
	path->cut = add_string(p, "...");
	path->no_chain = add_string(p, "[no call chain]");
	return profile_failed(p) ? -1 : 0;
}

void path_free(struct path *path)
{
	free(path->names);
	free(path->name);
	free(path->frame);
	memset(path, 0, sizeof(*path));
}

static int make_room(struct path *path, uint32_t nr)
{
	uint32_t *name, *frame;

	if (nr <= path->size)
		return 0;
	name = realloc(path->name, nr * sizeof(*name));
	if (name)
		path->name = name;
	frame = realloc(path->frame, nr * sizeof(*frame));
	if (frame)
		path->frame = frame;
	if (!name || !frame)
		return -1;
	path->size = nr;
	return 0;
}

static void add_step(struct path *path, uint32_t name, uint32_t frame)
{
	path->name[path->nr] = name;
	path->frame[path->nr] = frame;
	path->nr++;
}

static void add_group(struct path *path, uint32_t stack, uint64_t group)
{
	const struct summary *s = path->summary;
	const struct summary_row row = {
		.group = summary_group(s, stack, group),
	};
	char name[SUMMARY_GROUP_SIZE];

	summary_group_name(s, &row, name, sizeof(name));
	make_printable(name);
	if (!name[0])
		snprintf(name, sizeof(name), "%s",
			 s->profile->split == SPLIT_LOCK ? "[no lock]" :
							   "[no name]");
	add_step(path, add_string(s->profile, name), PATH_NO_FRAME);
}

int path_take(struct path *path, uint32_t stack, uint64_t group,
	      unsigned int flags)
{
	const struct summary *s = path->summary;
	const struct stack *st = profile_get_stack(s->profile, stack);
	uint32_t leaf, i;

	path->nr = 0;
	if (make_room(path, st->nr + 3))
		return -1;
	if (flags & PATH_WITH_GROUP && s->profile->split != SPLIT_NONE &&
	    s->profile->split < SPLIT_STACK)
		add_group(path, stack, group);
	leaf = flags & PATH_WITH_SCHEDULER ? 0 : sites_leaf(s->sites, stack);
	if (leaf == st->nr) {
		add_step(path, path->no_chain, PATH_NO_FRAME);
		return profile_failed(s->profile) ? -1 : 0;
	}
	if (st->flags & STACK_CUT)
		add_step(path, path->cut, PATH_NO_FRAME);
	for (i = st->nr; i-- > leaf;)
		add_step(path, path->names[st->frame[i]], st->frame[i]);
	return profile_failed(s->profile) ? -1 : 0;
}

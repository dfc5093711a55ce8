/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row's stack as reports show it: names from the outermost caller to the
 * leaf, without compiler suffixes, the row's group before them.
 */
#ifndef RWSEMLAB_ANALYZE_PATHS_H
#define RWSEMLAB_ANALYZE_PATHS_H

#include "analyze/summary.h"

#define PATH_NO_FRAME UINT32_MAX /* a step that is no frame */

struct path {
	const struct summary *summary;
	uint32_t *names; /* strings, by frame */
	uint32_t nr_names;
	uint32_t cut, no_chain; /* strings */

	/* The steps of the row taken last, outermost first. */
	uint32_t *name; /* string */
	uint32_t *
		frame; /* or PATH_NO_FRAME: a group, "...", "[no call chain]" */
	uint32_t nr, size;
};

enum path_flags {
	PATH_WITH_SCHEDULER = 1, /* keep its frames at the leaf */
	PATH_WITH_GROUP = 2, /* where the profile is split: a first step */
};

/**
 * path_init() - name all frames of a summary's profile
 *
 * Adds strings to the profile.  Characters that could disturb a terminal are
 * replaced by '?'.
 *
 * Return: 0, or -1 when memory ran out; path_free() is needed after both.
 */
int path_init(struct path *path, const struct summary *summary);
void path_free(struct path *path);

/**
 * path_take() - the steps of a stack and a group
 * @flags: enum path_flags
 *
 * "..." stands where callers were not recorded, "[no call chain]" for a stack
 * without frames.
 *
 * Return: 0, or -1 when memory ran out.
 */
int path_take(struct path *path, uint32_t stack, uint64_t group,
	      unsigned int flags);

#endif

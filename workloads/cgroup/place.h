/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run's own cgroups: made by the keeper before the workload's root process
 * exists, removed by it after all processes have ended.
 *
 * Each is named rwsemlab-PID-START, after its keeper and when that started,
 * and the keeper holds a flock(2) of it.  So whoever comes later knows which
 * are of a run that was killed with all its processes.  Where the run changes
 * a mount option the name ends in what the option was: -favordynmods or
 * -nofavordynmods.
 */
#ifndef WORKLOADS_CGROUP_PLACE_H
#define WORKLOADS_CGROUP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"
#include "workloads/cgroup/mounts.h"
#include "workloads/workload.h"

enum cgroup_version {
	CGROUP_AUTO,
	CGROUP_V1,
	CGROUP_V2,
	CGROUP_BOTH,
};

/* Options that every cgroup workload has, first in its own struct. */
struct cgroup_options {
	unsigned int version;
	const char *parent; /* NULL: chosen here */
	bool allow_remount;
};

extern const char *const cgroup_versions[];

#define CGROUP_KEYS(type_, field_)                                           \
	{                                                                    \
		.key = "version",                                            \
		.type = WORKLOAD_CHOICE,                                     \
		.offset = offsetof(type_, field_.version),                   \
		.fallback = "auto",                                          \
		.choices = cgroup_versions,                                  \
		.help = "cgroup version; auto: 2 where it is mounted, else"  \
			" 1",                                                \
	},                                                                   \
		{                                                            \
			.key = "parent",                                     \
			.type = WORKLOAD_STRING,                             \
			.offset = offsetof(type_, field_.parent),            \
			.help = "cgroup in which the run's own one goes; "   \
				"default:"                                   \
				" where it is mounted",                      \
		},                                                           \
	{                                                                    \
		.key = "allow_remount", .type = WORKLOAD_FLAG,               \
		.offset = offsetof(type_, field_.allow_remount),             \
		.fallback = "0",                                             \
		.help = "1: remount cgroup2 to measure nofavordynmods, then" \
			" favordynmods; then restore",                       \
	}

/* One cgroup of the run's own. */
struct cgroup_own {
	bool v2;
	char *path;
	char *options; /* of its superblock */
	char name[64]; /* of its hierarchy, for people */
	int fd; /* of the directory, with the flock; -1: none */
};

enum cgroup_mode {
	CGROUP_AS_IS,
	CGROUP_NOFAVOR,
	CGROUP_FAVOR,
};

/* What the keeper made; root has a copy. */
struct cgroup_place {
	struct cgroup_own own[2];
	size_t nr;
	char *v2_point; /* where cgroup2 is mounted; NULL: nowhere */
	bool favors; /* was cgroup2 mounted with favordynmods? */
	bool remounts; /* the run may change that */
	unsigned long leftovers; /* cgroups of killed runs that were removed */
};

/**
 * cgroup_supported() - is any cgroup file system mounted?
 *
 * For struct workload.
 */
bool cgroup_supported(const char **reason);

/**
 * cgroup_prepare() - in the keeper: sweep, make the run's own cgroups
 * @options: starts with a struct cgroup_options
 * @place:   a struct cgroup_place; end it with cgroup_cleanup()
 * @err:     EXIT_IMPOSSIBLE with what is missing and what to do
 *
 * For struct workload.
 */
int cgroup_prepare(const void *options, void **place, struct error *err);

/**
 * cgroup_move_in() - in root: go into the run's own cgroups
 *
 * Descendants follow.  Lets go of the keeper's locks, too.
 */
int cgroup_move_in(struct cgroup_place *place, struct error *err);

/**
 * cgroup_cleanup() - in the keeper: restore the mount option, remove all
 *
 * For struct workload.
 */
int cgroup_cleanup(void *place, struct error *err);

/**
 * cgroup_sweep() - remove what runs left that were killed with their keeper
 * @options: as above; its parent is looked through, too
 *
 * Only cgroups of the name above whose keeper is gone, and of whose processes
 * each runs this very program; these are killed.  A mount option that such a
 * run had changed is restored.
 *
 * Return: how many cgroups were removed.
 */
unsigned long cgroup_sweep(const void *options);

/**
 * cgroup_remove() - a cgroup with those beneath it, once it has no process
 *
 * Waits up to @wait_ms for processes that still exit.
 *
 * Return: 0, also where there is none; -1 with errno set.
 */
int cgroup_remove(const char *path, int wait_ms);

/**
 * cgroup_remount() - set or clear favordynmods where cgroup2 is mounted
 *
 * All other options stay.  What came of it is looked up.
 */
int cgroup_remount(const char *v2_point, bool favor, struct error *err);

/**
 * cgroup_can_remount() - has the kernel the option, and does it take it here?
 * @err: EXIT_IMPOSSIBLE with why not
 *
 * Changes nothing.
 */
int cgroup_can_remount(struct error *err);

/**
 * cgroup_favors() - is favordynmods set now?
 *
 * Return: 1, 0, or -1 where cgroup2 is not mounted there any more.
 */
int cgroup_favors(const char *v2_point);

/**
 * cgroup_note() - what a reader of the numbers must know of this kernel
 *
 * Since 6.18 favordynmods, once set, changes the lock until the next boot.
 *
 * Return: a text; "" where there is nothing to say.
 */
const char *cgroup_note(const struct cgroup_place *place);

#endif

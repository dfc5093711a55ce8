/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cgroup file systems are mounted, from /proc/self/mountinfo.
 */
#ifndef WORKLOADS_CGROUP_MOUNTS_H
#define WORKLOADS_CGROUP_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

struct cgroup_mount {
	char *point; /* where it is mounted */
	char *options; /* of the superblock: "rw,freezer" */
	bool v2;
	bool read_only; /* the mount or the superblock */
};

/* Zero-initialise; cgroup_mounts_free() releases. */
struct cgroup_mounts {
	struct cgroup_mount *mount;
	size_t nr;
};

/**
 * cgroup_mounts_parse() - read the text of mountinfo
 * @file: untrusted; lines that are malformed or of other file systems are
 *        passed over
 *
 * Of mounts on the same point the last one counts: it hides the others.
 *
 * Return: 0, or -1 with @err set without memory.
 */
int cgroup_mounts_parse(FILE *file, struct cgroup_mounts *mounts,
			struct error *err);

/**
 * cgroup_mounts_read() - those that this process sees
 */
int cgroup_mounts_read(struct cgroup_mounts *mounts, struct error *err);

/**
 * cgroup_mounts_free() - release all and zero it
 */
void cgroup_mounts_free(struct cgroup_mounts *mounts);

/**
 * cgroup_mounts_pick() - the one to use of a version
 *
 * Of version 1, whose hierarchies have controllers, one that takes any task
 * and has little to do for it: freezer, pids, cpuacct, a named one, cpu.  A
 * writable one goes first.
 *
 * Return: the mount, owned by @mounts; NULL: there is none.
 */
const struct cgroup_mount *
cgroup_mounts_pick(const struct cgroup_mounts *mounts, bool v2);

/**
 * cgroup_mounts_of() - the one that a path is in, by its longest prefix
 *
 * Return: as above.
 */
const struct cgroup_mount *cgroup_mounts_of(const struct cgroup_mounts *mounts,
					    const char *path);

/**
 * cgroup_option_is_set() - is this word in an "a,b,c=d" list?
 */
bool cgroup_option_is_set(const char *options, const char *word);

/**
 * cgroup_mount_name() - for people: "cgroup2", "cgroup1 freezer"
 */
void cgroup_mount_name(const struct cgroup_mount *mount, char *name,
		       size_t size);

#endif

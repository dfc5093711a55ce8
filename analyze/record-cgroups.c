// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records for control groups that exist when a recording begins.  The kernel
 * tells of those that are made later.
 */
#include "config.h"

#include <fcntl.h>
#include <fts.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/record-private.h"

#ifndef PERF_RECORD_CGROUP
#define PERF_RECORD_CGROUP 19
#endif
#define MAX_PATH 4096 /* what a record has room for, with much to spare */

/*
 * A sample has the control group of the hierarchy that perf_event is in: its
 * own of version 1 where that is mounted, else version 2's.
 */
static char *hierarchy(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char *path = NULL;
	struct mntent *m;
	bool own;

	while (mounts && (m = getmntent(mounts))) {
		own = !strcmp(m->mnt_type, "cgroup") &&
		      hasmntopt(m, "perf_event");
		if (!own && (strcmp(m->mnt_type, "cgroup2") != 0 || path))
			continue;
		free(path);
		path = strdup(m->mnt_dir);
		if (own)
			break;
	}
	if (mounts)
		endmntent(mounts);
	return path;
}

/* The id that the kernel itself uses: what a file handle of kernfs holds. */
static bool cgroup_id(const char *path, uint64_t *id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(*id)];
	} u;
	int mount;

	memset(&u, 0, sizeof(u));
	u.handle.handle_bytes = sizeof(*id);
	if (name_to_handle_at(AT_FDCWD, path, &u.handle, &mount, 0) ||
	    u.handle.handle_bytes != sizeof(*id))
		return false;
	memcpy(id, u.handle.f_handle, sizeof(*id));
	return true;
}

static void add_cgroup(struct record_buffer *b, uint64_t id, const char *path)
{
	size_t start = record_begin(b, PERF_RECORD_CGROUP, 0);

	record_buffer_u64(b, id);
	record_buffer_string(b, path, 8);
	record_end(b, start, true);
}

void record_synth_cgroups(struct record_buffer *b)
{
	char *root = hierarchy();
	char *roots[] = { root, NULL };
	FTS *tree = root ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) :
			   NULL;
	FTSENT *entry;
	uint64_t id;

	while (tree && (entry = fts_read(tree))) {
		const char *path = entry->fts_path + strlen(root);

		if (entry->fts_info == FTS_D && strlen(path) < MAX_PATH &&
		    cgroup_id(entry->fts_path, &id))
			add_cgroup(b, id, *path ? path : "/");
	}
	if (tree)
		fts_close(tree);
	free(root);
}

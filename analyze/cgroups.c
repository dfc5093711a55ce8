// SPDX-License-Identifier: GPL-2.0-only
/* Control groups by the ids that the kernel gives them, and their paths. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/profile-tables.h"

/* Ids are told anew after a reboot, so each file has its own. */
struct cgroup_key {
	uint64_t id;
	uint64_t file;
};

static struct interned_entry *get_entry(struct profile *p, uint64_t id)
{
	const struct cgroup_key key = { .id = id, .file = p->files };
	struct interned_entry *e;

	e = interned_get(&p->tables->cgroups, &key, sizeof(key),
			 sizeof(uint32_t), NULL);
	if (!e)
		profile_fail(p);
	return e;
}

uint32_t profile_cgroup(struct profile *p, uint64_t id)
{
	const struct interned_entry *e = get_entry(p, id);

	return e ? interned_number(e) + 1 : 0;
}

void profile_name_cgroup(struct profile *p, uint64_t id, const char *path,
			 size_t length)
{
	struct interned_entry *e = get_entry(p, id);
	uint32_t *name = e ? interned_value(e) : NULL;

	if (name)
		*name = profile_string(p, path, length);
}

uint32_t profile_cgroup_path(struct profile *p, uint32_t cgroup)
{
	struct interned_entry *e;
	const struct cgroup_key *key;
	uint32_t path;
	char text[64];

	if (!cgroup)
		return 0;
	e = p->tables->cgroups.entry[cgroup - 1];
	memcpy(&path, interned_value(e), sizeof(path));
	if (path)
		return path;
	key = interned_key(e);
	snprintf(text, sizeof(text), "cgroup id %" PRIu64, key->id);
	return profile_string(p, text, strlen(text));
}

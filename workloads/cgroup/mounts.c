// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/mounts.h"

#include <stdlib.h>
#include <string.h>

/* "\040" back to a blank, in place. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
			*to++ = (char)((text[1] - '0') * 64 +
				       (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

bool cgroup_option_is_set(const char *options, const char *word)
{
	size_t length = strlen(word);

	while (*options) {
		size_t here = strcspn(options, ",");

		if (here == length && !strncmp(options, word, length))
			return true;
		options += here + (options[here] == ',');
	}
	return false;
}

/*
 * Cuts a line into what we need:
 * "41 31 0:38 / /sys/fs/cgroup rw,relatime shared:1 - cgroup2 cgroup2 rw".
 */
static bool cut_line(char *line, char **point, char **flags, char **type,
		     char **options)
{
	char *rest = strstr(line, " - ");
	char *save, *word;
	int i;

	if (!rest)
		return false;
	*rest = '\0';
	*point = *flags = NULL;
	word = strtok_r(line, " ", &save);
	for (i = 0; word; i++, word = strtok_r(NULL, " ", &save)) {
		if (i == 4)
			*point = word;
		if (i == 5)
			*flags = word;
	}
	*type = strtok_r(rest + 3, " \n", &save);
	if (!*type || !strtok_r(NULL, " \n", &save))
		return false;
	*options = strtok_r(NULL, " \n", &save);
	return *point && *flags && *options;
}

static struct cgroup_mount *slot_for(struct cgroup_mounts *mounts,
				     const char *point)
{
	struct cgroup_mount *grown;
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (!strcmp(mounts->mount[i].point, point))
			return &mounts->mount[i];
	grown = realloc(mounts->mount, (mounts->nr + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	mounts->mount = grown;
	mounts->mount[mounts->nr] = (struct cgroup_mount){ 0 };
	return &mounts->mount[mounts->nr++];
}

static int add(struct cgroup_mounts *mounts, char *line)
{
	char *point, *flags, *type, *options;
	struct cgroup_mount *mount;

	if (!cut_line(line, &point, &flags, &type, &options) ||
	    (strcmp(type, "cgroup") && strcmp(type, "cgroup2")))
		return 0;
	unescape(point);
	mount = slot_for(mounts, point);
	if (!mount)
		return -1;
	free(mount->point);
	free(mount->options);
	mount->point = strdup(point);
	mount->options = strdup(options);
	mount->v2 = !strcmp(type, "cgroup2");
	mount->read_only = cgroup_option_is_set(flags, "ro") ||
			   cgroup_option_is_set(options, "ro");
	if (mount->point && mount->options)
		return 0;
	free(mount->point);
	free(mount->options);
	*mount = mounts->mount[--mounts->nr];
	return -1;
}

int cgroup_mounts_parse(FILE *file, struct cgroup_mounts *mounts,
			struct error *err)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	*mounts = (struct cgroup_mounts){ 0 };
	while (!ret && getline(&line, &size, file) > 0)
		ret = add(mounts, line);
	free(line);
	if (!ret)
		return 0;
	cgroup_mounts_free(mounts);
	return error_set(err, EXIT_USAGE, "out of memory");
}

int cgroup_mounts_read(struct cgroup_mounts *mounts, struct error *err)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	int ret;

	*mounts = (struct cgroup_mounts){ 0 };
	if (!file)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot read /proc/self/mountinfo; mount"
				   " /proc");
	ret = cgroup_mounts_parse(file, mounts, err);
	fclose(file);
	return ret;
}

void cgroup_mounts_free(struct cgroup_mounts *mounts)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++) {
		free(mounts->mount[i].point);
		free(mounts->mount[i].options);
	}
	free(mounts->mount);
	*mounts = (struct cgroup_mounts){ 0 };
}

/* The lower the better; 0: not of this version. */
static int rank(const struct cgroup_mount *mount, bool v2)
{
	static const char *const light[] = { "freezer", "pids", "cpuacct" };
	int value;

	if (mount->v2 != v2)
		return 0;
	for (value = 1; value <= 3 && !v2; value++)
		if (cgroup_option_is_set(mount->options, light[value - 1]))
			break;
	if (value == 4 && strstr(mount->options, "name="))
		value = 4;
	else if (value == 4)
		value = cgroup_option_is_set(mount->options, "cpu") ? 5 : 6;
	/* Tasks can't enter a new cpuset before it has CPUs and nodes. */
	if (cgroup_option_is_set(mount->options, "cpuset"))
		value = 7;
	return mount->read_only ? value + 10 : value;
}

const struct cgroup_mount *
cgroup_mounts_pick(const struct cgroup_mounts *mounts, bool v2)
{
	const struct cgroup_mount *best = NULL;
	size_t i;

	for (i = 0; i < mounts->nr; i++) {
		const struct cgroup_mount *mount = &mounts->mount[i];

		if (rank(mount, v2) &&
		    (!best || rank(mount, v2) < rank(best, v2)))
			best = mount;
	}
	return best;
}

const struct cgroup_mount *cgroup_mounts_of(const struct cgroup_mounts *mounts,
					    const char *path)
{
	const struct cgroup_mount *best = NULL;
	size_t longest = 0;
	size_t i;

	for (i = 0; i < mounts->nr; i++) {
		const char *point = mounts->mount[i].point;
		size_t length = strlen(point);

		if (strncmp(path, point, length) ||
		    (path[length] && path[length] != '/'))
			continue;
		if (length > longest)
			best = &mounts->mount[i];
		if (length > longest)
			longest = length;
	}
	return best;
}

/* What of a v1 mount's options is not what its hierarchy has. */
static bool says_nothing(const char *word, size_t length)
{
	static const char *const common[] = {
		"rw",
		"ro",
		"xattr",
		"noprefix",
		"clone_children",
		"favordynmods",
		"cpuset_v2_mode",
	};
	size_t i;

	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (strlen(common[i]) == length &&
		    !strncmp(word, common[i], length))
			return true;
	return !length || !strncmp(word, "release_agent=", 14);
}

void cgroup_mount_name(const struct cgroup_mount *mount, char *name,
		       size_t size)
{
	const char *word = mount->options;
	size_t used;

	used = (size_t)snprintf(name, size, mount->v2 ? "cgroup2" : "cgroup1");
	while (*word && !mount->v2) {
		size_t length = strcspn(word, ",");

		if (!says_nothing(word, length) && used < size)
			used += (size_t)snprintf(name + used, size - used,
						 "%c%.*s",
						 used == 7 ? ' ' : ',',
						 (int)length, word);
		word += length + (word[length] == ',');
	}
}

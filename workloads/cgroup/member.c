// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/member.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cgroup_open(const char *path, const char *file)
{
	char name[4096];

	if (snprintf(name, sizeof(name), "%s/%s", path, file) >=
	    (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(name, O_WRONLY | O_CLOEXEC);
}

int cgroup_write_id(int fd, pid_t id)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%d\n", (int)id);
	ssize_t wrote;

	do
		wrote = pwrite(fd, text, (size_t)length, 0);
	while (wrote < 0 && errno == EINTR);
	if (wrote == length)
		return 0;
	if (wrote >= 0)
		errno = EIO;
	return -1;
}

int cgroup_enter(const char *path, struct error *err)
{
	int fd = cgroup_open(path, "cgroup.procs");
	int ret = fd < 0 ? -1 : cgroup_write_id(fd, 0);

	if (ret && errno == ENOSPC)
		error_errno(err, EXIT_IMPOSSIBLE,
			    "cannot enter the cgroup %s, whose cpuset is empty;"
			    " name another hierarchy with parent=",
			    path);
	else if (ret)
		error_errno(err, EXIT_IMPOSSIBLE,
			    "cannot enter the cgroup %s; run as root, or below"
			    " a cgroup that is yours and holds this process",
			    path);
	if (fd >= 0)
		close(fd);
	return ret;
}

/*
 * Is a line of /proc/PID/cgroup of this hierarchy?  "0::/a" of version 2, else
 * "8:pids:/a" or "9:name=systemd:/a".
 */
static bool is_hierarchy(const struct cgroup_own *own, const char *line)
{
	const char *from = strchr(line, ':');
	char word[64];
	size_t length;

	if (!from)
		return false;
	length = strcspn(++from, ":,");
	if (own->v2)
		return !length && *from == ':';
	if (!length || length >= sizeof(word))
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)length, from);
	return cgroup_option_is_set(own->options, word);
}

/* Does the path end in @tail, after a slash? */
static bool ends_in(const char *path, const char *tail)
{
	size_t length = strlen(path), wanted = strlen(tail);

	return length > wanted && path[length - wanted - 1] == '/' &&
	       !strcmp(path + length - wanted, tail);
}

bool cgroup_contains(const struct cgroup_own *own, const char *proc,
		     const char *path)
{
	const char *tail = strrchr(own->path, '/') - own->path + path + 1;
	char name[64];
	bool inside = false;
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%s/cgroup", proc);
	file = fopen(name, "re");
	while (file && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (is_hierarchy(own, line))
			inside = ends_in(line, tail);
	}
	free(line);
	if (file)
		fclose(file);
	return inside;
}

int cgroup_count_below(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int nr = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		nr += entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		      strcmp(entry->d_name, "..");
	closedir(dir);
	return nr;
}

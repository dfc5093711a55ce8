// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/open-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_regular(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if (S_ISREG(st.st_mode))
		return true;
	errno = ENODEV;
	return false;
}

static void close_keeping_errno(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
}

/* From a descriptor that only names a file to one that reads it. */
static int reopen(int named)
{
	char path[sizeof("/proc/self/fd/") + 12];
	int fd = -1;

	if (is_regular(named)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", named);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	close_keeping_errno(named);
	return fd;
}

/* Only names the file: unlike a real open, this touches no device. */
static int name_in_root(const char *root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT,
	};
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (directory < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));
	close_keeping_errno(directory);
	return fd;
}

int open_regular(const char *root, const char *path)
{
	int named;

	if (root)
		named = name_in_root(root, path);
	else
		named = open(path, O_PATH | O_CLOEXEC);
	return named < 0 ? -1 : reopen(named);
}

int open_regular_here(const char *path)
{
	int named = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (named < 0)
		return -1;
	/* With O_PATH, O_NOFOLLOW opens the link itself. */
	if (!fstat(named, &st) && S_ISLNK(st.st_mode)) {
		close(named);
		errno = ELOOP;
		return -1;
	}
	return reopen(named);
}

/* Makes room for at least one byte and a zero behind it. */
static int grow(char **text, size_t *room, size_t used, size_t limit)
{
	size_t larger = *room * 2 < limit + 2 ? *room * 2 : limit + 2;
	char *grown;

	if (used + 1 < *room)
		return 0;
	grown = realloc(*text, larger);
	if (!grown)
		return -1;
	*text = grown;
	*room = larger;
	return 0;
}

char *read_whole(int fd, size_t limit, size_t *size)
{
	struct stat st;
	size_t room = 64 * 1024;
	size_t used = 0;
	ssize_t got;
	char *text;

	/* One byte more than the file has shows its end without growing. */
	if (!fstat(fd, &st) && st.st_size > 0)
		room = (size_t)st.st_size < limit ? (size_t)st.st_size + 2 :
						    limit + 2;
	text = malloc(room);
	while (text) {
		got = read(fd, text + used, room - 1 - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		if (!got) {
			text[used] = '\0';
			*size = used;
			return text;
		}
		used += got;
		if (used > limit) {
			errno = EFBIG;
			break;
		}
		if (grow(&text, &room, used, limit))
			break;
	}
	if (text) {
		int saved = errno;

		free(text);
		errno = saved;
	}
	return NULL;
}

char *join_path(const char *fmt, ...)
{
	va_list ap;
	char *path;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&path, fmt, ap);
	va_end(ap);
	return n < 0 ? NULL : path;
}

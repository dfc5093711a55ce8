// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages on the spool, in the manner of Exim's: a message is there once its
 * -H file is, and belongs to whoever holds the lock of its -D file.
 */
#include "workloads/exim/exim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void path_of(char path[64], const char *id, const char *suffix)
{
	snprintf(path, 64, "input/%s%s", id, suffix);
}

/* Digits of base 62, the highest first. */
static void base62(char *to, uint64_t value, int digits)
{
	static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz";

	while (digits--) {
		to[digits] = digit[value % 62];
		value /= 62;
	}
}

/* Seconds, pid, and a part of a second, as Exim's ids are made. */
static void make_id(char id[EXIM_ID])
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	memset(id, 0, EXIM_ID);
	base62(id, (uint64_t)now.tv_sec, 6);
	id[6] = '-';
	base62(id + 7, (uint64_t)getpid(), 6);
	id[13] = '-';
	base62(id + 14, (uint64_t)now.tv_nsec / 1000, 4);
}

static int lock_file(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int ret;

	do
		ret = fcntl(fd, F_SETLKW, &lock);
	while (ret && errno == EINTR);
	return ret;
}

int spool_open(struct exim_spooled *message)
{
	char path[64], first[64];
	int length;

	do {
		make_id(message->id);
		path_of(path, message->id, "-D");
		message->data_fd =
			open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	} while (message->data_fd < 0 && errno == EEXIST);
	if (message->data_fd < 0)
		return -1;
	length = snprintf(first, sizeof(first), "%s-D\n", message->id);
	message->body_offset = (size_t)length;
	if (!lock_file(message->data_fd) &&
	    !exim_write(message->data_fd, first, (size_t)length))
		return 0;
	length = errno;
	spool_remove(message);
	errno = length;
	return -1;
}

static int write_header(const struct exim_spooled *message, int fd, bool sync)
{
	char text[sizeof(message->header) + 512];
	int length;

	length = snprintf(text, sizeof(text), "%s-H\n%s\n%lu\n%zu\n\n%s",
			  message->id, message->sender, message->user,
			  message->body_size, message->header);
	if (length < 0 || (size_t)length >= sizeof(text)) {
		errno = EMSGSIZE;
		return -1;
	}
	if (exim_write(fd, text, (size_t)length))
		return -1;
	return sync ? fsync(fd) : 0;
}

int spool_commit(struct exim_spooled *message, bool sync)
{
	char temporary[64], path[64];
	int ret = -1;
	int saved;
	int fd;

	snprintf(temporary, sizeof(temporary), "input/hdr.%d", (int)getpid());
	path_of(path, message->id, "-H");
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		ret = write_header(message, fd, sync);
		saved = errno;
		if (close(fd) && !ret) {
			ret = -1;
			saved = errno;
		}
		errno = saved;
	}
	if (!ret && sync)
		ret = fsync(message->data_fd);
	if (!ret)
		ret = rename(temporary, path);
	if (!ret) {
		close(message->data_fd);
		message->data_fd = -1;
		return 0;
	}
	saved = errno;
	unlink(temporary);
	spool_remove(message);
	errno = saved;
	return -1;
}

/* The -H file's text, NUL-terminated; returns -1 with errno set. */
static int read_header(const char *id, char *text, size_t size)
{
	char path[64];
	size_t used = 0;
	ssize_t got;
	int fd;

	path_of(path, id, "-H");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	while ((got = read(fd, text + used, size - 1 - used)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		used += (size_t)got;
	}
	text[used] = '\0';
	close(fd);
	return got < 0 ? -1 : 0;
}

static int parse_header(struct exim_spooled *message, const char *text)
{
	const char *headers = strstr(text, "\n\n");
	int length = 0;

	errno = EBADMSG;
	if (!headers ||
	    sscanf(text, "%*31s %255s %lu %zu%n", message->sender,
		   &message->user, &message->body_size, &length) != 3 ||
	    text + length != headers)
		return -1;
	length = snprintf(message->header, sizeof(message->header), "%s",
			  headers + 2);
	if (length < 0 || (size_t)length >= sizeof(message->header))
		return -1;
	message->header_size = (size_t)length;
	return 0;
}

int spool_load(struct exim_spooled *message, const char *id)
{
	char text[sizeof(message->header) + 512];
	char path[64];
	int saved;

	snprintf(message->id, sizeof(message->id), "%s", id);
	message->body_offset = strlen(message->id) + strlen("-D\n");
	path_of(path, id, "-D");
	message->data_fd = open(path, O_RDWR | O_CLOEXEC);
	if (message->data_fd < 0)
		return -1;
	if (!lock_file(message->data_fd) &&
	    !read_header(id, text, sizeof(text)) &&
	    !parse_header(message, text))
		return 0;
	saved = errno;
	close(message->data_fd);
	message->data_fd = -1;
	errno = saved;
	return -1;
}

void spool_remove(struct exim_spooled *message)
{
	char path[64];

	/* As long as the -H file is there the message exists. */
	path_of(path, message->id, "-H");
	unlink(path);
	path_of(path, message->id, "-D");
	unlink(path);
	if (message->data_fd >= 0)
		close(message->data_fd);
	message->data_fd = -1;
}

int spool_each(int (*each)(const char *id, void *arg), void *arg)
{
	DIR *directory = opendir("input");
	struct dirent *entry;
	char id[EXIM_ID];
	int ret = 0;

	if (!directory)
		return -1;
	while (!ret && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);

		if (length < 3 || length - 2 >= sizeof(id) ||
		    strcmp(entry->d_name + length - 2, "-H"))
			continue;
		memcpy(id, entry->d_name, length - 2);
		id[length - 2] = '\0';
		ret = each(id, arg);
	}
	closedir(directory);
	return ret;
}

void exim_log(const char *id, const char *fmt, ...)
{
	char line[1024];
	struct tm date;
	time_t now = time(NULL);
	size_t used;
	va_list ap;
	int fd;

	gmtime_r(&now, &date);
	used = strftime(line, sizeof(line), "%Y-%m-%d %H:%M:%S ", &date);
	used += (size_t)snprintf(line + used, sizeof(line) - used, "%s ", id);
	va_start(ap, fmt);
	vsnprintf(line + used, sizeof(line) - used - 1, fmt, ap);
	va_end(ap);
	used = strlen(line);
	line[used++] = '\n';
	fd = open("log/mainlog", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return;
	exim_write(fd, line, used);
	close(fd);
}

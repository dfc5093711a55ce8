// SPDX-License-Identifier: GPL-2.0-only
/*
 * The output of a recording.  See struct record_file for how a file stays
 * complete while it grows.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/record-private.h"

#define RECORD_FILE_MODE 0600 /* stacks of every task: as perf does */
#define IOV_BATCH	 1024 /* the kernel's UIO_MAXIOV */

const char *record_file_name(const struct record_file *file)
{
	return file->path ? file->path : "standard output";
}

static int record_file_stdout(struct record_file *file, struct error *err)
{
	if (isatty(STDOUT_FILENO))
		return error_set(err, EXIT_USAGE,
				 "record: standard output is a terminal; pipe"
				 " it into a reader or use -o FILE");
	file->stream = true;
	file->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (file->fd < 0)
		return error_errno(err, EXIT_USAGE,
				   "record: can't write to standard output");
	return 0;
}

/* A file with something in it gets out of the way. */
static int record_file_backup(struct record_file *file, struct error *err)
{
	if (asprintf(&file->backup, "%s.old", file->path) < 0) {
		file->backup = NULL;
		return error_set(err, EXIT_USAGE, "record: out of memory");
	}
	if (!rename(file->path, file->backup))
		return 0;
	error_errno(err, EXIT_USAGE,
		    "record: %s exists and can't be renamed to %s", file->path,
		    file->backup);
	free(file->backup);
	file->backup = NULL;
	return -1;
}

static int record_file_special(struct record_file *file, mode_t mode,
			       struct error *err)
{
	if (S_ISFIFO(mode)) {
		file->stream = true;
		/* Waiting for a reader could not be ended by a signal. */
		file->fd = open(file->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (file->fd < 0 && errno == ENXIO)
			return error_set(err, EXIT_USAGE,
					 "record: nobody reads the FIFO %s;"
					 " start its reader first",
					 file->path);
		if (file->fd >= 0)
			fcntl(file->fd, F_SETFL, 0);
	} else {
		file->fd = open(file->path, O_RDWR | O_CLOEXEC);
	}
	if (file->fd < 0)
		return error_errno(err, EXIT_USAGE, "record: can't open %s",
				   file->path);
	return 0;
}

int record_file_open(struct record_file *file, const char *path,
		     struct error *err)
{
	int flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
	struct stat st;
	bool exists;

	*file = (struct record_file){ .fd = -1 };
	if (!strcmp(path, "-"))
		return record_file_stdout(file, err);
	file->path = strdup(path);
	if (!file->path)
		return error_set(err, EXIT_USAGE, "record: out of memory");
	exists = !stat(path, &st);
	if (exists && !S_ISREG(st.st_mode))
		return record_file_special(file, st.st_mode, err);
	if (exists && st.st_size) {
		if (record_file_backup(file, err))
			return -1;
		flags |= O_EXCL;
	}
	file->fd = open(path, flags, RECORD_FILE_MODE);
	if (file->fd < 0) {
		error_errno(err, EXIT_USAGE, "record: can't create %s", path);
		record_file_remove(file);
		return -1;
	}
	file->created = true;
	return 0;
}

static int record_file_fail(struct record_file *file, int number)
{
	if (!file->error)
		file->error = number;
	return -1;
}

/* Overwrites, or extends; file->next is left alone. */
static int record_file_put(struct record_file *file, uint64_t position,
			   const void *bytes, size_t size)
{
	const unsigned char *from = bytes;

	while (size) {
		ssize_t put = pwrite(file->fd, from, size, (off_t)position);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return record_file_fail(file, put ? errno : ENOSPC);
		from += put;
		position += (uint64_t)put;
		size -= (size_t)put;
		if (position > file->written)
			file->written = position;
	}
	return 0;
}

/* Moves the start of an iovec array over @size bytes. */
static void iov_advance(struct iovec **iov, int *nr, size_t size)
{
	while (*nr && size >= (*iov)->iov_len) {
		size -= (*iov)->iov_len;
		(*iov)++;
		(*nr)--;
	}
	if (!size)
		return;
	(*iov)->iov_base = (char *)(*iov)->iov_base + size;
	(*iov)->iov_len -= size;
}

int record_file_append(struct record_file *file, struct iovec *iov, int nr)
{
	if (file->error)
		return -1;
	while (nr && file->head_size < file->table_size) {
		size_t room = file->table_size - file->head_size;
		size_t size = iov->iov_len < room ? iov->iov_len : room;

		memcpy(file->head + file->head_size, iov->iov_base, size);
		file->head_size += size;
		file->next += size;
		iov_advance(&iov, &nr, size);
	}
	while (nr) {
		int batch = nr < IOV_BATCH ? nr : IOV_BATCH;
		ssize_t put;

		if (file->stream)
			put = writev(file->fd, iov, batch);
		else
			put = pwritev(file->fd, iov, batch, (off_t)file->next);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return record_file_fail(file, put ? errno : ENOSPC);
		file->next += (uint64_t)put;
		if (file->next > file->written)
			file->written = file->next;
		iov_advance(&iov, &nr, (size_t)put);
	}
	return 0;
}

/*
 * Let the data end at @end.  Every write but the last two leaves the file as
 * it is for a reader, and these two are next to each other.
 */
static int record_file_place(struct record_file *file, uint64_t end)
{
	unsigned char join[2 * sizeof(file->head)];
	size_t added = end - file->end;
	uint64_t data_size = end - file->data;
	int failed;

	if (added < file->table_size) {
		memcpy(join, file->head, added);
		memcpy(join + added, file->table, file->table_size);
		failed = record_file_put(file, file->end, join,
					 added + file->table_size);
	} else {
		failed = record_file_put(file, end, file->table,
					 file->table_size) ||
			 record_file_put(file, file->end, file->head,
					 file->table_size);
	}
	if (failed || record_file_put(file, file->size_offset, &data_size,
				      sizeof(data_size)))
		return -1;
	file->end = end;
	file->next = end;
	file->head_size = 0;
	return 0;
}

int record_file_commit(struct record_file *file)
{
	if (file->error)
		return -1;
	if (file->stream || file->next == file->end)
		return 0;
	return record_file_place(file, file->next);
}

int record_file_read(struct record_file *file, uint64_t position, void *buffer,
		     size_t size)
{
	unsigned char *to = buffer;

	if (position < file->end || position + size > file->next)
		return -1;
	while (size && position < file->end + file->head_size) {
		*to++ = file->head[position++ - file->end];
		size--;
	}
	while (size) {
		ssize_t got = pread(file->fd, to, size, (off_t)position);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		to += got;
		position += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

uint64_t record_file_limit(const struct record_file *file)
{
	uint64_t limit = file->written - file->table_size;

	return limit < file->next ? limit : file->next;
}

int record_file_cut(struct record_file *file, uint64_t end)
{
	if (file->stream)
		return 0;
	return record_file_place(file, end);
}

int record_file_update(struct record_file *file, uint64_t position,
		       const void *bytes, size_t size)
{
	return file->stream ? 0 : record_file_put(file, position, bytes, size);
}

int record_file_front(struct record_file *file,
		      const struct record_buffer *front, struct error *err)
{
	struct iovec iov = { front->data, front->size };
	size_t table_size = file->table_size;

	file->next = 0;
	file->table_size = 0;
	if (record_file_append(file, &iov, 1))
		goto failed;
	file->table_size = table_size;
	file->data = file->end = file->next;
	if (record_file_put(file, file->end, file->table, table_size))
		goto failed;
	return 0;
failed:
	errno = file->error;
	return error_errno(err, EXIT_USAGE, "record: can't write to %s",
			   record_file_name(file));
}

int record_file_close(struct record_file *file)
{
	struct stat st;
	int fd = file->fd;

	if (fd < 0)
		return 0;
	file->fd = -1;
	if (!file->stream && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size > file->end + file->table_size &&
	    ftruncate(fd, (off_t)(file->end + file->table_size)))
		record_file_fail(file, errno);
	/* Some file systems tell only now that the disk was full. */
	if (close(fd) && errno != EINTR)
		record_file_fail(file, errno);
	return file->error ? -1 : 0;
}

void record_file_remove(struct record_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	if (file->created)
		unlink(file->path);
	file->created = false;
	if (file->backup)
		rename(file->backup, file->path);
	free(file->backup);
	file->backup = NULL;
}

void record_file_free(struct record_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file->backup);
	*file = (struct record_file){ .fd = -1 };
}

uint64_t record_file_bytes(const struct record_file *file)
{
	return file->stream ? file->next : file->end + file->table_size;
}

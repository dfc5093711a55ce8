/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening and reading files whose names, types and contents nobody vouches
 * for: never a device, a pipe or a socket, never without a limit.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_OPEN_FILE_H
#define RWSEMLAB_ANALYZE_SYMBOLS_OPEN_FILE_H

#include <stddef.h>
#include <stdint.h>

/**
 * open_regular() - open a file to read, if it is a regular one
 * @root: NULL, or a directory that counts as "/" for @path and its links
 *
 * Nothing but a regular file is ever opened, so that no device is started and
 * no pipe waited for.
 *
 * Return: a file descriptor, close-on-exec; -1 with errno set (ENODEV: no
 * regular file).
 */
int open_regular(const char *root, const char *path);

/**
 * open_regular_here() - likewise, but a symbolic link is not followed (ELOOP)
 */
int open_regular_here(const char *path);

/**
 * read_whole() - read a file from its current offset to its end
 * @fd:    a regular file, also one of /proc, which has no size
 * @limit: more than this many bytes are an error (EFBIG)
 * @size:  set to the bytes read
 *
 * Return: the contents with a zero byte behind them, to be freed; NULL with
 * errno set.
 */
char *read_whole(int fd, size_t limit, size_t *size);

/**
 * join_path() - snprintf() for paths
 *
 * Return: a new string; NULL when memory ran out.
 */
char *join_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

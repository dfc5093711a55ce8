/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One error, carried from where it happened to the program, which prints it.
 */
#ifndef RWSEMLAB_ERROR_H
#define RWSEMLAB_ERROR_H

#include <stdarg.h>
#include <stdio.h>

/* The exit codes of every command. */
enum exit_code {
	EXIT_OK = 0,
	EXIT_CHECK_FAILED = 1, /* an invariant or a threshold did not hold */
	EXIT_USAGE = 2, /* usage or I/O */
	EXIT_IMPOSSIBLE = 3, /* this machine or kernel can't do it */
	EXIT_UNTRUSTED = 4, /* results that can't be trusted: lost events */
};

struct error {
	enum exit_code code;
	char text[1024]; /* one line: what is wrong, where, what to do */
};

/**
 * error_set() - record what went wrong
 * @err:  where to; the first error stays, a later one is dropped
 * @code: the exit code the program ends with
 * @fmt:  one line without a newline: what is wrong, where, what to do
 *
 * Characters of the text that could disturb a terminal are replaced by '?',
 * since parts of it often come from files.
 *
 * Return: always -1, so that a caller can `return error_set(...)`.
 */
int error_set(struct error *err, enum exit_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * error_errno() - error_set() with ": " and strerror(errno) appended
 */
int error_errno(struct error *err, enum exit_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * error_flush() - write out what a stream holds
 *
 * A stream remembers that a write failed, not why.  Where an earlier one did,
 * this writes a byte more to learn the reason: what was written is incomplete
 * anyway.
 *
 * Return: 0, or -1 with errno set.
 */
int error_flush(FILE *stream);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests in C that print TAP.  Each check is one line of output and never ends
 * the test; a failed one says which values were compared.  Not thread-safe.
 */
#ifndef RWSEMLAB_TAP_H
#define RWSEMLAB_TAP_H

#include <stdbool.h>
#include <stdint.h>

#define TAP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/**
 * tap_ok() - one check
 * @passed: its result
 * @fmt:    what it checks, in printf's form, as in every function below
 *
 * Return: @passed
 */
bool tap_ok(bool passed, const char *fmt, ...) TAP_PRINTF(2, 3);

/**
 * tap_is_u64() - two unsigned numbers are equal
 *
 * Return: whether they are
 */
bool tap_is_u64(uint64_t got, uint64_t want, const char *fmt, ...)
	TAP_PRINTF(3, 4);

/**
 * tap_is_i64() - two signed numbers are equal
 *
 * Return: whether they are
 */
bool tap_is_i64(int64_t got, int64_t want, const char *fmt, ...)
	TAP_PRINTF(3, 4);

/**
 * tap_is_near() - two floating-point numbers differ by at most @by
 *
 * Return: whether they do; false where one is not a number
 */
bool tap_is_near(double got, double want, double by, const char *fmt, ...)
	TAP_PRINTF(4, 5);

/**
 * tap_is_str() - two strings are equal; NULL equals only NULL
 *
 * Return: whether they are
 */
bool tap_is_str(const char *got, const char *want, const char *fmt, ...)
	TAP_PRINTF(3, 4);

/**
 * tap_skip() - in place of one check that can't be made here
 * @reason: why not
 * @fmt:    what it would check
 */
void tap_skip(const char *reason, const char *fmt, ...) TAP_PRINTF(2, 3);

/**
 * tap_skip_all() - end a test none of whose checks can be made here
 * @fmt: why not
 */
void tap_skip_all(const char *fmt, ...) TAP_PRINTF(1, 2)
	__attribute__((noreturn));

/**
 * tap_bail() - end a test that can't go on, as failed
 * @fmt: why not
 */
void tap_bail(const char *fmt, ...) TAP_PRINTF(1, 2) __attribute__((noreturn));

/**
 * tap_diag() - a line for the log
 */
void tap_diag(const char *fmt, ...) TAP_PRINTF(1, 2);

/**
 * tap_done() - end the test; without it, it counts as failed
 *
 * Return: what main() should return: 0, or 1 where a check failed
 */
int tap_done(void);

#endif

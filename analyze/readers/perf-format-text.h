/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a tracepoint's format, made safe for libtraceevent.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_FORMAT_TEXT_H
#define RWSEMLAB_ANALYZE_READERS_PERF_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * pd_format_text() - check a format, as it is in a file
 * @text: ends in a zero byte
 * @print: keep the print fmt, if that is of the kind that sched_switch has;
 *         else, and in place of any other, there is an empty one
 *
 * libtraceevent was made for what a kernel writes.  It follows pointers that
 * are NULL where a token is missing; so it gets only what has the form that
 * kernels write.
 *
 * Return: a text for free(); NULL when @text has another form, or memory ran
 * out.
 */
char *pd_format_text(const char *text, bool print);

#endif

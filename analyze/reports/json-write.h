/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON that is too large to be built first, or that goes into a page. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_JSON_WRITE_H
#define RWSEMLAB_ANALYZE_REPORTS_JSON_WRITE_H

#include <jansson.h>
#include <stdio.h>

/**
 * json_write() - print a value without white space
 *
 * '<' is written as an escape, so that the text can stand inside a <script>
 * element whatever its strings hold.
 *
 * Return: 0, or -1 when memory ran out; errors of @out show there.
 */
int json_write(const json_t *json, FILE *out);

/**
 * json_write_text() - print a string of the input, likewise
 */
int json_write_text(const char *text, FILE *out);

#endif

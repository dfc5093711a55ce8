/* SPDX-License-Identifier: GPL-2.0-only */
/* What the formats of reports and those of comparisons have alike. */
#ifndef RWSEMLAB_ANALYZE_FORMAT_H
#define RWSEMLAB_ANALYZE_FORMAT_H

#include <stddef.h>

#include "error.h"

struct format {
	const char *name; /* what --format takes */
	const char *summary; /* one line */
	/* Why it can't be used here; NULL: it can.  No function: always. */
	const char *(*missing)(void);
};

/**
 * format_find() - the format of a name
 * @formats: @nr of them
 * @none: how the error begins where none has that name: "no format"
 *
 * Return: NULL with @err set: which ones there are, or why this one can't be
 * used here (exit code 3).
 */
const struct format *format_find(const struct format *const *formats, size_t nr,
				 const char *none, const char *name,
				 struct error *err);

#endif

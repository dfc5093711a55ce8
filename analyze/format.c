// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/format.h"

#include <stdio.h>
#include <string.h>

static const struct format *check_here(const struct format *format,
				       struct error *err)
{
	const char *missing = format->missing ? format->missing() : NULL;

	if (!missing)
		return format;
	error_set(err, EXIT_IMPOSSIBLE, "no format '%s' here: %s", format->name,
		  missing);
	return NULL;
}

const struct format *format_find(const struct format *const *formats, size_t nr,
				 const char *none, const char *name,
				 struct error *err)
{
	char list[256] = "";
	size_t i;

	for (i = 0; i < nr; i++) {
		size_t used = strlen(list);

		if (!strcmp(formats[i]->name, name))
			return check_here(formats[i], err);
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 used ? ", " : "", formats[i]->name);
	}
	error_set(err, EXIT_USAGE, "%s '%s'; there are %s", none, name, list);
	return NULL;
}

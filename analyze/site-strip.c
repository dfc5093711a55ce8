// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <string.h>

#include "analyze/sites.h"

static bool is_suffix(const char *dot, size_t length)
{
	static const char *const suffixes[] = {
		".isra", ".constprop", ".part", ".clone",
		".llvm", ".lto_priv",  ".cold", ".localalias",
	};
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strlen(suffixes[i]) == length &&
		    !memcmp(suffixes[i], dot, length))
			return true;
	return false;
}

/* Length of @name without one suffix at its end; @length where none is. */
static size_t strip_one(const char *name, size_t length)
{
	size_t end = length;
	const char *dot;

	while (end && isdigit((unsigned char)name[end - 1]))
		end--;
	if (end < length && end && name[end - 1] == '.')
		end--;
	else
		end = length;
	dot = memrchr(name, '.', end);
	if (dot && dot != name && is_suffix(dot, end - (size_t)(dot - name)))
		return (size_t)(dot - name);
	return length;
}

size_t site_strip(const char *name)
{
	const char *version = strchr(name, '@');
	size_t length = strlen(name);
	size_t shorter;

	if (version && version != name && strcmp(version, "@plt") != 0)
		length = (size_t)(version - name);
	while ((shorter = strip_one(name, length)) != length)
		length = shorter;
	return length;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/json-write.h"

#include <string.h>

#include "analyze/reports/document.h"

/* '<' occurs in JSON inside strings only. */
static int write_escaped(const char *text, size_t size, void *out)
{
	const char *end = text + size;

	while (text < end) {
		const char *less = memchr(text, '<', (size_t)(end - text));
		size_t length = (size_t)((less ? less : end) - text);

		if (fwrite(text, 1, length, out) != length)
			return -1;
		text += length;
		if (less) {
			if (fputs("\\u003c", out) == EOF)
				return -1;
			text++;
		}
	}
	return 0;
}

int json_write(const json_t *json, FILE *out)
{
	if (json && !json_dump_callback(json, write_escaped, out,
					JSON_COMPACT | JSON_ENCODE_ANY))
		return 0;
	return ferror(out) ? 0 : -1;
}

int json_write_text(const char *text, FILE *out)
{
	json_t *json = document_text(text);
	int ret = json_write(json, out);

	json_decref(json);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "error.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static void
error_format(struct error *err, enum exit_code code, const char *suffix,
	     const char *fmt, va_list ap)
{
	size_t used;
	char *c;

	if (err->code != EXIT_OK)
		return;
	err->code = code;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	used = strlen(err->text);
	if (suffix)
		snprintf(err->text + used, sizeof(err->text) - used, ": %s",
			 suffix);
	for (c = err->text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
}

int error_set(struct error *err, enum exit_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_format(err, code, NULL, fmt, ap);
	va_end(ap);
	return -1;
}

int error_errno(struct error *err, enum exit_code code, const char *fmt, ...)
{
	const char *reason = strerror(errno);
	va_list ap;

	va_start(ap, fmt);
	error_format(err, code, reason, fmt, ap);
	va_end(ap);
	return -1;
}

int error_flush(FILE *stream)
{
	if (!ferror(stream))
		return fflush(stream) ? -1 : 0;
	clearerr(stream);
	errno = 0;
	if (fputc('\n', stream) == EOF || fflush(stream) || !errno)
		errno = errno ? errno : EIO;
	return -1;
}

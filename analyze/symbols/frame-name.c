// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/symbols.h"

/* "libc.so.6" of "/usr/lib/libc.so.6"; "[ext4]" and "//anon" as they are. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return path[0] == '/' && path[1] != '/' && slash[1] ? slash + 1 : path;
}

/*
 * Where in its dso a frame without a symbol is.  Readers leave a module's
 * offset in frame.offset, since modules have no start of their own here.
 *
 * Return: whether that is known.
 */
static bool offset_in_dso(const struct profile *p, const struct frame *frame,
			  const struct dso *dso, uint64_t *offset)
{
	const uint64_t start = p->kernel.reloc_address;

	switch (dso->kind) {
	case DSO_KERNEL:
		*offset = frame->address - start;
		return start && frame->address >= start;
	case DSO_MODULE:
		*offset = frame->offset;
		return frame->offset;
	case DSO_USER:
	case DSO_VDSO:
		*offset = frame->address;
		return true;
	case DSO_PERF_MAP:
	case DSO_UNKNOWN:
		break;
	}
	return false;
}

static void make_printable(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

const char *profile_frame_name(struct profile *p, uint32_t number, char *buffer,
			       size_t size)
{
	const struct frame *frame = profile_get_frame(p, number);
	const struct dso *dso = profile_get_dso(p, frame->dso);
	const char *path = base_name(profile_text(p, dso->path));
	uint64_t offset;

	if (frame->symbol)
		snprintf(buffer, size, "%s", profile_text(p, frame->symbol));
	else if (*path && offset_in_dso(p, frame, dso, &offset))
		snprintf(buffer, size, "%s+0x%" PRIx64, path, offset);
	else if (*path && dso->kind != DSO_UNKNOWN)
		snprintf(buffer, size, "%s:0x%" PRIx64, path, frame->address);
	else
		snprintf(buffer, size, "0x%" PRIx64, frame->address);
	make_printable(buffer);
	return buffer;
}

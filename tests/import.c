// SPDX-License-Identifier: GPL-2.0-only
#include "tests/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/input.h"
#include "tests/tap.h"

struct profile *import_bytes(const void *bytes, size_t size, struct error *err)
{
	struct profile *p = profile_new();
	int fd = memfd_create("input", MFD_CLOEXEC);
	char path[64];

	if (!p || fd < 0)
		tap_bail("cannot make a profile or a memory file");
	if (write(fd, bytes, size) != (ssize_t)size)
		tap_bail("cannot write to a memory file");
	p->split = SPLIT_COMM;
	memset(err, 0, sizeof(*err));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	input_read(path, p, err);
	close(fd);
	return p;
}

struct profile *import_text(const char *text, struct error *err)
{
	return import_bytes(text, strlen(text), err);
}

static void print_name(FILE *f, const char *name)
{
	for (; *name; name++)
		fputc(*name == ' ' ? '_' : *name, f);
}

static void print_frame(FILE *f, struct profile *p, uint32_t number)
{
	const struct frame *frame = profile_get_frame(p, number);
	const struct dso *dso = profile_get_dso(p, frame->dso);

	fputs(frame->flags & FRAME_KERNEL ? " " : " u:", f);
	if (frame->symbol)
		print_name(f, profile_text(p, frame->symbol));
	else
		fprintf(f, "%" PRIx64 "@%s", frame->address,
			profile_text(p, dso->path));
	if (frame->flags & FRAME_INLINE)
		fputs("(inlined)", f);
}

static void print_row(FILE *f, struct profile *p, const struct sleep_row *row)
{
	const struct stack *stack = profile_get_stack(p, row->stack);
	uint32_t i;

	if (p->unit == UNIT_SHARE)
		fprintf(f, "%.4f", (double)row->sleeps / 1e7);
	else
		fprintf(f, "%" PRIu64, row->sleeps);
	if (row->by_state[STATE_RUNNING])
		fprintf(f, "+%" PRIu64, row->by_state[STATE_RUNNING]);
	fputc(' ', f);
	print_name(f, row->group ? profile_text(p, (uint32_t)row->group) : "-");
	for (i = 0; i < stack->nr; i++)
		print_frame(f, p, profile_get_stack(p, row->stack)->frame[i]);
	fputs(stack->flags & STACK_CUT ? " cut\n" : "\n", f);
}

char *import_rows(struct profile *p)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		tap_bail("out of memory");
	for (i = 0; i < profile_nr_sleep_rows(p); i++)
		print_row(f, p, profile_get_sleep_row(p, i));
	if (fclose(f) || !text)
		tap_bail("out of memory");
	return text;
}

bool import_warning(const struct profile *p, const char *part)
{
	uint64_t times;
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++)
		if (strstr(profile_warning(p, i, &times), part))
			return true;
	return false;
}

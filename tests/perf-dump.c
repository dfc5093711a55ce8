// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what was read from a recording: how many switches left each stack of
 * tasks of one name, kernel frames as addresses, user frames as files, to
 * compare with perf's own idea of it.
 *
 *	perf-dump PATH COMM
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/input.h"

static void print_frame(const struct profile *p, const struct frame *f)
{
	const struct dso *dso = profile_get_dso(p, f->dso);

	if (f->flags & FRAME_KERNEL)
		printf(" %" PRIx64, f->address);
	else if (dso->kind == DSO_UNKNOWN)
		printf(" [unknown]");
	else
		printf(" %s", profile_text(p, dso->path));
}

static void print_row(struct profile *p, const struct sleep_row *row)
{
	const struct stack *s = profile_get_stack(p, row->stack);
	uint32_t i;

	printf("%" PRIu64, row->sleeps + row->by_state[STATE_RUNNING]);
	for (i = 0; i < s->nr; i++)
		print_frame(p, profile_get_frame(p, s->frame[i]));
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct profile *p = profile_new();
	struct error err = { 0 };
	size_t i;

	if (argc != 3 || !p)
		return 2;
	p->split = SPLIT_COMM;
	if (input_read(argv[1], p, &err)) {
		fprintf(stderr, "perf-dump: %s\n", err.text);
		return err.code;
	}
	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		if (!strcmp(profile_text(p, (uint32_t)row->group), argv[2]))
			print_row(p, row);
	}
	profile_free(p);
	return 0;
}

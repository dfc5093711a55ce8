/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzz targets of the text readers share: beyond what sanitizers
 * see, the profile must keep its promises whatever was read.
 */
#ifndef RWSEMLAB_FUZZ_TEXT_H
#define RWSEMLAB_FUZZ_TEXT_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/input.h"
#include "analyze/readers/text-frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition)
{
	if (!condition)
		abort();
}

static inline void check_stacks(struct profile *p)
{
	uint32_t i, j;

	for (i = 0; i < profile_nr_stacks(p); i++) {
		const struct stack *s = profile_get_stack(p, i);

		/* The entry of a report adds one. */
		require(s->nr <= TEXT_MAX_FRAMES + 1);
		require(!(s->flags & ~(uint32_t)STACK_CUT));
		for (j = 0; j < s->nr; j++)
			require(s->frame[j] < profile_nr_frames(p));
	}
}

/* Nothing is counted in one place and not in the other. */
static inline void check_sums(struct profile *p)
{
	uint64_t sleeps = 0, preemptions = 0;
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		require(row->stack < profile_nr_stacks(p));
		sleeps += row->sleeps;
		preemptions += row->by_state[STATE_RUNNING];
	}
	require(sleeps == p->sleeps);
	require(preemptions == p->preemptions);
}

/**
 * fuzz_read() - read @data as a pipe would give it
 * @failed: whether the reader said so; its message is checked
 *
 * Return: the profile, for profile_free()
 */
static inline struct profile *fuzz_read(const struct reader *reader,
					const uint8_t *data, size_t size,
					int *failed)
{
	static const uint8_t nothing;
	struct profile *p = profile_new();
	struct error err = { 0 };
	struct input in = { .name = "fuzz" };
	uint8_t *head;

	/* Exactly as large, so that a byte beyond is seen. */
	head = malloc(size ? size : 1);
	require(p && head);
	memcpy(head, size ? data : &nothing, size ? size : 1);
	in.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	require(in.fd >= 0);
	in.head = head;
	in.peeked = size < 4096 ? size : 4096;
	reader->matches(&in);
	in.peeked = size;
	*failed = reader->read(&in, p, &err) != 0;
	require(!*failed == (err.code == EXIT_OK));
	require(!*failed == !*err.text);
	check_stacks(p);
	check_sums(p);
	close(in.fd);
	free(head);
	return p;
}

#endif

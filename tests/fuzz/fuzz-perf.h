/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two fuzz targets of the perf.data reader share: beyond what
 * sanitizers see, the profile must keep its promises whatever was read.
 */
#ifndef RWSEMLAB_FUZZ_PERF_H
#define RWSEMLAB_FUZZ_PERF_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/input.h"

extern const struct reader reader_perf_data;

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

		for (j = 0; j < s->nr; j++)
			require(s->frame[j] < profile_nr_frames(p));
	}
	for (i = 0; i < profile_nr_frames(p); i++)
		require(profile_get_frame(p, i)->dso < profile_nr_dsos(p));
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
	require(p->switches >= p->sleeps + p->preemptions + p->from_idle);
	require(p->events >= p->switches);
}

/* A file in memory with these bytes, at its start. */
static inline int memory_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	require(fd >= 0);
	require(write(fd, data, size) == (ssize_t)size);
	require(!lseek(fd, 0, SEEK_SET));
	return fd;
}

/* Read @in, whose head is @data, and check what must hold. */
static inline void read_and_check(struct input *in, const uint8_t *data,
				  size_t size)
{
	struct profile *p = profile_new();
	struct error err = { 0 };
	unsigned char *head;
	int failed;

	/* Exactly as large, so that a byte beyond is seen. */
	in->peeked = size < 4096 ? size : 4096;
	head = malloc(in->peeked);
	require(p && head);
	memcpy(head, data, in->peeked);
	in->name = "fuzz";
	in->head = head;
	failed = reader_perf_data.read(in, p, &err);
	require(!failed == (err.code == EXIT_OK));
	require(!failed == !*err.text);
	check_stacks(p);
	check_sums(p);
	profile_free(p);
	free(head);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred user call chains (Linux 6.19): a sample holds the kernel's part and
 * a cookie; the user's part comes in a record of its own when the task
 * returns to user mode, which after a sleep may be much later.
 *
 * So that a stack is known when its switch is counted, the whole input is
 * searched for such records when the first cookie shows up.  A pipe can't be.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_DEFERRED_H
#define RWSEMLAB_ANALYZE_READERS_PERF_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

struct pd_reader;
struct pd_deferred;

/* A place with records, to be read once more. */
struct pd_place {
	int fd;
	uint64_t begin, end;
};

/**
 * pd_deferred_join() - put the user's part behind the kernel's
 * @ips: the recorded chain, aligned, in our byte order; @nr entries
 * @to:  room for PD_MAX_JOINED entries
 *
 * Where the user's part is not known, the marker ends the chain, without the
 * cookie: chains that are else the same are to be the same.
 *
 * Return: entries of the whole chain in @to; 0 when @ips has no cookie.
 */
uint32_t pd_deferred_join(struct pd_reader *d, const uint64_t *ips, uint32_t nr,
			  uint64_t *to);
#define PD_MAX_JOINED (2 * 65536 / 8)

void pd_deferred_free(struct pd_deferred *t);

#endif

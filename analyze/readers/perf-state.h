/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the numbers in sched_switch's prev_state mean, which changed often.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_STATE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_STATE_H

#include <stdint.h>

#include "analyze/profile.h"

struct tep_event;

#define PD_STATE_TABLE 512

struct pd_states {
	uint64_t plus; /* the bit of a task that was preempted: "R+" */
	uint64_t mask; /* the bits that have letters */
	uint32_t nr;
	struct {
		uint64_t value;
		char letter;
	} bit[32];
	uint8_t table[PD_STATE_TABLE]; /* enum task_state of small values */
};

/**
 * pd_states_read() - take the meaning from the format's own print fmt
 * @release: the kernel's, for formats whose print fmt does not say it
 *
 * Return: whether the print fmt said it.
 */
bool pd_states_read(struct pd_states *s, const struct tep_event *event,
		    const char *release);

enum task_state pd_states_decode(const struct pd_states *s, uint64_t value);

static inline enum task_state pd_state(const struct pd_states *s,
				       uint64_t value)
{
	if (value < PD_STATE_TABLE)
		return (enum task_state)s->table[value];
	return pd_states_decode(s, value);
}

#endif

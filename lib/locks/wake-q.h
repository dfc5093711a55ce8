/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks to wake once wait_lock is dropped.  A task is in one queue at most: a
 * second one leaves it to the first, whose wake-up is still to come.
 *
 * After kernel/sched/core.c, wake_q_add() (4.2, 7675104990ed).
 */
#ifndef LIB_LOCKS_WAKE_Q_H
#define LIB_LOCKS_WAKE_Q_H

#include "lib/instrument/hooks.h"

struct wake_q_head {
	struct rwsemlab_task *first, *last;
};

/* Ends a queue: not NULL, which means in none. */
#define WAKE_Q_TAIL ((struct rwsemlab_task *)1)

static inline bool wake_q_empty(const struct wake_q_head *head)
{
	return !head->first;
}

static inline void wake_q_add(struct wake_q_head *head,
			      struct rwsemlab_task *task)
{
	struct rwsemlab_task *none = NULL;

	if (!atomic_compare_exchange_strong(&task_common(task)->wake_next,
					    &none, WAKE_Q_TAIL))
		return;
	if (head->last)
		atomic_store(&task_common(head->last)->wake_next, task);
	else
		head->first = task;
	head->last = task;
}

static inline void wake_up_q(struct wake_q_head *head)
{
	struct rwsemlab_task *task = head->first;

	while (task && task != WAKE_Q_TAIL) {
		struct rwsemlab_task *next =
			atomic_load(&task_common(task)->wake_next);

		/* Before the wake-up: from then on it may be queued anew. */
		atomic_store(&task_common(task)->wake_next, NULL);
		wake_task(task);
		task = next;
	}
	head->first = NULL;
	head->last = NULL;
}

#endif

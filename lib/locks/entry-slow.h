/* SPDX-License-Identifier: GPL-2.0-only */
/* From an entry point into its slow path and back. */
#ifndef LIB_LOCKS_ENTRY_SLOW_H
#define LIB_LOCKS_ENTRY_SLOW_H

#include "lib/instrument/hooks.h"

static inline void slow_enter(struct acquire *a, uint32_t spin_budget)
{
	preempt_disable();
	spin_begin(spin_budget);
	slow_begin(a);
}

/* @ret: of the slow path, 0 or -errno.  Return: the same. */
static inline int slow_leave(struct acquire *a, int ret)
{
	if (ret)
		slow_cancelled(a);
	else
		slow_end(a);
	preempt_enable();
	return ret;
}

#endif

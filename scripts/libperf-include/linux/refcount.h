/* SPDX-License-Identifier: GPL-2.0-only */
/* See linux/types.h.  Only the type: the counts are libperf's own. */
#ifndef RWSEMLAB_LIBPERF_REFCOUNT_H
#define RWSEMLAB_LIBPERF_REFCOUNT_H

#include <linux/types.h>

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

#endif

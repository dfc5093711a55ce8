// SPDX-License-Identifier: GPL-2.0-only
/* The mutex to 4.9 with its entry points. */
#include "lib/locks/mutex-count.h"

#include "lib/locks/mutex-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(mutex_count_ops);
const struct rwsemlab_ops LOCK_NAME(mutex_count_ops) = MUTEX_OPS;

// SPDX-License-Identifier: GPL-2.0-only
/* The rwsem to 5.2 with its entry points. */
#include "lib/locks/rwsem-xadd-core.h"

#include "lib/locks/entry.h"

extern const struct rwsemlab_ops LOCK_NAME(rwsem_xadd_ops);
const struct rwsemlab_ops LOCK_NAME(rwsem_xadd_ops) = RWSEM_OPS;

// SPDX-License-Identifier: GPL-2.0-only
/* A thread group's rwsem, with the rwsem of 4.1. */
#include "lib/locks/rwsem-xadd-core.h"

#include "lib/locks/group-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(group_rwsem_xadd_ops);
const struct rwsemlab_ops LOCK_NAME(group_rwsem_xadd_ops) = GROUP_OPS;

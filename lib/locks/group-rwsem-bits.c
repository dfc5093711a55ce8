// SPDX-License-Identifier: GPL-2.0-only
/* A thread group's rwsem, with the rwsem of 6.18. */
#include "lib/locks/rwsem-bits-core.h"

#include "lib/locks/group-entry.h"

extern const struct rwsemlab_ops LOCK_NAME(group_rwsem_bits_ops);
const struct rwsemlab_ops LOCK_NAME(group_rwsem_bits_ops) = GROUP_OPS;

// SPDX-License-Identifier: GPL-2.0-only
/* The rwsem since 5.3 with its entry points. */
#include "lib/locks/rwsem-bits-core.h"

#include "lib/locks/entry.h"

extern const struct rwsemlab_ops LOCK_NAME(rwsem_bits_ops);
const struct rwsemlab_ops LOCK_NAME(rwsem_bits_ops) = RWSEM_OPS;

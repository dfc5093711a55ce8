/* SPDX-License-Identifier: GPL-2.0-only */
/* What the checked build asks before and after a lock does its work. */
#ifndef LIB_INSTRUMENT_CHECK_H
#define LIB_INSTRUMENT_CHECK_H

#include <stdbool.h>

#include "lib/rwsemlab.h"

/* Is about to wait for @lock. */
void check_wanted(struct rwsemlab_lock *lock, const void *site);
void check_acquired(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
		    const void *site);
/* Return: whether the task holds it in @mode; if not it was reported. */
bool check_released(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
		    const void *site, bool downgrade);
void check_destroyed(struct rwsemlab_lock *lock, const void *site);

#endif

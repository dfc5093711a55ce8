/* SPDX-License-Identifier: GPL-2.0-only */
/* What profile.c and profile-rows.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_PROFILE_TABLES_H
#define RWSEMLAB_ANALYZE_PROFILE_TABLES_H

#include "analyze/interned.h"
#include "analyze/profile.h"

struct warning {
	char *text;
	uint64_t times;
};

struct profile_tables {
	struct interned strings, dsos, frames, stacks;
	struct interned sleeps, acquisitions, locks, wakers;
	struct interned cgroups; /* cgroups.c */
	/* Rows of group 0 by stack: what is asked for all the time. */
	struct sleep_row **sleep_of_stack;
	uint32_t nr_sleep_of_stack;
	struct warning *warnings;
	size_t nr_warnings;
	bool failed;
};

void profile_free_rows(struct profile_tables *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a kernel's symbols are looked for, in order.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_KERNEL_FIND_H
#define RWSEMLAB_ANALYZE_SYMBOLS_KERNEL_FIND_H

#include "analyze/symbols/kernel-source.h"

/* What makes the kernel show addresses to users that are not root. */
#define SHOW_THEM "'sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1'"

/* What a search goes by and what it has come to. */
struct kernel_search {
	const struct symbol_options *options;
	const struct symbol_places *places;
	struct error *err;
	size_t next; /* place to look at next */
	bool only_kallsyms; /* a vmlinux was found; modules are still wanted */
	bool saw_hidden; /* /proc/kallsyms shows no addresses */
	bool saw_other; /* a vmlinux of this release has another build-id */
};

/**
 * kernel_find_next() - open the next source there is
 * @s: zero, or closed; to be closed after use
 *
 * The order: the files of the options; the kallsyms recorded with the
 * profile; perf's build-id cache; vmlinux files of the recorded release and
 * build-id; the running kernel, when it is the recorded one; debuginfod.
 *
 * Return: 1 with a source in @s; 0 where there is none left; -1 with search->err set
 * where a file of the options can't be used; profile_failed() says whether
 * memory ran out.
 */
int kernel_find_next(struct kernel_search *search, struct profile *p,
		     struct kernel_source *s);

#endif

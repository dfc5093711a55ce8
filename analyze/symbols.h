/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses become names, for all frames of a profile at once.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_H
#define RWSEMLAB_ANALYZE_SYMBOLS_H

#include "analyze/profile.h"

struct symbol_options {
	const char *kallsyms; /* --kallsyms FILE, NULL: look for one */
	const char *vmlinux; /* --vmlinux FILE */
	const char *debug_directory; /* NULL: /usr/lib/debug */
	const char *build_id_cache; /* NULL: ~/.debug */
	const char *root; /* prefix for the paths of user dsos, or NULL */
	bool no_user; /* leave user frames as dso+offset */
};

/**
 * symbols_resolve() - name every frame that has none yet
 *
 * Fills frame.symbol and frame.offset where a name is found, sets
 * FRAME_LOOKED_UP on all it tried and FRAME_LOCK_TEXT, FRAME_SCHED_TEXT from
 * the kernel's section marks.  Sources that don't fit (another build-id, no
 * permission, addresses hidden by kptr_restrict) end up as profile_warn().
 *
 * Return: 0 also where names are missing; -1 with @err set when a file that
 * the options name can't be used.
 */
int symbols_resolve(struct profile *p, const struct symbol_options *options,
		    struct error *err);

/**
 * profile_frame_name() - what reports call a frame
 * @buffer: @size bytes, cut to that
 *
 * The symbol; where there is none, the dso's base name and the offset in it:
 * "libc.so.6+0x9a2f0", "[kernel]+0x1f4" from _text, and "[ext4]+0x1234" where
 * the reader left a module's offset in frame.offset.  Where nothing says where
 * the dso starts, the address: "[ext4]:0xffffffffc0201234"; without a dso
 * only that.
 * Characters that could disturb a terminal are replaced by '?'.
 *
 * Return: @buffer
 */
const char *profile_frame_name(struct profile *p, uint32_t frame, char *buffer,
			       size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of text inputs: what their names tell.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_TEXT_FRAMES_H
#define RWSEMLAB_ANALYZE_READERS_TEXT_FRAMES_H

#include "analyze/profile.h"
#include "analyze/readers/text.h"

#define TEXT_MAX_FRAMES 1024 /* of one stack; callers beyond are cut off */

/**
 * text_string() - profile_string() of a piece of text, which may be unset
 */
uint32_t text_string(struct profile *p, struct text t);

/**
 * text_dso() - the dso that perf calls by a name
 * @name: "[kernel.kallsyms]", "[ext4]", "/usr/lib/libc.so.6 (deleted)" …
 *
 * Return: its number; 0 for "[unknown]" and "".
 */
uint32_t text_dso(struct profile *p, struct text name);

/**
 * text_dso_is_kernel() - whether its code runs in kernel mode
 */
bool text_dso_is_kernel(const struct profile *p, uint32_t dso);

/**
 * text_frame() - a frame known by its name alone
 * @symbol: a string; where it is "[unknown]" or an address, the frame is
 *          unnamed
 * @flags:  FRAME_KERNEL, FRAME_INLINE
 */
uint32_t text_frame(struct profile *p, uint32_t symbol, uint32_t dso,
		    uint32_t flags);

/* What names are known to be, found out once for each. */
struct text_classes {
	struct profile *p;
	uint8_t *of_symbol;
	uint32_t nr;
};

void text_classes_free(struct text_classes *c);

/**
 * text_is_scheduler() - whether a symbol is where a sleeping stack ends
 * @c: zero-initialised but for the profile
 *
 * The scheduler's own functions and the tracing code above them, of all
 * kernels: "perf_trace_sched_switch", "__schedule", "schedule_timeout" …
 */
bool text_is_scheduler(struct text_classes *c, uint32_t symbol);

/**
 * text_is_kernel_entry() - whether kernel mode begins in a symbol
 *
 * The outermost kernel function of a stack: of a system call, an exception
 * or a new task; what calls it is user code, if anything.
 */
bool text_is_kernel_entry(struct text_classes *c, uint32_t symbol);

/* A frame as long as it may still turn out to be kernel code. */
struct text_frame {
	uint32_t symbol; /* string; 0: nothing is known of the frame */
	uint32_t dso;
	uint32_t flags;
};

/**
 * text_mark_kernel() - find out which frames are kernel code by their names
 * @f:  leaf first; FRAME_KERNEL is added to those that are
 * @leaf_is_kernel: it is known to be
 *
 * Kernel are all from the leaf to the outermost kernel entry; without one,
 * all of a stack whose leaf is kernel code or the scheduler.
 */
void text_mark_kernel(struct text_classes *c, struct text_frame *f, uint32_t nr,
		      bool leaf_is_kernel);

#endif

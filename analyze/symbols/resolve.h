/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources of names share; for analyze/symbols.c and symbols/ only. */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_RESOLVE_H
#define RWSEMLAB_ANALYZE_SYMBOLS_RESOLVE_H

#include "analyze/profile.h"
#include "analyze/symbols.h"
#include "analyze/symbols/build-id.h"
#include "analyze/symbols/symbol-table.h"

struct debuginfod;

/* Where to look for files. */
struct symbol_places {
	const char *debug_directory;
	const char *cache; /* perf's build-id cache, NULL: none */
	const char *root; /* for user files, NULL: / */
	struct debuginfod *debuginfod; /* NULL: not to be asked */
};

/*
 * Addresses to name, of one dso or of the kernel with all that is in it.
 * Cookies are frame numbers.  Those of return addresses are one byte less
 * than the frame's, so that they lie in the call.
 */
struct frame_queries {
	struct symbol_query *query;
	size_t nr;
};

/* What could not be named and why, over all user files: one warning each. */
struct user_misses {
	struct {
		uint32_t files;
		uint64_t frames;
		uint32_t example; /* string: a path */
	} by_reason[5];
};

/**
 * resolve_frame() - give a frame the name of the symbol it lies in
 */
void resolve_frame(struct profile *p, const struct symbol_query *query,
		   const struct symbol *symbol);

/**
 * resolve_frames() - name all of @q that lie in some symbol of @t
 *
 * Sorts @q.  Out of memory shows in profile_failed().
 */
void resolve_frames(struct profile *p, const struct symbol_table *t,
		    struct frame_queries *q);

/**
 * recorded_here() - the recording's host name is this machine's
 */
bool recorded_here(const struct profile *p);

/**
 * is_running_kernel() - the recorded kernel has the running one's build-id
 */
bool is_running_kernel(const struct profile *p);

/**
 * kernel_resolve() - name the frames of the kernel and its modules
 *
 * Return: 0, -1 with @err set where a file that @options name can't be used.
 */
int kernel_resolve(struct profile *p, const struct symbol_options *options,
		   const struct symbol_places *places, struct frame_queries *q,
		   struct error *err);

/**
 * user_resolve() - name the frames of one user dso
 * @misses: what could not be named is added
 */
void user_resolve(struct profile *p, const struct symbol_places *places,
		  uint32_t dso, struct frame_queries *q,
		  struct user_misses *misses);

/**
 * user_warn() - say what @misses gathered
 */
void user_warn(struct profile *p, const struct user_misses *misses);

#endif

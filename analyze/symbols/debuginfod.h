/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files by build-id from the servers of DEBUGINFOD_URLS.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_DEBUGINFOD_H
#define RWSEMLAB_ANALYZE_SYMBOLS_DEBUGINFOD_H

#include <stdbool.h>

#include "analyze/symbols/build-id.h"

struct debuginfod;

/**
 * debuginfod_open() - prepare to ask, if DEBUGINFOD_URLS is set
 *
 * libdebuginfod, which brings the whole of libcurl, is loaded by the first
 * question only.
 *
 * Return: NULL where it is not set or memory ran out; the functions below
 * take that.
 */
struct debuginfod *debuginfod_open(void);

/**
 * debuginfod_find() - ask the servers for one file
 * @executable: the file itself instead of its debug file
 *
 * Downloads go to the library's own cache.  All calls with one handle
 * together may take 5 minutes; then each fails at once.
 *
 * Return: a file descriptor, -1 where there is none.
 */
int debuginfod_find(struct debuginfod *d, const struct build_id *id,
		    bool executable);

void debuginfod_close(struct debuginfod *d);

#endif

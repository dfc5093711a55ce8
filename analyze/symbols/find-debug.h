/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding files by build-id and by debug link.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_FIND_DEBUG_H
#define RWSEMLAB_ANALYZE_SYMBOLS_FIND_DEBUG_H

#include "analyze/symbols/elf-file.h"
#include "analyze/symbols/resolve.h"

/**
 * find_cached() - open a file of perf's build-id cache
 * @name: which of the files kept for @id: "elf", "debug", "kallsyms", "vdso"
 *
 * Return: a file descriptor, -1 where there is none.
 */
int find_cached(const struct symbol_places *places, const struct build_id *id,
		const char *name);

/**
 * find_debug_file() - open what the debug directory has for a build-id
 *
 * The file's own build-id is not looked at.
 *
 * Return: a file descriptor, -1 where there is none.
 */
int find_debug_file(const struct symbol_places *places,
		    const struct build_id *id);

/**
 * find_debug() - open the separate debug file of @file
 * @path: of @file, for its debug link
 *
 * Looks for the build-id below the debug directory and in perf's cache, for
 * the debug link beside the file, in .debug there and below the debug
 * directory, and asks debuginfod where DEBUGINFOD_URLS is set.  A file counts
 * when its build-id is the same or, where one has none, when its CRC is what
 * the link says.  A debug file's own link is not followed.
 *
 * Return: whether one was found; then @debug is to be closed.
 */
bool find_debug(const struct symbol_places *places, const char *path,
		const struct elf_file *file, struct elf_file *debug);

#endif

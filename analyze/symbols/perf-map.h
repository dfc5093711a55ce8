/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /tmp/perf-PID.map, in which a JIT compiler names the code it made:
 *   7f0a5c0012a0 48 Interpreter.run
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_PERF_MAP_H
#define RWSEMLAB_ANALYZE_SYMBOLS_PERF_MAP_H

#include "analyze/symbols/symbol-table.h"

/**
 * perf_map_parse() - add the entries of a perf map to a table
 * @text: modified: names are ended in place and used by the table
 * @size: its bytes; text[size] must be there and be 0
 *
 * Lines that are no entry are left out.  symbol_table_finish() is the
 * caller's.
 *
 * Return: 0, or -1 when memory ran out.
 */
int perf_map_parse(struct symbol_table *t, char *text, size_t size);

enum perf_map_result {
	PERF_MAP_READ,
	PERF_MAP_NONE, /* there is none, or it can't be read */
	PERF_MAP_FOREIGN, /* it belongs to somebody else than us and root */
};

/**
 * perf_map_read() - read the map of a process
 * @root: NULL, or what to take as "/"
 * @text: set to the memory of the names, to be freed after the table's last
 *        use
 *
 * Whoever can write /tmp could otherwise choose the names of a process that
 * is not theirs, so the owner is checked and no link followed.
 */
enum perf_map_result perf_map_read(struct symbol_table *t, const char *root,
				   uint32_t pid, char **text);

#endif

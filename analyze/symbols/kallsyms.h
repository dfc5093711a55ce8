/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of /proc/kallsyms, or of a copy of it:
 *   ffffffff81000000 T _text
 *   ffffffffc0201000 t ext4_sync_file	[ext4]
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_KALLSYMS_H
#define RWSEMLAB_ANALYZE_SYMBOLS_KALLSYMS_H

#include "analyze/symbols/symbol-table.h"

struct kallsyms_stats {
	size_t lines; /* that look like a symbol, of whatever type */
	size_t malformed; /* other lines */
	size_t hidden; /* symbols with address 0, as kptr_restrict shows them */
};

/**
 * kallsyms_parse() - add the symbols of code to a table
 * @text:  modified: names are ended in place and used by the table, so it
 *         must live as long as that
 * @size:  its bytes; text[size] must be there and be 0
 *
 * Takes types t, T, w and W.  Leaves out address 0 and the marks that
 * assemblers leave ("$x", ".L1").  symbol_table_finish() is the caller's.
 *
 * Return: 0, or -1 when memory ran out.
 */
int kallsyms_parse(struct symbol_table *t, char *text, size_t size,
		   struct kallsyms_stats *stats);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of text with columns as wide as they need, within a width.
 */
#ifndef RWSEMLAB_ANALYZE_TEXT_TABLE_H
#define RWSEMLAB_ANALYZE_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#define TEXT_TABLE_COLUMNS 16

struct text_table {
	struct text_cell *cells;
	size_t nr, size; /* cells, row after row, the heading first */
	unsigned int columns;
	bool left[TEXT_TABLE_COLUMNS]; /* aligned to the left */
	bool failed; /* memory ran out */
};

/**
 * text_table_column() - add a column, before any cell
 * @left: aligned to the left (names), else to the right (numbers)
 */
void text_table_column(struct text_table *t, bool left, const char *heading);

/**
 * text_table_cell() - the next cell, row by row
 *
 * Bytes that could disturb a terminal are replaced by '?'.
 */
void text_table_cell(struct text_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * text_table_print() - print with two spaces before each column, and free
 * @width: columns of the terminal; left-aligned columns are shortened from
 *         the widest on, down to 12, where a row would not fit; 0: no limit
 * @bold:  print the heading bold
 *
 * Return: 0, or -1 when memory had run out.
 */
int text_table_print(struct text_table *t, unsigned int width, bool bold,
		     FILE *out);

#endif

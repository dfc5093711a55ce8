// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/text-table.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 12
#define MAX_CELL 120

struct text_cell {
	char text[MAX_CELL];
};

__attribute__((format(printf, 2, 0))) static void
add_cell(struct text_table *t, const char *fmt, va_list ap)
{
	struct text_cell *grown;
	char *c;

	if (t->nr == t->size) {
		size_t size = t->size ? t->size * 2 : 64;

		grown = realloc(t->cells, size * sizeof(*grown));
		if (!grown) {
			t->failed = true;
			return;
		}
		t->cells = grown;
		t->size = size;
	}
	vsnprintf(t->cells[t->nr].text, MAX_CELL, fmt, ap);
	for (c = t->cells[t->nr].text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	t->nr++;
}

void text_table_cell(struct text_table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_cell(t, fmt, ap);
	va_end(ap);
}

void text_table_column(struct text_table *t, bool left, const char *heading)
{
	t->left[t->columns++] = left;
	text_table_cell(t, "%s", heading);
}

static void measure(const struct text_table *t, unsigned int *widths)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		unsigned int width = (unsigned int)strlen(t->cells[i].text);

		if (width > widths[i % t->columns])
			widths[i % t->columns] = width;
	}
}

/* Shorten the widest name column until a row fits. */
static void fit(const struct text_table *t, unsigned int *widths,
		unsigned int limit)
{
	for (;;) {
		unsigned int total = 0, widest = 0, i;

		for (i = 0; i < t->columns; i++) {
			total += 2 + widths[i];
			if (t->left[i] &&
			    (!t->left[widest] || widths[i] > widths[widest]))
				widest = i;
		}
		if (total <= limit || !t->left[widest] ||
		    widths[widest] <= SHORTEST)
			return;
		widths[widest]--;
	}
}

static void print_cell(const struct text_table *t, size_t i,
		       const unsigned int *widths, FILE *out)
{
	unsigned int column = (unsigned int)(i % t->columns);
	const char *text = t->cells[i].text;
	int width = (int)widths[column];
	bool last = column == t->columns - 1;

	if ((int)strlen(text) > width)
		fprintf(out, "  %.*s>", width - 1, text);
	else if (!t->left[column])
		fprintf(out, "  %*s", width, text);
	else if (last)
		fprintf(out, "  %s", text);
	else
		fprintf(out, "  %-*s", width, text);
}

int text_table_print(struct text_table *t, unsigned int width, bool bold,
		     FILE *out)
{
	unsigned int widths[TEXT_TABLE_COLUMNS] = { 0 };
	int ret = t->failed ? -1 : 0;
	size_t i;

	measure(t, widths);
	if (width)
		fit(t, widths, width);
	for (i = 0; !ret && i < t->nr; i++) {
		bool heading = i < t->columns;

		if (bold && i == 0)
			fputs("\033[1m", out);
		print_cell(t, i, widths, out);
		if (bold && heading && i == t->columns - 1)
			fputs("\033[0m", out);
		if (i % t->columns == t->columns - 1)
			fputc('\n', out);
	}
	free(t->cells);
	memset(t, 0, sizeof(*t));
	return ret;
}

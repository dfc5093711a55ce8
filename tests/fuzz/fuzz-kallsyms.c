// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a kallsyms text or, after a first byte of 'm', a perf map.
 * Beyond what sanitizers see, the finished table must keep its promises.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/kallsyms.h"
#include "analyze/symbols/perf-map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct check {
	const struct symbol_table *table;
	const char *text, *behind;
	size_t found;
};

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_symbol(const struct check *c, const struct symbol *s)
{
	require(s->name >= c->text && s->name + strlen(s->name) <= c->behind);
	require(!s->module || s->module < c->table->nr_modules);
	require(s->end > s->start || s->start == UINT64_MAX);
}

static void check_found(void *context, const struct symbol_query *query,
			const struct symbol *symbol)
{
	struct check *c = context;

	check_symbol(c, symbol);
	require(query->address >= symbol->start &&
		query->address < symbol->end);
	c->found++;
}

static void check_table(const struct symbol_table *t, const char *text,
			size_t size)
{
	struct check c = { t, text, text + size, 0 };
	struct symbol_query *query = calloc(t->nr * 3 + 1, sizeof(*query));
	size_t i;

	require(query != NULL);
	for (i = 0; i < t->nr; i++) {
		check_symbol(&c, &t->symbol[i]);
		require(!i || t->symbol[i].start > t->symbol[i - 1].start);
		query[3 * i].address = t->symbol[i].start - 1;
		query[3 * i + 1].address = t->symbol[i].start;
		query[3 * i + 2].address = t->symbol[i].end;
	}
	symbol_queries_sort(query, t->nr * 3);
	require(!symbol_table_resolve(t, query, t->nr * 3, check_found, &c));
	/* Each start lies at least in its own symbol. */
	require(c.found + 1 >= t->nr);
	free(query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "_text", "_stext", "_etext" };
	const int is_map = size && data[0] == 'm';
	struct kallsyms_stats stats = { 0 };
	struct symbol_table t = { 0 };
	uint64_t marks[3];
	char *text;

	data += is_map;
	size -= is_map;
	/* Exactly as large, so that a byte beyond is seen. */
	text = malloc(size + 1);
	require(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (is_map)
		require(!perf_map_parse(&t, text, size));
	else
		require(!kallsyms_parse(&t, text, size, &stats));
	symbol_table_marks(&t, names, marks, 3);
	require(!symbol_table_finish(&t, is_map ? SYMBOLS_PERF_MAP :
						  SYMBOLS_KALLSYMS));
	check_table(&t, text, size);
	symbol_table_free(&t);
	free(text);
	return 0;
}

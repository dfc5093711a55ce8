// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/symbol-table.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096ull
/* Names are compared and kept up to here: a crafted string table must not
   make one name cost more than a table of honest ones. */
#define NAME_COMPARED 1024

int symbol_table_add(struct symbol_table *t, const struct symbol *s)
{
	if (t->nr == t->size) {
		size_t size = t->size ? t->size * 2 : 1024;
		struct symbol *grown;

		grown = reallocarray(t->symbol, size, sizeof(*grown));
		if (!grown)
			return -1;
		t->symbol = grown;
		t->size = size;
	}
	t->symbol[t->nr++] = *s;
	return 0;
}

uint32_t symbol_table_module(struct symbol_table *t, const char *name)
{
	if (t->nr_modules > 1 && !strcmp(t->module[t->nr_modules - 1], name))
		return t->nr_modules - 1;
	if (t->nr_modules + 1 >= t->size_modules) {
		uint32_t size = t->size_modules ? t->size_modules * 2 : 64;
		const char **grown;

		if (size < t->size_modules)
			return 0;
		grown = reallocarray(t->module, size, sizeof(*grown));
		if (!grown)
			return 0;
		t->module = grown;
		t->size_modules = size;
	}
	if (!t->nr_modules)
		t->module[t->nr_modules++] = "";
	t->module[t->nr_modules] = name;
	return t->nr_modules++;
}

static bool is_sorted(const struct symbol_table *t)
{
	size_t i;

	for (i = 1; i < t->nr; i++)
		if (t->symbol[i].start < t->symbol[i - 1].start)
			return false;
	return true;
}

/* One pass of a radix sort: stable, by one byte of the start. */
static void sort_by_byte(const struct symbol *from, struct symbol *to,
			 size_t nr, const size_t *count, unsigned int shift)
{
	size_t place[256];
	size_t sum = 0;
	size_t i;

	for (i = 0; i < 256; i++) {
		place[i] = sum;
		sum += count[i];
	}
	for (i = 0; i < nr; i++)
		to[place[(from[i].start >> shift) & 0xff]++] = from[i];
}

/* Modules come unsorted; symbols at one address must keep their order. */
static int sort(struct symbol_table *t)
{
	struct symbol *from = t->symbol;
	struct symbol *to;
	unsigned int shift;

	to = reallocarray(NULL, t->nr, sizeof(*to));
	if (!to)
		return -1;
	for (shift = 0; shift < 64; shift += 8) {
		size_t count[256] = { 0 };
		struct symbol *swap = from;
		size_t i;

		for (i = 0; i < t->nr; i++)
			count[(from[i].start >> shift) & 0xff]++;
		if (count[(from[0].start >> shift) & 0xff] == t->nr)
			continue;
		sort_by_byte(from, to, t->nr, count, shift);
		from = to;
		to = swap;
	}
	free(to);
	t->symbol = from;
	t->size = t->nr;
	return 0;
}

static uint64_t page_behind(uint64_t address)
{
	uint64_t end = (address + 2 * PAGE - 1) & ~(PAGE - 1);

	return end > address ? end : UINT64_MAX;
}

static bool same_module(const struct symbol_table *t, const struct symbol *a,
			const struct symbol *b)
{
	return a->module == b->module ||
	       (a->module && b->module &&
		!strcmp(t->module[a->module], t->module[b->module]));
}

/* Where the kernel's text ends, what follows is not more of it. */
static bool ends_text(const struct symbol *s)
{
	return !s->module &&
	       (!strcmp(s->name, "_etext") || !strcmp(s->name, "_einittext"));
}

static uint64_t find_end(const struct symbol_table *t, size_t i,
			 enum symbol_source source)
{
	const struct symbol *s = &t->symbol[i];

	if (i + 1 == t->nr)
		return page_behind(s->start);
	if (source == SYMBOLS_KALLSYMS &&
	    (!same_module(t, s, s + 1) ||
	     (s[1].start != s->start && ends_text(s))))
		return page_behind(s->start);
	return s[1].start;
}

static int leading_underscores(const char *name)
{
	int n = 0;

	while (n < NAME_COMPARED && name[n] == '_')
		n++;
	return n;
}

/* More than 0: @a is the better one of two at the same address. */
static int compare_aliases(const struct symbol *a, const struct symbol *b)
{
	int better;

	better = (a->end > a->start) - (b->end > b->start);
	if (!better)
		better = b->untyped - a->untyped;
	if (!better)
		better = (b->binding == SYMBOL_WEAK) -
			 (a->binding == SYMBOL_WEAK);
	if (!better)
		better = (a->binding == SYMBOL_GLOBAL) -
			 (b->binding == SYMBOL_GLOBAL);
	if (!better)
		better = leading_underscores(b->name) -
			 leading_underscores(a->name);
	if (!better)
		better = (int)strnlen(a->name, NAME_COMPARED) -
			 (int)strnlen(b->name, NAME_COMPARED);
	return better;
}

static void drop_aliases(struct symbol_table *t, enum symbol_source source)
{
	size_t kept = 0;
	size_t i;

	for (i = 1; i < t->nr; i++) {
		struct symbol *s = &t->symbol[i];

		if (s->start != t->symbol[kept].start)
			t->symbol[++kept] = *s;
		else if (source == SYMBOLS_PERF_MAP ||
			 compare_aliases(s, &t->symbol[kept]) > 0)
			t->symbol[kept] = *s;
	}
	if (t->nr)
		t->nr = kept + 1;
}

int symbol_table_finish(struct symbol_table *t, enum symbol_source source)
{
	size_t i;

	if (!is_sorted(t) && sort(t))
		return -1;
	for (i = 0; i < t->nr; i++)
		if (t->symbol[i].end <= t->symbol[i].start)
			t->symbol[i].end = find_end(t, i, source);
	drop_aliases(t, source);
	return 0;
}

void symbol_table_marks(const struct symbol_table *t, const char *const *names,
			uint64_t *found, size_t nr)
{
	uint64_t done = 0;
	size_t i, k;

	for (i = 0; i < t->nr; i++) {
		const struct symbol *s = &t->symbol[i];

		if (s->name[0] != '_' || s->module)
			continue;
		for (k = 0; k < nr; k++) {
			/* The second letter alone rules most of them out. */
			if (!names[k] || done & 1ull << k ||
			    s->name[1] != names[k][1] ||
			    strcmp(s->name, names[k]) != 0)
				continue;
			found[k] = s->start;
			done |= 1ull << k;
		}
	}
}

int symbol_table_resolve(const struct symbol_table *t,
			 const struct symbol_query *query, size_t nr,
			 void (*found)(void *context,
				       const struct symbol_query *query,
				       const struct symbol *symbol),
			 void *context)
{
	size_t next = 0;
	size_t depth = 0;
	const struct symbol **open;
	size_t i;

	if (!t->nr || !nr)
		return 0;
	/* Symbols that began and have not been seen to end, innermost last. */
	open = reallocarray(NULL, t->nr, sizeof(*open));
	if (!open)
		return -1;
	for (i = 0; i < nr; i++) {
		const uint64_t address = query[i].address;

		while (next < t->nr && t->symbol[next].start <= address)
			open[depth++] = &t->symbol[next++];
		while (depth && open[depth - 1]->end <= address)
			depth--;
		if (depth)
			found(context, &query[i], open[depth - 1]);
	}
	free(open);
	return 0;
}

static int compare_queries(const void *a, const void *b)
{
	const struct symbol_query *x = a;
	const struct symbol_query *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->cookie > y->cookie) - (x->cookie < y->cookie);
}

void symbol_queries_sort(struct symbol_query *query, size_t nr)
{
	qsort(query, nr, sizeof(*query), compare_queries);
}

void symbol_table_free(struct symbol_table *t)
{
	free(t->symbol);
	free(t->module);
	memset(t, 0, sizeof(*t));
}

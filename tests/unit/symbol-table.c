// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbol table's rules: aliases, nesting, order; and perf maps.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/perf-map.h"
#include "tests/tap.h"

static const struct symbol *found_symbol;

static void note_found(void *context, const struct symbol_query *query,
		       const struct symbol *symbol)
{
	(void)context;
	(void)query;
	found_symbol = symbol;
}

/* The name of what lies at an address, "-" for nothing. */
static const char *name_at(const struct symbol_table *t, uint64_t address)
{
	const struct symbol_query query = { .address = address };

	found_symbol = NULL;
	if (symbol_table_resolve(t, &query, 1, note_found, NULL))
		return "out of memory";
	return found_symbol ? found_symbol->name : "-";
}

/* Each line: symbols at one address, and the one perf's rules choose. */
static const struct {
	struct symbol s[3];
	const char *want;
	const char *why;
} aliases[] = {
	{ { { 16, 16, "a", 0, SYMBOL_GLOBAL, false },
	    { 16, 32, "b", 0, SYMBOL_WEAK, true } },
	  "b",
	  "one with a length" },
	{ { { 16, 32, "label", 0, SYMBOL_GLOBAL, true },
	    { 16, 32, "__f", 0, SYMBOL_LOCAL, false } },
	  "__f",
	  "a function before a label" },
	{ { { 16, 32, "weak", 0, SYMBOL_WEAK, false },
	    { 16, 32, "__l", 0, SYMBOL_LOCAL, false } },
	  "__l",
	  "local before weak" },
	{ { { 16, 32, "local", 0, SYMBOL_LOCAL, false },
	    { 16, 32, "__g", 0, SYMBOL_GLOBAL, false } },
	  "__g",
	  "global before local" },
	{ { { 16, 32, "__long_name", 0, SYMBOL_GLOBAL, false },
	    { 16, 32, "_s", 0, SYMBOL_GLOBAL, false },
	    { 16, 32, "___", 0, SYMBOL_GLOBAL, false } },
	  "_s",
	  "fewer underscores" },
	{ { { 16, 32, "short", 0, SYMBOL_GLOBAL, false },
	    { 16, 32, "longer", 0, SYMBOL_GLOBAL, false },
	    { 16, 32, "same_6", 0, SYMBOL_GLOBAL, false } },
	  "longer",
	  "the longer name, the first of two as long" },
};

static void test_aliases(void)
{
	size_t i, k;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		struct symbol_table t = { 0 };

		for (k = 0; k < 3 && aliases[i].s[k].name; k++)
			if (symbol_table_add(&t, &aliases[i].s[k]))
				tap_bail("out of memory");
		if (symbol_table_finish(&t, SYMBOLS_ELF))
			tap_bail("out of memory");
		tap_is_str(name_at(&t, 20), aliases[i].want, "%s",
			   aliases[i].why);
		symbol_table_free(&t);
	}
}

/* A function with two others in it, and one that begins in the first and
   ends behind it. */
static void test_nested(void)
{
	static const struct symbol s[] = {
		{ 0x400, 0x500, "inner", 0, SYMBOL_LOCAL, false },
		{ 0x100, 0x900, "outer", 0, SYMBOL_GLOBAL, false },
		{ 0x200, 0x300, "early", 0, SYMBOL_LOCAL, false },
		{ 0x800, 0xa00, "across", 0, SYMBOL_LOCAL, false },
	};
	static const struct {
		uint64_t address;
		const char *name;
	} want[] = {
		{ 0xff, "-" },	     { 0x100, "outer" },  { 0x250, "early" },
		{ 0x300, "outer" },  { 0x4ff, "inner" },  { 0x500, "outer" },
		{ 0x880, "across" }, { 0x9ff, "across" }, { 0xa00, "-" },
	};
	struct symbol_table t = { 0 };
	size_t i;

	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++)
		if (symbol_table_add(&t, &s[i]))
			tap_bail("out of memory");
	if (symbol_table_finish(&t, SYMBOLS_ELF))
		tap_bail("out of memory");
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		tap_is_str(name_at(&t, want[i].address), want[i].name,
			   "nested: %#" PRIx64, want[i].address);
	symbol_table_free(&t);
}

static int compare_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a;
	const uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Against qsort(), with addresses all over the 64 bits. */
static void test_sort(void)
{
	enum {
		NR = 5000
	};
	static uint64_t want[NR];
	struct symbol_table t = { 0 };
	uint64_t x = 88172645463325252ull;
	size_t wrong = 0;
	size_t i;

	for (i = 0; i < NR; i++) {
		struct symbol s = { .name = "x" };

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		s.start = want[i] = x;
		if (symbol_table_add(&t, &s))
			tap_bail("out of memory");
	}
	qsort(want, NR, sizeof(*want), compare_u64);
	if (symbol_table_finish(&t, SYMBOLS_ELF))
		tap_bail("out of memory");
	for (i = 0; i < NR && i < t.nr; i++)
		wrong += t.symbol[i].start != want[i];
	tap_is_u64(t.nr, NR, "all symbols are still there after the sort");
	tap_is_u64(wrong, 0, "they are in the order that qsort() gives");
	symbol_table_free(&t);
}

/* ----------------------------------------------------------- a perf map */

static void test_perf_map(void)
{
	char text[] = "7f0000001000 10 Interpreter run (Lx;)V\n"
		      "0x7f0000002000 0x20 second\n"
		      "7f0000001000 8 newer\n"
		      "7f0000003000 0 nothing\n"
		      "zz 10 bad\n"
		      "7f0000004000\n"
		      "7f0000005000 10\n"
		      "ffffffffffffff00 ffffffffffffff00 wraps\n"
		      "7f0000006000 10 last";
	struct symbol_table t = { 0 };

	if (perf_map_parse(&t, text, sizeof(text) - 1) ||
	    symbol_table_finish(&t, SYMBOLS_PERF_MAP))
		tap_bail("out of memory");
	tap_is_str(name_at(&t, 0x7f0000001004), "newer",
		   "perf map: the later entry of one address");
	tap_is_str(name_at(&t, 0x7f000000201f), "second",
		   "perf map: 0x is allowed, sizes are hexadecimal");
	tap_is_str(name_at(&t, 0x7f0000002020), "-",
		   "perf map: an entry ends where its size says");
	tap_is_str(name_at(&t, 0x7f0000003000), "-",
		   "perf map: an entry of no size names nothing");
	tap_is_str(name_at(&t, 0x7f0000005001), "-",
		   "perf map: an entry without a name is none");
	tap_is_str(name_at(&t, UINT64_MAX - 1), "wraps",
		   "perf map: an end beyond 64 bits is cut");
	tap_is_str(name_at(&t, 0x7f000000600f), "last",
		   "perf map: no newline at the end");
	symbol_table_free(&t);
}

int main(void)
{
	test_aliases();
	test_nested();
	test_sort();
	test_perf_map();
	return tap_done();
}

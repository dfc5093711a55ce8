/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of symbols by address, whatever they come from, and the walk that
 * names many addresses in one pass.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_SYMBOL_TABLE_H
#define RWSEMLAB_ANALYZE_SYMBOLS_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum symbol_binding {
	SYMBOL_LOCAL,
	SYMBOL_GLOBAL,
	SYMBOL_WEAK
};

struct symbol {
	uint64_t start;
	uint64_t end; /* first address behind it; @start: not known */
	const char *name; /* the source's memory, zero-terminated */
	uint32_t module; /* index into the table's modules, 0: none */
	uint8_t binding; /* enum symbol_binding */
	bool untyped; /* a label (STT_NOTYPE), not a function */
};

struct symbol_table {
	struct symbol *symbol;
	size_t nr, size;
	const char **module; /* "ext4", the source's memory; [0] is "" */
	uint32_t nr_modules, size_modules;
};

/* An address to name; @cookie is the caller's. */
struct symbol_query {
	uint64_t address;
	uint32_t cookie;
};

/* How a table's symbols end and which of several at one address is taken. */
enum symbol_source {
	SYMBOLS_KALLSYMS, /* no sizes; modules follow each other with gaps */
	SYMBOLS_ELF,
	SYMBOLS_PERF_MAP, /* all have sizes; the later entry is the newer */
};

/**
 * symbol_table_add() - append a symbol
 *
 * Zero-initialise the table before the first call.
 *
 * Return: 0, or -1 when memory ran out.
 */
int symbol_table_add(struct symbol_table *t, const struct symbol *s);

/**
 * symbol_table_module() - the number of a module, for symbols added next
 *
 * The same name again right behind it gives the same number, else a new one.
 *
 * Return: the number, 0 when memory ran out.
 */
uint32_t symbol_table_module(struct symbol_table *t, const char *name);

/**
 * symbol_table_finish() - sort, find the missing ends, drop aliases
 *
 * Ends and aliases follow perf's rules, as its users compare: of several
 * symbols at one address stays one with a length; then a function before a
 * label; global or local before weak; global before local; fewer leading
 * underscores; the longer name; the first.  In kallsyms, where all but the
 * last of them come out with length 0, that is always the last one.
 *
 * Return: 0, or -1 when memory ran out.
 */
int symbol_table_finish(struct symbol_table *t, enum symbol_source source);

/**
 * symbol_table_marks() - find addresses of symbols by name
 * @names: @nr names, at most 64; only those that start with '_' are found,
 *         NULL ones are skipped
 * @found: where to put each one's address; untouched where there is none
 *
 * To be called before symbol_table_finish(), which drops aliases.  Symbols of
 * modules don't count; of several of one name the first does.
 */
void symbol_table_marks(const struct symbol_table *t, const char *const *names,
			uint64_t *found, size_t nr);

/**
 * symbol_table_resolve() - name many addresses in one pass
 * @query: @nr addresses, in rising order
 * @found: called in that order for each that lies in a symbol; where several
 *         do, with the one that starts last, the innermost
 *
 * Return: 0, or -1 when memory ran out.
 */
int symbol_table_resolve(const struct symbol_table *t,
			 const struct symbol_query *query, size_t nr,
			 void (*found)(void *context,
				       const struct symbol_query *query,
				       const struct symbol *symbol),
			 void *context);

/**
 * symbol_queries_sort() - put queries in rising order of address
 */
void symbol_queries_sort(struct symbol_query *query, size_t nr);

/**
 * symbol_table_free() - release the table and zero it
 *
 * Names and module names are the source's.
 */
void symbol_table_free(struct symbol_table *t);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/kallsyms.h"

#include <string.h>

/* Values of hexadecimal digits plus 1, so that 0 is "no digit". */
static const uint8_t hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Returns what follows the address, NULL where there is none. */
static char *parse_address(char *c, uint64_t *address)
{
	char *first = c;
	uint64_t value = 0;
	uint8_t digit;

	while ((digit = hex_digit[(uint8_t)*c])) {
		value = value << 4 | (digit - 1);
		c++;
	}
	*address = value;
	return c > first && c - first <= 16 ? c : NULL;
}

static bool is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

static uint8_t binding_of(char type)
{
	if (type == 't')
		return SYMBOL_LOCAL;
	return type == 'T' ? SYMBOL_GLOBAL : SYMBOL_WEAK;
}

/*
 * Ends the name where a module follows.  Returns the module's name, also
 * ended, or NULL.
 */
static char *split_module(char *name, char *end)
{
	char *tab = memchr(name, '\t', end - name);
	char *module, *close;

	if (!tab)
		return NULL;
	*tab = '\0';
	module = tab + 1;
	if (*module != '[')
		return NULL;
	module++;
	close = memchr(module, ']', end - module);
	if (!close || close == module)
		return NULL;
	*close = '\0';
	return module;
}

static int add_symbol(struct symbol_table *t, uint64_t address, char type,
		      char *name, char *end)
{
	const char *module = split_module(name, end);
	struct symbol s = {
		.start = address,
		.end = address,
		.name = name,
		.binding = binding_of(type),
	};

	if (!*name || *name == '$' || (name[0] == '.' && name[1] == 'L'))
		return 0;
	if (module) {
		s.module = symbol_table_module(t, module);
		if (!s.module)
			return -1;
	}
	return symbol_table_add(t, &s);
}

/* @end: where the line's newline was, now a zero. */
static int parse_line(struct symbol_table *t, char *line, char *end,
		      struct kallsyms_stats *stats)
{
	uint64_t address;
	char *c = parse_address(line, &address);

	if (!c || end - c < 4 || c[0] != ' ' || c[2] != ' ') {
		stats->malformed += end > line;
		return 0;
	}
	stats->lines++;
	if (!is_code(c[1]))
		return 0;
	if (!address) {
		stats->hidden++;
		return 0;
	}
	return add_symbol(t, address, c[1], c + 3, end);
}

int kallsyms_parse(struct symbol_table *t, char *text, size_t size,
		   struct kallsyms_stats *stats)
{
	char *const behind = text + size;
	char *line = text;

	while (line < behind) {
		char *end = memchr(line, '\n', behind - line);
		char *next = end ? end + 1 : behind;

		if (!end)
			end = behind;
		if (end > line && end[-1] == '\r')
			end--;
		*end = '\0';
		if (parse_line(t, line, end, stats))
			return -1;
		line = next;
	}
	return 0;
}

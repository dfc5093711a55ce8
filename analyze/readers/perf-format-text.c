// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-format-text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE   32768
#define MAX_DEPTH  40
#define MAX_DIGITS 18
#define MAX_NAME   64
#define MAX_FIELDS 40

/* The names of the fields that are declared. */
struct text {
	struct {
		const char *from;
		size_t length;
	} field[MAX_FIELDS];
	unsigned int nr_fields;
};

/* Each of the following moves *at behind what it is named for, or fails. */

static bool literal(const char **at, const char *what)
{
	size_t length = strlen(what);

	if (strncmp(*at, what, length))
		return false;
	*at += length;
	return true;
}

static bool digits(const char **at)
{
	const char *from = *at;

	while (isdigit((unsigned char)**at))
		++*at;
	return *at > from && *at - from <= MAX_DIGITS;
}

static bool name(const char **at)
{
	const char *from = *at;

	if (isdigit((unsigned char)**at))
		return false;
	while (isalnum((unsigned char)**at) || **at == '_')
		++*at;
	return *at > from && *at - from <= MAX_NAME;
}

/* "unsigned long prev_state", "void * lock_addr", "char prev_comm[16]" */
static bool declaration(struct text *t, const char **at)
{
	unsigned int names = 0;
	const char *from = *at;

	for (; name(at); from = *at) {
		names++;
		t->field[t->nr_fields].from = from;
		t->field[t->nr_fields].length = (size_t)(*at - from);
		if (**at == '[' || **at == ';')
			break;
		if (!literal(at, " "))
			return false;
		while (literal(at, "* "))
			;
	}
	t->nr_fields++;
	if (names < 2)
		return false;
	if (!literal(at, "["))
		return true;
	return (digits(at) || name(at)) && literal(at, "]");
}

static bool field(struct text *t, const char **at)
{
	if (t->nr_fields == MAX_FIELDS || !literal(at, "\tfield:") ||
	    !declaration(t, at) || !literal(at, ";\toffset:") || !digits(at) ||
	    !literal(at, ";\tsize:") || !digits(at) || !literal(at, ";"))
		return false;
	if (literal(at, "\tsigned:") && (!digits(at) || !literal(at, ";")))
		return false;
	return literal(at, "\n");
}

static bool fields(struct text *t, const char **at)
{
	unsigned int nr = 0;

	for (; **at == '\t'; nr++)
		if (!field(t, at))
			return false;
	return nr > 0;
}

/* Up to "print fmt: ". */
static bool head(struct text *t, const char **at)
{
	return literal(at, "name: ") && name(at) && literal(at, "\nID: ") &&
	       digits(at) && literal(at, "\nformat:\n") && fields(t, at) &&
	       literal(at, "\n") && fields(t, at) && literal(at, "\n") &&
	       literal(at, "print fmt: ");
}

static bool is_declared(const struct text *t, const char **at)
{
	const char *from = *at;
	unsigned int i;

	if (!name(at))
		return false;
	for (i = 0; i < t->nr_fields; i++)
		if (t->field[i].length == (size_t)(*at - from) &&
		    !strncmp(t->field[i].from, from, t->field[i].length))
			return true;
	return false;
}

static void blanks(const char **at)
{
	while (**at == ' ')
		++*at;
}

static bool token(const char **at, const char *what)
{
	blanks(at);
	return literal(at, what);
}

static bool string(const char **at)
{
	if (!token(at, "\""))
		return false;
	while (isprint((unsigned char)**at) && **at != '"' && **at != '\\')
		++*at;
	return literal(at, "\"");
}

static bool number(const char **at)
{
	const char *from;

	blanks(at);
	from = *at;
	if (literal(at, "0x")) {
		while (isxdigit((unsigned char)**at))
			++*at;
		if (*at - from < 3 || *at - from > MAX_DIGITS)
			return false;
	} else if (!digits(at)) {
		return false;
	}
	return !isalnum((unsigned char)**at) && **at != '_';
}

static bool choice(const struct text *t, const char **at, unsigned int depth);

/* "__print_flags(REC->prev_state & 255, "|", { 1, "S" }, { 2, "D" })" */
static bool flags(const struct text *t, const char **at, unsigned int depth)
{
	if (!token(at, "(") || !choice(t, at, depth + 1) || !token(at, ",") ||
	    !string(at))
		return false;
	while (token(at, ",")) {
		if (!token(at, "{") || !number(at) || !token(at, ",") ||
		    !string(at) || !token(at, "}"))
			return false;
	}
	return token(at, ")");
}

static bool operand(const struct text *t, const char **at, unsigned int depth)
{
	blanks(at);
	if (literal(at, "("))
		return choice(t, at, depth + 1) && token(at, ")");
	if (literal(at, "REC->"))
		return is_declared(t, at);
	if (literal(at, "__print_flags"))
		return flags(t, at, depth + 1);
	return **at == '"' ? string(at) : number(at);
}

static bool operator_between(const char **at)
{
	static const char *const all[] = { "<<", "|", "&", "+", "-" };
	size_t i;

	blanks(at);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (literal(at, all[i]))
			/* No "&&", "||", "++", "->" of other kinds. */
			return !strchr("|&+->", **at);
	return false;
}

/* "a & b ? c : d", or only its beginning */
static bool choice(const struct text *t, const char **at, unsigned int depth)
{
	const char *behind;

	if (depth > MAX_DEPTH || !operand(t, at, depth))
		return false;
	for (behind = *at; operator_between(&behind); behind = *at) {
		if (!operand(t, &behind, depth))
			return false;
		*at = behind;
	}
	if (!token(at, "?"))
		return true;
	return choice(t, at, depth + 1) && token(at, ":") &&
	       choice(t, at, depth + 1);
}

static bool print_of_switch(const struct text *t, const char *at)
{
	if (!string(&at))
		return false;
	while (token(&at, ","))
		if (!choice(t, &at, 0))
			return false;
	blanks(&at);
	while (*at == '\n')
		at++;
	return !*at;
}

char *pd_format_text(const char *text, bool print)
{
	struct text t = { .nr_fields = 0 };
	const char *at = text;
	char *safe;

	if (strlen(text) > MAX_SIZE || !head(&t, &at))
		return NULL;
	if (print && print_of_switch(&t, at))
		return strdup(text);
	if (asprintf(&safe, "%.*s\"\"\n", (int)(at - text), text) < 0)
		return NULL;
	return safe;
}

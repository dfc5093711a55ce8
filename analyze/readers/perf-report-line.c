// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-report-line.h"

#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define WHOLE	      1000000000u /* 100 % */

/* -------------------------------------------------------------- left side */

/* Mail quotes: "> ", ">>> ", "> > ".  One space belongs to each. */
static void skip_quotes(struct text *t)
{
	for (;;) {
		struct text rest = *t;

		text_skip_blanks(&rest);
		if (!text_take(&rest, ">"))
			return;
		text_take(&rest, " ");
		*t = rest;
	}
}

struct margin {
	int column; /* of what follows */
	bool rails;
};

/* Blanks and rails; a no-break space is what some mailers make of a blank. */
static struct margin skip_margin(struct text *t)
{
	struct margin m = { 0 };

	while (t->at < t->end) {
		if (*t->at == ' ') {
			m.column++;
		} else if (*t->at == '\t') {
			m.column = (m.column / 8 + 1) * 8;
		} else if (*t->at == '|') {
			m.column++;
			m.rails = true;
		} else if (text_starts(t, "\xc2\xa0")) {
			m.column++;
			t->at++;
		} else {
			break;
		}
		t->at++;
	}
	return m;
}

/* ---------------------------------------------------------------- values */

static bool take_percent(struct text *t, uint64_t *value)
{
	struct text rest = *t;
	uint32_t fraction;
	uint64_t whole;
	bool point;

	if (!text_take_fixed(&rest, &whole, &fraction, &point) ||
	    whole > 1000 || !text_take(&rest, "%"))
		return false;
	*value = whole * (WHOLE / 100) + (fraction + 50) / 100;
	*t = rest;
	return true;
}

static bool take_values(struct text *t, struct report_line *l, int column)
{
	const char *start = t->at;
	uint64_t value;

	while (take_percent(t, &value)) {
		if (!l->nr_values)
			l->percent_column = column + (int)(t->at - start) - 1;
		if (l->nr_values < REPORT_MAX_VALUES)
			l->value[l->nr_values++] = value;
		text_skip_blanks(t);
	}
	l->is_percent = true;
	return l->nr_values;
}

/* ----------------------------------------------------------------- names */

/* What people put between a name and what they say about it. */
static const char *const remark_marks[] = {
	" ",  "\t", "<-", "<=",		  "<<",		  "->",		  "=>",
	"--", "==", "#",  "//",		  "/*",		  "!!",		  "**",
	"^",  ";",  "..", "\xe2\x80\xa6", "\xe2\x86\x90", "\xe2\x86\x92",
};

static bool remark_begins(const struct text *t)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(remark_marks); i++)
		if (text_starts(t, remark_marks[i]))
			return true;
	return false;
}

/* "mutex_lock      <----- low rate": without what someone wrote beside. */
static struct text drop_remark(struct text t)
{
	struct text behind = t;

	while (behind.at < t.end) {
		bool is_tab = *behind.at == '\t', is_blank = *behind.at == ' ';

		behind.at++;
		if (is_tab || (is_blank && remark_begins(&behind))) {
			t.end = behind.at;
			break;
		}
	}
	return text_trim(t);
}

/* "<------ here", which no name begins with */
static bool is_remark(const struct text *t)
{
	return text_starts(t, "<-") || text_starts(t, "<=");
}

static const char *const spaced_names[] = {
	"operator",   "non-virtual thunk",   "virtual thunk",
	"vtable for", "guard variable",	     "typeinfo",
	"VTT for",    "construction vtable", "transaction clone",
};

/* Names of C have no spaces, those of C++ and Rust may. */
static bool may_have_spaces(const struct text *t)
{
	const char *c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spaced_names); i++)
		if (text_starts(t, spaced_names[i]))
			return true;
	for (c = t->at; c < t->end && !text_is_blank(*c); c++)
		if (strchr("<(:~{", *c))
			return true;
	return false;
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       text_is_digit(c) || (c && strchr("_.$@~<([?{", c)) ||
	       (unsigned char)c >= 0x80;
}

/*
 * Return: false when @t can't be a symbol.  A second word makes it prose,
 * unless the line is surely of the tree: then it is a remark.
 */
static bool parse_name(struct text t, struct report_line *l)
{
	struct text word;

	t = drop_remark(t);
	if (text_ends(&t, " (inlined)")) {
		t.end -= strlen(" (inlined)");
		l->is_inline = true;
	}
	if (t.at == t.end || !is_name_start(*t.at))
		return false;
	if (text_equals(&t, "[...]")) {
		l->is_rest = true;
		t.end = t.at;
	}
	if (t.at < t.end && !may_have_spaces(&t) && text_take_word(&t, &word)) {
		if (t.at < t.end && !l->in_tree)
			return false;
		t = word;
	}
	l->name = t;
	return true;
}

/* ------------------------------------------------------------- kinds of it */

/* "---name", "--99.98%--name", "--1234--name", all of them old and new. */
static void parse_dashes(struct text t, struct report_line *l)
{
	uint64_t count;

	l->in_tree = true;
	l->kind = REPORT_NAME;
	text_take(&t, "--");
	if (!text_take(&t, "-")) {
		l->kind = REPORT_VALUE;
		text_skip_blanks(&t);
		if (!take_values(&t, l, 0)) {
			l->is_percent = false;
			l->nr_values = 1;
			if (!text_take_u64(&t, &count)) {
				l->kind = REPORT_OTHER;
				return;
			}
			l->value[0] = count;
		}
		if (!text_take(&t, "--")) {
			l->kind = REPORT_OTHER;
			return;
		}
	}
	text_skip_blanks(&t);
	if (!parse_name(t, l))
		l->kind = REPORT_OTHER;
}

static const char markers[] = ".kguHm!";

/* "[k] __schedule": a symbol and the mode it runs in */
static const char *find_marker(const struct text *t)
{
	struct text rest = *t;
	const char *at;

	while ((at = text_find(&rest, "["))) {
		if (t->end - at >= 3 && at[2] == ']' && at[1] &&
		    strchr(markers, at[1]) &&
		    (at == t->at || text_is_blank(at[-1])) &&
		    (at + 3 == t->end || text_is_blank(at[3])))
			return at;
		rest.at = at + 1;
	}
	return NULL;
}

/* Columns with a symbol, or what the event printed. */
static bool is_entry(const struct text *fields)
{
	return find_marker(fields) || text_starts(fields, "prev_comm=");
}

/* "99.98% schedule" of a tree or "59.51%  exim  … [k] …" of the table */
static void parse_percent(struct text t, struct report_line *l)
{
	l->fields = text_trim(t);
	if (is_remark(&l->fields))
		l->fields.end = l->fields.at;
	l->kind = REPORT_VALUE;
	if ((!l->in_tree || l->fold) && is_entry(&l->fields))
		l->kind = REPORT_ENTRY;
	else if (l->fields.at < l->fields.end && !parse_name(t, l))
		l->is_entry_or_prose = true;
}

/* The lines of perf's headers that matter, which the browser has without '#' */
static bool is_header(const struct text *t)
{
	return *t->at == '#' || text_starts(t, "Samples: ") ||
	       text_starts(t, "Children ") || text_starts(t, "Overhead ");
}

static char take_fold(struct text *t)
{
	char fold;

	if (t->end - t->at < 2 || (*t->at != '+' && *t->at != '-') ||
	    !text_is_blank(t->at[1]))
		return 0;
	fold = *t->at;
	t->at++;
	return fold;
}

void report_line_parse(struct text text, struct report_line *l)
{
	struct text t = text;
	struct margin m, behind;

	memset(l, 0, sizeof(*l));
	skip_quotes(&t);
	m = skip_margin(&t);
	l->in_tree = m.rails;
	if (t.at == t.end || is_remark(&t))
		return;
	if (is_header(&t)) {
		l->kind = REPORT_COMMENT;
		l->fields = t;
		return;
	}
	if (text_starts(&t, "--")) {
		l->level = m.column - 1;
		parse_dashes(t, l);
		return;
	}
	l->level = m.column - 2;
	l->fold = take_fold(&t);
	if (l->fold) {
		l->in_tree = true;
		l->level = m.column;
		behind = skip_margin(&t);
		m.column += 1 + behind.column;
	}
	if (take_values(&t, l, m.column)) {
		parse_percent(t, l);
		return;
	}
	l->kind = parse_name(t, l) ? REPORT_NAME : REPORT_OTHER;
}

/* ------------------------------------------------------------------ fields */

/* Fields have two blanks between them, or a tab. */
static bool next_field(struct text *t, struct text *field)
{
	const char *at;

	text_skip_blanks(t);
	if (t->at == t->end)
		return false;
	for (at = t->at; at < t->end; at++)
		if (*at == '\t' ||
		    (*at == ' ' && at + 1 < t->end && text_is_blank(at[1])))
			break;
	*field = text_trim((struct text){ t->at, at });
	t->at = at;
	return true;
}

static bool is_dso(const struct text *t)
{
	return *t->at == '[' || *t->at == '/' || text_find(t, ".so") ||
	       text_ends(t, ".ko") || text_ends(t, ".ko.xz") ||
	       text_starts(t, "perf-") || text_starts(t, "vmlinux");
}

static bool is_number(const struct text *t)
{
	struct text rest = *t;
	uint64_t n;

	return text_take_u64(&rest, &n) && rest.at == rest.end;
}

/* "exim [kernel.kallsyms]": two fields that a mailer moved together */
static bool split_field(const struct text *field, struct text *comm,
			struct text *dso)
{
	const char *at = memrchr(field->at, ' ', text_length(field));
	struct text last;

	if (!at)
		return false;
	last = (struct text){ at + 1, field->end };
	if (!is_dso(&last))
		return false;
	*dso = last;
	*comm = text_trim((struct text){ field->at, at });
	return true;
}

/* Sorted by pid: "1234:exim" */
static struct text drop_pid(struct text comm)
{
	struct text rest = comm;
	uint64_t pid;

	if (text_take_u64(&rest, &pid) && text_take(&rest, ":") &&
	    rest.at < rest.end)
		return text_trim(rest);
	return comm;
}

static void take_field(const struct text *field, struct report_fields *f)
{
	struct text comm, dso;

	if (is_number(field))
		return; /* samples, a period */
	if (!f->dso.at && is_dso(field)) {
		f->dso = *field;
		return;
	}
	if (!f->dso.at && !f->comm.at && split_field(field, &comm, &dso)) {
		f->dso = dso;
		f->comm = drop_pid(comm);
		return;
	}
	if (!f->comm.at)
		f->comm = drop_pid(*field);
	else if (!f->dso.at)
		f->dso = *field; /* a program: "exim" */
}

void report_fields_parse(struct text fields, struct report_fields *f)
{
	const char *marker = find_marker(&fields);
	struct text left = fields, right = { fields.end, fields.end }, field;

	memset(f, 0, sizeof(*f));
	if (marker) {
		left.end = marker;
		right = (struct text){ marker + 3, fields.end };
		f->is_kernel = marker[1] == 'k' || marker[1] == 'g';
		if (next_field(&right, &field))
			f->symbol = drop_remark(field);
	}
	while (next_field(&left, &field))
		take_field(&field, f);
	while (next_field(&right, &field))
		take_field(&field, f);
}

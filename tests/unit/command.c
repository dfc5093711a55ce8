// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of command lines, from a table of command lines.
 */
#include "command.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 40

struct values {
	bool flag;
	bool all;
	const char *output;
	unsigned long pages;
	struct option_list define;
};

static const struct command_option options[] = {
	{ 'f', "flag", NULL, OPTION_FLAG, offsetof(struct values, flag),
	  "a flag" },
	{ 'a', "all", NULL, OPTION_FLAG, offsetof(struct values, all),
	  "another flag" },
	{ 'o', "output", "FILE", OPTION_STRING, offsetof(struct values, output),
	  "a string" },
	{ 'm', "pages", "N", OPTION_UINT, offsetof(struct values, pages),
	  "a number" },
	{ 0, "define", "KEY=VALUE", OPTION_LIST,
	  offsetof(struct values, define), "a list" },
	{ 0 }
};

static const struct command test_command = {
	.name = "test",
	.summary = "Is tested.",
	.usage = "[WORD...]",
	.options = options,
};

/*
 * A line is what follows the command's name, cut at blanks; "''" stands for an
 * empty word.  What is not named is expected at its default.
 */
static const struct good_line {
	const char *line;
	const char *words; /* those left, joined by blanks */
	bool flag, all;
	const char *output;
	unsigned long pages;
	const char *define; /* joined by blanks */
} good_lines[] = {
	{ .line = "", .words = "" },
	{ .line = "a b", .words = "a b" },
	{ .line = "-f", .words = "", .flag = true },
	{ .line = "--flag", .words = "", .flag = true },
	{ .line = "-f -f", .words = "", .flag = true },
	{ .line = "a -f b --all c",
	  .words = "a b c",
	  .flag = true,
	  .all = true },
	{ .line = "-o x", .words = "", .output = "x" },
	{ .line = "-ox", .words = "", .output = "x" },
	{ .line = "--output x", .words = "", .output = "x" },
	{ .line = "--output=x", .words = "", .output = "x" },
	{ .line = "--output=", .words = "", .output = "" },
	{ .line = "--output=a=b", .words = "", .output = "a=b" },
	{ .line = "-o -", .words = "", .output = "-" },
	{ .line = "-o -f", .words = "", .output = "-f" },
	{ .line = "-o --", .words = "", .output = "--" },
	{ .line = "-o x -o y", .words = "", .output = "y" },
	{ .line = "-o x a", .words = "a", .output = "x" },
	{ .line = "- a", .words = "- a" },
	{ .line = "'' a", .words = "'' a" },
	{ .line = "-m 0", .words = "", .pages = 0 },
	{ .line = "-m 12", .words = "", .pages = 12 },
	{ .line = "-m 2k", .words = "", .pages = 2048 },
	{ .line = "-m3K", .words = "", .pages = 3072 },
	{ .line = "--pages=1M", .words = "", .pages = 1048576 },
	{ .line = "--pages 1G", .words = "", .pages = 1073741824 },
	{ .line = "--define a=1", .words = "", .define = "a=1" },
	{ .line = "--define=a=1 x --define b=2",
	  .words = "x",
	  .define = "a=1 b=2" },
	{ .line = "-- -f --all", .words = "-f --all" },
	{ .line = "-f -- make -f x", .words = "make -f x", .flag = true },
	{ .line = "a -- b -- c", .words = "a b -- c" },
	{ .line = "--", .words = "" },
	{ .line = "-- -h", .words = "-h" },
};

/* What is wrong, and words that the message must hold. */
static const struct bad_line {
	const char *line;
	const char *says[3];
} bad_lines[] = {
	{ "-x", { "test", "'-x'", "rwsemlab test -h" } },
	{ "--nothing", { "test", "'--nothing'", "rwsemlab test -h" } },
	{ "--fla", { "'--fla'" } },
	{ "--flags", { "'--flags'" } },
	{ "--flag=1", { "--flag", "no value" } },
	{ "-fa", { "--flag", "no value", "'-fa'" } },
	{ "-o", { "--output", "FILE" } },
	{ "a b --output", { "--output", "FILE" } },
	{ "-m x", { "--pages", "number", "'x'" } },
	{ "-m -1", { "--pages", "number", "'-1'" } },
	{ "-m +1", { "--pages", "'+1'" } },
	{ "-m 1x", { "--pages", "'1x'" } },
	{ "-m 1kk", { "--pages", "'1kk'" } },
	{ "-m 1.5", { "--pages", "'1.5'" } },
	{ "-m 0x10", { "--pages", "'0x10'" } },
	{ "--pages=", { "--pages", "''" } },
	{ "-m 18446744073709551616", { "--pages", "18446744073709551616" } },
	{ "-m 17179869184G", { "--pages", "17179869184G" } },
	{ "---", { "'---'" } },
};

/* Cuts a copy of the line into argv; argv[0] is the command's name. */
static int cut(char *copy, char **argv)
{
	static char name[] = "test";
	int argc = 0;
	char *word;

	argv[argc++] = name;
	for (word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		if (!strcmp(word, "''"))
			word[0] = '\0';
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	return argc;
}

static int parse(const char *line, char *copy, char **argv,
		 struct values *values, struct error *err)
{
	int argc;

	strncpy(copy, line, 255);
	copy[255] = '\0';
	argc = cut(copy, argv);
	memset(values, 0, sizeof(*values));
	memset(err, 0, sizeof(*err));
	return command_parse(&test_command, argc, argv, values, err);
}

static const char *join(const char *const *words, size_t nr, char *text,
			size_t size)
{
	size_t used = 0;
	size_t i;

	text[0] = '\0';
	for (i = 0; i < nr && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", i ? " " : "",
				 words[i][0] ? words[i] : "''");
	return text;
}

static void test_good_line(const struct good_line *t)
{
	char copy[256], text[256];
	char *argv[MAX_WORDS];
	struct values v;
	struct error err;
	int nr = parse(t->line, copy, argv, &v, &err);
	bool right;

	if (!tap_ok(nr >= 0, "'%s' is accepted", t->line)) {
		tap_diag("%s", err.text);
		return;
	}
	tap_is_str(join((const char *const *)argv + 1, (size_t)nr, text,
			sizeof(text)),
		   t->words, "'%s': words", t->line);
	right = v.flag == t->flag && v.all == t->all && v.pages == t->pages;
	tap_ok(right, "'%s': flags and number", t->line);
	tap_is_str(v.output, t->output, "'%s': string", t->line);
	tap_is_str(join(v.define.item, v.define.nr, text, sizeof(text)),
		   t->define ? t->define : "", "'%s': list", t->line);
}

static void test_bad_line(const struct bad_line *t)
{
	char copy[256];
	char *argv[MAX_WORDS];
	struct values v;
	struct error err;
	int nr = parse(t->line, copy, argv, &v, &err);
	size_t i;

	tap_is_i64(nr, -1, "'%s' is refused", t->line);
	tap_is_i64(err.code, EXIT_USAGE, "'%s': as a usage error", t->line);
	for (i = 0; i < 3 && t->says[i]; i++)
		if (!tap_ok(strstr(err.text, t->says[i]) != NULL,
			    "'%s': the message has %s", t->line, t->says[i]))
			tap_diag("%s", err.text);
}

/* A list that is full is an error, never a write behind it. */
static void test_full_list(void)
{
	static char name[] = "test", item[] = "--define=x";
	char *argv[MAX_WORDS + 1] = { name };
	struct values v = { 0 };
	struct error err = { 0 };
	int i;

	for (i = 1; i <= 33; i++)
		argv[i] = item;
	tap_is_i64(command_parse(&test_command, 33, argv, &v, &err), 0,
		   "32 items in a list");
	tap_is_u64(v.define.nr, 32, "are all kept");
	memset(&v, 0, sizeof(v));
	tap_is_i64(command_parse(&test_command, 34, argv, &v, &err), -1,
		   "33 items are refused");
	tap_ok(strstr(err.text, "too often") != NULL, "with the reason");
}

static void test_help(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		tap_bail("out of memory");
	command_help(&test_command, out);
	fclose(out);
	tap_is_str(text,
		   "usage: rwsemlab test [WORD...]\n"
		   "\n"
		   "Is tested.\n"
		   "\n"
		   "options:\n"
		   "  -f, --flag                 a flag\n"
		   "  -a, --all                  another flag\n"
		   "  -o, --output FILE          a string\n"
		   "  -m, --pages N              a number\n"
		   "      --define KEY=VALUE     a list\n"
		   "  -h, --help                 print this help\n",
		   "help");
	free(text);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(good_lines) / sizeof(good_lines[0]); i++)
		test_good_line(&good_lines[i]);
	for (i = 0; i < sizeof(bad_lines) / sizeof(bad_lines[0]); i++)
		test_bad_line(&bad_lines[i]);
	test_full_list();
	test_help();
	return tap_done();
}

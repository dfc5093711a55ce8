// SPDX-License-Identifier: GPL-2.0-only
/* Lines of text inputs, and which reader takes which text. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/readers/lines.h"
#include "tests/tap.h"

/* ------------------------------------------------------------------ lines */

static const struct {
	const char *name;
	const char *bytes;
	size_t size;
	const char *want; /* number:length, for each line */
} cases[] = {
	{ "a line", "abc\n", 4, "1:3" },
	{ "no line end", "abc", 3, "1:3" },
	{ "empty lines", "\n\nabc\n\n", 7, "1:0 2:0 3:3 4:0" },
	{ "carriage returns", "ab\r\n\r\nc\r", 8, "1:2 2:0 3:1" },
	{ "a carriage return within", "a\rb\n", 4, "1:3" },
	{ "zero bytes", "a\0b\n\0\n", 6, "1:3 2:1" },
	{ "only a line end", "\n", 1, "1:0" },
};

static void describe(char *to, size_t size, const struct line *line)
{
	size_t used = strlen(to);

	snprintf(to + used, size - used, "%s%llu:%zu%s", used ? " " : "",
		 (unsigned long long)line->number, line->length,
		 line->cut ? "!" : "");
}

/* All lines, read from a pipe of which @peeked bytes were read before. */
static void read_pipe(const char *bytes, size_t size, size_t peeked, char *to,
		      size_t to_size)
{
	struct input in = { .name = "pipe",
			    .head = (const unsigned char *)bytes,
			    .peeked = peeked };
	struct lines *l;
	struct line line;
	int fd[2], got;

	if (pipe2(fd, O_CLOEXEC) ||
	    write(fd[1], bytes + peeked, size - peeked) !=
		    (ssize_t)(size - peeked))
		tap_bail("cannot make a pipe");
	close(fd[1]);
	in.fd = fd[0];
	l = lines_open(&in);
	to[0] = '\0';
	while ((got = lines_next(l, &line)) > 0)
		describe(to, to_size, &line);
	tap_ok(got == 0, "the end is no error");
	tap_ok(lines_next(l, &line) == 0, "the end stays the end");
	lines_close(l);
	close(fd[0]);
}

static void check_cases(void)
{
	char got[200];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_pipe(cases[i].bytes, cases[i].size, 0, got, sizeof(got));
		tap_is_str(got, cases[i].want, "%s", cases[i].name);
		read_pipe(cases[i].bytes, cases[i].size, cases[i].size / 2, got,
			  sizeof(got));
		tap_is_str(got, cases[i].want, "%s, half of it peeked",
			   cases[i].name);
	}
}

static FILE *long_line_file(size_t length, const char *behind)
{
	FILE *f = tmpfile();
	size_t i;

	if (!f)
		tap_bail("no temporary file");
	for (i = 0; i < length; i++)
		fputc('x', f);
	fputs(behind, f);
	fflush(f);
	rewind(f);
	return f;
}

static void check_long(size_t length, const char *behind, const char *want)
{
	FILE *f = long_line_file(length, behind);
	struct input in = { .name = "file", .is_regular = true };
	char got[200] = "";
	struct lines *l;
	struct line line;

	in.fd = fileno(f);
	l = lines_open(&in);
	while (lines_next(l, &line) > 0)
		describe(got, sizeof(got), &line);
	tap_is_str(got, want, "a line of %zu bytes", length);
	lines_close(l);
	fclose(f);
}

static void check_again(void)
{
	struct input in = { .name = "memory",
			    .head = (const unsigned char *)"a\nbc\n",
			    .peeked = 5 };
	struct line line;
	struct lines *l;

	in.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	l = lines_open(&in);
	lines_again(l);
	tap_ok(lines_next(l, &line) == 1 && line.length == 1,
	       "nothing to repeat before the first line");
	lines_again(l);
	tap_ok(lines_next(l, &line) == 1 && line.number == 1,
	       "the first line again");
	tap_ok(lines_next(l, &line) == 1 && line.number == 2 &&
		       !memcmp(line.text, "bc", 2),
	       "then the second");
	lines_close(l);
	close(in.fd);
}

static void check_error(void)
{
	struct input in = { .name = "folder", .is_regular = true };
	struct line line;
	struct lines *l;

	in.fd = open("/", O_RDONLY | O_CLOEXEC);
	l = lines_open(&in);
	tap_is_i64(lines_next(l, &line), -1, "a read error is one");
	lines_close(l);
	close(in.fd);
}

int main(void)
{
	check_cases();
	check_long(LINE_MAX_BYTES - 1, "\nb\n", "1:1048575 2:1");
	check_long(LINE_MAX_BYTES, "\nb\n", "1:1048576 2:1");
	check_long(LINE_MAX_BYTES, "\r\nb\n", "1:1048576 2:1");
	check_long(LINE_MAX_BYTES + 1, "\nb\n", "1:1048576! 2:1");
	check_long(LINE_MAX_BYTES + 7, "", "1:1048576!");
	check_long(5 * LINE_MAX_BYTES, "\nb", "1:1048576! 2:1");
	check_again();
	check_error();
	return tap_done();
}

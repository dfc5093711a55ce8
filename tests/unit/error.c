// SPDX-License-Identifier: GPL-2.0-only
#include "error.h"
#include "tests/tap.h"

#include <errno.h>
#include <string.h>

static void test_first_stays(void)
{
	struct error err = { 0 };

	tap_is_i64(error_set(&err, EXIT_IMPOSSIBLE, "no %s on CPU %d", "x", 3),
		   -1, "returns -1");
	tap_is_str(err.text, "no x on CPU 3", "text");
	tap_is_i64(err.code, EXIT_IMPOSSIBLE, "exit code");
	tap_is_i64(error_set(&err, EXIT_USAGE, "another"), -1,
		   "a second one returns -1");
	tap_is_str(err.text, "no x on CPU 3", "and leaves the first's text");
	tap_is_i64(err.code, EXIT_IMPOSSIBLE, "and exit code");
}

static void test_errno(void)
{
	struct error err = { 0 };

	errno = ENOSPC;
	tap_is_i64(error_errno(&err, EXIT_USAGE, "cannot write %s", "f"), -1,
		   "with errno, returns -1");
	tap_is_str(err.text, "cannot write f: No space left on device",
		   "appends what errno means");
}

/* What comes from a file must not reach a terminal as it is. */
static void test_control_characters(void)
{
	struct error err = { 0 };

	error_set(&err, EXIT_USAGE, "name '%s'", "a\033[2Jb\nc\td\177\303\244");
	tap_is_str(err.text, "name 'a?[2Jb?c?d?\303\244'",
		   "control characters are replaced, UTF-8 is not");
}

static void test_too_long(void)
{
	struct error err = { 0 };
	char name[2 * sizeof(err.text)];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	errno = EIO;
	error_errno(&err, EXIT_USAGE, "%s", name);
	tap_is_u64(strlen(err.text), sizeof(err.text) - 1,
		   "a text that is too long is cut");
}

int main(void)
{
	test_first_stays();
	test_errno();
	test_control_characters();
	test_too_long();
	return tap_done();
}

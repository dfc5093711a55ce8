// SPDX-License-Identifier: GPL-2.0-only
#include "tests/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int nr_checks;
static unsigned int nr_failed;

/* In TAP, '#' starts a directive and a line ends a check. */
TAP_PRINTF(1, 0)
static void print_text(const char *fmt, va_list ap)
{
	char text[512];
	const char *c;

	vsnprintf(text, sizeof(text), fmt, ap);
	for (c = text; *c; c++) {
		if (*c == '#')
			putchar('\\');
		putchar(*c == '\n' ? ' ' : *c);
	}
}

TAP_PRINTF(2, 0)
static bool check(bool passed, const char *fmt, va_list ap)
{
	nr_checks++;
	if (!passed)
		nr_failed++;
	printf("%sok %u - ", passed ? "" : "not ", nr_checks);
	print_text(fmt, ap);
	putchar('\n');
	/* A crash in the next check must not take this one's result away. */
	fflush(stdout);
	return passed;
}

void tap_diag(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	print_text(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

bool tap_ok(bool passed, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	check(passed, fmt, ap);
	va_end(ap);
	return passed;
}

bool tap_is_u64(uint64_t got, uint64_t want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!check(got == want, fmt, ap))
		tap_diag("got %" PRIu64 ", want %" PRIu64, got, want);
	va_end(ap);
	return got == want;
}

bool tap_is_i64(int64_t got, int64_t want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!check(got == want, fmt, ap))
		tap_diag("got %" PRId64 ", want %" PRId64, got, want);
	va_end(ap);
	return got == want;
}

bool tap_is_near(double got, double want, double by, const char *fmt, ...)
{
	bool passed = fabs(got - want) <= by;
	va_list ap;

	va_start(ap, fmt);
	if (!check(passed, fmt, ap))
		tap_diag("got %.17g, want %.17g, at most %g apart", got, want,
			 by);
	va_end(ap);
	return passed;
}

bool tap_is_str(const char *got, const char *want, const char *fmt, ...)
{
	bool passed = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	if (!check(passed, fmt, ap)) {
		tap_diag("got  '%s'", got ? got : "(NULL)");
		tap_diag("want '%s'", want ? want : "(NULL)");
	}
	va_end(ap);
	return passed;
}

void tap_skip(const char *reason, const char *fmt, ...)
{
	va_list ap;

	printf("ok %u - ", ++nr_checks);
	va_start(ap, fmt);
	print_text(fmt, ap);
	va_end(ap);
	printf(" # SKIP %s\n", reason);
	fflush(stdout);
}

void tap_skip_all(const char *fmt, ...)
{
	va_list ap;

	fputs("1..0 # SKIP ", stdout);
	va_start(ap, fmt);
	print_text(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	exit(EXIT_SUCCESS);
}

void tap_bail(const char *fmt, ...)
{
	va_list ap;

	fputs("Bail out! ", stdout);
	va_start(ap, fmt);
	print_text(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	exit(EXIT_FAILURE);
}

int tap_done(void)
{
	printf("1..%u\n", nr_checks);
	fflush(stdout);
	return nr_failed || !nr_checks;
}

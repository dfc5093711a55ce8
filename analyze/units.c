// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *units_count(char *buffer, uint64_t count)
{
	char digits[24];
	size_t length, i, used = 0;

	snprintf(digits, sizeof(digits), "%" PRIu64, count);
	length = strlen(digits);
	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buffer[used++] = ',';
		buffer[used++] = digits[i];
	}
	buffer[used] = '\0';
	return buffer;
}

/* Three digits, as many of them as fit behind the point. */
static void three_digits(char *buffer, double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(buffer, UNITS_SIZE, "%.*f %s", decimals, value, unit);
}

char *units_time(char *buffer, uint64_t ns)
{
	if (ns < 1000)
		snprintf(buffer, UNITS_SIZE, "%" PRIu64 " ns", ns);
	else if (ns < 999500)
		three_digits(buffer, (double)ns / 1e3, "us");
	else if (ns < 999500000)
		three_digits(buffer, (double)ns / 1e6, "ms");
	else
		three_digits(buffer, (double)ns / 1e9, "s");
	return buffer;
}

char *units_rate(char *buffer, uint64_t count, uint64_t ns)
{
	double rate;

	if (!ns) {
		snprintf(buffer, UNITS_SIZE, "-");
		return buffer;
	}
	rate = (double)count * 1e9 / (double)ns;
	if (rate < 99.95) {
		snprintf(buffer, UNITS_SIZE, "%.1f/s", rate);
		return buffer;
	}
	units_count(buffer, (uint64_t)(rate + 0.5));
	memcpy(buffer + strlen(buffer), "/s", 3);
	return buffer;
}

char *units_share(char *buffer, uint64_t part, uint64_t whole)
{
	double percent;

	if (!whole) {
		snprintf(buffer, UNITS_SIZE, "-");
		return buffer;
	}
	percent = 100.0 * (double)part / (double)whole;
	if (part && percent < 0.005)
		snprintf(buffer, UNITS_SIZE, "<0.01 %%");
	else
		snprintf(buffer, UNITS_SIZE, "%.2f %%", percent);
	return buffer;
}

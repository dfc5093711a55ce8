// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/numbers.h"

#include <inttypes.h>
#include <stdio.h>

struct number number_grouped(uint64_t value)
{
	struct number text;
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	char *to = text.t;
	int i;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

struct number number_rate(double value)
{
	struct number text;

	if (!(value >= 0) || value >= 1e18)
		snprintf(text.t, sizeof(text.t), "%g", value);
	else if (value >= 99.95 || value == (double)(uint64_t)value)
		return number_grouped((uint64_t)(value + 0.5));
	else
		snprintf(text.t, sizeof(text.t), "%.*f", value < 9.995 ? 2 : 1,
			 value);
	return text;
}

struct number number_duration(uint64_t ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	struct number text;
	size_t i;

	for (i = 0; i < 3 && value >= 999.5; i++)
		value /= 1000;
	snprintf(text.t, sizeof(text.t), "%.*f %s",
		 i == 0 || value >= 99.95 ? 0 :
		 value < 9.995		  ? 2 :
					    1,
		 value, unit[i]);
	return text;
}

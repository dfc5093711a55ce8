/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of results as people read them. */
#ifndef WORKLOADS_NUMBERS_H
#define WORKLOADS_NUMBERS_H

#include <stdint.h>

/* A number as text; in a struct, so that a call can stand in a printf. */
struct number {
	char t[32];
};

/**
 * number_grouped() - 1234567 as "1,234,567"
 */
struct number number_grouped(uint64_t value);

/**
 * number_rate() - three digits, or all those before the point
 *
 * "4.56", "45.6", "4,567".
 */
struct number number_rate(double value);

/**
 * number_duration() - nanoseconds with three digits: "12.3 us"
 */
struct number number_duration(uint64_t ns);

#endif

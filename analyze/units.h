/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people read them. */
#ifndef RWSEMLAB_ANALYZE_UNITS_H
#define RWSEMLAB_ANALYZE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define UNITS_SIZE 32

/**
 * units_count() - "1,234,567"
 * units_time() - nanoseconds with three digits: "12.3 us", "999 ns", "1.23 s"
 * units_rate() - per second: "12,345/s", below 100 "12.3/s"
 * units_share() - of a whole in percent: "12.34 %"; "-" of nothing
 *
 * Shares below 0.005 % that are not zero read "<0.01 %".
 *
 * Return: @buffer, of UNITS_SIZE bytes.
 */
char *units_count(char *buffer, uint64_t count);
char *units_time(char *buffer, uint64_t ns);
char *units_rate(char *buffer, uint64_t count, uint64_t ns);
char *units_share(char *buffer, uint64_t part, uint64_t whole);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* How the formats for people put a comparison into words. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_DIFF_WORDS_H
#define RWSEMLAB_ANALYZE_REPORTS_DIFF_WORDS_H

#include "analyze/diff.h"

#define DIFF_WORDS 160 /* bytes of the buffers below */

/**
 * diff_words_value() - "12,345/s", "1.23 ms", "0.0041"; "-" where not known
 * diff_words_ratio() - "1.45", three digits; "-" where there is none
 * diff_words_interval() - "1.32 .. 1.61"; "" where there is none
 *
 * Return: @buffer.
 */
const char *diff_words_value(char *buffer, enum diff_format format,
			     double value);
const char *diff_words_ratio(char *buffer, double ratio);
const char *diff_words_interval(char *buffer, const struct diff_value *v);

/**
 * diff_words_side() - a line's value on a side; "not expanded" where it may
 * be inside of a lock whose callers are not known
 */
const char *diff_words_side(char *buffer, const struct diff_line *line,
			    unsigned int measure, int side);

/**
 * diff_words_verdict() - what the data say, "" nothing
 * @line: of the value, or NULL for a total
 */
const char *diff_words_verdict(char *buffer, const struct diff_comparison *c,
			       const struct diff_line *line,
			       const struct diff_value *v);

/**
 * diff_words_lock() - "mutex -> rwsem:W", or one where both sides agree
 * diff_words_where() - who asked, likewise; a family's name
 */
const char *diff_words_lock(char *buffer, const struct diff *d,
			    const struct diff_line *line);
const char *diff_words_where(char *buffer, const struct diff *d,
			     const struct diff_line *line);

/**
 * diff_words_measure() - "sleeps per fork", "share of all sleeps" …
 */
const char *diff_words_measure(char *buffer, const struct diff *d,
			       const struct diff_comparison *c,
			       unsigned int measure);

/**
 * diff_words_unit() - "fork"; "work" where it has no name
 */
const char *diff_words_unit(const struct diff *d,
			    const struct diff_comparison *c);

/**
 * diff_words_test() - how verdicts were found, one line
 */
const char *diff_words_test(char *buffer, const struct diff_comparison *c);

/**
 * diff_words_has() - whether a line has a value above 0 on a side
 */
bool diff_words_has(const struct diff_line *line, unsigned int measure);

#endif

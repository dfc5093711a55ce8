// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/diff-words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/units.h"

/* Three digits; nothing that is not 0 reads as 0. */
static const char *three_digits(char *buffer, double value)
{
	double size = fabs(value);
	int decimals = 0;

	if (size >= 1e6) {
		char count[UNITS_SIZE];

		snprintf(buffer, DIFF_WORDS, "%s",
			 units_count(count, (uint64_t)(size + 0.5)));
		return buffer;
	}
	if (size > 0)
		decimals = 2 - (int)floor(log10(size) + 1e-9);
	if (decimals < 0)
		decimals = 0;
	if (decimals > 9)
		snprintf(buffer, DIFF_WORDS, "%.2e", value);
	else
		snprintf(buffer, DIFF_WORDS, "%.*f", decimals, value);
	return buffer;
}

static const char *share(char *buffer, double value)
{
	if (value > 0 && value < 0.00005)
		snprintf(buffer, DIFF_WORDS, "<0.01 %%");
	else
		snprintf(buffer, DIFF_WORDS, "%.2f %%", 100 * value);
	return buffer;
}

static const char *rate(char *buffer, double value)
{
	char count[UNITS_SIZE], digits[DIFF_WORDS];

	if (value >= 99.95)
		units_count(count, (uint64_t)(value + 0.5));
	else
		snprintf(count, sizeof(count), "%.20s",
			 three_digits(digits, value));
	snprintf(buffer, DIFF_WORDS, "%s/s", count);
	return buffer;
}

const char *diff_words_value(char *buffer, enum diff_format format,
			     double value)
{
	char time[UNITS_SIZE];

	if (!isfinite(value)) {
		snprintf(buffer, DIFF_WORDS, "-");
		return buffer;
	}
	switch (format) {
	case DIFF_RATE:
		return rate(buffer, value);
	case DIFF_SHARE:
		return share(buffer, value);
	case DIFF_TIME:
		snprintf(buffer, DIFF_WORDS, "%s",
			 units_time(time, (uint64_t)(value + 0.5)));
		return buffer;
	case DIFF_PERCENT:
		snprintf(buffer, DIFF_WORDS, "%.1f %%", value);
		return buffer;
	case DIFF_RATIO:
		break;
	}
	return three_digits(buffer, value);
}

const char *diff_words_ratio(char *buffer, double ratio)
{
	if (isfinite(ratio))
		return three_digits(buffer, ratio);
	snprintf(buffer, DIFF_WORDS, "-");
	return buffer;
}

const char *diff_words_interval(char *buffer, const struct diff_value *v)
{
	char low[DIFF_WORDS], high[DIFF_WORDS];

	buffer[0] = '\0';
	if (isnan(v->interval.low) || isnan(v->interval.high))
		return buffer;
	three_digits(low, v->interval.low);
	if (isfinite(v->interval.high))
		three_digits(high, v->interval.high);
	else
		snprintf(high, sizeof(high), "any");
	snprintf(buffer, DIFF_WORDS, "%.60s .. %.60s", low, high);
	return buffer;
}

const char *diff_words_side(char *buffer, const struct diff_line *line,
			    unsigned int measure, int side)
{
	if (line->status == DIFF_NOT_EXPANDED && !line->nr_rows[side]) {
		snprintf(buffer, DIFF_WORDS, "%s",
			 line->cut && line->kind != DIFF_FAMILY ?
				 "not matched" :
				 "not expanded");
		return buffer;
	}
	if (!line->nr_rows[side]) {
		snprintf(buffer, DIFF_WORDS, "-");
		return buffer;
	}
	return diff_words_value(buffer, diff_measures[measure].format,
				line->value[measure].side[side]);
}

/* -------------------------------------------------------------- verdicts */

static const char *runs_needed(char *buffer, const struct diff_comparison *c,
			       const struct diff_value *v)
{
	buffer[0] = '\0';
	if (v->repeats > c->smallest && v->repeats < 1000 &&
	    fabs(v->ratio - 1) >= 0.02)
		snprintf(buffer, 32, ", %zu runs", v->repeats);
	return buffer;
}

static const char *changed(const struct diff_line *line,
			   const struct diff_value *v)
{
	if (line && line->status == DIFF_NEW && v->verdict == DIFF_MORE)
		return "new";
	if (line && line->status == DIFF_GONE && v->verdict == DIFF_LESS)
		return "gone";
	return v->verdict == DIFF_MORE ? "more" : "less";
}

const char *diff_words_verdict(char *buffer, const struct diff_comparison *c,
			       const struct diff_line *line,
			       const struct diff_value *v)
{
	char runs[32];

	buffer[0] = '\0';
	if (line && line->status == DIFF_NOT_EXPANDED)
		return buffer;
	switch (v->verdict) {
	case DIFF_UNTESTED:
		if (line && line->status != DIFF_BOTH)
			snprintf(buffer, DIFF_WORDS, "%s",
				 diff_status_name(line->status));
		break;
	case DIFF_TOO_FEW:
		snprintf(buffer, DIFF_WORDS, "too few");
		break;
	case DIFF_NOT_SHOWN:
		snprintf(buffer, DIFF_WORDS, "not shown%s",
			 runs_needed(runs, c, v));
		break;
	case DIFF_DOUBTFUL:
		snprintf(buffer, DIFF_WORDS, "doubtful%s",
			 runs_needed(runs, c, v));
		break;
	case DIFF_LESS:
	case DIFF_MORE:
		snprintf(buffer, DIFF_WORDS, "%s%s", changed(line, v),
			 c->test == DIFF_COUNTS ? " by counts" : "");
		break;
	}
	return buffer;
}

/* ----------------------------------------------------------------- names */

/* A name on one side; what stands for it where there are no callers. */
static const char *site_name(const struct diff *d, const struct diff_line *line,
			     int side)
{
	const struct diff_row *row = line->nr_rows[side] ? line->row[side][0] :
							   NULL;

	if (row && row->cut && !row->wrapper)
		return "(callers not recorded)";
	return diff_site_name(d, line, side);
}

static const char *both(char *buffer, const char *base, const char *new)
{
	if (!*base || !*new || !strcmp(base, new))
		snprintf(buffer, DIFF_WORDS, "%s", *base ? base : new);
	else
		snprintf(buffer, DIFF_WORDS, "%s -> %s", base, new);
	return buffer;
}

const char *diff_words_lock(char *buffer, const struct diff *d,
			    const struct diff_line *line)
{
	char base[64], new[64];

	return both(buffer, diff_lock_name(d, line, 0, base, sizeof(base)),
		    diff_lock_name(d, line, 1, new, sizeof(new)));
}

static const char *family_name(const struct diff *d,
			       const struct diff_line *line)
{
	if (line->family)
		return diff_text_of(&d->reading.texts, line->family);
	switch (line->type) {
	case SITE_LOCK:
		return "(family not known)";
	case SITE_NO_CHAIN:
		return "(no call chain)";
	default:
		return "(kind not known)";
	}
}

const char *diff_words_where(char *buffer, const struct diff *d,
			     const struct diff_line *line)
{
	if (line->kind == DIFF_FAMILY) {
		snprintf(buffer, DIFF_WORDS, "%s", family_name(d, line));
		return buffer;
	}
	return both(buffer, site_name(d, line, 0), site_name(d, line, 1));
}

const char *diff_words_unit(const struct diff *d,
			    const struct diff_comparison *c)
{
	const char *unit =
		diff_text_of(&d->reading.texts, c->side[0]->work_unit);

	return *unit ? unit : "work";
}

const char *diff_words_measure(char *buffer, const struct diff *d,
			       const struct diff_comparison *c,
			       unsigned int measure)
{
	const char *of = NULL;

	switch (measure) {
	case DIFF_SLEEPS_PER_WORK:
		snprintf(buffer, DIFF_WORDS, "sleeps per %s",
			 diff_words_unit(d, c));
		return buffer;
	case DIFF_ACQUISITIONS_PER_WORK:
		snprintf(buffer, DIFF_WORDS, "per %s", diff_words_unit(d, c));
		return buffer;
	case DIFF_SLEEPS_PER_S:
		of = "sleeps per second";
		break;
	case DIFF_ACQUISITIONS_PER_S:
		of = "per second";
		break;
	case DIFF_SHARE_OF_SWITCHES:
		of = "share of all recorded switches";
		break;
	default:
		of = "share of all sleeps";
		break;
	}
	snprintf(buffer, DIFF_WORDS, "%s", of);
	return buffer;
}

const char *diff_words_test(char *buffer, const struct diff_comparison *c)
{
	switch (c->test) {
	case DIFF_NO_TEST:
		snprintf(buffer, DIFF_WORDS, "none");
		break;
	case DIFF_COUNTS:
		snprintf(buffer, DIFF_WORDS,
			 "counts of single runs (binomial), false-discovery"
			 " rate %g %%",
			 100 * DIFF_DISCOVERY);
		break;
	case DIFF_MANN_WHITNEY:
		snprintf(buffer, DIFF_WORDS,
			 "Mann-Whitney on runs, false-discovery rate %g %%;"
			 " values are medians",
			 100 * DIFF_DISCOVERY);
		break;
	case DIFF_PAIRED:
		snprintf(buffer, DIFF_WORDS,
			 "t of %u pairs' log ratios and their signs, "
			 "false-discovery rate %g %%;"
			 " values are medians",
			 c->pairs, 100 * DIFF_DISCOVERY);
		break;
	}
	return buffer;
}

bool diff_words_has(const struct diff_line *line, unsigned int measure)
{
	const struct diff_value *v = &line->value[measure];

	return v->side[0] > 0 || v->side[1] > 0;
}

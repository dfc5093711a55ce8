/* SPDX-License-Identifier: GPL-2.0-only */
/* Thresholds for scripts: --fail-if 'sleeps_per_work > 1.05'. */
#ifndef RWSEMLAB_ANALYZE_DIFF_FAIL_IF_H
#define RWSEMLAB_ANALYZE_DIFF_FAIL_IF_H

#include "analyze/diff.h"

struct diff_threshold {
	char name[256]; /* of the value: see diff_find() */
	enum {
		THRESHOLD_RATIO,
		THRESHOLD_LOW,
		THRESHOLD_HIGH
	} of;
	char op[3];
	double limit;
};

/**
 * diff_threshold_parse() - read "NAME[.low|.high] OPERATOR NUMBER"
 *
 * Operators are > >= < <=.  What is compared is the ratio of new to base, or
 * a bound of its interval.
 *
 * Return: 0, or -1 with @err set.
 */
int diff_threshold_parse(const char *text, struct diff_threshold *t,
			 struct error *err);

/**
 * diff_fail_if() - check a threshold in every comparison
 *
 * What was found goes to d->failed_if.
 *
 * Return: 0; 1 where it is passed; -1 with @err set where there is no such
 * value, so that a script never passes for want of a number.
 */
int diff_fail_if(struct diff *d, const char *text, struct error *err);

#endif

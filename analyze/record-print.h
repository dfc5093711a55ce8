/* SPDX-License-Identifier: GPL-2.0-only */
/* What the record command tells about a recording, while it runs and after. */
#ifndef RWSEMLAB_ANALYZE_RECORD_PRINT_H
#define RWSEMLAB_ANALYZE_RECORD_PRINT_H

#include "analyze/record.h"

#define RECORD_STATUS_MS 500 /* how often the status line changes */

/* A status line on a terminal. */
struct record_status {
	bool shown;
	uint64_t elapsed_ns, samples; /* as it was last shown */
};

/**
 * record_status_show() - print the status line anew if it is time to
 */
void record_status_show(struct record_status *status,
			const struct record_stats *s);
void record_status_clear(struct record_status *status);

/**
 * record_print_summary() - one line on standard error
 * @output: where the recording went, as the user said
 */
void record_print_summary(const struct record_stats *s, const char *output);

/**
 * record_print_warnings() - what a user should know when a recording begins
 */
void record_print_warnings(const struct record_stats *s);

/**
 * record_print_json() - everything known, on standard output
 *
 * Return: 0, or -1 with @err set.
 */
int record_print_json(const struct record_stats *s, const char *output,
		      struct error *err);

#endif

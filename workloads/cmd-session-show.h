/* SPDX-License-Identifier: GPL-2.0-only */
/* What `session` prints at its end, and `report` again later. */
#ifndef WORKLOADS_CMD_SESSION_SHOW_H
#define WORKLOADS_CMD_SESSION_SHOW_H

#include "analyze/session-file.h"
#include "analyze/show.h"

/**
 * session_show() - print the results and the report of a session
 * @out: where to; stays the caller's
 *
 * All runs are added up in one report; ratios to work are to the work of all.
 *
 * Return: an exit code, with @err set where it is not EXIT_OK:
 * EXIT_CHECK_FAILED where a workload's verification failed, else what show()
 * returns.
 */
int session_show(const struct session *session,
		 const struct show_options *options, const struct output *out,
		 enum split_by split, struct error *err);

#endif

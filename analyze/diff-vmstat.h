/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of vmstat(8) that somebody pasted. */
#ifndef RWSEMLAB_ANALYZE_DIFF_VMSTAT_H
#define RWSEMLAB_ANALYZE_DIFF_VMSTAT_H

#include "analyze/diff.h"

/**
 * diff_vmstat_read() - give each side the means of its lines
 * @paths: one file a side, "BASE,NEW"; or one file with one table a side, in
 *         their order.  Columns are known by the names above them.
 *
 * Return: 0, or -1 with @err set.
 */
int diff_vmstat_read(struct diff *d, const char *paths, struct error *err);

#endif

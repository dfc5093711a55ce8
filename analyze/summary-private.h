/* SPDX-License-Identifier: GPL-2.0-only */
/* What summary.c and summary-details.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_SUMMARY_PRIVATE_H
#define RWSEMLAB_ANALYZE_SUMMARY_PRIVATE_H

#include "analyze/summary.h"

/**
 * summary_find_row() - the row of a site and group, NULL where there is none
 */
struct summary_row *summary_find_row(struct summary *s, uint32_t site,
				     uint64_t group);

/**
 * summary_add_locks() - count the distinct locks behind each site
 * summary_add_releases() - add the wakers up
 *
 * Out of memory shows in profile_failed().
 */
void summary_add_locks(struct summary *s);
void summary_add_releases(struct summary *s);
void summary_free_releases(struct summary *s);

/**
 * summary_split_wakers() - move sleeps to the rows of those who ended them
 */
void summary_split_wakers(struct summary *s);

/**
 * summary_get_row() - the row of a site and group, added when new
 *
 * Return: NULL when memory ran out.
 */
struct summary_row *summary_get_row(struct summary *s, uint32_t site,
				    uint64_t group);

#endif

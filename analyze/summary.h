/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile's rows, added up by sleep site and put in order: what every
 * report prints from.
 */
#ifndef RWSEMLAB_ANALYZE_SUMMARY_H
#define RWSEMLAB_ANALYZE_SUMMARY_H

#include "analyze/interned.h"
#include "analyze/profile.h"
#include "analyze/sites.h"

/* All rows of one site (and of one group, where the profile is split). */
struct summary_row {
	uint32_t site;
	uint64_t group;
	uint32_t slow_path; /* string: that of most sleeps, 0 none */

	uint64_t sleeps;
	uint64_t preemptions;
	uint64_t by_state[NR_TASK_STATES];
	uint64_t off_ns, woken, runnable_ns;
	struct rwsemlab_histogram off; /* ns */

	uint64_t acquisitions; /* contended, begun and ended */
	uint64_t ended[NR_ACQUISITION_ENDS];
	uint64_t acquisition_sleeps;
	uint64_t wait_ns;
	uint32_t contention_flags;
	uint32_t wait_slow_path; /* string: that of most acquisitions */
	struct rwsemlab_histogram wait; /* ns */
	uint64_t locks; /* distinct addresses behind the acquisitions */
	uint64_t hottest_lock; /* address of the one with most of them */
	uint64_t hottest_count;
};

/* Who ended sleeps of a site by releasing its lock. */
struct summary_release {
	uint32_t site; /* the sleepers' */
	uint32_t releaser; /* string: function, 0 not known */
	uint32_t comm; /* string: process that released, 0 not known */
	uint32_t releaser_site; /* of its own last sleep, stack 0's: none */
	bool interrupt; /* no process did: comm and releaser_site are none */
	uint64_t count;
	struct rwsemlab_histogram delay; /* ns, wake-up to switch-in */
};

struct summary {
	struct profile *profile;
	struct sites *sites;

	/* By sleeps, most first, then by name; those with none left out. */
	const struct summary_row **locks; /* SITE_LOCK */
	size_t nr_locks;
	const struct summary_row **others; /* all other types */
	size_t nr_others;
	/* By count, most first. */
	const struct summary_row **contended;
	size_t nr_contended;

	/* By count, most first; with recorded wake-ups only. */
	struct summary_release **releases;
	size_t nr_releases;
	bool more_locks; /* summary_row.locks are too low: too many to keep */

	uint64_t lock_sleeps, other_sleeps, unknown_sleeps, no_chain_sleeps;
	uint64_t cut_sleeps; /* of lock_sleeps: the caller was not recorded */
	uint64_t acquisitions;
	uint64_t ended[NR_ACQUISITION_ENDS];

	struct interned row_table, release_table; /* summary.c's own */
};

/**
 * summary_new() - add a profile up
 *
 * The profile and the sites must outlive the result.
 *
 * Return: NULL when memory ran out.
 */
struct summary *summary_new(struct profile *p, struct sites *sites);
void summary_free(struct summary *s);

/**
 * summary_site() - the site of a row
 */
const struct site *summary_site(const struct summary *s,
				const struct summary_row *row);

/**
 * summary_lock_name() - "rwsem:W", "mutex" …
 *
 * Return: @buffer
 */
const char *summary_lock_name(const struct site *site, char *buffer,
			      size_t size);

/* Room for the longest path of a control group. */
#define SUMMARY_GROUP_SIZE 4200

/**
 * summary_group() - the group of a row of the profile, as rows here have it
 */
uint64_t summary_group(const struct summary *s, uint32_t stack, uint64_t group);

/**
 * summary_group_name() - what a row's group is: a comm, "comm/tid", "cpu 3",
 * "0xffff…", a control group's path; "" while the profile is not split
 * @buffer: of SUMMARY_GROUP_SIZE, or less where a shorter text will do
 *
 * Return: @buffer
 */
const char *summary_group_name(const struct summary *s,
			       const struct summary_row *row, char *buffer,
			       size_t size);

#endif

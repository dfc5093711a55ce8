/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sides put beside each other: sites aligned by meaning, and what the data
 * say of each difference.  The first side is the base of every ratio.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_H
#define RWSEMLAB_ANALYZE_DIFF_H

#include "analyze/diff-side.h"
#include "analyze/stats.h"

#define DIFF_CONFIDENCE 0.95
/*
 * The false-discovery rate of verdicts.  It is also how often two sides that
 * are alike have a line that is called a change, in each measure.
 */
#define DIFF_DISCOVERY 0.01
#define DIFF_ALONE     0.05 /* a p-value below it is doubtful at least */
#define DIFF_BUCKET    (1. / 32) /* of a histogram: see lib/rwsemlab.h */
#define DIFF_FEW       10 /* events on both sides: too few below that */

/* --------------------------------------------------------------- values */

enum diff_verdict {
	DIFF_UNTESTED, /* nothing to test by: shares, or a measure without */
	DIFF_TOO_FEW, /* events */
	DIFF_NOT_SHOWN, /* no change shown; it may be there */
	DIFF_DOUBTFUL, /* below 5 % alone, not among all rows */
	DIFF_LESS,
	DIFF_MORE,
};

/* How verdicts were found. */
enum diff_test {
	DIFF_NO_TEST, /* one run a side, and its counts are not known */
	DIFF_COUNTS, /* one run a side: the counts' own uncertainty */
	DIFF_MANN_WHITNEY,
	DIFF_PAIRED, /* t of the pairs' log ratios, and their signs */
};

/* One measure on both sides; NAN: not known. */
struct diff_value {
	double side[2]; /* base, new: the median of runs, or the only one */
	double ratio; /* new / base; INFINITY where the base is 0 */
	struct interval interval; /* of the ratio; NANs: none */
	double p, q; /* q: after false-discovery control */
	double resolution; /* of both sides, as a part; less is no change */
	enum diff_verdict verdict;
	size_t repeats; /* runs a side that would settle it; 0: not known */
};

enum diff_format {
	DIFF_RATIO, /* a plain number: sleeps per fork */
	DIFF_RATE, /* per second */
	DIFF_SHARE, /* 0 to 1 */
	DIFF_TIME, /* ns */
	DIFF_PERCENT, /* 0 to 100 */
};

/* What must be known of both sides. */
enum diff_needs {
	DIFF_NEEDS_EVENTS = 1, /* counts, not shares */
	DIFF_NEEDS_WORK = 2, /* in the same unit */
	DIFF_NEEDS_TIME = 4,
	DIFF_NEEDS_OFF = 8, /* all switches recorded */
	DIFF_NEEDS_CONTENTION = 16,
	DIFF_OF_HISTOGRAM = 32, /* no need: a percentile is only so exact */
};

/* What can be measured of a line; diff-measures.c lists them. */
struct diff_measure {
	const char *name; /* "sleeps_per_work"; in JSON, and for --fail-if */
	enum diff_format format;
	/* Of one run, NAN where not known; NULL: the count per what it is. */
	double (*of)(const struct diff_counts *counts,
		     const struct diff_run *run);
	/* A count of events and what it is per; NULL: no count. */
	uint64_t (*count)(const struct diff_counts *counts);
	double (*per)(const struct diff_counts *counts,
		      const struct diff_run *run);
	unsigned int needs; /* enum diff_needs */
};

enum {
	DIFF_SLEEPS_PER_WORK,
	DIFF_SLEEPS_PER_S,
	DIFF_SHARE_OF_SLEEPS,
	DIFF_SHARE_OF_SWITCHES,
	DIFF_OFF_PER_WORK,
	DIFF_OFF_PER_S,
	DIFF_OFF_P50,
	DIFF_OFF_P99,
	DIFF_ACQUISITIONS_PER_WORK,
	DIFF_ACQUISITIONS_PER_S,
	DIFF_NO_SLEEP_SHARE,
	DIFF_ONE_SLEEP_SHARE,
	DIFF_MORE_SLEEPS_SHARE,
	DIFF_FAILED_SHARE,
	DIFF_WAIT_PER_WORK,
	DIFF_WAIT_PER_S,
	DIFF_WAIT_P50,
	DIFF_WAIT_P99,
	NR_DIFF_MEASURES,
};

extern const struct diff_measure diff_measures[NR_DIFF_MEASURES];

/* ---------------------------------------------------------------- lines */

enum diff_status {
	DIFF_BOTH,
	DIFF_GONE, /* the base only */
	DIFF_NEW, /* the new side only */
	DIFF_NOT_EXPANDED, /* one side only, and the other may have it inside
			      a lock whose callers were not recorded */
};

enum diff_kind {
	DIFF_FAMILY, /* all that follows in it */
	DIFF_SITE,
	DIFF_WRAPPER, /* a lock through one wrapper: one side's callers are
			 known, its children, the other's are not */
};

/*
 * A line of the comparison: rows of both sides that mean the same.  Families
 * have sites as children, wrappers have the callers of one side.
 */
struct diff_line {
	enum diff_kind kind;
	enum diff_status status;
	enum site_type type;
	uint32_t family; /* text: of a lock, or the kind of another sleep */
	unsigned int cut; /* bits by side: callers were not recorded */
	const struct diff_row **row[2];
	size_t nr_rows[2];
	struct diff_counts *run[2]; /* by run of the side */
	struct diff_counts sum[2]; /* over the runs that count */
	struct diff_value value[NR_DIFF_MEASURES];
	struct diff_line *child, *next;
};

/* A number of whole sides. */
struct diff_total {
	char name[64];
	enum diff_format format;
	struct diff_value value;
	struct diff_total *next;
};

struct diff_comparison {
	const struct diff_side *side[2];
	enum diff_test test;
	unsigned int pairs; /* DIFF_PAIRED: how many */
	unsigned int known; /* of what measures need */
	unsigned int per_sleeps, per_acquisitions; /* measures shown first */
	struct diff_line *locks; /* families */
	struct diff_line *others; /* families: kinds */
	struct diff_total *totals;
	size_t smallest; /* runs of the smaller side */
	/* Of lines, before and after false-discovery control, by sleeps. */
	size_t tested, marked_before, marked_after;
	double noise[2]; /* of A/A: half and 95 % of lines differ by less */
};

enum diff_per {
	DIFF_PER_BEST,
	DIFF_PER_WORK,
	DIFF_PER_SECOND,
	DIFF_PER_ALL
};

struct diff {
	struct diff_reading reading;
	struct diff_side *side;
	size_t nr_sides;
	struct diff_comparison *comparison; /* nr_sides - 1 */
	enum diff_per per;
	bool aa; /* two halves of one side */
	bool paired; /* runs have partners */
	json_t *failed_if; /* array of objects: what --fail-if said */
};

/**
 * diff_plan() - find out what the words name
 * @words: sessions, recordings, texts; "A,B" several for one side; with
 *         d->aa all are of one side, which is split in two
 *
 * A session that was varied makes all sides on its own.
 *
 * Return: 0, or -1 with @err set.
 */
int diff_plan(struct diff *d, char *const *words, size_t nr, struct error *err);

/**
 * diff_compare() - read the sides and compare each with the first
 *
 * Return: 0, or -1 with @err set.  Free with diff_free() in any case.
 */
int diff_compare(struct diff *d, struct error *err);
void diff_free(struct diff *d);

/**
 * diff_lock_name() - "rwsem:W", "mutex" …, of a line on a side; "" none, and
 * for a family of several
 *
 * Return: @buffer
 */
const char *diff_lock_name(const struct diff *d, const struct diff_line *line,
			   int side, char *buffer, size_t size);

/**
 * diff_site_name() - who asked, on a side; "" where the side has no such row
 *
 * Where the callers were not recorded it is the wrapper with its suffixes.
 */
const char *diff_site_name(const struct diff *d, const struct diff_line *line,
			   int side);

/**
 * diff_verdict_name() - "more", "not_shown" …, as JSON has it
 * diff_status_name() - likewise
 * diff_test_name() - likewise
 */
const char *diff_verdict_name(enum diff_verdict verdict);
const char *diff_status_name(enum diff_status status);
const char *diff_test_name(enum diff_test test);

/**
 * diff_total() - a total by name, or NULL
 */
struct diff_total *diff_total(const struct diff_comparison *c,
			      const char *name);

/**
 * diff_find() - a value by name
 * @name: of a total, "sleeps_per_work"; or of a line: "anon_vma.sleeps_per_s"
 *        with the family, the kind or the caller
 *
 * Return: NULL where there is none; @known says whether the name itself is.
 */
const struct diff_value *diff_find(const struct diff *d,
				   const struct diff_comparison *c,
				   const char *name, bool *known);

#endif

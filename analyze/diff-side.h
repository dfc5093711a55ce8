/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One side of a comparison: the runs that were read for it, and what was
 * counted in each, by sleep site.  A run's profile is gone once it is counted,
 * so memory follows the number of sites, stacks and runs.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_SIDE_H
#define RWSEMLAB_ANALYZE_DIFF_SIDE_H

#include <jansson.h>

#include "analyze/interned.h"
#include "analyze/sites.h"
#include "analyze/symbols.h"
#include "analyze/tree.h"

/* Texts that all sides share: equal ones have equal numbers. */
struct diff_texts {
	struct interned table;
	bool failed; /* memory ran out in some call before */
};

/* What all sides share. */
struct diff_reading {
	const struct site_rules *rules;
	struct symbol_options symbols;
	bool allow_lost; /* keep runs that lost events */
	struct diff_texts texts;
	json_t *notes; /* array of strings: what the user should know */
	json_t *warnings; /* likewise: what the readers said */
};

/**
 * diff_text() - the number of a text, added when new; 0 is ""
 *
 * Return: DIFF_NO_TEXT when memory ran out; then texts.failed is set.
 */
uint32_t diff_text(struct diff_texts *texts, const char *text);
#define DIFF_NO_TEXT UINT32_MAX

/**
 * diff_text_of() - the text of a number
 */
const char *diff_text_of(const struct diff_texts *texts, uint32_t number);

void diff_texts_free(struct diff_texts *texts);

/**
 * diff_note() - tell the user something; the same line again is dropped
 */
void diff_note(json_t *notes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Of some sites in one run. */
struct diff_counts {
	uint64_t sleeps; /* or share of all switches, in 10^-9 */
	uint64_t acquisitions; /* contended */
	uint64_t ended[NR_ACQUISITION_ENDS];
	struct rwsemlab_histogram off, wait; /* ns */
};

/**
 * diff_counts_add() - add @from to @to
 *
 * Return: 0, or -1 when memory ran out.
 */
int diff_counts_add(struct diff_counts *to, const struct diff_counts *from);
void diff_counts_free(struct diff_counts *counts, size_t nr);

/* A site of this side, apart by the wrapper that the lock was taken through. */
struct diff_row {
	enum site_type type;
	uint32_t lock_class, mode, family, kind; /* texts, as in struct site */
	uint32_t caller, wrapper;
	uint32_t caller_shown, wrapper_shown; /* with compiler suffixes */
	bool cut; /* callers beyond the wrapper were not recorded */
	struct diff_counts *run; /* by run of the side */
};

/*
 * A stack of this side; its key are the names of its frames as text numbers,
 * from the leaf on, without the scheduler's and with the lock folded to one,
 * and behind them the number of its row.
 */
struct diff_stack {
	uint32_t nr; /* of frames */
	uint32_t lock; /* text: "rwsem:W" of the folded lock, seen first */
	uint32_t row; /* of diff_side.rows */
	uint64_t run[][NR_WEIGHTS]; /* by run of the side */
};

/* What may become a run of a side. */
struct diff_candidate {
	char *path; /* a recording or a text */
	char *name; /* for people */
	json_t *session; /* session.json; NULL: no session */
	json_t *run; /* its object in there */
	uint32_t pair; /* runs of both sides with the same one were neighbours;
			  0: with none */
};

struct diff_run {
	const struct diff_candidate *from;
	double seconds, work; /* 0: not known */
	uint64_t switches, sleeps, preemptions;
	json_t *result; /* the workload's; borrowed, NULL: none */
	bool has_all_switches, has_contention; /* as in struct profile */
	bool dropped; /* its partner was left out: in no number */
};

struct diff_left_out {
	char *name, *reason;
};

struct diff_side {
	char *name;
	struct diff_candidate *candidate;
	size_t nr_candidates;
	struct diff_run *run;
	size_t nr_runs;
	struct diff_left_out *left_out;
	size_t nr_left_out;
	bool untrusted; /* all runs lost events, and were read all the same */

	enum profile_unit unit;
	bool has_all_switches, has_contention; /* in every run */
	uint32_t sample_period;
	/* Texts; 0 not known, DIFF_NO_TEXT they differ. */
	uint32_t format, kernel, arch, cpu_model, workload, work_unit;
	uint32_t cpus; /* 0 not known */
	json_t *options; /* the workload's, of its first session; borrowed */
	json_t *vmstat; /* means of pasted vmstat(8) lines, or NULL */

	struct interned rows; /* struct diff_row */
	struct interned stacks; /* struct diff_stack */
};

/**
 * diff_side_read() - read and count the candidates of a side
 *
 * Runs that failed or lost events are left out and said so; where nothing
 * else is there, those that lost events are taken and @side is untrusted.
 *
 * Return: 0, or -1 with @err set: nothing to read, or a file that is no part
 * of a session can't be read.
 */
int diff_side_read(struct diff_side *side, struct diff_reading *reading,
		   struct error *err);

/**
 * diff_run_has() - whether a run counts, and its recording has such numbers
 */
bool diff_run_has(const struct diff_run *run, enum weight weight);

/**
 * diff_stack_total() - a stack's numbers in the runs that have them
 */
void diff_stack_total(const struct diff_side *side,
		      const struct diff_stack *stack,
		      uint64_t total[NR_WEIGHTS]);

/**
 * diff_side_free() - release what a side holds
 */
void diff_side_free(struct diff_side *side);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call graphs of a `perf report`, from their lines to shares of all
 * recorded switches.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_REPORT_TREE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_REPORT_TREE_H

#include "analyze/input.h"
#include "analyze/readers/perf-report-line.h"

struct report_tree;

struct report_entry {
	uint64_t share; /* of all, 10^-9: the samples that end in the symbol */
	uint64_t line; /* its number, for messages */
	uint32_t comm, symbol; /* strings, 0 when not shown */
	uint32_t dso;
	enum task_state state; /* of the switches; STATE_OTHER: not shown */
	bool is_kernel;
	bool is_partial; /* its tree shows more than these samples */
	bool is_doubtful; /* nobody said that it is about switches */
};

/**
 * report_tree_new() - an empty report
 *
 * Return: NULL when memory ran out.
 */
struct report_tree *report_tree_new(struct profile *p);
void report_tree_free(struct report_tree *t); /* NULL is fine */

/**
 * report_tree_entry() - an entry of the table begins
 */
void report_tree_entry(struct report_tree *t, const struct report_entry *e);

/**
 * report_tree_line() - a line of the last entry's call graph
 * @l: a REPORT_VALUE or REPORT_NAME
 *
 * Return: false when it fits nowhere in the graph; it is not used then.
 */
bool report_tree_line(struct report_tree *t, const struct report_line *l);

size_t report_tree_nr_entries(const struct report_tree *t);

/**
 * report_tree_finish() - add everything to the profile
 * @event_count: of the whole report; 0: not known
 *
 * Percentages of a graph are either of their parent or of all.  They are of
 * their parent when somewhere the children of a node add up to more than the
 * node's own; else they are of all.  The order of frames is found from the
 * entry's symbol, which is where the stacks end, and from the scheduler's.
 * Where a report leaves either open, a warning says what was taken.
 *
 * Return: 0, or -1 with @err set.
 */
int report_tree_finish(struct report_tree *t, const struct input *in,
		       uint64_t event_count, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf-report-tree.c, -shares.c and -stacks.c share; nobody else. */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_REPORT_NODES_H
#define RWSEMLAB_ANALYZE_READERS_PERF_REPORT_NODES_H

#include "analyze/readers/perf-report-tree.h"
#include "analyze/readers/text-frames.h"

/*
 * A node is an entry, a percentage or a frame: "99.98% schedule" is two, the
 * second below the first.  Parents stand before their children.
 */
struct report_node {
	uint32_t parent; /* entries: not used */
	uint32_t symbol; /* string; 0: no frame */
	uint32_t depth; /* frames from the entry to here */
	uint32_t nr_children;
	bool is_entry;
	bool has_value; /* else it has all that its parent has */
	bool is_percent;
	bool is_inline;
	bool is_cut; /* the browser's fold: more is below */
	uint64_t value; /* as printed, with it or with its chain */
	uint64_t children; /* the sum of their values, then of their shares */
	uint64_t share; /* of all, 10^-9 */
};

/* Where the function that sleeps is in a graph. */
enum report_order {
	ORDER_UNKNOWN,
	ORDER_LEAF_FIRST,
	ORDER_LEAF_LAST
};

struct entry {
	struct report_entry of;
	uint32_t node; /* its own; its graph's follow, up to the next's */
	enum report_order order;
	bool unused; /* not about switches */
};

/* The nodes that a line may belong to, from the entry down. */
struct branch {
	int level;
	uint32_t tail; /* the last node of its chain */
};

#define MAX_BRANCHES 1024

#define WHOLE	 1000000000u /* all samples */
#define ROUNDING 50000u /* half of the last digit that perf prints */

struct report_tree {
	struct profile *p;
	struct text_classes classes;
	struct report_node *node;
	struct entry *entry;
	uint32_t nr_nodes, nr_entries, nr_branches;
	bool failed; /* out of memory, or too large */
	bool has_counts;
	uint64_t frames_out;
	struct branch branch[MAX_BRANCHES];
};

/**
 * report_work_out_shares() - fill the shares of all nodes, and of their children
 * @event_count: what counts in the graph are of; 0: not known
 */
void report_work_out_shares(struct report_tree *t, const struct input *in,
			    uint64_t event_count);

#endif

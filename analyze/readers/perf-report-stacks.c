// SPDX-License-Identifier: GPL-2.0-only
/* From the graphs of a report, whose shares are known, to stacks. */
#include "analyze/readers/perf-report-nodes.h"

/* What all stacks together may take: they repeat what the graph shares. */
#define MAX_FRAMES_OUT (1u << 24)

/* ------------------------------------------------------------------ order */

static uint32_t graph_end(const struct report_tree *t, uint32_t entry)
{
	return entry + 1 < t->nr_entries ? t->entry[entry + 1].node :
					   t->nr_nodes;
}

/* What is said by one end of the graph's paths, the entry or a leaf of it. */
static enum report_order order_of(struct report_tree *t, uint32_t entry)
{
	uint32_t symbol = t->entry[entry].of.symbol, top = 0, i;
	uint32_t end = graph_end(t, entry);
	bool scheduler_last = false;

	for (i = t->entry[entry].node + 1; i < end; i++) {
		const struct report_node *n = &t->node[i];

		if (!top)
			top = n->symbol;
		if (symbol && top == symbol)
			return ORDER_LEAF_FIRST;
		if (n->nr_children || !n->symbol)
			continue;
		if (n->symbol == symbol)
			return ORDER_LEAF_LAST;
		scheduler_last |= text_is_scheduler(&t->classes, n->symbol);
	}
	if (text_is_scheduler(&t->classes, top))
		return ORDER_LEAF_FIRST;
	if (scheduler_last || text_is_kernel_entry(&t->classes, top))
		return ORDER_LEAF_LAST;
	return ORDER_UNKNOWN;
}

/* Entries that don't show it have the order of the others. */
static void find_orders(struct report_tree *t, const struct input *in)
{
	enum report_order most;
	int64_t balance = 0;
	uint32_t i;

	for (i = 0; i < t->nr_entries; i++) {
		t->entry[i].order = order_of(t, i);
		balance += t->entry[i].order == ORDER_LEAF_FIRST;
		balance -= t->entry[i].order == ORDER_LEAF_LAST;
	}
	most = balance < 0 ? ORDER_LEAF_LAST : ORDER_LEAF_FIRST;
	for (i = 0; i < t->nr_entries; i++) {
		struct entry *e = &t->entry[i];

		if (e->order != ORDER_UNKNOWN)
			continue;
		e->order = most;
		if (!balance && !e->unused && graph_end(t, i) > e->node + 1)
			profile_warn(
				t->p,
				"%s: line %llu: nothing shows whether the "
				"call graph begins or ends at the sleeping "
				"function; taken as begins",
				in->name, (unsigned long long)e->of.line);
	}
}

/* ----------------------------------------------------------------- stacks */

struct path {
	struct text_frame f[TEXT_MAX_FRAMES + 1]; /* and the entry's symbol */
	uint32_t nr;
	uint32_t flags;
};

static void push(struct path *path, uint32_t symbol, bool is_inline)
{
	path->f[path->nr++] = (struct text_frame){
		.symbol = symbol,
		.flags = is_inline ? FRAME_INLINE : 0,
	};
}

static void reverse(struct path *path)
{
	uint32_t i, j;

	for (i = 0, j = path->nr; i + 1 < j; i++) {
		struct text_frame f = path->f[i];

		path->f[i] = path->f[--j];
		path->f[j] = f;
	}
}

/* The frames from node @i up to the entry. */
static void walk_up(const struct report_tree *t, uint32_t i, struct path *path)
{
	path->nr = 0;
	for (; !t->node[i].is_entry; i = t->node[i].parent)
		if (t->node[i].symbol)
			push(path, t->node[i].symbol, t->node[i].is_inline);
}

/* The sleeping function is first in the graph: a path may end anywhere. */
static void leaf_first_path(const struct report_tree *t, const struct entry *e,
			    uint32_t i, struct path *path)
{
	const struct report_node *n = &t->node[i];

	walk_up(t, i, path);
	if (e->of.symbol &&
	    (!path->nr || path->f[path->nr - 1].symbol != e->of.symbol))
		push(path, e->of.symbol, false);
	reverse(path);
	path->flags = n->nr_children || n->is_cut || path->nr <= 1 ? STACK_CUT :
								     0;
}

/*
 * The sleeping function is last: only a whole path has it.  What other nodes
 * keep for themselves ends in the entry's symbol, by a way that is not shown.
 */
static void leaf_last_path(struct report_tree *t, const struct entry *e,
			   uint32_t i, struct path *path)
{
	const struct report_node *n = &t->node[i];

	path->flags = 0;
	walk_up(t, i, path);
	if (!n->nr_children && !n->is_cut && path->nr > 1 &&
	    (path->f[0].symbol == e->of.symbol ||
	     text_is_scheduler(&t->classes, path->f[0].symbol)))
		return;
	path->nr = 0;
	path->flags = STACK_CUT;
	if (e->of.symbol)
		push(path, e->of.symbol, false);
}

/* profile_add_share(), for a state that is known */
static void add_share(struct profile *p, uint32_t stack,
		      const struct report_entry *e, uint64_t share)
{
	struct sleep_row *row;

	if (e->state == STATE_OTHER) {
		profile_add_share(p, stack, e->comm, share);
		return;
	}
	row = profile_sleep_row(p, stack, p->split == SPLIT_COMM ? e->comm : 0);
	if (!row)
		return;
	row->by_state[e->state] += share;
	p->switches += share;
	p->has_switches = true;
	if (e->state == STATE_RUNNING) {
		p->preemptions += share;
		return;
	}
	row->sleeps += share;
	p->sleeps += share;
}

static void add_path(struct report_tree *t, const struct entry *e,
		     struct path *path, uint64_t share)
{
	uint32_t frame[TEXT_MAX_FRAMES + 1], i;

	text_mark_kernel(&t->classes, path->f, path->nr, e->of.is_kernel);
	for (i = 0; i < path->nr; i++) {
		const struct text_frame *f = &path->f[i];

		frame[i] = text_frame(t->p, f->symbol,
				      f->symbol == e->of.symbol ? e->of.dso : 0,
				      f->flags);
	}
	if (path->nr > 1)
		t->p->has_chains = true;
	add_share(t->p, profile_stack(t->p, frame, path->nr, path->flags),
		  &e->of, share);
	t->frames_out += path->nr;
}

static void add_node(struct report_tree *t, const struct entry *e, uint32_t i,
		     struct path *path)
{
	const struct report_node *n = &t->node[i];

	/* What its children don't cover; all, where the graph is not used. */
	if (!e->of.is_partial && n->children >= n->share)
		return;
	if (e->order == ORDER_LEAF_LAST)
		leaf_last_path(t, e, i, path);
	else
		leaf_first_path(t, e, i, path);
	add_path(t, e, path,
		 e->of.is_partial ? n->share : n->share - n->children);
}

static bool is_about_switches(struct report_tree *t, uint32_t entry)
{
	const struct entry *e = &t->entry[entry];
	uint32_t i, end = graph_end(t, entry);

	if (!e->of.is_doubtful || text_is_scheduler(&t->classes, e->of.symbol))
		return true;
	for (i = e->node + 1; i < end; i++)
		if (text_is_scheduler(&t->classes, t->node[i].symbol))
			return true;
	return false;
}

static void leave_out_others(struct report_tree *t, const struct input *in)
{
	uint32_t i;

	for (i = 0; i < t->nr_entries; i++) {
		struct entry *e = &t->entry[i];

		e->unused = !is_about_switches(t, i);
		if (e->unused)
			profile_warn(t->p,
				     "%s: line %llu: not used, its call graph "
				     "has no function of the scheduler",
				     in->name, (unsigned long long)e->of.line);
	}
}

/* Return: its share, 0 when it is not used */
static uint64_t add_entry(struct report_tree *t, const struct input *in,
			  uint32_t entry, struct path *path)
{
	const struct entry *e = &t->entry[entry];
	uint32_t i, end = graph_end(t, entry);

	if (e->unused)
		return 0;
	if (e->of.is_partial) {
		profile_warn(t->p,
			     "%s: line %llu: its call graph is not used, it "
			     "shows more than the samples of its Self column; "
			     "use perf report --no-children",
			     in->name, (unsigned long long)e->of.line);
		end = e->node + 1;
	}
	for (i = e->node; i < end && t->frames_out < MAX_FRAMES_OUT; i++)
		add_node(t, e, i, path);
	return t->node[e->node].share;
}

/* ------------------------------------------------------------------ totals */

/* perf puts the largest entry first: one that is larger begins a report. */
static uint64_t second_report(const struct report_tree *t)
{
	uint32_t i;

	for (i = 1; i < t->nr_entries; i++)
		if (!t->entry[i].unused &&
		    t->entry[i].of.share > t->entry[i - 1].of.share)
			return t->entry[i].of.line;
	return 0;
}

static int check_sum(const struct report_tree *t, const struct input *in,
		     struct error *err)
{
	uint64_t sum = 0, slack, second;
	uint32_t i;

	for (i = 0; i < t->nr_entries; i++)
		if (!t->entry[i].unused)
			sum += t->entry[i].of.share;
	slack = (uint64_t)t->nr_entries * ROUNDING + WHOLE / 200;
	if (sum <= WHOLE + slack)
		return 0;
	second = second_report(t);
	if (second)
		return error_set(err, EXIT_USAGE,
				 "%s: entries add up to %.2f %% of all "
				 "samples; at line %llu seems to begin another "
				 "report: give it a file of its own",
				 in->name, (double)sum / WHOLE * 100,
				 (unsigned long long)second);
	return error_set(err, EXIT_USAGE,
			 "%s: the entries from line %llu on add up to %.2f %% "
			 "of all samples; use perf report --no-children",
			 in->name, (unsigned long long)t->entry[0].of.line,
			 (double)sum / WHOLE * 100);
}

int report_tree_finish(struct report_tree *t, const struct input *in,
		       uint64_t event_count, struct error *err)
{
	struct path path;
	uint64_t sum = 0;
	uint32_t i;

	if (t->failed)
		return error_set(err, EXIT_USAGE,
				 "%s: more call graph than memory", in->name);
	leave_out_others(t, in);
	if (check_sum(t, in, err))
		return -1;
	report_work_out_shares(t, in, event_count);
	find_orders(t, in);
	for (i = 0; i < t->nr_entries; i++)
		sum += add_entry(t, in, i, &path);
	if (t->frames_out >= MAX_FRAMES_OUT)
		return error_set(err, EXIT_USAGE,
				 "%s: call graphs with more than %u frames",
				 in->name, MAX_FRAMES_OUT);
	if (!sum)
		return error_set(err, EXIT_USAGE,
				 "%s: line %llu: no entry of this report is "
				 "about context switches; expected a report of "
				 "sched:sched_switch",
				 in->name,
				 (unsigned long long)t->entry[0].of.line);
	/* The base of every share is all that was recorded. */
	if (sum < WHOLE)
		profile_add_share(t->p, profile_stack(t->p, NULL, 0, STACK_CUT),
				  0, WHOLE - sum);
	return 0;
}

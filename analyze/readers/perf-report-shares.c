// SPDX-License-Identifier: GPL-2.0-only
/* From the percentages of a report to shares of all recorded switches. */

#include "analyze/readers/perf-report-nodes.h"

#define WHOLE	 1000000000u
#define ROUNDING 50000u /* half of the last digit that perf prints */

/* Counts (-g count, -g period) become percentages of all. */
static void counts_to_percent(struct report_tree *t, uint64_t event_count)
{
	uint32_t i;

	for (i = 0; i < t->nr_nodes; i++) {
		struct report_node *n = &t->node[i];
		double part;

		if (!n->has_value || n->is_percent)
			continue;
		t->has_counts = true;
		part = event_count ? (double)n->value / (double)event_count : 0;
		n->value = part < 1 ? (uint64_t)(part * WHOLE + 0.5) : WHOLE;
	}
	if (t->has_counts && !event_count)
		profile_warn(t->p, "the call graph has counts, but no '# Event "
				   "count' says of how many; it is not used");
}

/* How often the children of a node that is not all add up to … */
struct evidence {
	uint64_t more; /* than the node's own: not of all */
	uint64_t same; /* as the node's own: of all */
	uint64_t less; /* than that: may be either */
};

static void judge(const struct report_tree *t, uint32_t i, struct evidence *e)
{
	uint64_t sum = t->node[i].children, own = t->node[i].value;
	uint64_t rounding = (t->node[i].nr_children + 2ul) * ROUNDING;

	if (sum > own + rounding)
		e->more++;
	else if (own >= WHOLE / 1000 * 995)
		return; /* of all and of the parent are the same */
	else if (sum + rounding >= own / 10 * 9)
		e->same++;
	else
		e->less++;
}

static struct evidence weigh(struct report_tree *t)
{
	struct evidence e = { 0 };
	uint32_t i;

	for (i = 0; i < t->nr_nodes; i++) {
		struct report_node *n = &t->node[i];

		if (!n->has_value)
			n->value = t->node[n->parent].value;
		else if (!n->is_entry)
			t->node[n->parent].children += n->value;
	}
	for (i = 0; i < t->nr_nodes; i++)
		if (t->node[i].children)
			judge(t, i, &e);
	return e;
}

static bool is_of_parent(struct report_tree *t, const struct input *in)
{
	struct evidence e = weigh(t);

	if (t->has_counts)
		return false;
	if (e.more && e.same <= e.more * 4)
		return true;
	if (e.more)
		profile_warn(t->p,
			     "%s: percentages are taken as of all, though in "
			     "%llu places those below one add up to more",
			     in->name, (unsigned long long)e.more);
	else if (e.less && !e.same)
		profile_warn(t->p,
			     "%s: nothing shows whether the call graph's "
			     "percentages are of all or of their parent; taken "
			     "as of all",
			     in->name);
	return false;
}

/*
 * A node's part of its parent.  Rounded percentages may add up to more than
 * their parent; they are then parts of their sum.
 */
static uint64_t share_of(const struct report_node *n,
			 const struct report_node *parent, bool of_parent)
{
	uint64_t base = of_parent ? WHOLE : parent->value;

	if (!n->has_value)
		return parent->share;
	if (base < parent->children)
		base = parent->children;
	return base ? (uint64_t)((double)parent->share * (double)n->value /
					 (double)base +
				 0.5) :
		      0;
}

void report_work_out_shares(struct report_tree *t, const struct input *in,
			    uint64_t event_count)
{
	struct report_node *n;
	bool of_parent;
	uint32_t i;

	counts_to_percent(t, event_count);
	of_parent = is_of_parent(t, in);
	/* Parents come first, so each share is known when it is needed. */
	for (i = 0; i < t->nr_nodes; i++) {
		n = &t->node[i];
		n->share = n->is_entry ?
				   n->value :
				   share_of(n, &t->node[n->parent], of_parent);
	}
	for (i = 0; i < t->nr_nodes; i++)
		t->node[i].children = 0;
	for (i = 0; i < t->nr_nodes; i++) {
		n = &t->node[i];
		if (!n->is_entry)
			t->node[n->parent].children += n->share;
	}
}

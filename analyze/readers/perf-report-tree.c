// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building the graphs.  Their shares are worked out in
 * perf-report-shares.c, their stacks in perf-report-stacks.c.
 */
#include "analyze/readers/perf-report-tree.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-report-nodes.h"

/* What one more line may cost is bounded, so a text can't eat the memory. */
#define MAX_NODES (1u << 21)

struct report_tree *report_tree_new(struct profile *p)
{
	struct report_tree *t = calloc(1, sizeof(*t));

	if (t) {
		t->p = p;
		t->classes.p = p;
	}
	return t;
}

void report_tree_free(struct report_tree *t)
{
	if (!t)
		return;
	text_classes_free(&t->classes);
	free(t->node);
	free(t->entry);
	free(t);
}

size_t report_tree_nr_entries(const struct report_tree *t)
{
	return t->nr_entries;
}

/* Room for one more; NULL also when there are too many. */
static void *grow(void *array, uint32_t nr, size_t size)
{
	/* Doubled at each power of two. */
	if (nr & (nr - 1))
		return array;
	if (nr >= MAX_NODES)
		return NULL;
	return realloc(array, (nr ? 2 * (size_t)nr : 1) * size);
}

static struct report_node *add_node(struct report_tree *t, uint32_t parent)
{
	struct report_node *grown = grow(t->node, t->nr_nodes, sizeof(*grown));
	struct report_node *n;

	if (!grown) {
		t->failed = true;
		return NULL;
	}
	t->node = grown;
	n = &t->node[t->nr_nodes++];
	memset(n, 0, sizeof(*n));
	n->parent = parent;
	return n;
}

void report_tree_entry(struct report_tree *t, const struct report_entry *e)
{
	struct entry *grown = grow(t->entry, t->nr_entries, sizeof(*grown));
	struct report_node *n;

	if (!grown) {
		t->failed = true;
		return;
	}
	t->entry = grown;
	n = add_node(t, 0);
	if (!n)
		return;
	n->is_entry = true;
	n->has_value = true;
	n->is_percent = true;
	n->value = e->share;
	t->entry[t->nr_entries++] = (struct entry){
		.of = *e,
		.node = t->nr_nodes - 1,
	};
	t->branch[0] = (struct branch){ -1, t->nr_nodes - 1 };
	t->nr_branches = 1;
}

/* One more frame at the end of a branch's chain. */
static bool add_frame(struct report_tree *t, struct branch *b,
		      const struct text *name, bool is_inline)
{
	struct report_node *parent = &t->node[b->tail], *n;

	if (parent->depth == TEXT_MAX_FRAMES) {
		parent->is_cut = true;
		return true;
	}
	n = add_node(t, b->tail);
	if (!n)
		return true;
	parent = &t->node[b->tail];
	parent->nr_children++;
	n->symbol = text_string(t->p, *name);
	n->is_inline = is_inline;
	n->depth = parent->depth + 1;
	b->tail = t->nr_nodes - 1;
	return true;
}

/* "schedule", or all of a chain, "schedule;__schedule" (-g folded) */
static bool add_names(struct report_tree *t, struct branch *b,
		      const struct report_line *l)
{
	struct text name = l->name, rest = l->name;
	bool added = true;

	while (added && rest.at < rest.end) {
		const char *end = text_find(&rest, ";");

		name = (struct text){ rest.at, end ? end : rest.end };
		rest.at = end ? end + 1 : rest.end;
		if (name.at < name.end)
			added = add_frame(t, b, &name, l->is_inline);
	}
	if (l->fold)
		t->node[b->tail].is_cut = true;
	return added;
}

static bool add_value(struct report_tree *t, const struct report_line *l)
{
	struct branch *parent;
	struct report_node *n;

	while (t->nr_branches > 1 &&
	       t->branch[t->nr_branches - 1].level >= l->level)
		t->nr_branches--;
	parent = &t->branch[t->nr_branches - 1];
	if (l->is_rest) {
		t->node[parent->tail].is_cut = true;
		return true;
	}
	if (t->nr_branches == MAX_BRANCHES)
		return false;
	n = add_node(t, parent->tail);
	if (!n)
		return true;
	t->node[parent->tail].nr_children++;
	n->has_value = true;
	n->is_percent = l->is_percent;
	n->value = l->value[0];
	n->depth = t->node[parent->tail].depth;
	t->branch[t->nr_branches++] =
		(struct branch){ l->level, t->nr_nodes - 1 };
	return add_names(t, &t->branch[t->nr_branches - 1], l);
}

static bool add_chain(struct report_tree *t, const struct report_line *l)
{
	uint32_t i = t->nr_branches;

	while (i > 0 && t->branch[i - 1].level >= l->level)
		i--;
	/* A chain does not go on where it has branched. */
	if (!i || t->node[t->branch[i - 1].tail].nr_children)
		return false;
	return add_names(t, &t->branch[i - 1], l);
}

bool report_tree_line(struct report_tree *t, const struct report_line *l)
{
	if (!t->nr_entries || t->failed)
		return t->failed;
	return l->kind == REPORT_VALUE ? add_value(t, l) : add_chain(t, l);
}

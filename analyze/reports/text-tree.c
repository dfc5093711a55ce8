// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/text-tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/paths.h"
#include "analyze/units.h"

#define PERCENT_LIMIT 0.5 /* as perf report's own */
#define MIN_NAME      12 /* columns that a name gets however deep it is */
#define STEP	      3 /* columns of one level */

struct text_tree {
	const struct profile *p;
	const struct report_options *options;
	FILE *out;
	uint64_t whole; /* what percents are of */
	uint64_t limit; /* smaller branches are summed up */
	int value_width;
	char *indent; /* what stands before names, STEP columns a level */
	size_t used, size;
};

static uint64_t value_of(const struct text_tree *t,
			 const struct tree_node *node)
{
	return node->total[t->options->weight];
}

/* ----------------------------------------------------------------- a line */

static const char *format_value(const struct text_tree *t, uint64_t value,
				char *buffer)
{
	if (t->options->weight != WEIGHT_SLEEPS)
		return units_time(buffer, value);
	return units_count(buffer, value);
}

/* The numbers, or the room for them where they are those of the line above. */
static void print_numbers(const struct text_tree *t, uint64_t value,
			  uint64_t above)
{
	char share[UNITS_SIZE], number[UNITS_SIZE];
	bool shares = t->p->unit == UNIT_SHARE;

	if (value == above)
		fprintf(t->out, "%*s", shares ? 9 : 11 + t->value_width, "");
	else if (shares)
		fprintf(t->out, "%9s", units_share(share, value, t->whole));
	else
		fprintf(t->out, "%9s  %*s", units_share(share, value, t->whole),
			t->value_width, format_value(t, value, number));
}

/* @branch: what stands in the last column of the indentation */
static void print_name(const struct text_tree *t, const char *branch,
		       const char *name)
{
	int numbers = t->p->unit == UNIT_SHARE ? 9 : 11 + t->value_width;
	int width = (int)t->options->width - numbers - 2;
	int indent = (int)(t->used + strlen(branch));
	int length = (int)strlen(name);
	int room = width - indent;

	if (t->options->width && room < MIN_NAME)
		room = MIN_NAME;
	if (!t->options->width || length <= room) {
		fprintf(t->out, "  %.*s%s%s\n", (int)t->used, t->indent, branch,
			name);
		return;
	}
	fprintf(t->out, "  %.*s%s%.*s..\n", (int)t->used, t->indent, branch,
		room - 2, name);
}

/* ------------------------------------------------------------ the branches */

static int push(struct text_tree *t, const char *step)
{
	if (t->used + STEP > t->size) {
		size_t size = t->size ? t->size * 2 : 64;
		char *grown = realloc(t->indent, size);

		if (!grown)
			return -1;
		t->indent = grown;
		t->size = size;
	}
	memcpy(t->indent + t->used, step, STEP);
	t->used += STEP;
	return 0;
}

struct rest {
	uint32_t branches;
	uint64_t value;
};

/* How many children are shown; the list has the largest first. */
static uint32_t count_shown(const struct text_tree *t,
			    const struct tree_node *node, struct rest *rest)
{
	const struct tree_node *child;
	uint32_t shown = 0;

	memset(rest, 0, sizeof(*rest));
	for (child = node->child; child; child = child->next) {
		if (!value_of(t, child))
			continue;
		if (value_of(t, child) >= t->limit) {
			shown++;
			continue;
		}
		rest->branches++;
		rest->value += value_of(t, child);
	}
	return shown;
}

static void print_rest(const struct text_tree *t, const struct rest *rest)
{
	char text[64], count[UNITS_SIZE];

	snprintf(text, sizeof(text), "(%s smaller)",
		 units_count(count, rest->branches));
	print_numbers(t, rest->value, 0);
	print_name(t, "`- ", text);
}

static int print_branches(struct text_tree *t, const struct tree_node *node);

/* A node and, at the same indentation, all that has one caller only. */
static int print_chain(struct text_tree *t, const struct tree_node *node,
		       const char *branch, const char *step)
{
	uint64_t above = 0;
	struct rest rest;
	int ret;

	for (;;) {
		print_numbers(t, value_of(t, node), above);
		print_name(t, branch, profile_text(t->p, node->name));
		if (*branch && push(t, step))
			return -1;
		step = "";
		branch = "";
		above = value_of(t, node);
		if (count_shown(t, node, &rest) != 1 || rest.branches)
			break;
		node = node->child;
	}
	ret = print_branches(t, node);
	return ret;
}

static int print_branches(struct text_tree *t, const struct tree_node *node)
{
	const struct tree_node *child = node->child;
	struct rest rest;
	uint32_t shown = count_shown(t, node, &rest), i;

	for (i = 0; i < shown; i++, child = child->next) {
		bool last = i + 1 == shown && !rest.branches;
		size_t used = t->used;

		if (print_chain(t, child, last ? "`- " : "|- ",
				last ? "   " : "|  "))
			return -1;
		t->used = used;
	}
	if (rest.branches)
		print_rest(t, &rest);
	return 0;
}

/* -------------------------------------------------------------- the section */

static void print_title(const struct text_tree *t)
{
	static const char *const what[NR_WEIGHTS] = {
		[WEIGHT_SLEEPS] = "sleeps",
		[WEIGHT_OFF] = "off the CPU",
		[WEIGHT_WAIT] = "of contended waits",
	};
	const struct report_options *o = t->options;
	char a[UNITS_SIZE];

	fprintf(t->out, "\n%sCall trees%s, %s: ", o->colour ? "\033[1m" : "",
		o->colour ? "\033[0m" : "",
		o->order == TREE_CALLER ? "from the outermost caller down" :
					  "from the sleep up to its callers");
	if (t->p->unit == UNIT_SHARE)
		fputs("shares of all recorded switches\n", t->out);
	else
		fprintf(t->out, "shares of %s %s\n",
			format_value(t, t->whole, a), what[o->weight]);
	fputs("  scheduler frames are left out; a line without numbers has "
	      "those"
	      " of the\n  line above\n",
	      t->out);
}

static int print_roots(struct text_tree *t, const struct tree_node *root)
{
	const struct tree_node *child;
	struct rest rest;
	uint32_t shown = count_shown(t, root, &rest);
	char share[UNITS_SIZE], number[UNITS_SIZE];

	for (child = root->child; shown--; child = child->next) {
		fputc('\n', t->out);
		if (print_chain(t, child, "", ""))
			return -1;
	}
	if (!rest.branches)
		return 0;
	fprintf(t->out, "\n  %s more, each below the limit, with %s",
		units_count(number, rest.branches),
		units_share(share, rest.value, t->whole));
	fputs(" (--percent-limit 0 shows all)\n", t->out);
	return 0;
}

int text_tree_print(const struct report_input *in,
		    const struct report_options *options, FILE *out)
{
	struct text_tree t = {
		.p = in->summary->profile,
		.options = options,
		.out = out,
	};
	double percent = options->percent_limit;
	struct tree *tree =
		tree_new(in->summary, options->order, PATH_WITH_GROUP);
	char buffer[UNITS_SIZE];
	int ret;

	if (!tree)
		return -1;
	ret = tree_sort(tree, options->weight);
	t.whole = t.p->unit == UNIT_SHARE ? t.p->switches :
					    value_of(&t, tree_root(tree));
	t.limit = (uint64_t)((percent < 0 ? PERCENT_LIMIT : percent) / 100 *
			     (double)t.whole);
	t.value_width = (int)strlen(format_value(&t, t.whole, buffer));
	if (t.value_width < 9)
		t.value_width = 9;
	if (!ret) {
		print_title(&t);
		ret = print_roots(&t, tree_root(tree));
	}
	free(t.indent);
	tree_free(tree);
	return ret;
}

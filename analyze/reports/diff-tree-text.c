// SPDX-License-Identifier: GPL-2.0-only
/* The call trees of both sides as one, in text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-report.h"
#include "analyze/diff-tree.h"
#include "analyze/reports/diff-words.h"
#include "analyze/units.h"

#define PERCENT_LIMIT 0.5 /* as perf report's own */
#define STEP	      3 /* columns of one level */

struct printing {
	const struct diff *d;
	const struct diff_comparison *c;
	const struct diff_report_options *options;
	const struct diff_tree *tree;
	FILE *out;
	bool hides; /* the callers of some stacks end up to here */
	double limit; /* smaller branches are summed up */
	char *indent; /* what stands before names, STEP columns a level */
	size_t used, size;
};

static double value_of(const struct printing *x, const struct diff_node *node,
		       int side)
{
	return (double)node->total[side][x->options->weight] /
	       diff_tree_per(x->tree, side, x->options->weight);
}

static bool is_small(const struct printing *x, const struct diff_node *node)
{
	return value_of(x, node, 0) < x->limit &&
	       value_of(x, node, 1) < x->limit;
}

static enum diff_format format_of(const struct printing *x)
{
	if (x->options->weight != WEIGHT_SLEEPS)
		return DIFF_TIME;
	return diff_measures[x->c->per_sleeps].format;
}

/* ------------------------------------------------------------------ lines */

/* What one side alone has is no news where the other's callers end here. */
static const char *change(const struct printing *x, char *buffer, double base,
			  double new)
{
	if (base > 0 && new > 0)
		return diff_words_ratio(buffer, new / base);
	if (base > 0)
		return x->hides ? "-" : "gone";
	return x->hides ? "-" : "new";
}

static void print_numbers(const struct printing *x, double base, double new)
{
	char a[DIFF_WORDS], b[DIFF_WORDS], ratio[DIFF_WORDS];

	fprintf(x->out, "  %10s  %10s  %8s  ",
		base > 0 ? diff_words_value(a, format_of(x), base) : "-",
		new > 0 ? diff_words_value(b, format_of(x), new) : "-",
		change(x, ratio, base, new));
}

static void print_name(const struct printing *x, const char *branch,
		       const char *name, const char *more)
{
	const char *c;

	fprintf(x->out, "%.*s%s", (int)x->used, x->indent ? x->indent : "",
		branch);
	for (c = name; *c; c++)
		fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, x->out);
	fprintf(x->out, "%s\n", more);
}

static void print_node(const struct printing *x, const char *branch,
		       const struct diff_node *node)
{
	const struct diff_texts *texts = &x->d->reading.texts;
	const char *base = diff_text_of(texts, node->lock[0]);
	const char *new = diff_text_of(texts, node->lock[1]);
	char more[DIFF_WORDS] = "";

	if (*base && *new &&strcmp(base, new) != 0)
		snprintf(more, sizeof(more), " (%.60s -> %.60s)", base, new);
	else if (*base || *new)
		snprintf(more, sizeof(more), " (%.60s)", *base ? base : new);
	print_numbers(x, value_of(x, node, 0), value_of(x, node, 1));
	print_name(x, branch, diff_text_of(texts, node->name), more);
}

static int push(struct printing *x, const char *step)
{
	if (x->used + STEP > x->size) {
		size_t size = x->size ? x->size * 2 : 64;
		char *grown = realloc(x->indent, size);

		if (!grown)
			return -1;
		x->indent = grown;
		x->size = size;
	}
	memcpy(x->indent + x->used, step, STEP);
	x->used += STEP;
	return 0;
}

/* --------------------------------------------------------------- branches */

struct rest {
	uint32_t branches;
	double value[2];
};

/* How many children are shown, and what the others are together. */
static uint32_t count_shown(const struct printing *x,
			    const struct diff_node *node, struct rest *rest)
{
	const struct diff_node *child;
	uint32_t shown = 0;

	memset(rest, 0, sizeof(*rest));
	for (child = node->child; child; child = child->next) {
		double base = value_of(x, child, 0);
		double new = value_of(x, child, 1);

		if (base == 0 && new == 0)
			continue;
		if (!is_small(x, child)) {
			shown++;
			continue;
		}
		rest->branches++;
		rest->value[0] += base;
		rest->value[1] += new;
	}
	return shown;
}

static void print_rest(const struct printing *x, const char *branch,
		       const struct rest *rest)
{
	char text[64], count[UNITS_SIZE];

	if (!rest->branches)
		return;
	snprintf(text, sizeof(text), "(%s smaller)",
		 units_count(count, rest->branches));
	print_numbers(x, rest->value[0], rest->value[1]);
	print_name(x, branch, text, "");
}

static int print_branches(struct printing *x, const struct diff_node *node);

/* A node and, at the same indentation, all that has one caller only. */
static int print_chain(struct printing *x, const struct diff_node *node,
		       const char *branch, const char *step)
{
	struct rest rest;

	for (;;) {
		print_node(x, branch, node);
		if (*branch && push(x, step))
			return -1;
		step = branch = "";
		if (count_shown(x, node, &rest) != 1 || rest.branches)
			break;
		node = node->child;
	}
	return print_branches(x, node);
}

/* Whether the callers of some stacks end at a node. */
static void look_for_cuts(struct printing *x, const struct diff_node *node)
{
	const struct diff_texts *texts = &x->d->reading.texts;
	const struct diff_node *child;

	for (child = node->child; child; child = child->next)
		if (!strcmp(diff_text_of(texts, child->name), "..."))
			x->hides = true;
}

/* Largest first, so those that are shown come before all others. */
static int print_branches(struct printing *x, const struct diff_node *node)
{
	const struct diff_node *child = node->child;
	bool hides = x->hides;
	struct rest rest;
	uint32_t shown = count_shown(x, node, &rest), i;

	look_for_cuts(x, node);
	for (i = 0; i < shown; i++, child = child->next) {
		bool last = i + 1 == shown && !rest.branches;
		size_t used = x->used;

		if (print_chain(x, child, last ? "`- " : "|- ",
				last ? "   " : "|  "))
			return -1;
		x->used = used;
	}
	print_rest(x, "`- ", &rest);
	x->hides = hides;
	return 0;
}

/* -------------------------------------------------------------------- all */

static void print_title(const struct printing *x)
{
	static const char *const of[NR_WEIGHTS] = {
		[WEIGHT_SLEEPS] = "sleeps",
		[WEIGHT_OFF] = "time off the CPU",
		[WEIGHT_WAIT] = "contended waits",
	};
	char a[DIFF_WORDS];

	fprintf(x->out, "base  %s\nnew   %s\n", x->c->side[0]->name,
		x->c->side[1]->name);
	fprintf(x->out, "Call trees, %s: %s",
		x->options->order == TREE_CALLER ?
			"from the outermost caller down" :
			"from the sleep up to its callers",
		of[x->options->weight]);
	if (x->options->weight == WEIGHT_SLEEPS)
		fprintf(x->out, ", as %s\n",
			diff_words_measure(a, x->d, x->c, x->c->per_sleeps));
	else
		fprintf(x->out, " per %s\n",
			x->c->per_sleeps == DIFF_SLEEPS_PER_WORK ?
				diff_words_unit(x->d, x->c) :
			x->c->per_sleeps == DIFF_SLEEPS_PER_S ? "second" :
								"sleep");
	fputs("  a lock's own functions are one line; sums over all runs, no"
	      " test\n\n",
	      x->out);
	fprintf(x->out, "  %10s  %10s  %8s\n", "base", "new", "new/base");
}

static int print_roots(struct printing *x, const struct diff_node *root)
{
	const struct diff_node *child = root->child;
	struct rest rest;
	uint32_t shown = count_shown(x, root, &rest);

	for (; shown--; child = child->next) {
		if (print_chain(x, child, "", ""))
			return -1;
		fputc('\n', x->out);
	}
	print_rest(x, "", &rest);
	return 0;
}

static int print_one(struct printing *x)
{
	struct diff_tree *tree = diff_tree_new(x->d, x->c, x->options->order);
	double percent = x->options->percent_limit;
	const struct diff_node *root;
	int ret;

	if (!tree)
		return -1;
	x->tree = tree;
	root = diff_tree_root(tree);
	x->limit = (percent < 0 ? PERCENT_LIMIT : percent) / 100 *
		   fmax(value_of(x, root, 0), value_of(x, root, 1));
	ret = diff_tree_sort(tree, x->options->weight);
	if (!ret) {
		print_title(x);
		ret = print_roots(x, root);
	}
	diff_tree_free(tree);
	return ret;
}

static int print_tree(const struct diff *d,
		      const struct diff_report_options *options, FILE *out,
		      struct error *err)
{
	struct printing x = { .d = d, .options = options, .out = out };
	size_t i;
	int ret = 0;

	for (i = 0; i + 1 < d->nr_sides && !ret; i++) {
		const char *missing;

		x.c = &d->comparison[i];
		missing = diff_tree_missing(x.c, options->weight);
		if (missing)
			ret = error_set(err, EXIT_IMPOSSIBLE, "--value %s: %s",
					weight_name(options->weight), missing);
		else if (print_one(&x))
			ret = error_set(err, EXIT_USAGE, "out of memory");
	}
	free(x.indent);
	return ret;
}

const struct diff_report diff_report_tree = {
	.format.name = "tree",
	.format.summary = "the call trees of both sides as one",
	.print = print_tree,
};

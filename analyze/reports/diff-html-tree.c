// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/diff-html-data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/diff-tree-values.h"
#include "analyze/reports/json-write.h"
#include "analyze/table.h"

#define LEFT_OUT UINT32_MAX

/* The line that a row of a side is on. */
struct row_line {
	const struct diff_row *row;
	uint32_t line;
	UT_hash_handle hh;
};

struct printing {
	const struct diff *d;
	const struct diff_comparison *c;
	const struct diff_tree *tree;
	const struct diff_tree_values *values;
	FILE *out;
	uint64_t limit[2][NR_WEIGHTS]; /* a branch below all is left out */
	uint64_t pruned[2][NR_WEIGHTS], branches;
	uint32_t *place; /* of a node in the list, by its number */
	uint32_t *number; /* of a name, + 1, by text */
	uint32_t *names; /* texts, by number */
	uint32_t nr_nodes, nr_names, nr_lines;
	struct row_line *lines;
	bool any;
};

/* ------------------------------------------------------------------- nodes */

static void write_weights(const struct printing *x,
			  const uint64_t w[NR_WEIGHTS])
{
	unsigned int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		fprintf(x->out, "%s%" PRIu64, i ? "," : "", w[i]);
}

/* In runs that don't count. */
static bool is_empty(const struct diff_node *node)
{
	unsigned int i;
	int k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < NR_WEIGHTS; i++)
			if (node->total[k][i])
				return false;
	return true;
}

static bool is_small(const struct printing *x, const struct diff_node *node)
{
	unsigned int i;
	int k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < NR_WEIGHTS; i++)
			if (node->total[k][i] &&
			    node->total[k][i] >= x->limit[k][i])
				return false;
	return true;
}

static uint32_t number_of(struct printing *x, uint32_t name)
{
	if (!x->number[name]) {
		x->names[x->nr_names++] = name;
		x->number[name] = x->nr_names;
	}
	return x->number[name] - 1;
}

static void write_verdicts(const struct printing *x,
			   const struct diff_node *node)
{
	static const char letters[] = {
		[DIFF_UNTESTED] = 'u',	[DIFF_TOO_FEW] = 'f',
		[DIFF_NOT_SHOWN] = 'n', [DIFF_DOUBTFUL] = 'd',
		[DIFF_LESS] = 'l',	[DIFF_MORE] = 'm',
	};
	uint32_t i;

	fputs(",\"", x->out);
	for (i = 0; i < x->values->nr; i++)
		fputc(letters[x->values->measure[i].verdict[node->number]],
		      x->out);
	fputc('"', x->out);
}

static void write_node(struct printing *x, const struct diff_node *node,
		       uint32_t depth)
{
	int k;

	x->place[node->number] = x->nr_nodes++;
	fprintf(x->out, "%s[%" PRIu32 ",%" PRIu32, x->any ? "," : "", depth,
		number_of(x, node->name));
	x->any = true;
	for (k = 0; k < 2; k++) {
		fputc(',', x->out);
		write_weights(x, node->total[k]);
	}
	write_verdicts(x, node);
	fputs("]\n", x->out);
}

static void write_nodes(struct printing *x, const struct diff_node *parent,
			uint32_t depth)
{
	const struct diff_node *node;
	unsigned int i;
	int k;

	for (node = parent->child; node; node = node->next) {
		if (!is_small(x, node)) {
			write_node(x, node, depth);
			write_nodes(x, node, depth + 1);
			continue;
		}
		if (is_empty(node))
			continue;
		x->branches++;
		for (k = 0; k < 2; k++)
			for (i = 0; i < NR_WEIGHTS; i++)
				x->pruned[k][i] += node->total[k][i];
	}
}

static int write_names(const struct printing *x)
{
	uint32_t i;

	fputs("],\n\"names\":[", x->out);
	for (i = 0; i < x->nr_names; i++) {
		if (i)
			fputc(',', x->out);
		if (json_write_text(diff_text_of(&x->d->reading.texts,
						 x->names[i]),
				    x->out))
			return -1;
	}
	return 0;
}

/* -------------------------------------------------------------------- ends */

/* Children come last, so what is in both is theirs. */
static int number_lines(struct printing *x, const struct diff_line *line)
{
	struct row_line *e;
	size_t i;
	int k;

	for (; line; line = line->next) {
		for (k = 0; k < 2; k++)
			for (i = 0; i < line->nr_rows[k]; i++) {
				HASH_FIND_PTR(x->lines, &line->row[k][i], e);
				if (!e) {
					e = calloc(1, sizeof(*e));
					if (!e)
						return -1;
					e->row = line->row[k][i];
					HASH_ADD_PTR(x->lines, row, e);
				}
				e->line = x->nr_lines;
			}
		x->nr_lines++;
		if (number_lines(x, line->child))
			return -1;
	}
	return 0;
}

static void free_lines(struct printing *x)
{
	struct row_line *e, *next;

	HASH_ITER(hh, x->lines, e, next) {
		HASH_DEL(x->lines, e);
		free(e);
	}
}

static void write_end(struct printing *x, int side, uint32_t i)
{
	const struct diff_side *s = x->c->side[side];
	const struct diff_stack *stack = interned_at(&s->stacks, i);
	const struct diff_row *row = interned_at(&s->rows, stack->row);
	const struct diff_node *node = diff_tree_end(
		x->tree, interned_key(s->stacks.entry[i]), stack->nr);
	uint64_t total[NR_WEIGHTS];
	struct row_line *e;

	HASH_FIND_PTR(x->lines, &row, e);
	if (!e || !node || x->place[node->number] == LEFT_OUT)
		return;
	fprintf(x->out, "%s[%" PRIu32 ",%" PRIu32 ",%d,", x->any ? "," : "",
		x->place[node->number], e->line, side);
	diff_stack_total(s, stack, total);
	write_weights(x, total);
	fputs("]\n", x->out);
	x->any = true;
}

static int write_ends(struct printing *x)
{
	uint32_t i;
	int k;

	fputs("],\n\"ends\":[", x->out);
	if (number_lines(x, x->c->locks) || number_lines(x, x->c->others))
		return -1;
	x->any = false;
	for (k = 0; k < 2; k++)
		for (i = 0; i < x->c->side[k]->stacks.nr; i++)
			write_end(x, k, i);
	return 0;
}

/* --------------------------------------------------------------------- all */

static void write_measures(const struct printing *x)
{
	uint32_t i;

	fputs("\"measures\":[", x->out);
	for (i = 0; i < x->values->nr; i++) {
		const struct diff_tree_measure *m = &x->values->measure[i];

		fprintf(x->out,
			"%s{\"name\":\"%s\",\"weight\":%d,\"per\":[%.17g,%.17g]"
			","
			"\"untested\":%" PRIu32 "}",
			i ? "," : "", diff_measures[m->measure].name,
			(int)m->weight, m->per[0], m->per[1], m->left);
	}
	fputs("],\n", x->out);
}

static void write_sides(const struct printing *x, const char *key,
			const uint64_t base[NR_WEIGHTS],
			const uint64_t new[NR_WEIGHTS])
{
	fprintf(x->out, "\"%s\":[[", key);
	write_weights(x, base);
	fputs("],[", x->out);
	write_weights(x, new);
	fputs("]]", x->out);
}

static void set_limits(struct printing *x, double percent)
{
	const struct diff_node *root = diff_tree_root(x->tree);
	unsigned int i;
	int k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < NR_WEIGHTS; i++)
			x->limit[k][i] = (uint64_t)(percent / 100 *
						    (double)root->total[k][i]);
}

static int write_members(struct printing *x, double percent)
{
	const struct diff_node *root = diff_tree_root(x->tree);

	set_limits(x, percent);
	fprintf(x->out, "{\"percent_limit\":%g,\n", percent);
	write_measures(x);
	write_sides(x, "total", root->total[0], root->total[1]);
	fputs(",\n\"root\":[0", x->out);
	write_verdicts(x, root);
	fputs("],\n\"nodes\":[", x->out);
	write_nodes(x, root, 0);
	if (write_names(x) || write_ends(x))
		return -1;
	fputs("],\n", x->out);
	write_sides(x, "pruned", x->pruned[0], x->pruned[1]);
	fprintf(x->out, ",\"branches\":%" PRIu64 "}\n", x->branches);
	return 0;
}

static int make_room(struct printing *x)
{
	uint32_t nodes = diff_tree_nr(x->tree), i;
	size_t texts = (size_t)x->d->reading.texts.table.nr + 1;

	x->place = calloc(nodes, sizeof(*x->place));
	x->number = calloc(texts, sizeof(*x->number));
	x->names = calloc(texts, sizeof(*x->names));
	if (!x->place || !x->number || !x->names)
		return -1;
	for (i = 0; i < nodes; i++)
		x->place[i] = LEFT_OUT;
	return 0;
}

int diff_html_tree_write(const struct diff *d, const struct diff_comparison *c,
			 enum tree_order order, double percent_limit, FILE *out)
{
	struct diff_tree *tree = diff_tree_new(d, c, order);
	struct diff_tree_values *values = tree ? diff_tree_values_new(tree, c) :
						 NULL;
	struct printing x = {
		.d = d, .c = c, .tree = tree, .values = values, .out = out
	};
	int ret = -1;

	if (values && !make_room(&x) && !diff_tree_sort(tree, WEIGHT_SLEEPS))
		ret = write_members(&x, percent_limit);
	free_lines(&x);
	free(x.place);
	free(x.number);
	free(x.names);
	diff_tree_values_free(values);
	diff_tree_free(tree);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, one a line, as flame graph tools read them:
 *
 *	group;outermost;...;leaf value
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/paths.h"
#include "analyze/report.h"

struct folded {
	const struct profile *p;
	enum weight weight;
	FILE *out;
	char *line; /* the names down to the node at hand */
	size_t used, size;
};

static int push(struct folded *f, const char *name)
{
	size_t length = strlen(name), i;
	size_t need = f->used + length + 1;

	if (need > f->size) {
		size_t size = need * 2;
		char *grown = realloc(f->line, size);

		if (!grown)
			return -1;
		f->line = grown;
		f->size = size;
	}
	if (f->used)
		f->line[f->used++] = ';';
	for (i = 0; i < length; i++)
		f->line[f->used++] = name[i] == ';' ? ':' : name[i];
	/* Lines that start so are comments. */
	if (f->line[0] == '#')
		f->line[0] = '?';
	return 0;
}

/* Shares are kept as 10^-9 of all switches and printed in percent. */
static void print_value(const struct folded *f, uint64_t value)
{
	if (f->p->unit == UNIT_SHARE)
		fprintf(f->out, "%" PRIu64 ".%07" PRIu64, value / 10000000,
			value % 10000000);
	else
		fprintf(f->out, "%" PRIu64, value);
}

static int print_nodes(struct folded *f, const struct tree_node *node)
{
	const struct tree_node *child;
	size_t used = f->used;

	if (!node->total[f->weight])
		return 0;
	if (node->name && push(f, profile_text(f->p, node->name)))
		return -1;
	if (node->ends && tree_own(node, f->weight)) {
		fwrite(f->line, 1, f->used, f->out);
		fputc(' ', f->out);
		print_value(f, tree_own(node, f->weight));
		fputc('\n', f->out);
	}
	for (child = node->child; child; child = child->next)
		if (print_nodes(f, child))
			return -1;
	f->used = used;
	return 0;
}

static int print_folded(const struct report_input *in,
			const struct report_options *options, FILE *out,
			struct error *err)
{
	struct folded f = {
		.p = in->summary->profile,
		.weight = options->weight,
		.out = out,
	};
	struct tree *tree = tree_new(in->summary, TREE_CALLER,
				     PATH_WITH_GROUP | PATH_WITH_SCHEDULER);
	int ret = -1;

	if (tree && !tree_sort(tree, options->weight))
		ret = print_nodes(&f, tree_root(tree));
	free(f.line);
	tree_free(tree);
	if (ret)
		return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

const struct report report_folded = {
	.format.name = "folded",
	.format.summary = "folded stacks by comm, for flame graph tools",
	.split = SPLIT_COMM,
	.print = print_folded,
};

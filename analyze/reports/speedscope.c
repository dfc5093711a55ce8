// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file format of speedscope: names of frames, and one profile of sampled
 * stacks for each kind of number.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/paths.h"
#include "analyze/report.h"
#include "analyze/reports/json-write.h"

struct speedscope {
	const struct profile *p;
	FILE *out;
	uint32_t *number; /* of a name, + 1, by string */
	uint32_t nr_strings, nr;
	uint32_t *stack; /* numbers, outermost first */
	uint32_t depth, size;
	bool first;
};

/* -------------------------------------------------------------- the frames */

static int number_names(struct speedscope *s, const struct tree_node *node)
{
	const struct tree_node *child;

	if (node->name && !s->number[node->name]) {
		s->number[node->name] = ++s->nr;
		fprintf(s->out, "%s{\"name\":", s->nr > 1 ? "," : "");
		if (json_write_text(profile_text(s->p, node->name), s->out))
			return -1;
		fputc('}', s->out);
	}
	for (child = node->child; child; child = child->next)
		if (number_names(s, child))
			return -1;
	return 0;
}

/* ---------------------------------------------------- the stacks, in order */

static int push(struct speedscope *s, uint32_t name)
{
	if (s->depth == s->size) {
		uint32_t size = s->size ? s->size * 2 : 64;
		uint32_t *grown = realloc(s->stack, size * sizeof(*grown));

		if (!grown)
			return -1;
		s->stack = grown;
		s->size = size;
	}
	s->stack[s->depth++] = s->number[name] - 1;
	return 0;
}

static void print_stack(const struct speedscope *s)
{
	uint32_t i;

	for (i = 0; i < s->depth; i++)
		fprintf(s->out, "%s%" PRIu32, i ? "," : "[", s->stack[i]);
	fputs(s->depth ? "]" : "[]", s->out);
}

/* @stacks: print them, else their weights; both in the same order */
static int print_nodes(struct speedscope *s, const struct tree_node *node,
		       enum weight weight, bool stacks)
{
	const struct tree_node *child;
	uint32_t depth = s->depth;
	uint64_t own = tree_own(node, weight);

	if (node->name && push(s, node->name))
		return -1;
	if (own) {
		if (!s->first)
			fputc(',', s->out);
		s->first = false;
		if (stacks)
			print_stack(s);
		else
			fprintf(s->out, "%" PRIu64, own);
	}
	for (child = node->child; child; child = child->next)
		if (print_nodes(s, child, weight, stacks))
			return -1;
	s->depth = depth;
	return 0;
}

/* ------------------------------------------------------------ the document */

static int print_profile(struct speedscope *s, const struct tree_node *root,
			 enum weight weight)
{
	static const char *const names[NR_WEIGHTS] = {
		[WEIGHT_SLEEPS] = "sleeps",
		[WEIGHT_OFF] = "off the CPU",
		[WEIGHT_WAIT] = "contended wait",
	};
	bool shares = s->p->unit == UNIT_SHARE;

	fprintf(s->out,
		"%s\n{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\","
		"\"startValue\":0,\"endValue\":%" PRIu64 ",\n\"samples\":[",
		weight ? "," : "",
		shares ? "share of switches in 10^-9" : names[weight],
		weight == WEIGHT_SLEEPS ? "none" : "nanoseconds",
		root->total[weight]);
	s->first = true;
	if (print_nodes(s, root, weight, true))
		return -1;
	fputs("],\n\"weights\":[", s->out);
	s->first = true;
	if (print_nodes(s, root, weight, false))
		return -1;
	fputs("]}", s->out);
	return 0;
}

static int print_document(struct speedscope *s, const struct tree_node *root,
			  enum weight active)
{
	unsigned int weight, nr = 0, at = 0;

	fputs("{\"$schema\":"
	      "\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"rwsemlab\",\n\"name\":",
	      s->out);
	if (json_write_text(profile_text(s->p, s->p->source), s->out))
		return -1;
	fputs(",\n\"shared\":{\"frames\":[", s->out);
	if (number_names(s, root))
		return -1;
	fputs("]},\n\"profiles\":[", s->out);
	for (weight = 0; weight < NR_WEIGHTS; weight++) {
		if (weight_missing(s->p, (enum weight)weight))
			continue;
		if (weight == active)
			at = nr;
		nr++;
		if (print_profile(s, root, (enum weight)weight))
			return -1;
	}
	fprintf(s->out, "],\n\"activeProfileIndex\":%u}\n", at);
	return 0;
}

static int print_speedscope(const struct report_input *in,
			    const struct report_options *options, FILE *out,
			    struct error *err)
{
	struct speedscope s = { .p = in->summary->profile, .out = out };
	struct tree *tree = tree_new(in->summary, TREE_CALLER, PATH_WITH_GROUP);
	int ret = -1;

	s.nr_strings = profile_nr_strings(s.p);
	s.number = calloc(s.nr_strings + 1, sizeof(*s.number));
	if (tree && s.number && !tree_sort(tree, options->weight))
		ret = print_document(&s, tree_root(tree), options->weight);
	free(s.number);
	free(s.stack);
	tree_free(tree);
	if (ret)
		return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

const struct report report_speedscope = {
	.format.name = "speedscope",
	.format.summary = "JSON for speedscope: stacks with all their numbers",
	.print = print_speedscope,
};

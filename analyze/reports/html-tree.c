// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/html-data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/paths.h"
#include "analyze/reports/json-write.h"

struct html_tree {
	const struct summary *s;
	const struct profile *p;
	FILE *out;
	uint64_t limit[NR_WEIGHTS]; /* a branch below all of them is left out */
	uint64_t pruned[NR_WEIGHTS], branches;
	uint32_t *number; /* of a name, + 1, by string */
	uint32_t *names; /* strings, by number */
	uint32_t nr;
	bool any;
};

static bool is_small(const struct html_tree *t, const struct tree_node *node)
{
	unsigned int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		if (node->total[i] && node->total[i] >= t->limit[i])
			return false;
	return true;
}

static uint32_t number_of(struct html_tree *t, uint32_t name)
{
	if (!t->number[name]) {
		t->names[t->nr++] = name;
		t->number[name] = t->nr;
	}
	return t->number[name] - 1;
}

static void write_nodes(struct html_tree *t, const struct tree_node *parent,
			uint32_t depth)
{
	const struct tree_node *node;
	unsigned int i;

	for (node = parent->child; node; node = node->next) {
		if (is_small(t, node)) {
			t->branches++;
			for (i = 0; i < NR_WEIGHTS; i++)
				t->pruned[i] += node->total[i];
			continue;
		}
		fprintf(t->out, "%s[%" PRIu32 ",%" PRIu32, t->any ? "," : "",
			depth, number_of(t, node->name));
		t->any = true;
		for (i = 0; i < NR_WEIGHTS; i++)
			fprintf(t->out, ",%" PRIu64, node->total[i]);
		if (node->ends)
			fprintf(t->out, ",%" PRIu32 "]\n", node->site);
		else
			fputs(",-1]\n", t->out);
		write_nodes(t, node, depth + 1);
	}
}

static void write_weights(const struct html_tree *t, const char *key,
			  const uint64_t w[NR_WEIGHTS])
{
	unsigned int i;

	fprintf(t->out, "\"%s\":{", key);
	for (i = 0; i < NR_WEIGHTS; i++)
		fprintf(t->out, "%s\"%s\":%" PRIu64, i ? "," : "",
			weight_name((enum weight)i), w[i]);
}

static void write_known(const struct html_tree *t)
{
	unsigned int i;
	bool any = false;

	fputs("\"weights\":[", t->out);
	for (i = 0; i < NR_WEIGHTS; i++) {
		if (weight_missing(t->p, (enum weight)i))
			continue;
		fprintf(t->out, "%s\"%s\"", any ? "," : "",
			weight_name((enum weight)i));
		any = true;
	}
	fputs("],\n", t->out);
}

static void write_sites(const struct html_tree *t)
{
	static const char *const types[] = {
		[SITE_LOCK] = "lock",
		[SITE_OTHER] = "other",
		[SITE_UNKNOWN] = "unknown",
		[SITE_NO_CHAIN] = "no_chain",
	};
	uint32_t i;

	fputs("\"sites\":[", t->out);
	for (i = 0; i < sites_nr(t->s->sites); i++)
		fprintf(t->out, "%s[\"%s\"]", i ? "," : "",
			types[sites_get(t->s->sites, i)->type]);
	fputs("],\n", t->out);
}

static int write_names(const struct html_tree *t)
{
	uint32_t i;

	fputs("],\n\"names\":[", t->out);
	for (i = 0; i < t->nr; i++) {
		if (i)
			fputc(',', t->out);
		if (json_write_text(profile_text(t->p, t->names[i]), t->out))
			return -1;
	}
	fputs("],\n", t->out);
	return 0;
}

static int write_members(struct html_tree *t, const struct tree *tree,
			 double percent)
{
	const struct tree_node *root = tree_root(tree);
	unsigned int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		t->limit[i] =
			(uint64_t)(percent / 100 * (double)root->total[i]);
	fprintf(t->out, "\"percent_limit\":%g,\n", percent);
	write_known(t);
	write_weights(t, "total", root->total);
	fputs("},\n", t->out);
	write_sites(t);
	fputs("\"nodes\":[", t->out);
	write_nodes(t, root, 0);
	if (write_names(t))
		return -1;
	write_weights(t, "pruned", t->pruned);
	fprintf(t->out, ",\"branches\":%" PRIu64 "}", t->branches);
	return 0;
}

int html_tree_write(const struct summary *s, double percent_limit, FILE *out)
{
	struct html_tree t = { .s = s, .p = s->profile, .out = out };
	struct tree *tree = tree_new(s, TREE_CALLER, PATH_WITH_GROUP);
	uint32_t nr = profile_nr_strings(s->profile);
	int ret = -1;

	t.number = calloc((size_t)nr + 1, sizeof(*t.number));
	t.names = calloc((size_t)nr + 1, sizeof(*t.names));
	if (tree && t.number && t.names && !tree_sort(tree, WEIGHT_SLEEPS))
		ret = write_members(&t, tree, percent_limit);
	free(t.number);
	free(t.names);
	tree_free(tree);
	return ret;
}

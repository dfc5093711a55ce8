/* SPDX-License-Identifier: GPL-2.0-only */
/* What sites.c and site-search.c share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_SITES_PRIVATE_H
#define RWSEMLAB_ANALYZE_SITES_PRIVATE_H

#include "analyze/interned.h"
#include "analyze/site-rules.h"

/* What the rules say of one symbol, found once. */
struct symbol_facts {
	uint32_t stripped; /* string */
	struct rule_matches match;
};

struct sites {
	struct profile *p;
	const struct site_rules *rules;
	struct symbol_facts **facts; /* by string */
	uint32_t nr_facts;
	struct interned table; /* struct site_key to struct site */
	uint32_t *of_stack;
	uint32_t *wrapper;
	uint32_t *slow_path;
	uint32_t *leaf;
	uint32_t nr_stacks;
	bool suffixes; /* names are shown with theirs */
};

/* The chain of one stack, and what was found in it. */
struct search {
	const struct stack *stack;
	uint32_t leaf; /* first frame beyond the scheduler */
	uint32_t kernel_end; /* first frame of user space */
	struct site site;
	uint32_t slow_path;
	uint32_t entry; /* the outermost lock function */
	uint32_t wrapper;
};

/**
 * sites_facts() - what the rules say of a frame's symbol
 */
const struct symbol_facts *sites_facts(struct sites *s, uint32_t frame);

bool sites_is_kernel(struct sites *s, uint32_t frame);

/**
 * sites_search() - find the site of x->stack; the rest of @x is zero before
 */
void sites_search(struct sites *s, struct search *x);

#endif

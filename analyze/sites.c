// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/sites.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/sites-private.h"

struct site_key {
	uint64_t type, caller;
	const char *lock_class, *mode, *family, *kind;
};

/* Equal texts of different rules get one address, so that keys compare. */
static const char *only_copy(struct sites *s, const char *text)
{
	return profile_text(s->p, profile_string(s->p, text, strlen(text)));
}

static uint32_t number_of(struct sites *s, const struct site *site)
{
	struct interned_entry *e;
	struct site_key key;
	bool added;

	memset(&key, 0, sizeof(key));
	key.type = site->type;
	key.caller = site->caller;
	key.lock_class = only_copy(s, site->lock_class);
	key.mode = only_copy(s, site->mode);
	key.family = only_copy(s, site->family);
	key.kind = only_copy(s, site->kind);
	e = interned_get(&s->table, &key, sizeof(key), sizeof(*site), &added);
	if (!e) {
		profile_fail(s->p);
		return 0;
	}
	if (added)
		memcpy(interned_value(e), site, sizeof(*site));
	return interned_number(e);
}

struct sites *sites_new(struct profile *p, const struct site_rules *rules)
{
	struct sites *s = calloc(1, sizeof(*s));
	uint32_t i;

	if (!s)
		return NULL;
	s->p = p;
	s->rules = rules;
	s->nr_stacks = profile_nr_stacks(p);
	s->nr_facts = profile_nr_strings(p);
	s->facts = calloc(s->nr_facts, sizeof(struct symbol_facts *));
	s->of_stack = calloc(s->nr_stacks, sizeof(*s->of_stack));
	s->slow_path = calloc(s->nr_stacks, sizeof(*s->slow_path));
	s->wrapper = calloc(s->nr_stacks, sizeof(*s->wrapper));
	s->leaf = calloc(s->nr_stacks, sizeof(*s->leaf));
	if (!s->facts || !s->of_stack || !s->slow_path || !s->leaf)
		profile_fail(p);
	for (i = 0; i < s->nr_stacks && !profile_failed(p); i++) {
		struct search x = { .stack = profile_get_stack(p, i) };

		sites_search(s, &x);
		s->of_stack[i] = number_of(s, &x.site);
		s->slow_path[i] = x.slow_path;
		s->wrapper[i] = x.wrapper;
		s->leaf[i] = x.leaf;
	}
	if (profile_failed(p)) {
		sites_free(s);
		return NULL;
	}
	return s;
}

void sites_free(struct sites *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; s->facts && i < s->nr_facts; i++)
		free(s->facts[i]);
	free(s->facts);
	interned_free(&s->table);
	free(s->of_stack);
	free(s->slow_path);
	free(s->wrapper);
	free(s->leaf);
	free(s);
}

uint32_t sites_of_stack(const struct sites *s, uint32_t stack)
{
	return s->of_stack[stack];
}

uint32_t sites_slow_path(const struct sites *s, uint32_t stack)
{
	return s->slow_path[stack];
}

uint32_t sites_wrapper(const struct sites *s, uint32_t stack)
{
	return s->wrapper[stack];
}

uint32_t sites_releaser(struct sites *s, uint32_t stack)
{
	const struct stack *x = profile_get_stack(s->p, stack);
	uint32_t i;

	for (i = 0; i < x->nr; i++) {
		const struct rule_matches *m =
			&sites_facts(s, x->frame[i])->match;

		if (!m->rule[RULE_RELEASE] && !m->rule[RULE_UNLOCK] &&
		    !m->rule[RULE_SKIP])
			return sites_frame_name(s, x->frame[i]);
	}
	return 0;
}

uint32_t sites_leaf(const struct sites *s, uint32_t stack)
{
	return s->leaf[stack];
}

bool sites_in_interrupt(struct sites *s, uint32_t stack)
{
	const struct stack *x = profile_get_stack(s->p, stack);
	uint32_t i;

	for (i = 0; i < x->nr && sites_is_kernel(s, x->frame[i]); i++)
		if (sites_facts(s, x->frame[i])->match.rule[RULE_INTERRUPT])
			return true;
	return false;
}

const struct site *sites_get(const struct sites *s, uint32_t site)
{
	return interned_at(&s->table, site);
}

uint32_t sites_nr(const struct sites *s)
{
	return s->table.nr;
}

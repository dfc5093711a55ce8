// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/sites.h"

#include <string.h>

#include "analyze/site-rules.h"
#include "analyze/symbols.h"
#include "analyze/table.h"

/* How far from the leaf a user frame may name the lock behind a futex. */
#define USER_REACH 8

/* What the rules say of one symbol, found once. */
struct symbol_facts {
	uint32_t stripped; /* string */
	struct rule_matches match;
};

struct site_key {
	uint64_t type, caller;
	const char *lock_class, *mode, *family, *kind;
};

struct site_entry {
	UT_hash_handle hh;
	struct site_key key;
	struct site site;
	uint32_t number;
};

struct sites {
	struct profile *p;
	const struct site_rules *rules;
	struct symbol_facts **facts; /* by string */
	uint32_t nr_facts;
	struct site_entry *table;
	struct numbered list;
	uint32_t *of_stack;
	uint32_t *wrapper;
	uint32_t *slow_path;
	uint32_t *leaf;
	uint32_t nr_stacks;
};

/* ------------------------------------------------------ one stack's site */

static const struct symbol_facts no_facts;

static const struct symbol_facts *facts_of(struct sites *s, uint32_t frame)
{
	const struct frame *f = profile_get_frame(s->p, frame);
	struct symbol_facts *facts;
	const char *name;

	if (!f->symbol || f->symbol >= s->nr_facts)
		return &no_facts;
	if (s->facts[f->symbol])
		return s->facts[f->symbol];
	facts = calloc(1, sizeof(*facts));
	if (!facts) {
		profile_fail(s->p);
		return &no_facts;
	}
	name = profile_text(s->p, f->symbol);
	facts->stripped = profile_string(s->p, name, site_strip(name));
	site_rules_match(s->rules, profile_text(s->p, facts->stripped),
			 &facts->match);
	s->facts[f->symbol] = facts;
	return facts;
}

static bool frame_is_kernel(struct sites *s, uint32_t frame)
{
	return profile_get_frame(s->p, frame)->flags & FRAME_KERNEL;
}

/*
 * Generated code and addresses outside of any file lie elsewhere in each
 * process: without a name they are one place, or each process has its own.
 */
static bool is_anywhere(struct sites *s, uint32_t frame)
{
	const struct frame *f = profile_get_frame(s->p, frame);
	const struct dso *dso = profile_get_dso(s->p, f->dso);

	return !(f->flags & FRAME_KERNEL) &&
	       (dso->kind == DSO_UNKNOWN || dso->kind == DSO_PERF_MAP);
}

static uint32_t anywhere(struct sites *s)
{
	static const char name[] = "[unknown]";

	return profile_string(s->p, name, strlen(name));
}

uint32_t sites_frame_name(struct sites *s, uint32_t frame)
{
	const struct symbol_facts *facts = facts_of(s, frame);
	char name[256];

	if (facts->stripped)
		return facts->stripped;
	if (is_anywhere(s, frame))
		return anywhere(s);
	profile_frame_name(s->p, frame, name, sizeof(name));
	return profile_string(s->p, name, strlen(name));
}

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

/*
 * From the innermost lock function outwards: the last lock function of the
 * unbroken run decides class and mode (percpu_down_write over down_write, a
 * rwsem over the rt_mutex in it), wrappers add the family, and the first
 * frame that is neither is who asked for the lock.
 */
static void fill_lock(struct sites *s, struct search *x, uint32_t at,
		      uint32_t end)
{
	struct site *site = &x->site;
	uint32_t i;

	site->type = SITE_LOCK;
	site->kind = "";
	site->lock_class = "";
	site->mode = "";
	x->slow_path = sites_frame_name(s, x->stack->frame[at]);
	for (i = at; i < end; i++) {
		const struct rule_matches *m =
			&facts_of(s, x->stack->frame[i])->match;
		const struct site_rule *lock = m->rule[RULE_LOCK];
		const struct site_rule *wrap = m->rule[RULE_WRAP];

		if (lock) {
			if (strcmp(site->lock_class, lock->first))
				site->mode = "";
			site->lock_class = lock->first;
			x->entry = sites_frame_name(s, x->stack->frame[i]);
			if (lock->second[0])
				site->mode = lock->second;
		}
		if (wrap && wrap->first[0])
			site->family = wrap->first;
		if (wrap)
			x->wrapper = sites_frame_name(s, x->stack->frame[i]);
		if (!lock && !wrap)
			break;
	}
	site->cut = i == end;
	site->caller =
		sites_frame_name(s, x->stack->frame[site->cut ? end - 1 : i]);
}

static void fill_kind(struct sites *s, struct search *x, uint32_t at,
		      const char *kind)
{
	x->site.type = SITE_OTHER;
	x->site.kind = kind;
	x->site.caller = sites_frame_name(s, x->stack->frame[at]);
}

static uint32_t find_lock(struct sites *s, const struct search *x,
			  uint32_t from, uint32_t end)
{
	uint32_t i;

	for (i = from; i < end; i++)
		if (facts_of(s, x->stack->frame[i])->match.rule[RULE_LOCK])
			break;
	return i;
}

static bool find_kind(struct sites *s, struct search *x, uint32_t from,
		      uint32_t end)
{
	enum rule_type type;
	uint32_t i;

	for (type = RULE_KIND; type <= RULE_KIND_WEAK; type++) {
		for (i = from; i < end; i++) {
			const struct rule_matches *m =
				&facts_of(s, x->stack->frame[i])->match;
			const struct site_rule *rule = m->rule[type];

			if (!rule && i == from)
				rule = m->rule[RULE_KIND_LEAF];
			if (rule) {
				fill_kind(s, x, i, rule->first);
				return true;
			}
		}
	}
	return false;
}

/*
 * A futex is how user space sleeps; its own frames may say for what.  If they
 * don't, who asked is the first of them that is no system call's wrapper.
 */
static void look_behind_futex(struct sites *s, struct search *x)
{
	static const char nobody[] = "[user space]";
	uint32_t caller = 0, i;

	for (i = x->kernel_end; i < x->stack->nr; i++) {
		const struct rule_matches *m =
			&facts_of(s, x->stack->frame[i])->match;
		bool near = i - x->kernel_end < USER_REACH;

		if (near && m->rule[RULE_KIND]) {
			fill_kind(s, x, i, m->rule[RULE_KIND]->first);
			x->slow_path = 0;
			return;
		}
		if (near && m->rule[RULE_LOCK]) {
			fill_lock(s, x, i, x->stack->nr);
			return;
		}
		if (!caller && !m->rule[RULE_WRAP])
			caller = sites_frame_name(s, x->stack->frame[i]);
	}
	x->site.cut = !caller || caller == anywhere(s);
	x->site.caller = caller ? caller :
				  profile_string(s->p, nobody, strlen(nobody));
}

/* No rule knows the chain: the kernel's own section marks may. */
static void fill_unknown(struct sites *s, struct search *x)
{
	uint32_t leaf = x->stack->frame[x->leaf];

	if (!(profile_get_frame(s->p, leaf)->flags & FRAME_LOCK_TEXT)) {
		x->site.type = SITE_UNKNOWN;
		x->site.caller = sites_frame_name(s, leaf);
		return;
	}
	fill_lock(s, x, x->leaf, x->stack->nr);
	x->site.lock_class = "lock";
	if (x->leaf + 1 < x->stack->nr)
		x->site.caller =
			sites_frame_name(s, x->stack->frame[x->leaf + 1]);
}

static void search_stack(struct sites *s, struct search *x)
{
	const struct stack *stack = x->stack;
	uint32_t end = stack->nr;
	uint32_t at;

	x->site.lock_class = "";
	x->site.mode = "";
	x->site.family = "";
	x->site.kind = "";
	while (x->leaf < end &&
	       facts_of(s, stack->frame[x->leaf])->match.rule[RULE_SKIP])
		x->leaf++;
	if (x->leaf == end) {
		x->site.type = SITE_NO_CHAIN;
		return;
	}
	x->kernel_end = x->leaf;
	while (x->kernel_end < end &&
	       frame_is_kernel(s, stack->frame[x->kernel_end]))
		x->kernel_end++;
	/* A chain of user frames only: locks of our own library, or libc's. */
	if (x->kernel_end == x->leaf)
		x->kernel_end = end;

	at = find_lock(s, x, x->leaf, x->kernel_end);
	if (at < x->kernel_end) {
		fill_lock(s, x, at, x->kernel_end);
		if (!strcmp(x->site.lock_class, "futex"))
			look_behind_futex(s, x);
	} else if (!find_kind(s, x, x->leaf, x->kernel_end)) {
		fill_unknown(s, x);
	}
	if (x->site.type == SITE_LOCK && !x->site.family[0])
		x->site.family = site_rules_family(
			s->rules, profile_text(s->p, x->site.caller),
			x->site.lock_class, profile_text(s->p, x->entry));
}

/* --------------------------------------------------------------- the table */

/* Equal texts of different rules get one address, so that keys compare. */
static const char *only_copy(struct sites *s, const char *text)
{
	return profile_text(s->p, profile_string(s->p, text, strlen(text)));
}

static uint32_t number_of(struct sites *s, const struct site *site)
{
	struct site_entry *e;
	struct site_key key;

	memset(&key, 0, sizeof(key));
	key.type = site->type;
	key.caller = site->caller;
	key.lock_class = only_copy(s, site->lock_class);
	key.mode = only_copy(s, site->mode);
	key.family = only_copy(s, site->family);
	key.kind = only_copy(s, site->kind);
	HASH_FIND(hh, s->table, &key, sizeof(key), e);
	if (e)
		return e->number;
	e = calloc(1, sizeof(*e));
	if (!e)
		goto failed;
	e->key = key;
	e->site = *site;
	e->number = s->list.nr;
	HASH_ADD(hh, s->table, key, sizeof(key), e);
	if (!e->hh.tbl)
		goto failed_free;
	if (numbered_add(&s->list, e)) {
		HASH_DEL(s->table, e);
		goto failed_free;
	}
	return e->number;

failed_free:
	free(e);
failed:
	profile_fail(s->p);
	return 0;
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

		search_stack(s, &x);
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
	struct site_entry *e, *next;
	uint32_t i;

	if (!s)
		return;
	for (i = 0; s->facts && i < s->nr_facts; i++)
		free(s->facts[i]);
	free(s->facts);
	HASH_ITER(hh, s->table, e, next) {
		HASH_DEL(s->table, e);
		free(e);
	}
	free(s->list.item);
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
		const struct rule_matches *m = &facts_of(s, x->frame[i])->match;

		if (!m->rule[RULE_RELEASE] && !m->rule[RULE_SKIP])
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

	for (i = 0; i < x->nr && frame_is_kernel(s, x->frame[i]); i++)
		if (facts_of(s, x->frame[i])->match.rule[RULE_INTERRUPT])
			return true;
	return false;
}

const struct site *sites_get(const struct sites *s, uint32_t site)
{
	const struct site_entry *e = s->list.item[site];

	return &e->site;
}

uint32_t sites_nr(const struct sites *s)
{
	return s->list.nr;
}

// SPDX-License-Identifier: GPL-2.0-only
/* One stack becomes its site. */
#include <stdlib.h>
#include <string.h>

#include "analyze/sites-private.h"
#include "analyze/symbols.h"

/* How far from the leaf a user frame may name the lock behind a futex. */
#define USER_REACH 8

static const struct symbol_facts no_facts;

const struct symbol_facts *sites_facts(struct sites *s, uint32_t frame)
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

bool sites_is_kernel(struct sites *s, uint32_t frame)
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
	const struct symbol_facts *facts = sites_facts(s, frame);
	char name[256];

	if (facts->stripped && s->suffixes)
		return profile_get_frame(s->p, frame)->symbol;
	if (facts->stripped)
		return facts->stripped;
	if (is_anywhere(s, frame))
		return anywhere(s);
	profile_frame_name(s->p, frame, name, sizeof(name));
	return profile_string(s->p, name, strlen(name));
}

static bool is_wait_lock(const struct site *site)
{
	return !strcmp(site->family, "wait_lock");
}

/*
 * Whether a spinlock was found, and this is the sleeping lock that it is a
 * part of: its wait_lock.  Then who asked is who asked for, or released, that.
 */
static bool is_inner(const struct site *site, const struct rule_matches *m)
{
	const struct site_rule *lock = m->rule[RULE_LOCK];

	if (strcmp(site->lock_class, "spinlock") != 0)
		return false;
	return m->rule[RULE_UNLOCK] ||
	       (lock && strcmp(lock->first, "spinlock") != 0);
}

/* A frame of the lock's run: its own function, or a wrapper. */
static void take_lock_frame(struct sites *s, struct search *x, uint32_t at,
			    const struct rule_matches *m)
{
	const struct site_rule *lock = m->rule[RULE_LOCK];
	const struct site_rule *wrap = m->rule[RULE_WRAP];
	struct site *site = &x->site;

	if (lock) {
		if (strcmp(site->lock_class, lock->first))
			site->mode = "";
		site->lock_class = lock->first;
		x->entry = sites_frame_name(s, x->stack->frame[at]);
		if (lock->second[0])
			site->mode = lock->second;
		/* What a part of the lock waits for, other than its release. */
		if (m->rule[RULE_KIND])
			site->kind = m->rule[RULE_KIND]->first;
	}
	if (wrap && wrap->first[0] && !is_wait_lock(site))
		site->family = wrap->first;
	if (wrap)
		x->wrapper = sites_frame_name(s, x->stack->frame[at]);
}

/*
 * From the innermost lock function outwards: the last lock function of the
 * unbroken run decides class and mode (percpu_down_write over down_write, a
 * rwsem over the rt_mutex in it), but a spinlock stays one; wrappers add the
 * family, and the first
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
			&sites_facts(s, x->stack->frame[i])->match;

		if (!is_inner(site, m)) {
			if (!m->rule[RULE_LOCK] && !m->rule[RULE_WRAP])
				break;
			take_lock_frame(s, x, i, m);
		} else {
			site->family = "wait_lock";
		}
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
		if (sites_facts(s, x->stack->frame[i])->match.rule[RULE_LOCK])
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
				&sites_facts(s, x->stack->frame[i])->match;
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
			&sites_facts(s, x->stack->frame[i])->match;
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

/*
 * membarrier() waits for a grace period on behalf of user space; a lock that
 * asked for it is the site, as it would be in the kernel.  No other system
 * call's wrapper is in a chain without a lock.
 */
static void look_behind_membarrier(struct sites *s, struct search *x)
{
	uint32_t i, lock;

	for (i = x->leaf; i < x->kernel_end; i++)
		if (sites_facts(s, x->stack->frame[i])->match.rule[RULE_WRAP])
			break;
	if (i >= x->kernel_end)
		return;
	lock = find_lock(s, x, x->kernel_end, x->stack->nr);
	if (lock < x->stack->nr && lock - x->kernel_end < USER_REACH)
		fill_lock(s, x, lock, x->stack->nr);
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

void sites_search(struct sites *s, struct search *x)
{
	const struct stack *stack = x->stack;
	uint32_t end = stack->nr;
	uint32_t at;

	x->site.lock_class = "";
	x->site.mode = "";
	x->site.family = "";
	x->site.kind = "";
	while (x->leaf < end &&
	       sites_facts(s, stack->frame[x->leaf])->match.rule[RULE_SKIP])
		x->leaf++;
	if (x->leaf == end) {
		x->site.type = SITE_NO_CHAIN;
		if (end)
			x->site.caller =
				sites_frame_name(s, stack->frame[end - 1]);
		return;
	}
	x->kernel_end = x->leaf;
	while (x->kernel_end < end &&
	       sites_is_kernel(s, stack->frame[x->kernel_end]))
		x->kernel_end++;
	/* A chain of user frames only: locks of our own library, or libc's. */
	if (x->kernel_end == x->leaf)
		x->kernel_end = end;

	at = find_lock(s, x, x->leaf, x->kernel_end);
	if (at < x->kernel_end) {
		fill_lock(s, x, at, x->kernel_end);
		if (!strcmp(x->site.lock_class, "futex"))
			look_behind_futex(s, x);
	} else if (find_kind(s, x, x->leaf, x->kernel_end)) {
		look_behind_membarrier(s, x);
	} else {
		fill_unknown(s, x);
	}
	if (x->site.type == SITE_LOCK && !x->site.family[0])
		x->site.family = site_rules_family(
			s->rules, profile_text(s->p, x->site.caller),
			x->site.lock_class, profile_text(s->p, x->entry));
}

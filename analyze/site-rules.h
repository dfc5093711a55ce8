/* SPDX-License-Identifier: GPL-2.0-only */
/* What site-rules.c tells sites.c; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_SITE_RULES_H
#define RWSEMLAB_ANALYZE_SITE_RULES_H

#include "analyze/sites.h"

enum rule_type {
	RULE_SKIP,
	RULE_LOCK,
	RULE_WRAP,
	RULE_FAMILY,
	RULE_KIND,
	RULE_KIND_WEAK,
	RULE_KIND_LEAF,
	RULE_RELEASE,
	RULE_UNLOCK,
	RULE_INTERRUPT,
	NR_RULE_TYPES,
};

struct site_rule {
	enum rule_type type;
	const char *pattern;
	const char *first; /* LOCK: class; FAMILY: class or entry; KIND*: kind;
			      WRAP: family */
	const char *second; /* LOCK: mode; FAMILY: family */
};

/* The rules that know a function, NULL for each type that doesn't. */
struct rule_matches {
	const struct site_rule *rule[NR_RULE_TYPES];
};

/**
 * site_rules_match() - look a stripped name up; FAMILY is not filled
 */
void site_rules_match(const struct site_rules *rules, const char *name,
		      struct rule_matches *matches);

/**
 * site_rules_family() - the family of a lock by its caller, "" if none
 * @entry: the lock function that the caller called
 */
const char *site_rules_family(const struct site_rules *rules,
			      const char *caller, const char *lock_class,
			      const char *entry);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/site-rules.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "analyze/table.h"

#define MAX_RULE_LINE 512

static const struct site_rule builtin[] = {
#define SKIP(pattern) { RULE_SKIP, pattern, "", "" },
#define LOCK(pattern, lock_class, mode) \
	{ RULE_LOCK, pattern, lock_class, mode },
#define WRAP(pattern, family) { RULE_WRAP, pattern, family, "" },
#define FAMILY(pattern, lock_class, family) \
	{ RULE_FAMILY, pattern, lock_class, family },
#define KIND(pattern, kind)	 { RULE_KIND, pattern, kind, "" },
#define KIND_WEAK(pattern, kind) { RULE_KIND_WEAK, pattern, kind, "" },
#define KIND_LEAF(pattern, kind) { RULE_KIND_LEAF, pattern, kind, "" },
#define RELEASE(pattern)	 { RULE_RELEASE, pattern, "", "" },
#define UNLOCK(pattern)		 { RULE_UNLOCK, pattern, "", "" },
#define INTERRUPT(pattern)	 { RULE_INTERRUPT, pattern, "", "" },
#include "analyze/sites.def"
};

#define NR_BUILTIN (sizeof(builtin) / sizeof(builtin[0]))

/* How a rules file names each type, and how many words follow. */
static const struct {
	const char *word;
	unsigned int operands;
} types[NR_RULE_TYPES] = {
	[RULE_SKIP] = { "skip", 1 },
	[RULE_LOCK] = { "lock", 3 },
	[RULE_WRAP] = { "wrap", 2 },
	[RULE_FAMILY] = { "family", 3 },
	[RULE_KIND] = { "kind", 2 },
	[RULE_KIND_WEAK] = { "kind-weak", 2 },
	[RULE_KIND_LEAF] = { "kind-leaf", 2 },
	[RULE_RELEASE] = { "release", 1 },
	[RULE_UNLOCK] = { "unlock", 1 },
	[RULE_INTERRUPT] = { "interrupt", 1 },
};

/* The first rule of each type for one exact name. */
struct exact {
	UT_hash_handle hh;
	const char *name;
	const struct site_rule *rule[NR_RULE_TYPES];
};

struct site_rules {
	struct numbered all; /* in order: the user's, then the built-in */
	struct numbered patterns;
	struct exact *exact;
	struct site_rule *own; /* the user's */
	size_t nr_own;
	char *text; /* what they point into */
};

static int add_exact(struct site_rules *rules, const struct site_rule *rule)
{
	struct exact *e;

	HASH_FIND_STR(rules->exact, rule->pattern, e);
	if (!e) {
		e = calloc(1, sizeof(*e));
		if (!e)
			return -1;
		e->name = rule->pattern;
		HASH_ADD_KEYPTR(hh, rules->exact, e->name, strlen(e->name), e);
		if (!e->hh.tbl) {
			free(e);
			return -1;
		}
	}
	if (!e->rule[rule->type])
		e->rule[rule->type] = rule;
	return 0;
}

static int add_rule(struct site_rules *rules, const struct site_rule *rule)
{
	if (numbered_add(&rules->all, (void *)(uintptr_t)rule))
		return -1;
	if (!strpbrk(rule->pattern, "*?["))
		return rule->type == RULE_FAMILY ? 0 : add_exact(rules, rule);
	return numbered_add(&rules->patterns, (void *)(uintptr_t)rule);
}

/*
 * Cut the next word off a line: "..." or up to white space.  NULL at the
 * line's end, or with *bad set where a quote does not end.
 */
static char *next_word(char **line, bool *bad)
{
	char *c = *line + strspn(*line, " \t");
	char *word = c;

	if (!*c || *c == '#')
		return NULL;
	if (*c == '"') {
		word = ++c;
		c = strchr(c, '"');
		if (!c) {
			*bad = true;
			return NULL;
		}
	} else {
		c += strcspn(c, " \t");
	}
	if (*c)
		*c++ = '\0';
	*line = c;
	return word;
}

static int parse_rule(char *line, struct site_rule *rule, struct error *err)
{
	char *word[5] = { NULL };
	bool bad = false;
	unsigned int nr = 0;
	unsigned int type;

	if (strlen(line) > MAX_RULE_LINE)
		return error_set(err, EXIT_USAGE, "longer than %d characters",
				 MAX_RULE_LINE);
	while (nr < 5 && (word[nr] = next_word(&line, &bad)))
		nr++;
	if (!nr && !bad)
		return 0;
	for (type = 0; type < NR_RULE_TYPES; type++)
		if (nr && !strcmp(word[0], types[type].word))
			break;
	if (bad || type == NR_RULE_TYPES || nr != types[type].operands + 1 ||
	    !word[1][0])
		return error_set(err, EXIT_USAGE,
				 "no rule; 'rwsemlab list sites' shows how"
				 " rules look");
	*rule = (struct site_rule){
		.type = type,
		.pattern = word[1],
		.first = nr > 2 ? word[2] : "",
		.second = nr > 3 ? word[3] : "",
	};
	return 1;
}

static char *read_text(const char *path, struct error *err)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	ssize_t got;

	if (!f) {
		error_errno(err, EXIT_USAGE, "%s", path);
		return NULL;
	}
	/* A text without zero bytes is one "line" up to such a byte. */
	got = getdelim(&text, &size, '\0', f);
	if (got > 0 && text[got - 1] == '\0') {
		error_set(err, EXIT_USAGE, "%s: holds a zero byte, no rules",
			  path);
		free(text);
		text = NULL;
	} else if (got < 0 && ferror(f)) {
		error_errno(err, EXIT_USAGE, "%s: cannot read", path);
		free(text);
		text = NULL;
	} else if (got < 0) {
		free(text);
		text = strdup("");
	}
	fclose(f);
	return text;
}

static int parse_own(struct site_rules *rules, const char *path,
		     struct error *err)
{
	char *line = rules->text;
	size_t number = 0;

	while (line) {
		char *end = strchr(line, '\n');
		struct error why = { 0 };
		struct site_rule *grown;
		int ret;

		if (end)
			*end++ = '\0';
		number++;
		grown = realloc(rules->own,
				(rules->nr_own + 1) * sizeof(*grown));
		if (!grown)
			return error_set(err, EXIT_USAGE, "out of memory");
		rules->own = grown;
		ret = parse_rule(line, &rules->own[rules->nr_own], &why);
		if (ret < 0)
			return error_set(err, EXIT_USAGE, "%s:%zu: %s", path,
					 number, why.text);
		rules->nr_own += (size_t)ret;
		line = end;
	}
	return 0;
}

struct site_rules *site_rules_new(const char *path, struct error *err)
{
	struct site_rules *rules = calloc(1, sizeof(*rules));
	size_t i;

	if (!rules)
		goto no_memory;
	if (path) {
		rules->text = read_text(path, err);
		if (!rules->text || parse_own(rules, path, err)) {
			site_rules_free(rules);
			return NULL;
		}
	}
	for (i = 0; i < rules->nr_own; i++)
		if (add_rule(rules, &rules->own[i]))
			goto no_memory;
	for (i = 0; i < NR_BUILTIN; i++)
		if (add_rule(rules, &builtin[i]))
			goto no_memory;
	return rules;

no_memory:
	error_set(err, EXIT_USAGE, "out of memory");
	site_rules_free(rules);
	return NULL;
}

void site_rules_free(struct site_rules *rules)
{
	struct exact *e, *next;

	if (!rules)
		return;
	HASH_ITER(hh, rules->exact, e, next) {
		HASH_DEL(rules->exact, e);
		free(e);
	}
	free(rules->all.item);
	free(rules->patterns.item);
	free(rules->own);
	free(rules->text);
	free(rules);
}

void site_rules_match(const struct site_rules *rules, const char *name,
		      struct rule_matches *matches)
{
	struct exact *e;
	uint32_t i;

	memset(matches, 0, sizeof(*matches));
	HASH_FIND_STR(rules->exact, name, e);
	if (e)
		memcpy(matches->rule, e->rule, sizeof(e->rule));
	for (i = 0; i < rules->patterns.nr; i++) {
		const struct site_rule *rule = rules->patterns.item[i];

		if (rule->type == RULE_FAMILY || matches->rule[rule->type])
			continue;
		if (!fnmatch(rule->pattern, name, 0))
			matches->rule[rule->type] = rule;
	}
}

const char *site_rules_family(const struct site_rules *rules,
			      const char *caller, const char *lock_class,
			      const char *entry)
{
	uint32_t i;

	for (i = 0; i < rules->all.nr; i++) {
		const struct site_rule *rule = rules->all.item[i];

		if (rule->type == RULE_FAMILY &&
		    (!rule->first[0] || !strcmp(rule->first, lock_class) ||
		     !strcmp(rule->first, entry)) &&
		    !fnmatch(rule->pattern, caller, 0))
			return rule->second;
	}
	return "";
}

/* Only where needed: a word without quotes may hold one, but not begin so. */
static const char *quote(const char *word)
{
	return !word[0] || word[0] == '#' || strpbrk(word, " \t") ? "\"" : "";
}

static void append_word(char *line, size_t size, const char *word)
{
	size_t used = strlen(line);
	const char *q = quote(word);

	snprintf(line + used, size - used, " %s%s%s", q, word, q);
}

void site_rules_each(const struct site_rules *rules,
		     void (*call)(const char *line, void *context),
		     void *context)
{
	char line[MAX_RULE_LINE + 32]; /* quotes may be added */
	uint32_t i;

	for (i = 0; i < rules->all.nr; i++) {
		const struct site_rule *r = rules->all.item[i];
		unsigned int operands = types[r->type].operands;

		snprintf(line, sizeof(line), "%s", types[r->type].word);
		append_word(line, sizeof(line), r->pattern);
		if (operands > 1)
			append_word(line, sizeof(line), r->first);
		if (operands > 2)
			append_word(line, sizeof(line), r->second);
		call(line, context);
	}
}

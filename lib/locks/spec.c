// SPDX-License-Identifier: GPL-2.0-only
/* "family@version:key=value,..." */
#include "lib/locks/lock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum knob_type {
	KNOB_CHOICE, /* an enum: index into choices */
	KNOB_NUMBER, /* uint32_t, up to max */
	KNOB_MS, /* the same, or "never" */
	KNOB_FLAG, /* bool: 0 or 1 */
};

struct knob {
	const char *key;
	enum knob_type type;
	size_t offset;
	uint32_t max;
	const char *const *choices;
};

static const char *const spins[] = { "none", "owner", "mcs", "osq", NULL };
static const char *const steals[] = { "none", "head", "any", NULL };
static const char *const syncs[] = { "idle", "slow", NULL };
static const char *const globals[] = { "none", "idle", "slow", NULL };

#define AT(field_) offsetof(struct lock_rules, field_)
static const struct knob knobs[] = {
	{ "spin", KNOB_CHOICE, AT(spin), 0, spins },
	{ "steal", KNOB_CHOICE, AT(steal), 0, steals },
	{ "handoff_ms", KNOB_MS, AT(handoff_ms), 100000, NULL },
	{ "reader_spin", KNOB_FLAG, AT(reader_spin), 1, NULL },
	{ "reader_spin_us", KNOB_NUMBER, AT(reader_spin_us), 1000000, NULL },
	{ "wake_batch", KNOB_NUMBER, AT(wake_batch), 1000000, NULL },
	{ "spin_budget", KNOB_NUMBER, AT(spin_budget), 1000000000, NULL },
	{ "sync", KNOB_CHOICE, AT(sync), 0, syncs },
	{ "global", KNOB_CHOICE, AT(global), 0, globals },
};
#define NR_KNOBS (sizeof(knobs) / sizeof(knobs[0]))

/* A text that is cut where its space ends. */
struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text,
						      const char *fmt, ...)
{
	va_list args;
	int len;

	if (!text->left)
		return;
	va_start(args, fmt);
	len = vsnprintf(text->at, text->left, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	if ((size_t)len >= text->left)
		len = (int)text->left - 1;
	text->at += len;
	text->left -= (size_t)len;
}

/* Part of the user's text, without what disturbs a terminal. */
static void add_word(struct text *text, const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < 64; i++)
		add(text, "%c",
		    word[i] >= ' ' && word[i] <= '~' ? word[i] : '?');
}

static bool is_word(const char *known, const char *word, size_t len)
{
	return strlen(known) == len && !memcmp(known, word, len);
}

static int unknown_family(const char *word, size_t len, struct text *why)
{
	const struct lock_variant *variant;
	const char *last = "";
	size_t i;

	add(why, "unknown lock '");
	add_word(why, word, len);
	add(why, "'; there are:");
	for (i = 0; (variant = lock_variant_at(i)); i++) {
		if (strcmp(variant->public.family, last))
			add(why, " %s", variant->public.family);
		last = variant->public.family;
	}
	return -EINVAL;
}

static int unknown_version(const struct lock_variant *of, const char *word,
			   size_t len, struct text *why)
{
	const struct lock_variant *variant;
	size_t i;

	if (!*of->public.version) {
		add(why, "%s has no versions", of->public.family);
		return -EINVAL;
	}
	add(why, "unknown version '");
	add_word(why, word, len);
	add(why, "' of %s; there are:", of->public.family);
	for (i = 0; (variant = lock_variant_at(i)); i++)
		if (!strcmp(variant->public.family, of->public.family))
			add(why, " %s", variant->public.version);
	return -EINVAL;
}

/* "family@version", @len bytes; without a version the last of the family. */
static int find_variant(const char *name, size_t len,
			const struct lock_variant **found, struct text *why)
{
	const char *version = memchr(name, '@', len);
	size_t family = version ? (size_t)(version - name) : len;
	const struct lock_variant *variant, *last = NULL;
	size_t i;

	for (i = 0; (variant = lock_variant_at(i)); i++) {
		if (!is_word(variant->public.family, name, family))
			continue;
		last = variant;
		if (version && *variant->public.version &&
		    is_word(variant->public.version, version + 1,
			    len - family - 1))
			break;
	}
	if (!last)
		return unknown_family(name, family, why);
	if (version && !variant)
		return unknown_version(last, version + 1, len - family - 1,
				       why);
	*found = last;
	return 0;
}

static bool heeds(const struct lock_variant *variant, const char *key)
{
	const char *at = variant->public.keys;
	size_t len;

	for (; *at; at += len + 1) {
		len = strcspn(at, " ");
		if (is_word(key, at, len))
			return true;
	}
	return false;
}

static const struct knob *find_knob(const struct lock_variant *variant,
				    const char *word, size_t len,
				    struct text *why)
{
	size_t i;

	for (i = 0; i < NR_KNOBS; i++)
		if (is_word(knobs[i].key, word, len) &&
		    heeds(variant, knobs[i].key))
			return &knobs[i];
	add(why, "%s%s%s has no key '", variant->public.family,
	    *variant->public.version ? "@" : "", variant->public.version);
	add_word(why, word, len);
	if (*variant->public.keys)
		add(why, "'; its keys: %.*s",
		    (int)strlen(variant->public.keys) - 1,
		    variant->public.keys);
	else
		add(why, "': it takes none");
	return NULL;
}

static int bad_value(const struct knob *knob, const char *word, size_t len,
		     struct text *why)
{
	size_t i;

	add(why, "bad value '");
	add_word(why, word, len);
	add(why, "' of %s; takes ", knob->key);
	if (knob->type != KNOB_CHOICE)
		add(why, "0 to %u%s", knob->max,
		    knob->type == KNOB_MS ? " or never" : "");
	for (i = 0; knob->choices && knob->choices[i]; i++)
		add(why, "%s%s", i ? ", " : "", knob->choices[i]);
	return -EINVAL;
}

static bool parse_number(const char *word, size_t len, uint32_t max,
			 uint32_t *value)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < len && i < 10; i++) {
		if (word[i] < '0' || word[i] > '9')
			return false;
		sum = sum * 10 + (uint64_t)(word[i] - '0');
	}
	*value = (uint32_t)sum;
	return len && i == len && sum <= max;
}

/* The value of a knob in rules, whatever its type, as a number. */
static uint32_t knob_get(const struct knob *knob,
			 const struct lock_rules *rules)
{
	const char *field = (const char *)rules + knob->offset;
	uint32_t number;
	bool flag;

	if (knob->type == KNOB_FLAG) {
		memcpy(&flag, field, sizeof(flag));
		return flag;
	}
	_Static_assert(sizeof(enum lock_spin) == sizeof(uint32_t), "enums");
	memcpy(&number, field, sizeof(number));
	return number;
}

static void knob_set(const struct knob *knob, struct lock_rules *rules,
		     uint32_t value)
{
	char *field = (char *)rules + knob->offset;
	bool flag = value;

	if (knob->type == KNOB_FLAG)
		memcpy(field, &flag, sizeof(flag));
	else
		memcpy(field, &value, sizeof(value));
}

static int parse_value(const struct knob *knob, const char *word, size_t len,
		       struct lock_rules *rules, struct text *why)
{
	uint32_t value = UINT32_MAX;
	size_t i;

	if (knob->type == KNOB_CHOICE) {
		for (i = 0; knob->choices[i]; i++)
			if (is_word(knob->choices[i], word, len))
				value = (uint32_t)i;
		if (value == UINT32_MAX)
			return bad_value(knob, word, len, why);
	} else if (knob->type != KNOB_MS || !is_word("never", word, len)) {
		if (!parse_number(word, len, knob->max, &value))
			return bad_value(knob, word, len, why);
	}
	knob_set(knob, rules, value);
	return 0;
}

static void add_value(struct text *text, const struct knob *knob,
		      uint32_t value)
{
	if (knob->type == KNOB_CHOICE)
		add(text, "%s=%s", knob->key, knob->choices[value]);
	else if (knob->type == KNOB_MS && value == UINT32_MAX)
		add(text, "%s=never", knob->key);
	else
		add(text, "%s=%u", knob->key, value);
}

/* The full name, and how it differs from the version's own rules. */
static void name_spec(struct rwsemlab_spec *spec)
{
	const struct lock_variant *variant = spec->variant;
	struct text name = { spec->name, sizeof(spec->name) };
	struct text departs = { spec->departs, sizeof(spec->departs) };
	char sep = ':';
	size_t i;

	add(&name, "%s%s%s", variant->public.family,
	    *variant->public.version ? "@" : "", variant->public.version);
	for (i = 0; i < NR_KNOBS; i++) {
		uint32_t was = knob_get(&knobs[i], &variant->rules);
		uint32_t is = knob_get(&knobs[i], &spec->rules);

		if (was == is)
			continue;
		add(&name, "%c", sep);
		add_value(&name, &knobs[i], is);
		sep = ',';
		if (knobs[i].offset == AT(sync) && variant->rules.had_slow)
			continue;
		add(&departs, "%s", *spec->departs ? ", " : "");
		add_value(&departs, &knobs[i], is);
		add(&departs, " (was ");
		add_value(&departs, &knobs[i], was);
		add(&departs, ")");
	}
}

static int parse_keys(const char *at, struct rwsemlab_spec *spec,
		      struct text *why)
{
	const struct knob *knob;
	size_t len, key;
	int ret;

	for (;; at += len + 1) {
		len = strcspn(at, ",");
		key = strcspn(at, "=,");
		knob = find_knob(spec->variant, at, key, why);
		if (!knob)
			return -EINVAL;
		if (key == len) {
			add(why, "%s needs a value: %s=...", knob->key,
			    knob->key);
			return -EINVAL;
		}
		ret = parse_value(knob, at + key + 1, len - key - 1,
				  &spec->rules, why);
		if (ret)
			return ret;
		if (!at[len])
			return 0;
	}
}

int rwsemlab_spec_parse(const char *text, struct rwsemlab_spec **spec,
			char *why, size_t size)
{
	struct text message = { why, size };
	size_t len = strcspn(text, ":");
	struct rwsemlab_spec *new;
	int ret;

	*spec = NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	ret = find_variant(text, len, &new->variant, &message);
	if (!ret && new->variant->public.missing) {
		add(&message, "%s", new->variant->public.missing);
		ret = -ENOSYS;
	}
	if (!ret) {
		new->rules = new->variant->rules;
		if (text[len])
			ret = parse_keys(text + len + 1, new, &message);
	}
	if (ret) {
		free(new);
		return ret;
	}
	name_spec(new);
	*spec = new;
	return 0;
}

void rwsemlab_spec_free(struct rwsemlab_spec *spec)
{
	free(spec);
}

const char *rwsemlab_spec_name(const struct rwsemlab_spec *spec)
{
	return spec->name;
}

const char *rwsemlab_spec_departs(const struct rwsemlab_spec *spec)
{
	return spec->departs;
}

const struct rwsemlab_variant *
rwsemlab_spec_variant(const struct rwsemlab_spec *spec)
{
	return &spec->variant->public;
}

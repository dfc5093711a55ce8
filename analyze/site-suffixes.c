// SPDX-License-Identifier: GPL-2.0-only
/* The names that sites go by, with the suffixes that compilers gave them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/sites-private.h"

#define NAMES_SIZE 400

/* The symbol as recorded of the frame that is called @name. */
static uint32_t recorded(struct sites *s, uint32_t stack, uint32_t name)
{
	const struct stack *x = profile_get_stack(s->p, stack);
	uint32_t i;

	for (i = 0; name && i < x->nr; i++)
		if (sites_facts(s, x->frame[i])->stripped == name)
			return profile_get_frame(s->p, x->frame[i])->symbol;
	return name;
}

static bool is_in(const char *list, const char *name)
{
	size_t length = strlen(name);
	const char *at = list;

	while ((at = strstr(at, name))) {
		if ((at == list || at[-1] == ' ') &&
		    (!at[length] || at[length] == ','))
			return true;
		at += length;
	}
	return false;
}

/* Stacks of one site may differ in the suffix: then all are its caller. */
static uint32_t joined(struct sites *s, uint32_t list, uint32_t name)
{
	char text[NAMES_SIZE];

	if (!list)
		return name;
	if (is_in(profile_text(s->p, list), profile_text(s->p, name)))
		return list;
	if (snprintf(text, sizeof(text), "%s, %s", profile_text(s->p, list),
		     profile_text(s->p, name)) >= (int)sizeof(text))
		return list;
	return profile_string(s->p, text, strlen(text));
}

void sites_show_suffixes(struct sites *s)
{
	uint32_t *shown = calloc(s->table.nr + 1, sizeof(*shown));
	struct site *site;
	uint32_t i;

	if (!shown) {
		profile_fail(s->p);
		return;
	}
	for (i = 0; i < s->nr_stacks; i++) {
		uint32_t *to = &shown[s->of_stack[i]];

		site = interned_at(&s->table, s->of_stack[i]);
		*to = joined(s, *to, recorded(s, i, site->caller));
		s->slow_path[i] = recorded(s, i, s->slow_path[i]);
	}
	for (i = 0; i < s->table.nr; i++) {
		site = interned_at(&s->table, i);
		if (shown[i])
			site->caller = shown[i];
	}
	free(shown);
	s->suffixes = true;
}

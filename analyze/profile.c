// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/profile.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/profile-tables.h"

struct frame_key {
	uint64_t address;
	uint32_t dso, symbol;
	uint64_t flags;
};

/* Number of the entry; 0, the empty one, when memory ran out. */
static uint32_t number_or_fail(struct profile *p,
			       const struct interned_entry *e)
{
	if (e)
		return interned_number(e);
	p->tables->failed = true;
	return 0;
}

uint32_t profile_string(struct profile *p, const char *text, size_t length)
{
	return number_or_fail(p, interned_get(&p->tables->strings, text,
					      strnlen(text, length), 0, NULL));
}

const char *profile_text(const struct profile *p, uint32_t string)
{
	return interned_key(p->tables->strings.entry[string]);
}

uint32_t profile_nr_strings(const struct profile *p)
{
	return p->tables->strings.nr;
}

uint32_t profile_dso(struct profile *p, const struct dso *dso)
{
	struct interned_entry *e;
	struct dso key;

	/* Padding is part of the key, so it has to be equal too. */
	memset(&key, 0, sizeof(key));
	key.kind = dso->kind;
	key.path = dso->path;
	key.pid = dso->pid;
	key.build_id_size = dso->build_id_size;
	memcpy(key.build_id, dso->build_id, dso->build_id_size);
	e = interned_get(&p->tables->dsos, &key, sizeof(key), 0, NULL);
	return number_or_fail(p, e);
}

const struct dso *profile_get_dso(const struct profile *p, uint32_t dso)
{
	return interned_key(p->tables->dsos.entry[dso]);
}

uint32_t profile_nr_dsos(const struct profile *p)
{
	return p->tables->dsos.nr;
}

uint32_t profile_frame(struct profile *p, const struct frame *frame)
{
	const struct frame_key key = {
		.address = frame->address,
		.dso = frame->dso,
		.symbol = frame->symbol,
		.flags = frame->flags & (FRAME_KERNEL | FRAME_EXACT),
	};
	struct interned_entry *e;
	bool added;

	e = interned_get(&p->tables->frames, &key, sizeof(key), sizeof(*frame),
			 &added);
	if (e && added)
		memcpy(interned_value(e), frame, sizeof(*frame));
	return number_or_fail(p, e);
}

struct frame *profile_get_frame(struct profile *p, uint32_t frame)
{
	return interned_at(&p->tables->frames, frame);
}

uint32_t profile_nr_frames(const struct profile *p)
{
	return p->tables->frames.nr;
}

uint32_t profile_stack(struct profile *p, const uint32_t *frames, uint32_t nr,
		       uint32_t flags)
{
	size_t bytes = nr * sizeof(*frames);
	struct interned_entry *e;
	struct stack *key;

	key = malloc(sizeof(*key) + bytes);
	if (!key)
		return number_or_fail(p, NULL);
	key->flags = flags;
	key->nr = nr;
	if (nr)
		memcpy(key->frame, frames, bytes);
	e = interned_get(&p->tables->stacks, key, sizeof(*key) + bytes, 0,
			 NULL);
	free(key);
	return number_or_fail(p, e);
}

const struct stack *profile_get_stack(const struct profile *p, uint32_t stack)
{
	return interned_key(p->tables->stacks.entry[stack]);
}

uint32_t profile_nr_stacks(const struct profile *p)
{
	return p->tables->stacks.nr;
}

struct profile *profile_new(void)
{
	const struct frame no_frame = { 0 };
	const struct dso no_dso = { 0 };
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->sample_period = 1;
	p->tables = calloc(1, sizeof(*p->tables));
	if (!p->tables) {
		profile_free(p);
		return NULL;
	}
	/* Number 0 of each table: the empty one. */
	profile_string(p, "", 0);
	profile_dso(p, &no_dso);
	profile_frame(p, &no_frame);
	profile_stack(p, NULL, 0, 0);
	if (profile_failed(p)) {
		profile_free(p);
		return NULL;
	}
	return p;
}

void profile_free(struct profile *p)
{
	struct profile_tables *t;

	if (!p)
		return;
	t = p->tables;
	if (t) {
		profile_free_rows(t);
		interned_free(&t->strings);
		interned_free(&t->cgroups);
		interned_free(&t->dsos);
		interned_free(&t->frames);
		interned_free(&t->stacks);
		free(t);
	}
	free(p);
}

bool profile_failed(const struct profile *p)
{
	return p->tables->failed;
}

void profile_fail(struct profile *p)
{
	p->tables->failed = true;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile-tables.h"

#define MAX_WARNINGS 100

struct row_key {
	uint64_t stack, second; /* group, or lock */
};

/* The row of a key in @rows, NULL with failed set when memory ran out. */
static void *get_row(struct profile *p, struct interned *rows, const void *key,
		     size_t key_size, size_t row_size, bool *added)
{
	struct interned_entry *e;

	e = interned_get(rows, key, key_size, row_size, added);
	if (e)
		return interned_value(e);
	profile_fail(p);
	return NULL;
}

static struct sleep_row *find_sleep_row(struct profile *p, uint32_t stack,
					uint64_t group)
{
	const struct row_key key = { stack, group };
	struct sleep_row *row;
	bool added;

	row = get_row(p, &p->tables->sleeps, &key, sizeof(key), sizeof(*row),
		      &added);
	if (row && added) {
		row->stack = stack;
		row->group = group;
	}
	return row;
}

/* Room for @stack in the table of rows of group 0. */
static int cover_stack(struct profile_tables *t, uint32_t stack)
{
	uint32_t nr = t->stacks.size > stack ? t->stacks.size : stack + 1;
	struct sleep_row **grown;

	if (stack < t->nr_sleep_of_stack)
		return 0;
	grown = realloc(t->sleep_of_stack, nr * sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown + t->nr_sleep_of_stack, 0,
	       (nr - t->nr_sleep_of_stack) * sizeof(*grown));
	t->sleep_of_stack = grown;
	t->nr_sleep_of_stack = nr;
	return 0;
}

struct sleep_row *profile_sleep_row(struct profile *p, uint32_t stack,
				    uint64_t group)
{
	struct profile_tables *t = p->tables;

	if (group)
		return find_sleep_row(p, stack, group);
	if (cover_stack(t, stack)) {
		profile_fail(p);
		return NULL;
	}
	if (!t->sleep_of_stack[stack])
		t->sleep_of_stack[stack] = find_sleep_row(p, stack, 0);
	return t->sleep_of_stack[stack];
}

struct acquisition_row *profile_acquisition_row(struct profile *p,
						uint32_t stack, uint64_t group)
{
	const struct row_key key = { stack, group };
	struct acquisition_row *row;
	bool added;

	row = get_row(p, &p->tables->acquisitions, &key, sizeof(key),
		      sizeof(*row), &added);
	if (row && added) {
		row->stack = stack;
		row->group = group;
	}
	return row;
}

struct lock_row *profile_lock_row(struct profile *p, uint32_t stack,
				  uint64_t lock)
{
	struct interned *rows = &p->tables->locks;
	const struct row_key key = { stack, lock };
	struct lock_row *row;
	bool added;

	if (rows->nr == PROFILE_MAX_LOCK_ROWS &&
	    !interned_find(rows, &key, sizeof(key))) {
		p->lock_rows_dropped++;
		return NULL;
	}
	row = get_row(p, rows, &key, sizeof(key), sizeof(*row), &added);
	if (row && added) {
		row->stack = stack;
		row->lock = lock;
	}
	return row;
}

struct waker_row *profile_waker_row(struct profile *p,
				    const struct waker_row *like)
{
	const uint32_t key[] = { like->stack, like->waker_stack,
				 like->waker_comm, like->waker_sleep };
	struct interned *rows = &p->tables->wakers;
	struct waker_row *row;
	bool added;

	if (rows->nr == PROFILE_MAX_WAKER_ROWS &&
	    !interned_find(rows, key, sizeof(key))) {
		p->waker_rows_dropped++;
		return NULL;
	}
	row = get_row(p, rows, key, sizeof(key), sizeof(*row), &added);
	if (row && added) {
		row->stack = like->stack;
		row->waker_stack = like->waker_stack;
		row->waker_comm = like->waker_comm;
		row->waker_sleep = like->waker_sleep;
	}
	return row;
}

size_t profile_nr_sleep_rows(const struct profile *p)
{
	return p->tables->sleeps.nr;
}

struct sleep_row *profile_get_sleep_row(const struct profile *p, size_t i)
{
	return interned_at(&p->tables->sleeps, (uint32_t)i);
}

size_t profile_nr_acquisition_rows(const struct profile *p)
{
	return p->tables->acquisitions.nr;
}

struct acquisition_row *profile_get_acquisition_row(const struct profile *p,
						    size_t i)
{
	return interned_at(&p->tables->acquisitions, (uint32_t)i);
}

size_t profile_nr_lock_rows(const struct profile *p)
{
	return p->tables->locks.nr;
}

struct lock_row *profile_get_lock_row(const struct profile *p, size_t i)
{
	return interned_at(&p->tables->locks, (uint32_t)i);
}

size_t profile_nr_waker_rows(const struct profile *p)
{
	return p->tables->wakers.nr;
}

struct waker_row *profile_get_waker_row(const struct profile *p, size_t i)
{
	return interned_at(&p->tables->wakers, (uint32_t)i);
}

void profile_add_share(struct profile *p, uint32_t stack, uint32_t comm,
		       uint64_t billionths)
{
	uint64_t group = p->split == SPLIT_COMM ? comm : 0;
	struct sleep_row *row = profile_sleep_row(p, stack, group);

	if (!row)
		return;
	row->by_state[STATE_OTHER] += billionths;
	row->sleeps += billionths;
	p->sleeps += billionths;
	p->switches += billionths;
	p->has_switches = true;
}

void profile_warn(struct profile *p, const char *fmt, ...)
{
	struct profile_tables *t = p->tables;
	struct warning *grown;
	char text[512];
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (i = 0; i < t->nr_warnings; i++) {
		if (!strcmp(t->warnings[i].text, text)) {
			t->warnings[i].times++;
			return;
		}
	}
	if (t->nr_warnings == MAX_WARNINGS)
		return;
	grown = realloc(t->warnings, (t->nr_warnings + 1) * sizeof(*grown));
	if (!grown) {
		t->failed = true;
		return;
	}
	t->warnings = grown;
	grown[t->nr_warnings].text = strdup(text);
	grown[t->nr_warnings].times = 1;
	if (grown[t->nr_warnings].text)
		t->nr_warnings++;
	else
		t->failed = true;
}

size_t profile_nr_warnings(const struct profile *p)
{
	return p->tables->nr_warnings;
}

const char *profile_warning(const struct profile *p, size_t i, uint64_t *times)
{
	*times = p->tables->warnings[i].times;
	return p->tables->warnings[i].text;
}

void profile_free_rows(struct profile_tables *t)
{
	uint32_t i;

	for (i = 0; i < t->sleeps.nr; i++) {
		struct sleep_row *row = interned_at(&t->sleeps, i);

		rwsemlab_histogram_free(&row->off);
	}
	for (i = 0; i < t->acquisitions.nr; i++) {
		struct acquisition_row *row = interned_at(&t->acquisitions, i);

		rwsemlab_histogram_free(&row->wait);
	}
	for (i = 0; i < t->wakers.nr; i++) {
		struct waker_row *row = interned_at(&t->wakers, i);

		rwsemlab_histogram_free(&row->delay);
	}
	interned_free(&t->sleeps);
	interned_free(&t->acquisitions);
	interned_free(&t->locks);
	interned_free(&t->wakers);
	free(t->sleep_of_stack);
	for (i = 0; i < t->nr_warnings; i++)
		free(t->warnings[i].text);
	free(t->warnings);
}

// SPDX-License-Identifier: GPL-2.0-only
/* From the user's words to sides and the runs that may be in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/diff.h"
#include "analyze/session-file.h"

#define MAX_VALUES 16 /* of one varied key */

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

/* ----------------------------------------------------------- candidates */

static struct diff_candidate *new_candidate(struct diff_side *side)
{
	struct diff_candidate *grown;

	grown = realloc(side->candidate,
			(side->nr_candidates + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	side->candidate = grown;
	grown += side->nr_candidates++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

static int add_file(struct diff_side *side, const char *path)
{
	struct diff_candidate *c = new_candidate(side);

	if (!c)
		return -1;
	c->path = strdup(path);
	c->name = strdup(path);
	return c->path && c->name ? 0 : -1;
}

static int add_run(struct diff_side *side, const struct session *session,
		   size_t i)
{
	struct diff_candidate *c = new_candidate(side);
	json_t *run, *pair;
	const char *folder;

	if (!c)
		return -1;
	run = session_run(session, i, &c->path);
	if (!run)
		return -1;
	folder = json_string_value(json_object_get(run, "folder"));
	if (asprintf(&c->name, "%s/%s", session->path, folder ? folder : "?") <
	    0) {
		c->name = NULL;
		return -1;
	}
	c->run = json_incref(run);
	c->session = json_incref(session->root);
	pair = json_object_get(json_object_get(run, "vary"), "pair");
	if (json_integer_value(pair) > 0)
		c->pair = (uint32_t)json_integer_value(pair);
	return 0;
}

static int add_session(struct diff_side *side, const char *path,
		       struct error *err)
{
	struct session session;
	int ret = 0;
	size_t i;

	if (session_open(path, &session, err))
		return -1;
	for (i = 0; i < session_nr_runs(&session) && !ret; i++)
		ret = add_run(side, &session, i);
	session_free(&session);
	return ret ? no_memory(err) : 0;
}

static int add_path(struct diff_side *side, const char *path, struct error *err)
{
	if (session_is(path))
		return add_session(side, path, err);
	return add_file(side, path) ? no_memory(err) : 0;
}

/* "A,B" is several, unless a file has that whole name. */
static int add_word(struct diff_side *side, const char *word, struct error *err)
{
	char *list, *path, *rest;
	int ret = 0;

	if (!strchr(word, ',') || access(word, F_OK) == 0)
		return add_path(side, word, err);
	list = strdup(word);
	if (!list)
		return no_memory(err);
	for (path = strtok_r(list, ",", &rest); path && !ret;
	     path = strtok_r(NULL, ",", &rest))
		ret = add_path(side, path, err);
	free(list);
	if (!ret && !side->nr_candidates)
		ret = error_set(err, EXIT_USAGE, "'%s' names no file", word);
	return ret;
}

static struct diff_side *new_side(struct diff *d, const char *name)
{
	struct diff_side *grown;

	grown = realloc(d->side, (d->nr_sides + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	d->side = grown;
	grown += d->nr_sides;
	memset(grown, 0, sizeof(*grown));
	grown->name = strdup(name);
	if (!grown->name)
		return NULL;
	d->nr_sides++;
	return grown;
}

/* -------------------------------------------------- one session, varied */

static json_t *vary_of(const struct diff_candidate *c)
{
	json_t *vary = json_object_get(c->run, "vary");

	return json_is_object(vary) ? vary : NULL;
}

static json_int_t varied_side(const struct diff_candidate *c)
{
	json_int_t side =
		json_integer_value(json_object_get(vary_of(c), "side"));

	return side > 0 && side <= MAX_VALUES ? side : 0;
}

static int name_varied(const struct diff_candidate *c, const char *path,
		       bool again, char **name)
{
	json_t *vary = vary_of(c);
	const char *key = json_string_value(json_object_get(vary, "key"));
	const char *value = json_string_value(json_object_get(vary, "value"));

	if (asprintf(name, "%s %s=%s%s", path, key ? key : "?",
		     value ? value : "?", again ? " again" : "") >= 0)
		return 0;
	*name = NULL;
	return -1;
}

static bool is_named(const struct diff *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr_sides; i++)
		if (!strcmp(d->side[i].name, name))
			return true;
	return false;
}

/* All candidates of @all with number @side become a side of their own. */
static int take_varied(struct diff *d, struct diff_side *all, const char *path,
		       json_int_t number)
{
	struct diff_side *side = NULL;
	size_t i;

	for (i = 0; i < all->nr_candidates; i++) {
		struct diff_candidate *from = &all->candidate[i], *to;
		char *name;

		if (varied_side(from) != number)
			continue;
		if (!side) {
			if (name_varied(from, path, false, &name))
				return -1;
			if (is_named(d, name)) {
				free(name);
				if (name_varied(from, path, true, &name))
					return -1;
			}
			side = new_side(d, name);
			free(name);
		}
		to = side ? new_candidate(side) : NULL;
		if (!to)
			return -1;
		*to = *from;
		memset(from, 0, sizeof(*from));
	}
	return 0;
}

static int plan_varied(struct diff *d, const char *path, struct error *err)
{
	struct diff_side all = { 0 };
	json_int_t number;
	int ret = 0;

	all.name = strdup(path);
	if (!all.name || add_session(&all, path, err)) {
		diff_side_free(&all);
		return err->code ? -1 : no_memory(err);
	}
	for (number = 1; number <= MAX_VALUES && !ret; number++)
		ret = take_varied(d, &all, path, number);
	diff_side_free(&all);
	if (ret)
		return no_memory(err);
	d->paired = true;
	if (d->nr_sides > 1)
		return 0;
	return error_set(err, EXIT_USAGE,
			 "diff: %s has runs of one kind only; give a second"
			 " PATH, or --aa to compare its halves",
			 path);
}

/* ----------------------------------------------------------- two halves */

/* A B B A A B B A …, so that a steady drift is in both halves. */
static int split_halves(struct diff *d, struct diff_side *all,
			struct error *err)
{
	struct diff_side *half[2];
	size_t i;

	if (all->nr_candidates < 2)
		return error_set(err, EXIT_USAGE,
				 "--aa takes two runs or more; %s has %zu",
				 all->name, all->nr_candidates);
	if (!new_side(d, "A: one half") || !new_side(d, "A: the other half"))
		return no_memory(err);
	half[0] = &d->side[0];
	half[1] = &d->side[1];
	for (i = 0; i < all->nr_candidates; i++) {
		struct diff_candidate *to =
			new_candidate(half[(i % 4 == 1) || (i % 4 == 2)]);

		if (!to)
			return no_memory(err);
		*to = all->candidate[i];
		to->pair = 0;
		memset(&all->candidate[i], 0, sizeof(all->candidate[i]));
	}
	return 0;
}

static int plan_halves(struct diff *d, char *const *words, size_t nr,
		       struct error *err)
{
	struct diff_side all = { 0 };
	size_t i;
	int ret = 0;

	all.name = strdup(words[0]);
	if (!all.name)
		return no_memory(err);
	for (i = 0; i < nr && !ret; i++)
		ret = add_word(&all, words[i], err);
	for (i = 0; i < all.nr_candidates && !ret; i++)
		if (varied_side(&all.candidate[i]) > 1)
			ret = error_set(err, EXIT_USAGE,
					"--aa takes runs of one kind; those of"
					" %s were varied",
					all.name);
	if (!ret)
		ret = split_halves(d, &all, err);
	diff_side_free(&all);
	return ret;
}

/* ------------------------------------------------------------------ all */

static int check_number(const struct diff *d, size_t nr, struct error *err)
{
	if (!nr)
		return error_set(err, EXIT_USAGE,
				 "diff: which BASE and NEW? Each is a session,"
				 " a recording or a text");
	if (nr == 1 && !d->aa)
		return error_set(err, EXIT_USAGE,
				 "diff: what is NEW, to compare with the base?"
				 " Only a session of --vary makes both sides");
	return 0;
}

/* Runs of different kinds on one side are no repeats of each other. */
static void note_mixed(struct diff *d, const struct diff_side *side)
{
	size_t i;

	for (i = 0; i < side->nr_candidates; i++)
		if (varied_side(&side->candidate[i]) > 1) {
			diff_note(d->reading.notes,
				  "%s: its runs were varied and are taken for"
				  " repeats here; on its own it makes both"
				  " sides",
				  side->name);
			return;
		}
}

static bool is_varied(const char *path)
{
	struct session session;
	struct error err = { 0 };
	json_t *run;
	bool varied;

	if (!session_is(path) || session_open(path, &session, &err))
		return false;
	run = session_nr_runs(&session) ? session_run(&session, 0, NULL) : NULL;
	varied = json_is_object(json_object_get(run, "vary"));
	session_free(&session);
	return varied;
}

int diff_plan(struct diff *d, char *const *words, size_t nr, struct error *err)
{
	size_t i;

	if (nr == 1 && !d->aa && is_varied(words[0]))
		return plan_varied(d, words[0], err);
	if (check_number(d, nr, err))
		return -1;
	if (d->aa)
		return plan_halves(d, words, nr, err);
	for (i = 0; i < nr; i++) {
		struct diff_side *side = new_side(d, words[i]);

		if (!side)
			return no_memory(err);
		if (add_word(side, words[i], err))
			return -1;
		note_mixed(d, side);
	}
	return 0;
}

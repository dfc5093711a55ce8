// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-vmstat.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 32

/* The columns that are compared. */
static const struct column {
	const char *heading, *name;
} columns[] = {
	{ "r", "mean_r" },	{ "b", "mean_b" },	{ "in", "in_per_s" },
	{ "cs", "cs_per_s" },	{ "us", "us_percent" }, { "sy", "sy_percent" },
	{ "id", "id_percent" }, { "wa", "wa_percent" }, { "st", "st_percent" },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct table {
	int at[NR_COLUMNS]; /* place in a line, -1: it has none */
	int width; /* words of a line */
	double sum[NR_COLUMNS];
	unsigned long lines;
};

struct tables {
	struct table *table;
	size_t nr;
};

/* Words of a line, in place. */
static int split(char *line, char *words[MAX_COLUMNS])
{
	char *word, *rest;
	int nr = 0;

	for (word = strtok_r(line, " \t\r\n", &rest); word && nr < MAX_COLUMNS;
	     word = strtok_r(NULL, " \t\r\n", &rest))
		words[nr++] = word;
	return nr;
}

static int find_word(char *const *words, int nr, const char *word)
{
	int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

static bool is_heading(char *const *words, int nr)
{
	return find_word(words, nr, "cs") >= 0 &&
	       find_word(words, nr, "us") >= 0 &&
	       find_word(words, nr, "id") >= 0;
}

static int begin_table(struct tables *t, char *const *words, int nr)
{
	struct table *grown;
	size_t i;

	grown = realloc(t->table, (t->nr + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	t->table = grown;
	grown += t->nr++;
	memset(grown, 0, sizeof(*grown));
	grown->width = nr;
	for (i = 0; i < NR_COLUMNS; i++)
		grown->at[i] = find_word(words, nr, columns[i].heading);
	return 0;
}

/* A line that is no line of numbers is a remark between them. */
static void add_line(struct table *t, char *const *words, int nr)
{
	double value[MAX_COLUMNS];
	size_t i;
	int k;

	if (nr != t->width)
		return;
	for (k = 0; k < nr; k++) {
		char *end;

		if (!isdigit((unsigned char)words[k][0]))
			return;
		value[k] = strtod(words[k], &end);
		if (*end || !isfinite(value[k]))
			return;
	}
	for (i = 0; i < NR_COLUMNS; i++)
		if (t->at[i] >= 0)
			t->sum[i] += value[t->at[i]];
	t->lines++;
}

static int read_tables(const char *path, struct tables *t, struct error *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	if (!file)
		return error_errno(err, EXIT_USAGE, "cannot read %s", path);
	while (!ret && getline(&line, &size, file) >= 0) {
		char *words[MAX_COLUMNS];
		int nr = split(line, words);

		if (is_heading(words, nr))
			ret = begin_table(t, words, nr);
		else if (t->nr)
			add_line(&t->table[t->nr - 1], words, nr);
	}
	if (ret)
		error_set(err, EXIT_USAGE, "out of memory");
	else if (ferror(file))
		ret = error_errno(err, EXIT_USAGE, "cannot read %s", path);
	free(line);
	fclose(file);
	return ret;
}

static int give(struct diff_side *side, const struct table *t, const char *path,
		struct error *err)
{
	size_t i;

	if (!t->lines)
		return error_set(err, EXIT_USAGE,
				 "%s: no line of numbers under vmstat's"
				 " headings",
				 path);
	side->vmstat = json_object();
	for (i = 0; i < NR_COLUMNS; i++)
		if (t->at[i] >= 0 &&
		    json_object_set_new(
			    side->vmstat, columns[i].name,
			    json_real(t->sum[i] / (double)t->lines)))
			return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

/* vmstat repeats its headings: all tables of a file are one. */
static void join(struct tables *t)
{
	size_t i, k;

	for (i = 1; i < t->nr; i++) {
		if (memcmp(t->table[0].at, t->table[i].at,
			   sizeof(t->table[0].at)) != 0)
			continue;
		t->table[0].lines += t->table[i].lines;
		for (k = 0; k < NR_COLUMNS; k++)
			t->table[0].sum[k] += t->table[i].sum[k];
	}
}

static int one_file(struct diff *d, const char *path, struct error *err)
{
	struct tables t = { 0 };
	int ret = read_tables(path, &t, err);
	size_t i;

	if (!ret && t.nr != d->nr_sides)
		ret = error_set(
			err, EXIT_USAGE,
			"%s: %zu tables of vmstat for %zu sides; give"
			" one a side, or a file each: --vmstat BASE,NEW",
			path, t.nr, d->nr_sides);
	for (i = 0; i < d->nr_sides && !ret; i++)
		ret = give(&d->side[i], &t.table[i], path, err);
	free(t.table);
	return ret;
}

static int file_of_side(struct diff_side *side, const char *path,
			struct error *err)
{
	struct tables t = { 0 };
	int ret = read_tables(path, &t, err);

	if (!ret && !t.nr)
		ret = error_set(err, EXIT_USAGE,
				"%s: no headings of vmstat (… in cs us sy id"
				" …)",
				path);
	if (!ret) {
		join(&t);
		ret = give(side, &t.table[0], path, err);
	}
	free(t.table);
	return ret;
}

int diff_vmstat_read(struct diff *d, const char *paths, struct error *err)
{
	char *list, *path, *rest;
	size_t i = 0;
	int ret = 0;

	if (!strchr(paths, ','))
		return one_file(d, paths, err);
	list = strdup(paths);
	if (!list)
		return error_set(err, EXIT_USAGE, "out of memory");
	for (path = strtok_r(list, ",", &rest); path && !ret;
	     path = strtok_r(NULL, ",", &rest), i++)
		ret = i < d->nr_sides ?
			      file_of_side(&d->side[i], path, err) :
			      error_set(err, EXIT_USAGE,
					"--vmstat: more files than sides");
	if (!ret && i < d->nr_sides)
		ret = error_set(err, EXIT_USAGE,
				"--vmstat: %zu files for %zu sides", i,
				d->nr_sides);
	free(list);
	return ret;
}

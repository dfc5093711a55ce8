// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of workloads: what is taken, what is refused and in which words,
 * and what every workload's table must hold to.
 */
#include "tests/tap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/options.h"

struct values {
	double seconds;
	unsigned long number, size;
	unsigned int choice;
	bool flag;
	const char *text, *other_text;
	unsigned long computed;
};

static const char *const choices[] = { "red", "green", NULL };

static const struct workload_option keys[] = {
	WORKLOAD_OPTION_SECONDS(struct values, seconds, "1.5"),
	{ "number", WORKLOAD_UINT, offsetof(struct values, number), "7", 2, 900,
	  NULL, "a number" },
	{ "size", WORKLOAD_SIZE, offsetof(struct values, size), "2k", 1,
	  1 << 20, NULL, "a size" },
	{ "choice", WORKLOAD_CHOICE, offsetof(struct values, choice), "green",
	  0, 0, choices, "a choice" },
	{ "flag", WORKLOAD_FLAG, offsetof(struct values, flag), "0", 0, 0, NULL,
	  "a flag" },
	{ "text", WORKLOAD_STRING, offsetof(struct values, text), "abc", 0, 0,
	  NULL, "a text" },
	{ "other_text", WORKLOAD_STRING, offsetof(struct values, other_text),
	  NULL, 0, 0, NULL, "a text without a default" },
	{ "computed", WORKLOAD_UINT, offsetof(struct values, computed), NULL, 1,
	  1000, NULL, "a number that comes from elsewhere" },
	{ 0 },
};

static void defaults(void *values)
{
	((struct values *)values)->computed = 42;
}

static const struct workload sample = {
	.name = "sample",
	.options = keys,
	.options_size = sizeof(struct values),
	.defaults = defaults,
};

/* Words in one string, separated by blanks; an error when @err is set. */
static struct workload_options *parse(const char *text, struct error *err)
{
	struct workload_options *options = NULL;
	char *copy = strdup(text);
	char *words[16], *save = NULL, *word;
	size_t nr = 0;

	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		words[nr++] = word;
	if (workload_parse_options(&sample, words, nr, &options, err) &&
	    (options || err->code == EXIT_OK))
		tap_bail("a failure that leaves options or no error");
	free(copy);
	return options;
}

static void check_values(const char *text, struct values want)
{
	struct error err = { 0 };
	struct workload_options *options = parse(text, &err);
	const struct values *v;

	if (!tap_ok(options != NULL, "'%s' is taken", text)) {
		tap_diag("%s", err.text);
		return;
	}
	v = options->values;
	tap_is_near(v->seconds, want.seconds, 1e-9, "'%s': seconds", text);
	tap_is_near(workload_options_seconds(options), want.seconds, 1e-9,
		    "'%s': seconds as the harness reads them", text);
	tap_is_u64(v->number, want.number, "'%s': number", text);
	tap_is_u64(v->size, want.size, "'%s': size", text);
	tap_is_u64(v->choice, want.choice, "'%s': choice", text);
	tap_is_u64(v->flag, want.flag, "'%s': flag", text);
	tap_is_str(v->text, want.text, "'%s': text", text);
	tap_is_str(v->other_text, want.other_text, "'%s': other text", text);
	tap_is_u64(v->computed, want.computed, "'%s': computed", text);
	workload_free_options(options);
}

static void check_refused(const char *text, const char *part)
{
	struct error err = { 0 };
	struct workload_options *options = parse(text, &err);

	if (tap_ok(!options && strstr(err.text, part) && err.code == EXIT_USAGE,
		   "'%s' is refused: ...%s...", text, part))
		return;
	tap_diag("got '%s'", err.text);
	workload_free_options(options);
}

static void check_accepted_and_refused(void)
{
	check_values("", (struct values){ 1.5, 7, 2048, 1, false, "abc", NULL,
					  42 });
	check_values("seconds=0.01 number=2 size=1 choice=red flag=1 text=x"
		     " other_text=a=b computed=1",
		     (struct values){ 0.01, 2, 1, 0, true, "x", "a=b", 1 });
	check_values("seconds=86400 number=900 size=1M flag computed=1000",
		     (struct values){ 86400, 900, 1 << 20, 1, true, "abc", NULL,
				      1000 });
	check_refused("nmber=3",
		      "no option 'nmber'; there are: seconds, number,"
		      " size, choice, flag, text, other_text,"
		      " computed");
	check_refused("num=3", "no option 'num'");
	check_refused("=3", "no option ''");
	check_refused("number=1", "a number from 2 to 900, not '1'");
	check_refused("number=901", "not '901'");
	check_refused("number=", "not ''");
	check_refused("number", "not ''");
	check_refused("number=-3", "not '-3'");
	check_refused("number=3k", "not '3k'");
	check_refused("number=3x", "not '3x'");
	check_refused("number=0x10", "not '0x10'");
	check_refused("number=18446744073709551619", "from 2 to 900");
	check_refused("size=0", "a size from 1 to 1M, not '0'");
	check_refused("size=2M", "from 1 to 1M");
	check_refused("size=99999999999G", "from 1 to 1M");
	check_refused("seconds=0", "seconds from 0.01 to 86400, not '0'");
	check_refused("seconds=nan", "not 'nan'");
	check_refused("seconds=inf", "not 'inf'");
	check_refused("seconds=1e1", "not '1e1'");
	check_refused("seconds=1.2.3", "not '1.2.3'");
	check_refused("seconds=.", "not '.'");
	check_refused("choice=blue", "one of red, green, not 'blue'");
	check_refused("flag=yes", "0 or 1, not 'yes'");
	check_refused("text=", "text takes a text");
	check_refused("number=3 number=3", "number is given twice");
	check_refused("number=3 bad=1", "no option 'bad'");
}

/* The words that the harness passes on mean the same again. */
static void check_words(void)
{
	struct error err = { 0 };
	struct workload_options *options, *again = NULL;
	char **words;
	size_t nr = 0;
	json_t *a, *b;

	options = parse("seconds=12345.0625 size=3k flag text=a,=b", &err);
	words = workload_option_words(options);
	while (words[nr])
		nr++;
	tap_ok(!workload_parse_options(&sample, words, nr, &again, &err),
	       "its own words are taken");
	a = workload_options_json(options);
	b = again ? workload_options_json(again) : NULL;
	tap_ok(a && json_equal(a, b), "they mean the same");
	tap_is_near(json_real_value(json_object_get(a, "seconds")), 12345.0625,
		    0, "JSON has seconds");
	tap_is_i64(json_integer_value(json_object_get(a, "size")), 3072,
		   "JSON has a size in bytes");
	tap_is_str(json_string_value(json_object_get(a, "choice")), "green",
		   "JSON has the name of a choice");
	tap_ok(json_is_true(json_object_get(a, "flag")), "JSON has a flag");
	tap_ok(json_is_null(json_object_get(a, "other_text")),
	       "JSON has null for a text without a default");
	json_decref(a);
	json_decref(b);
	workload_free_words(words);
	workload_free_options(options);
	workload_free_options(again);
}

/* A path is any bytes; JSON is UTF-8. */
static void check_bytes(void)
{
	struct error err = { 0 };
	struct workload_options *options = parse("text=a\xff\x80z", &err);
	json_t *json = workload_options_json(options);

	tap_is_str(((struct values *)options->values)->text, "a\xff\x80z",
		   "a text keeps all its bytes");
	tap_is_str(json_string_value(json_object_get(json, "text")), "a??z",
		   "in JSON they are replaced");
	json_decref(json);
	workload_free_options(options);
}

static bool is_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!islower((unsigned char)name[i]) && name[i] != '-' &&
		    name[i] != '_')
			return false;
	return i > 0;
}

static void check_table(const struct workload *w)
{
	const struct workload_option *o;
	bool seconds = false;

	for (o = w->options; o->key; o++) {
		seconds |= !strcmp(o->key, "seconds") &&
			   o->type == WORKLOAD_SECONDS;
		tap_ok(is_name(o->key) && o->help && *o->help &&
			       !strchr(o->help, '\n') &&
			       o->offset < w->options_size,
		       "%s: %s has a name, help and a place", w->name, o->key);
		tap_ok(o->type == WORKLOAD_STRING || o->choices ||
			       o->type == WORKLOAD_FLAG || o->max > o->min,
		       "%s: %s has a range", w->name, o->key);
	}
	tap_ok(seconds, "%s: takes seconds", w->name);
}

static void check_workload(const struct workload *w)
{
	struct workload_options *options;
	struct error err = { 0 };
	char **words;
	size_t nr = 0;

	tap_ok(is_name(w->name) && w->summary && w->unit && w->units && w->run,
	       "%s: is described", w->name);
	tap_ok(workload_find(w->name, &err) == w, "%s: is found", w->name);
	check_table(w);
	if (!tap_ok(!workload_parse_options(w, NULL, 0, &options, &err),
		    "%s: its defaults are taken", w->name))
		return;
	/* Computed defaults must be in range too. */
	words = workload_option_words(options);
	while (words[nr])
		nr++;
	workload_free_options(options);
	tap_ok(!workload_parse_options(w, words, nr, &options, &err),
	       "%s: its defaults can be written down", w->name);
	workload_free_options(options);
	workload_free_words(words);
}

int main(void)
{
	const struct workload *w;
	struct error err = { 0 };
	size_t i;

	check_accepted_and_refused();
	check_words();
	check_bytes();
	for (i = 0; (w = workload_at(i)); i++) {
		check_workload(w);
	}
	tap_ok(i >= 3, "there are workloads");
	tap_ok(!workload_find("exi", &err) && err.code == EXIT_USAGE &&
		       strstr(err.text, "no workload 'exi'") &&
		       strstr(err.text, "exim, fork-exit, cgroup-migrate"),
	       "an unknown workload's error lists those that exist");
	return tap_done();
}

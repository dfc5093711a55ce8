// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/options.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

static size_t nr_options(const struct workload *workload)
{
	size_t nr = 0;

	while (workload->options[nr].key)
		nr++;
	return nr;
}

static const struct workload_option *find(const struct workload *workload,
					  const char *key, size_t length)
{
	const struct workload_option *o;

	for (o = workload->options; o->key; o++)
		if (strlen(o->key) == length && !strncmp(o->key, key, length))
			return o;
	return NULL;
}

static int unknown_key(const struct workload *workload, const char *word,
		       size_t length, struct error *err)
{
	const struct workload_option *o;
	char keys[512] = "";
	size_t used = 0;

	for (o = workload->options; o->key; o++) {
		used += (size_t)snprintf(keys + used, sizeof(keys) - used,
					 "%s%s", used ? ", " : "", o->key);
		if (used >= sizeof(keys))
			used = sizeof(keys) - 1;
	}
	return error_set(err, EXIT_USAGE, "%s: no option '%.*s'; there are: %s",
			 workload->name, (int)length, word, keys);
}

static int parse_uint(const struct workload_option *o, const char *text,
		      unsigned long *value)
{
	size_t digits = strspn(text, "0123456789");

	if (o->type == WORKLOAD_UINT && text[digits])
		return -1;
	if (command_parse_size(text, value))
		return -1;
	return (double)*value >= o->min && (double)*value <= o->max ? 0 : -1;
}

static int parse_seconds(const struct workload_option *o, const char *text,
			 double *value)
{
	char *end;

	/* strtod() alone would take "inf", "nan", hexadecimal and blanks. */
	if (!*text || text[strspn(text, "0123456789.")])
		return -1;
	*value = strtod(text, &end);
	return !*end && *value >= o->min && *value <= o->max ? 0 : -1;
}

static int parse_choice(const struct workload_option *o, const char *text,
			unsigned int *value)
{
	unsigned int i;

	for (i = 0; o->choices[i]; i++) {
		if (strcmp(o->choices[i], text))
			continue;
		*value = i;
		return 0;
	}
	return -1;
}

static int parse_value(const struct workload_option *o, const char *text,
		       struct workload_options *options)
{
	void *target = (char *)options->values + o->offset;

	switch (o->type) {
	case WORKLOAD_UINT:
	case WORKLOAD_SIZE:
		return parse_uint(o, text, target);
	case WORKLOAD_SECONDS:
		return parse_seconds(o, text, target);
	case WORKLOAD_CHOICE:
		return parse_choice(o, text, target);
	case WORKLOAD_FLAG:
		if (strcmp(text, "0") && strcmp(text, "1"))
			return -1;
		*(bool *)target = *text == '1';
		return 0;
	case WORKLOAD_STRING:
		break;
	}
	if (!*text)
		return -1;
	options->strings[options->nr_strings] = strdup(text);
	if (!options->strings[options->nr_strings])
		return -1;
	*(const char **)target = options->strings[options->nr_strings++];
	return 0;
}

static int set_option(struct workload_options *options,
		      const struct workload_option *o, const char *text,
		      struct error *err)
{
	char range[256];

	if (!parse_value(o, text, options))
		return 0;
	workload_option_range(o, range, sizeof(range));
	return error_set(err, EXIT_USAGE, "%s: %s takes %s, not '%s'",
			 options->workload->name, o->key, range, text);
}

static int set_defaults(struct workload_options *options, struct error *err)
{
	const struct workload_option *o;

	for (o = options->workload->options; o->key; o++)
		if (o->fallback && set_option(options, o, o->fallback, err))
			return -1;
	if (options->workload->defaults)
		options->workload->defaults(options->values);
	return 0;
}

static int parse_word(struct workload_options *options, const char *word,
		      bool *seen, struct error *err)
{
	const struct workload *workload = options->workload;
	size_t length = strcspn(word, "=");
	const struct workload_option *o = find(workload, word, length);
	const char *text;

	if (!o)
		return unknown_key(workload, word, length, err);
	if (seen[o - workload->options])
		return error_set(err, EXIT_USAGE, "%s: %s is given twice",
				 workload->name, o->key);
	seen[o - workload->options] = true;
	text = word[length] ? word + length + 1 : "";
	if (!word[length] && o->type == WORKLOAD_FLAG)
		text = "1";
	return set_option(options, o, text, err);
}

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

int workload_parse_options(const struct workload *workload, char *const words[],
			   size_t nr, struct workload_options **result,
			   struct error *err)
{
	size_t keys = nr_options(workload);
	struct workload_options *options = calloc(1, sizeof(*options));
	bool *seen = calloc(keys + 1, sizeof(*seen));
	int ret = -1;
	size_t i;

	*result = NULL;
	if (!options || !seen) {
		no_memory(err);
		goto out;
	}
	options->workload = workload;
	options->values = calloc(1, workload->options_size);
	/* A text option can be set twice: by its default and by the user. */
	options->strings = calloc(2 * keys + 1, sizeof(char *));
	if (!options->values || !options->strings) {
		no_memory(err);
		goto out;
	}
	ret = set_defaults(options, err);
	for (i = 0; i < nr && !ret; i++)
		ret = parse_word(options, words[i], seen, err);
out:
	free(seen);
	if (ret)
		workload_free_options(options);
	else
		*result = options;
	return ret;
}

void workload_free_options(struct workload_options *options)
{
	size_t i;

	if (!options)
		return;
	for (i = 0; i < options->nr_strings; i++)
		free(options->strings[i]);
	free(options->strings);
	free(options->values);
	free(options);
}

double workload_options_seconds(const struct workload_options *options)
{
	const struct workload_option *o;
	double seconds;

	o = find(options->workload, "seconds", strlen("seconds"));
	memcpy(&seconds, (char *)options->values + o->offset, sizeof(seconds));
	return seconds;
}

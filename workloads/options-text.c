// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of workloads, written: as words, as JSON, as help.
 */
#include "workloads/options.h"

#include <stdlib.h>

#include "workloads/channel.h"

/* "64k": how a user would write a size. */
static void format_size(char *buffer, size_t size, unsigned long value)
{
	const char *suffix = "GMk";
	unsigned int shift;

	for (shift = 30; shift; shift -= 10, suffix++)
		if (value && !(value & ((1UL << shift) - 1)))
			break;
	if (shift)
		snprintf(buffer, size, "%lu%c", value >> shift, *suffix);
	else
		snprintf(buffer, size, "%lu", value);
}

void workload_option_range(const struct workload_option *o, char *buffer,
			   size_t size)
{
	char low[32], high[32];
	size_t used = 0;
	size_t i;

	switch (o->type) {
	case WORKLOAD_UINT:
		snprintf(buffer, size, "a number from %.0f to %.0f", o->min,
			 o->max);
		break;
	case WORKLOAD_SIZE:
		format_size(low, sizeof(low), (unsigned long)o->min);
		format_size(high, sizeof(high), (unsigned long)o->max);
		snprintf(buffer, size, "a size from %s to %s", low, high);
		break;
	case WORKLOAD_SECONDS:
		snprintf(buffer, size, "seconds from %g to %g", o->min, o->max);
		break;
	case WORKLOAD_FLAG:
		snprintf(buffer, size, "0 or 1");
		break;
	case WORKLOAD_STRING:
		snprintf(buffer, size, "a text that is not empty");
		break;
	case WORKLOAD_CHOICE:
		used = (size_t)snprintf(buffer, size, "one of ");
		for (i = 0; o->choices[i] && used < size; i++)
			used += (size_t)snprintf(buffer + used, size - used,
						 "%s%s", i ? ", " : "",
						 o->choices[i]);
		break;
	}
}

static json_t *value_json(const struct workload_option *o, const void *value)
{
	switch (o->type) {
	case WORKLOAD_UINT:
	case WORKLOAD_SIZE:
		return json_integer(
			(json_int_t)(*(const unsigned long *)value));
	case WORKLOAD_SECONDS:
		return json_real(*(const double *)value);
	case WORKLOAD_FLAG:
		return json_boolean(*(const bool *)value);
	case WORKLOAD_CHOICE:
		return json_string(o->choices[*(const unsigned int *)value]);
	case WORKLOAD_STRING:
		if (!*(const char *const *)value)
			return json_null();
		return channel_text(*(const char *const *)value);
	}
	return NULL;
}

json_t *workload_options_json(const struct workload_options *options)
{
	json_t *object = json_object();
	const struct workload_option *o;

	if (!object)
		return NULL;
	for (o = options->workload->options; o->key; o++) {
		const void *value = (char *)options->values + o->offset;

		if (json_object_set_new(object, o->key, value_json(o, value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* The text that parses to the same value; returns NULL without one. */
static char *value_text(const struct workload_option *o, const void *value)
{
	char *text = NULL;
	int length = 0;

	switch (o->type) {
	case WORKLOAD_UINT:
	case WORKLOAD_SIZE:
		length = asprintf(&text, "%s=%lu", o->key,
				  *(const unsigned long *)value);
		break;
	case WORKLOAD_SECONDS:
		length = asprintf(&text, "%s=%.9g", o->key,
				  *(const double *)value);
		break;
	case WORKLOAD_FLAG:
		length = asprintf(&text, "%s=%d", o->key, *(const bool *)value);
		break;
	case WORKLOAD_CHOICE:
		length = asprintf(&text, "%s=%s", o->key,
				  o->choices[*(const unsigned int *)value]);
		break;
	case WORKLOAD_STRING:
		length = asprintf(&text, "%s=%s", o->key,
				  *(const char *const *)value);
		break;
	}
	return length < 0 ? NULL : text;
}

/* Only a text can be missing. */
static bool is_set(const struct workload_option *o, const void *value)
{
	return o->type != WORKLOAD_STRING || *(const char *const *)value;
}

char **workload_option_words(const struct workload_options *options)
{
	const struct workload_option *o;
	size_t nr = 0;
	char **words;

	for (o = options->workload->options; o->key; o++)
		nr++;
	words = calloc(nr + 1, sizeof(*words));
	if (!words)
		return NULL;
	nr = 0;
	for (o = options->workload->options; o->key; o++) {
		const void *value = (char *)options->values + o->offset;

		if (!is_set(o, value))
			continue;
		words[nr] = value_text(o, value);
		if (!words[nr++]) {
			workload_free_words(words);
			return NULL;
		}
	}
	return words;
}

void workload_free_words(char **words)
{
	size_t i;

	for (i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

void workload_describe(const struct workload *workload, FILE *out)
{
	struct workload_options *options;
	const struct workload_option *o;
	struct error unused = { 0 };
	char range[256];

	fprintf(out, "%s: %s\n", workload->name, workload->summary);
	if (workload_parse_options(workload, NULL, 0, &options, &unused))
		return;
	for (o = workload->options; o->key; o++) {
		const char *value = (char *)options->values + o->offset;
		char *text;

		text = is_set(o, value) ? value_text(o, value) : NULL;
		workload_option_range(o, range, sizeof(range));
		fprintf(out, "  %-17s %s\n", text ? text : o->key, o->help);
		fprintf(out, "  %-17s %s\n", "", range);
		free(text);
	}
	workload_free_options(options);
}

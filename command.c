// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct command_option *find_option(const struct command *cmd,
						char letter, const char *name,
						size_t length)
{
	const struct command_option *o;

	for (o = cmd->options; o && o->name; o++) {
		if (letter && o->letter == letter)
			return o;
		if (name && strlen(o->name) == length &&
		    !strncmp(o->name, name, length))
			return o;
	}
	return NULL;
}

int command_parse_size(const char *text, unsigned long *value)
{
	unsigned long shift = 0;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -1;
	errno = 0;
	*value = strtoul(text, &end, 10);
	if (errno)
		return -1;
	if (*end && strchr("kKmMgG", *end)) {
		shift = strchr("kK", *end) ? 10 : strchr("mM", *end) ? 20 : 30;
		end++;
	}
	if (*end || (*value << shift) >> shift != *value)
		return -1;
	*value <<= shift;
	return 0;
}

static int set_value(const struct command *cmd, const struct command_option *o,
		     const char *text, void *values, struct error *err)
{
	void *target = (char *)values + o->offset;
	struct option_list *list = target;

	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)target = true;
		return 0;
	case OPTION_STRING:
		*(const char **)target = text;
		return 0;
	case OPTION_UINT:
		if (command_parse_size(text, target))
			return error_set(err, EXIT_USAGE,
					 "%s: --%s takes a number, not '%s'",
					 cmd->name, o->name, text);
		return 0;
	case OPTION_LIST:
		if (list->nr == sizeof(list->item) / sizeof(list->item[0]))
			return error_set(err, EXIT_USAGE,
					 "%s: --%s was given too often",
					 cmd->name, o->name);
		list->item[list->nr++] = text;
		return 0;
	}
	return -1;
}

/* One word that starts with a dash; returns how many words it took. */
static int parse_word(const struct command *cmd, int left, char **word,
		      void *values, struct error *err)
{
	const char *text = word[0];
	bool is_long = text[1] == '-';
	const char *name = text + 2;
	const char *value = NULL;
	const struct command_option *o;
	size_t length;

	length = is_long ? strcspn(name, "=") : 0;
	o = find_option(cmd, is_long ? 0 : text[1], is_long ? name : NULL,
			length);
	if (!o)
		return error_set(err, EXIT_USAGE,
				 "%s: no option '%s'; 'rwsemlab %s -h' lists"
				 " them",
				 cmd->name, text, cmd->name);
	if (is_long && name[length] == '=')
		value = name + length + 1;
	else if (!is_long && text[2])
		value = text + 2;
	if (!o->argument) {
		if (value)
			return error_set(err, EXIT_USAGE,
					 "%s: --%s takes no value ('%s')",
					 cmd->name, o->name, text);
		return set_value(cmd, o, NULL, values, err) ? -1 : 1;
	}
	if (value)
		return set_value(cmd, o, value, values, err) ? -1 : 1;
	if (left < 2)
		return error_set(err, EXIT_USAGE, "%s: --%s needs a value: %s",
				 cmd->name, o->name, o->argument);
	return set_value(cmd, o, word[1], values, err) ? -1 : 2;
}

int command_parse(const struct command *cmd, int argc, char **argv,
		  void *values, struct error *err)
{
	bool only_words = false;
	int nr = 0;
	int i = 1;

	while (i < argc) {
		int took;

		if (!only_words && !strcmp(argv[i], "--")) {
			only_words = true;
			i++;
			continue;
		}
		if (only_words || argv[i][0] != '-' || !argv[i][1]) {
			argv[++nr] = argv[i++];
			continue;
		}
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			command_help(cmd, stdout);
			return COMMAND_HELPED;
		}
		took = parse_word(cmd, argc - i, argv + i, values, err);
		if (took < 0)
			return -1;
		i += took;
	}
	return nr;
}

void command_help(const struct command *cmd, FILE *out)
{
	const struct command_option *o;
	char left[64];

	fprintf(out, "usage: rwsemlab %s %s\n\n%s\n", cmd->name, cmd->usage,
		cmd->summary);
	fputs("\noptions:\n", out);
	for (o = cmd->options; o && o->name; o++) {
		char letter[5] = "    ";

		if (o->letter)
			snprintf(letter, sizeof(letter), "-%c, ", o->letter);
		snprintf(left, sizeof(left), "%s--%s%s%s", letter, o->name,
			 o->argument ? " " : "",
			 o->argument ? o->argument : "");
		fprintf(out, "  %-26s %s\n", left, o->help);
	}
	fprintf(out, "  %-26s %s\n", "-h, --help", "print this help");
}

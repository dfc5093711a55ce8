/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command of the program is: a name, a table of options that also
 * prints its help, and a function.  A command's file ends in its
 * const struct command; rwsemlab.c lists them from commands.def.
 */
#ifndef RWSEMLAB_COMMAND_H
#define RWSEMLAB_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

enum option_type {
	OPTION_FLAG, /* bool */
	OPTION_STRING, /* const char *, points into argv */
	OPTION_UINT, /* unsigned long */
	OPTION_LIST, /* struct option_list: every use adds one */
};

struct option_list {
	const char *item[32];
	size_t nr;
};

/*
 * One option.  @offset is where its value goes in the command's own struct,
 * whose first contents are the defaults.
 */
struct command_option {
	char letter; /* 0: long form only */
	const char *name; /* without the dashes */
	const char *argument; /* as help prints it, NULL for a flag */
	enum option_type type;
	size_t offset;
	const char *help; /* one line */
};

struct command {
	const char *name;
	const char *summary; /* one line; NULL: not for people, not listed */
	const char *usage; /* what follows the name: "[-o FILE] PATH" */
	const struct command_option *options; /* ends in one without name */
	/*
	 * argv[0] is the command's name.  Returns an exit code, or -1 for
	 * that of err; what went wrong goes to err, which the program prints.
	 */
	int (*run)(const struct command *self, int argc, char **argv,
		   struct error *err);
};

/**
 * command_parse() - read a command's options
 * @cmd:    the command
 * @argc:   number of words, the command's name included
 * @argv:   the words; strings that are kept point into them
 * @values: the struct that the table's offsets are in, defaults already set
 * @err:    unknown option, missing or wrong value
 *
 * Options and words may come in any order; the words are moved to the front,
 * argv[1] on, in their order.  After "--" everything is a word, so that a
 * child's own options are left alone.  "-h" and "--help" print the help on
 * stdout.
 *
 * Return: the number of words; -1 with @err set; COMMAND_HELPED when help was
 * printed and the command should return 0.
 */
int command_parse(const struct command *cmd, int argc, char **argv,
		  void *values, struct error *err);
#define COMMAND_HELPED (-2)

/**
 * command_help() - print a command's help, made from its table
 */
void command_help(const struct command *cmd, FILE *out);

/**
 * command_parse_size() - "64", "64k", "2M", "1G" to a number
 *
 * Return: 0, or -1 where @text is no such number.
 */
int command_parse_size(const char *text, unsigned long *value);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program: global options, the list of commands, exit codes.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *out)
{
	size_t i;

	fputs("usage: rwsemlab COMMAND [OPTION...] [ARGUMENT...]\n"
	      "       rwsemlab -h | --help | --version\n\n"
	      "Explains why sleeping locks send tasks to sleep.\n\n"
	      "commands:\n",
	      out);
	for (i = 0; i < NR_COMMANDS; i++)
		if (commands[i]->summary)
			fprintf(out, "  %-10s %s\n", commands[i]->name,
				commands[i]->summary);
	fputs("\n'rwsemlab COMMAND -h' prints a command's options.\n\n"
	      "exit codes: 0 fine; 1 a check failed; 2 usage or I/O;\n"
	      "            3 impossible here; 4 results that can't be trusted"
	      " (lost events)\n",
	      out);
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* A full disk or a closed pipe must not look like success. */
static int flush_stdout(int code, struct error *err)
{
	if (!error_flush(stdout))
		return code;
	if (errno == EPIPE)
		return code;
	error_errno(err, EXIT_USAGE, "cannot write to standard output");
	return code == EXIT_OK ? EXIT_USAGE : code;
}

static int run_command(const struct command *cmd, int argc, char **argv)
{
	struct error err = { 0 };
	int code = cmd->run(cmd, argc, argv, &err);

	code = flush_stdout(code, &err);
	if (err.code != EXIT_OK) {
		fprintf(stderr, "rwsemlab: %s\n", err.text);
		if (code <= EXIT_OK)
			code = err.code;
	}
	return code;
}

int main(int argc, char **argv)
{
	const struct command *cmd;

	/* A reader that went away (| head) ends writes with EPIPE instead. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		print_help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("rwsemlab " PACKAGE_VERSION);
		return EXIT_OK;
	}
	cmd = find_command(argv[1]);
	if (!cmd) {
		fprintf(stderr,
			"rwsemlab: no command '%s'; 'rwsemlab --help' lists"
			" them\n",
			argv[1]);
		return EXIT_USAGE;
	}
	return run_command(cmd, argc - 1, argv + 1);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From paths to a printed comparison: what `diff` and `session --vary` have in
 * common, options included.
 */
#ifndef RWSEMLAB_ANALYZE_DIFF_SHOW_H
#define RWSEMLAB_ANALYZE_DIFF_SHOW_H

#include "analyze/output.h"
#include "command.h"

struct diff_show_options {
	const char *format; /* NULL: "text" */
	const char *output; /* a file; NULL: standard output */
	const char *per; /* NULL: the best there is; "work" … */
	const char *vmstat; /* files of vmstat lines, or NULL */
	const char *sites; /* a file of rules, or NULL */
	const char *kallsyms, *vmlinux; /* files, or NULL */
	const char *tree, *value, *percent_limit; /* of trees */
	struct option_list fail_if;
	unsigned long top; /* rows of each table, 0: all */
	bool aa;
	bool allow_lost;
};

#define DIFF_SHOW_OPTIONS_DEFAULT \
	{                         \
		.top = 30         \
	}

/**
 * diff_show_check() - find errors in the options before anything is read
 *
 * Return: 0, or -1 with @err set.
 */
int diff_show_check(const struct diff_show_options *options, struct error *err);

/**
 * diff_show() - read, compare and print
 * @words: what diff_plan() takes
 * @out: what output_open() made of options.output; stays the caller's
 *
 * Return: an exit code: EXIT_OK; EXIT_CHECK_FAILED with @err set where a
 * threshold is passed; EXIT_UNTRUSTED with @err set where events were lost;
 * others with @err set and nothing printed.
 */
int diff_show(char *const *words, size_t nr,
	      const struct diff_show_options *options, const struct output *out,
	      struct error *err);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* rwsemlab diff: put recordings beside each other. */
#include <stdlib.h>

#include "analyze/diff-show.h"
#include "analyze/show.h"

#define STRING(letter, name, argument, member, help)                     \
	{                                                                \
		letter, name, argument, OPTION_STRING,                   \
			offsetof(struct diff_show_options, member), help \
	}

static const struct command_option options[] = {
	STRING('o', "output", "FILE", output,
	       "write to this file instead of standard output"),
	STRING(0, "format", "FORMAT", format,
	       "how to print: text, markdown, tree, json, csv or html"),
	STRING(0, "per", "WHAT", per,
	       "what counts are per: work, second, or all sleeps"),
	{ 0, "aa", NULL, OPTION_FLAG, offsetof(struct diff_show_options, aa),
	  "compare two halves of one side: the noise floor" },
	{ 0, "fail-if", "EXPRESSION", OPTION_LIST,
	  offsetof(struct diff_show_options, fail_if),
	  "exit code 1 if so: 'sleeps_per_work > 1.05', of new/base" },
	STRING(0, "vmstat", "FILES", vmstat,
	       "lines of vmstat(8) to compare, too: BASE,NEW"),
	{ 0, "top", "N", OPTION_UINT, offsetof(struct diff_show_options, top),
	  "rows of each table (30); 0: all" },
	STRING('g', "tree", "ORDER", tree,
	       "order of --format tree: by caller or callee"),
	STRING(0, "value", "VALUE", value,
	       "what trees count: sleeps, off_cpu_ns or wait_ns"),
	STRING(0, "percent-limit", "N", percent_limit,
	       "sum up branches of trees below this (0.5)"),
	STRING(0, "sites", "FILE", sites,
	       "more site rules, as 'rwsemlab list sites' prints them"),
	STRING(0, "kallsyms", "FILE", kallsyms,
	       "name kernel addresses by this copy of /proc/kallsyms"),
	STRING(0, "vmlinux", "FILE", vmlinux,
	       "name kernel addresses by this kernel image"),
	{ 0, "allow-lost", NULL, OPTION_FLAG,
	  offsetof(struct diff_show_options, allow_lost),
	  "keep runs that lost events" },
	{ 0 },
};

static int run_diff(const struct command *self, int argc, char **argv,
		    struct error *err)
{
	struct diff_show_options values = DIFF_SHOW_OPTIONS_DEFAULT;
	struct output out;
	int words = command_parse(self, argc, argv, &values, err);
	int code;

	if (words == COMMAND_HELPED)
		return EXIT_OK;
	if (words < 0 || diff_show_check(&values, err) ||
	    output_open(&out, values.output, err))
		return err->code;
	code = diff_show(argv + 1, (size_t)words, &values, &out, err);
	if (output_close(&out, show_is_printed(code), err))
		return err->code;
	return code;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare sessions or recordings, site by site",
	.usage = "[OPTION...] BASE NEW [MORE...]",
	.options = options,
	.run = run_diff,
};

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-show.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/diff-fail-if.h"
#include "analyze/diff-report.h"
#include "analyze/diff-vmstat.h"

static int parse_per(const char *text, enum diff_per *per, struct error *err)
{
	static const char *const names[] = {
		[DIFF_PER_WORK] = "work",
		[DIFF_PER_SECOND] = "second",
		[DIFF_PER_ALL] = "all",
	};
	unsigned int i;

	*per = DIFF_PER_BEST;
	if (!text)
		return 0;
	for (i = DIFF_PER_WORK; i <= DIFF_PER_ALL; i++)
		if (!strcmp(names[i], text)) {
			*per = (enum diff_per)i;
			return 0;
		}
	return error_set(err, EXIT_USAGE,
			 "--per takes one of work, second, all, not '%s'",
			 text);
}

static int parse_tree(const struct diff_show_options *options,
		      struct diff_report_options *to, struct error *err)
{
	unsigned int weight;

	if (options->tree && !strcmp(options->tree, "callee"))
		to->order = TREE_CALLEE;
	else if (options->tree && strcmp(options->tree, "caller") != 0)
		return error_set(err, EXIT_USAGE,
				 "--tree takes one of caller, callee, not '%s'",
				 options->tree);
	for (weight = 0; options->value && weight < NR_WEIGHTS; weight++)
		if (!strcmp(options->value, weight_name((enum weight)weight)))
			break;
	if (weight == NR_WEIGHTS)
		return error_set(err, EXIT_USAGE,
				 "--value takes one of sleeps, off_cpu_ns,"
				 " wait_ns, not '%s'",
				 options->value);
	to->weight = options->value ? (enum weight)weight : WEIGHT_SLEEPS;
	return 0;
}

static int parse(const struct diff_show_options *options,
		 struct diff_report_options *to, enum diff_per *per,
		 struct error *err)
{
	char *end;

	to->top = (unsigned int)options->top;
	to->percent_limit = -1;
	if (options->percent_limit) {
		to->percent_limit = strtod(options->percent_limit, &end);
		if (end == options->percent_limit || *end ||
		    !(to->percent_limit >= 0 && to->percent_limit <= 100))
			return error_set(
				err, EXIT_USAGE,
				"--percent-limit takes 0 to 100, not '%s'",
				options->percent_limit);
	}
	if (parse_per(options->per, per, err))
		return -1;
	return parse_tree(options, to, err);
}

static const struct diff_report *
find_report(const struct diff_show_options *options, struct error *err)
{
	return diff_report_find(options->format ? options->format : "text",
				err);
}

int diff_show_check(const struct diff_show_options *options, struct error *err)
{
	struct diff_report_options to = { 0 };
	struct diff_threshold threshold;
	struct site_rules *rules;
	enum diff_per per;
	size_t i;

	if (!find_report(options, err) || parse(options, &to, &per, err))
		return -1;
	for (i = 0; i < options->fail_if.nr; i++)
		if (diff_threshold_parse(options->fail_if.item[i], &threshold,
					 err))
			return -1;
	rules = site_rules_new(options->sites, err);
	if (!rules)
		return -1;
	site_rules_free(rules);
	return 0;
}

/* Which sides hold too low counts, for the exit code. */
static int check_trust(const struct diff *d, struct error *err)
{
	size_t i;

	for (i = 0; i < d->nr_sides; i++)
		if (d->side[i].untrusted) {
			error_set(err, EXIT_UNTRUSTED,
				  "%s: events were lost: counts are too low;"
				  " record with a larger --buffer, or take it"
				  " as it is with --allow-lost",
				  d->side[i].name);
			return EXIT_UNTRUSTED;
		}
	return EXIT_OK;
}

static int check_thresholds(struct diff *d,
			    const struct diff_show_options *options,
			    const char **passed, struct error *err)
{
	size_t i;

	for (i = 0; i < options->fail_if.nr; i++) {
		int ret = diff_fail_if(d, options->fail_if.item[i], err);

		if (ret < 0)
			return -1;
		if (ret && !*passed)
			*passed = options->fail_if.item[i];
	}
	return 0;
}

static int run(struct diff *d, char *const *words, size_t nr,
	       const struct diff_show_options *options,
	       const struct output *out, struct error *err)
{
	struct diff_report_options to = { 0 };
	const struct diff_report *report = find_report(options, err);
	const char *passed = NULL;

	if (!report || parse(options, &to, &d->per, err) ||
	    diff_plan(d, words, nr, err) ||
	    (options->vmstat && diff_vmstat_read(d, options->vmstat, err)) ||
	    diff_compare(d, err) || check_thresholds(d, options, &passed, err))
		return err->code;
	output_terminal(out, &to.width, &to.colour);
	if (report->print(d, &to, out->file, err))
		return err->code;
	if (passed) {
		error_set(err, EXIT_CHECK_FAILED, "--fail-if '%s': it is so",
			  passed);
		return EXIT_CHECK_FAILED;
	}
	return check_trust(d, err);
}

int diff_show(char *const *words, size_t nr,
	      const struct diff_show_options *options, const struct output *out,
	      struct error *err)
{
	struct diff d = {
		.aa = options->aa,
		.reading = {
			.allow_lost = options->allow_lost,
			.symbols = { .kallsyms = options->kallsyms,
				     .vmlinux = options->vmlinux },
		},
	};
	struct site_rules *rules = site_rules_new(options->sites, err);
	int code;

	if (!rules)
		return err->code;
	d.reading.rules = rules;
	d.reading.notes = json_array();
	d.reading.warnings = json_array();
	if (d.reading.notes && d.reading.warnings)
		code = run(&d, words, nr, options, out, err);
	else
		code = error_set(err, EXIT_USAGE, "out of memory");
	diff_free(&d);
	site_rules_free(rules);
	return code < 0 ? (int)err->code : code;
}

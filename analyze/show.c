// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What an option's value may be, by the number it stands for. */
struct choice {
	const char *option;
	const char *names[9];
};

static const struct choice splits = {
	"by",
	{
		[SPLIT_COMM] = "comm",
		[SPLIT_TASK] = "task",
		[SPLIT_CPU] = "cpu",
		[SPLIT_NONE] = "site",
		[SPLIT_LOCK] = "lock",
		[SPLIT_CGROUP] = "cgroup",
		[SPLIT_STACK] = "stack",
		[SPLIT_WAKER] = "waker",
	},
};

static const struct choice orders = {
	"tree",
	{ [TREE_CALLER] = "caller", [TREE_CALLEE] = "callee" },
};

/* @number stays as it is where the option was not given. */
static int choose(const struct choice *choice, const char *value,
		  unsigned int *number, struct error *err)
{
	char list[128] = "";
	unsigned int i;

	if (!value)
		return 0;
	for (i = 0; i < sizeof(choice->names) / sizeof(choice->names[0]); i++) {
		size_t used = strlen(list);

		if (!choice->names[i])
			continue;
		if (!strcmp(value, choice->names[i])) {
			*number = i;
			return 0;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 used ? ", " : "", choice->names[i]);
	}
	return error_set(err, EXIT_USAGE, "--%s takes one of %s, not '%s'",
			 choice->option, list, value);
}

static int parse_percent(const char *text, double *percent, struct error *err)
{
	char *end;

	if (!text)
		return 0;
	*percent = strtod(text, &end);
	if (end == text || *end || !(*percent >= 0 && *percent <= 100))
		return error_set(err, EXIT_USAGE,
				 "--percent-limit takes 0 to 100, not '%s'",
				 text);
	return 0;
}

static int parse(const struct show_options *options, struct report_options *to,
		 struct error *err)
{
	struct choice weights = { .option = "value" };
	unsigned int order = TREE_CALLER, weight = WEIGHT_SLEEPS;

	for (weight = 0; weight < NR_WEIGHTS; weight++)
		weights.names[weight] = weight_name((enum weight)weight);
	weight = WEIGHT_SLEEPS;
	to->top = (unsigned int)options->top;
	to->percent_limit = -1;
	if (choose(&orders, options->tree, &order, err) ||
	    choose(&weights, options->value, &weight, err) ||
	    parse_percent(options->percent_limit, &to->percent_limit, err))
		return -1;
	to->tree = options->tree != NULL;
	to->order = (enum tree_order)order;
	to->weight = (enum weight)weight;
	return 0;
}

static const struct report *find_report(const struct show_options *options,
					struct error *err)
{
	return report_find(options->format ? options->format : "text", err);
}

int show_check(const struct show_options *options, enum split_by *split,
	       struct error *err)
{
	const struct report *report = find_report(options, err);
	struct report_options to = { 0 };
	struct site_rules *rules;
	unsigned int by;

	if (!report)
		return -1;
	by = report->split;
	if (choose(&splits, options->by, &by, err) || parse(options, &to, err))
		return -1;
	*split = (enum split_by)by;
	if (report->binary && !options->output && isatty(STDOUT_FILENO))
		return error_set(err, EXIT_USAGE,
				 "%s is not for a terminal: give -o FILE or"
				 " redirect the output",
				 report->format.name);
	if (!options->sites)
		return 0;
	rules = site_rules_new(options->sites, err);
	if (!rules)
		return -1;
	site_rules_free(rules);
	return 0;
}

static int print(struct profile *p, const struct show_options *options,
		 const struct site_rules *rules, const struct output *out,
		 struct report_input *in, struct error *err)
{
	const struct report *report = find_report(options, err);
	struct report_options to = { 0 };
	struct summary *summary = NULL;
	struct sites *sites;
	const char *missing;
	int ret = -1;

	if (!report || parse(options, &to, err))
		return -1;
	missing = weight_missing(p, to.weight);
	if (missing)
		return error_set(err, EXIT_IMPOSSIBLE, "--value %s: %s",
				 weight_name(to.weight), missing);
	sites = sites_new(p, rules);
	if (sites && options->suffixes)
		sites_show_suffixes(sites);
	if (sites)
		summary = summary_new(p, sites);
	if (summary) {
		output_terminal(out, &to.width, &to.colour);
		in->summary = summary;
		ret = report->print(in, &to, out->file, err);
	} else {
		error_set(err, EXIT_USAGE, "out of memory");
	}
	summary_free(summary);
	sites_free(sites);
	return ret;
}

static int check_losses(const struct profile *p,
			const struct show_options *options, struct error *err)
{
	uint64_t lost = p->losses.lost + p->losses.lost_samples;

	if (!lost || options->allow_lost)
		return EXIT_OK;
	error_set(err, EXIT_UNTRUSTED,
		  "%" PRIu64 " events were lost: counts are too low and some"
		  " waits are missing; record with a larger --buffer, or take"
		  " it as it is with --allow-lost",
		  lost);
	return EXIT_UNTRUSTED;
}

bool show_is_printed(int code)
{
	return code == EXIT_OK || code == EXIT_UNTRUSTED ||
	       code == EXIT_CHECK_FAILED;
}

int show(struct profile *p, const struct show_options *options,
	 const struct output *out, double work, const char *unit,
	 json_t *session, struct error *err)
{
	const struct symbol_options symbols = {
		.kallsyms = options->kallsyms,
		.vmlinux = options->vmlinux,
	};
	struct report_input in = {
		.work = work,
		.unit = unit,
		.session = session,
	};
	struct site_rules *rules;
	int ret;

	if (symbols_resolve(p, &symbols, err))
		return err->code;
	rules = site_rules_new(options->sites, err);
	if (!rules)
		return err->code;
	ret = print(p, options, rules, out, &in, err);
	site_rules_free(rules);
	if (ret)
		return err->code;
	return check_losses(p, options, err);
}

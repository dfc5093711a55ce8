// SPDX-License-Identifier: GPL-2.0-only
/* rwsemlab list: what is built in. */
#include <stdio.h>
#include <string.h>

#include "analyze/diff-report.h"
#include "analyze/report.h"
#include "command.h"
#include "lib/rwsemlab.h"
#include "workloads/workload.h"

struct list_values {
	const char *sites;
};

static const struct command_option options[] = {
	{ 0, "sites", "FILE", OPTION_STRING,
	  offsetof(struct list_values, sites),
	  "more site rules, listed before the built-in ones" },
	{ 0 },
};

static int list_workloads(const struct list_values *values, struct error *err)
{
	const struct workload *workload;
	size_t i;

	(void)values;
	(void)err;
	for (i = 0; (workload = workload_at(i)); i++) {
		const char *reason = NULL;

		workload_describe(workload, stdout);
		if (workload->supported && !workload->supported(&reason))
			printf("  not here: %s\n", reason);
	}
	return 0;
}

static int list_locks(const struct list_values *values, struct error *err)
{
	const struct rwsemlab_variant *variant;
	char name[64];
	size_t i;

	(void)values;
	(void)err;
	for (i = 0; (variant = rwsemlab_variant_at(i)); i++) {
		snprintf(name, sizeof(name), "%s%s%s", variant->family,
			 *variant->version ? "@" : "", variant->version);
		printf("%-22s %s\n", name, variant->summary);
		if (*variant->keys)
			printf("%-22s keys: %s\n", "", variant->keys);
		if (variant->missing)
			printf("%-22s not here: %s\n", "", variant->missing);
	}
	return 0;
}

static void print_formats(const struct format *(*at)(size_t i))
{
	const struct format *format;
	size_t i;

	for (i = 0; (format = at(i)); i++) {
		const char *missing = format->missing ? format->missing() :
							NULL;

		printf("%-10s %s\n", format->name, format->summary);
		if (missing)
			printf("%-10s not here: %s\n", "", missing);
	}
}

static int list_reports(const struct list_values *values, struct error *err)
{
	(void)values;
	(void)err;
	print_formats(report_format_at);
	return 0;
}

static int list_diffs(const struct list_values *values, struct error *err)
{
	(void)values;
	(void)err;
	print_formats(diff_report_format_at);
	return 0;
}

static void print_rule(const char *line, void *context)
{
	(void)context;
	puts(line);
}

static int list_sites(const struct list_values *values, struct error *err)
{
	struct site_rules *rules = site_rules_new(values->sites, err);

	if (!rules)
		return -1;
	site_rules_each(rules, print_rule, NULL);
	site_rules_free(rules);
	return 0;
}

static const struct {
	const char *name;
	int (*print)(const struct list_values *values, struct error *err);
} lists[] = {
	{ "workloads", list_workloads }, { "locks", list_locks },
	{ "reports", list_reports },	 { "diffs", list_diffs },
	{ "sites", list_sites },
};

#define NR_LISTS (sizeof(lists) / sizeof(lists[0]))

static int run_list(const struct command *self, int argc, char **argv,
		    struct error *err)
{
	struct list_values values = { 0 };
	int words = command_parse(self, argc, argv, &values, err);
	size_t i;

	if (words == COMMAND_HELPED)
		return EXIT_OK;
	if (words < 0)
		return err->code;
	for (i = 0; words == 1 && i < NR_LISTS; i++)
		if (!strcmp(lists[i].name, argv[1]))
			return lists[i].print(&values, err) ? (int)err->code :
							      EXIT_OK;
	error_set(err, EXIT_USAGE,
		  "list: one of workloads, locks, reports, diffs, sites, not"
		  " '%s'",
		  words ? argv[words] : "");
	return err->code;
}

const struct command command_list = {
	.name = "list",
	.summary = "print the workloads, locks, report formats or site rules",
	.usage = "[OPTION...] workloads|locks|reports|diffs|sites",
	.options = options,
	.run = run_list,
};

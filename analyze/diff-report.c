// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-report.h"

#include <string.h>

#define DIFF_REPORT(name) extern const struct diff_report diff_report_##name;
#include "analyze/diff-reports.def"
#undef DIFF_REPORT

static const struct diff_report *const reports[] = {
#define DIFF_REPORT(name) &diff_report_##name,
#include "analyze/diff-reports.def"
#undef DIFF_REPORT
};

#define NR_REPORTS (sizeof(reports) / sizeof(reports[0]))

const struct diff_report *diff_report_at(size_t i)
{
	return i < NR_REPORTS ? reports[i] : NULL;
}

static const struct diff_report *check_here(const struct diff_report *report,
					    struct error *err)
{
	const char *missing = report->missing ? report->missing() : NULL;

	if (!missing)
		return report;
	error_set(err, EXIT_IMPOSSIBLE, "no format '%s' here: %s", report->name,
		  missing);
	return NULL;
}

const struct diff_report *diff_report_find(const char *name, struct error *err)
{
	char list[256] = "";
	size_t i;

	for (i = 0; i < NR_REPORTS; i++) {
		size_t used = strlen(list);

		if (!strcmp(reports[i]->name, name))
			return check_here(reports[i], err);
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 used ? ", " : "", reports[i]->name);
	}
	error_set(err, EXIT_USAGE, "diff has no format '%s'; there are %s",
		  name, list);
	return NULL;
}

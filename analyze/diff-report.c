// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-report.h"

#define DIFF_REPORT(name) extern const struct diff_report diff_report_##name;
#include "analyze/diff-reports.def"
#undef DIFF_REPORT

static const struct format *const formats[] = {
#define DIFF_REPORT(name) &diff_report_##name.format,
#include "analyze/diff-reports.def"
#undef DIFF_REPORT
};

#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *diff_report_format_at(size_t i)
{
	return i < NR_FORMATS ? formats[i] : NULL;
}

const struct diff_report *diff_report_find(const char *name, struct error *err)
{
	return (const struct diff_report *)format_find(
		formats, NR_FORMATS, "diff has no format", name, err);
}

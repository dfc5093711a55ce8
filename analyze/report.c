// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/report.h"

#define REPORT(name) extern const struct report report_##name;
#include "analyze/reports.def"
#undef REPORT

static const struct format *const formats[] = {
#define REPORT(name) &report_##name.format,
#include "analyze/reports.def"
#undef REPORT
};

#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *report_format_at(size_t i)
{
	return i < NR_FORMATS ? formats[i] : NULL;
}

const struct report *report_find(const char *name, struct error *err)
{
	return (const struct report *)format_find(formats, NR_FORMATS,
						  "no format", name, err);
}

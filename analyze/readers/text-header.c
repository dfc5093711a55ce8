// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/text-header.h"

#include "analyze/readers/text-frames.h"

static void take_string(struct profile *p, struct text value, uint32_t *to)
{
	*to = text_string(p, value);
}

static void take_number(struct text value, uint32_t *to)
{
	uint64_t n;

	if (text_take_u64(&value, &n) && value.at == value.end &&
	    n <= UINT32_MAX)
		*to = (uint32_t)n;
}

static bool take_field(struct text *comment, const char *name)
{
	struct text rest = *comment;

	if (!text_take(&rest, name))
		return false;
	text_skip_blanks(&rest);
	if (!text_take(&rest, ":"))
		return false;
	*comment = text_trim(rest);
	return true;
}

void text_header(struct profile *p, struct text comment)
{
	if (!text_take(&comment, "#"))
		return;
	text_skip_blanks(&comment);
	if (take_field(&comment, "hostname"))
		take_string(p, comment, &p->hostname);
	else if (take_field(&comment, "os release"))
		take_string(p, comment, &p->os_release);
	else if (take_field(&comment, "perf version"))
		take_string(p, comment, &p->perf_version);
	else if (take_field(&comment, "arch"))
		take_string(p, comment, &p->arch);
	else if (take_field(&comment, "cpudesc"))
		take_string(p, comment, &p->cpu_model);
	else if (take_field(&comment, "cmdline"))
		take_string(p, comment, &p->cmdline);
	else if (take_field(&comment, "nrcpus online"))
		take_number(comment, &p->cpus_online);
	else if (take_field(&comment, "nrcpus avail"))
		take_number(comment, &p->cpus_available);
}

int text_set_unit(struct profile *p, enum profile_unit unit,
		  const struct input *in, struct error *err)
{
	if (p->switches && p->unit != unit)
		return error_set(err, EXIT_USAGE,
				 "%s: shares and counts can't be added; give "
				 "it alone",
				 in->name);
	p->unit = unit;
	return 0;
}

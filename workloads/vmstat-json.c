// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/vmstat.h"

#include <stdlib.h>

static json_t *line_json(const struct vmstat_line *line)
{
	return json_pack("{s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
			 "s:f}",
			 "seconds", line->seconds, "r", (json_int_t)line->r,
			 "b", (json_int_t)line->b, "in_per_s", line->in_per_s,
			 "cs_per_s", line->cs_per_s, "forks_per_s",
			 line->forks_per_s, "us_percent", line->us,
			 "sy_percent", line->sy, "id_percent", line->id,
			 "wa_percent", line->wa, "st_percent", line->st);
}

json_t *vmstat_json(const struct vmstat_run *run)
{
	const struct vmstat_line *t = &run->total;
	json_t *lines = json_array();
	size_t i;

	if (!lines)
		return NULL;
	for (i = 0; i < run->nr; i++)
		if (json_array_append_new(lines, line_json(&run->line[i])))
			goto fail;
	return json_pack(
		"{s:f, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
		"s:f, s:f, s:o}",
		"seconds", t->seconds, "interrupts",
		(json_int_t)run->interrupts, "context_switches",
		(json_int_t)run->switches, "forks", (json_int_t)run->forks,
		"in_per_s", t->in_per_s, "cs_per_s", t->cs_per_s, "forks_per_s",
		t->forks_per_s, "us_percent", t->us, "sy_percent", t->sy,
		"id_percent", t->id, "wa_percent", t->wa, "st_percent", t->st,
		"mean_r", run->mean_r, "mean_b", run->mean_b, "lines", lines);
fail:
	json_decref(lines);
	return NULL;
}

static int read_line(json_t *json, struct vmstat_line *line)
{
	json_int_t r, b;

	if (json_unpack(json,
			"{s:F, s:I, s:I, s:F, s:F, s:F, s:F, s:F, s:F, s:F, "
			"s:F}",
			"seconds", &line->seconds, "r", &r, "b", &b, "in_per_s",
			&line->in_per_s, "cs_per_s", &line->cs_per_s,
			"forks_per_s", &line->forks_per_s, "us_percent",
			&line->us, "sy_percent", &line->sy, "id_percent",
			&line->id, "wa_percent", &line->wa, "st_percent",
			&line->st) ||
	    r < 0 || b < 0)
		return -1;
	line->r = (uint64_t)r;
	line->b = (uint64_t)b;
	return 0;
}

static int read_lines(json_t *lines, struct vmstat_run *run)
{
	json_t *line;
	size_t i;

	if (!json_is_array(lines))
		return -1;
	run->line = calloc(json_array_size(lines) + 1, sizeof(*run->line));
	if (!run->line)
		return -1;
	run->nr = json_array_size(lines);
	json_array_foreach(lines, i, line)
		if (read_line(line, &run->line[i]))
			return -1;
	return 0;
}

int vmstat_from_json(const json_t *json, struct vmstat_run *run,
		     struct error *err)
{
	struct vmstat_line *t = &run->total;
	json_int_t in, cs, forks;
	json_error_t why;
	json_t *lines;

	*run = (struct vmstat_run){ 0 };
	/* json_unpack_ex() changes nothing, though it takes no const. */
	if (json_unpack_ex((json_t *)json, &why, 0,
			   "{s:F, s:I, s:I, s:I, s:F, s:F, s:F, s:F, s:F, "
			   "s:F, s:F, s:F, s:F, s:F, s:o}",
			   "seconds", &t->seconds, "interrupts", &in,
			   "context_switches", &cs, "forks", &forks, "in_per_s",
			   &t->in_per_s, "cs_per_s", &t->cs_per_s,
			   "forks_per_s", &t->forks_per_s, "us_percent", &t->us,
			   "sy_percent", &t->sy, "id_percent", &t->id,
			   "wa_percent", &t->wa, "st_percent", &t->st, "mean_r",
			   &run->mean_r, "mean_b", &run->mean_b, "lines",
			   &lines))
		return error_set(err, EXIT_USAGE, "result: vmstat: %s",
				 why.text);
	run->interrupts = (uint64_t)in;
	run->switches = (uint64_t)cs;
	run->forks = (uint64_t)forks;
	if (in >= 0 && cs >= 0 && forks >= 0 && !read_lines(lines, run))
		return 0;
	vmstat_free(run);
	return error_set(err, EXIT_USAGE, "result: vmstat: a wrong value");
}

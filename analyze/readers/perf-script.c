// SPDX-License-Identifier: GPL-2.0-only
/*
 * What `perf script` prints: a line for each sample, its call chain on the
 * lines behind it, and an empty line.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/input.h"
#include "analyze/readers/lines.h"
#include "analyze/readers/perf-report-text.h"
#include "analyze/readers/perf-script-sample.h"
#include "analyze/readers/text-header.h"

struct script {
	struct skipped no_sample, bad_fields;
	struct script_state state;
};

static void take_line(struct script *s, const struct line *line)
{
	struct text text = text_of(line->text, line->length);
	struct script_line l;

	if (!line->length) {
		script_end(&s->state);
		return;
	}
	if (*text.at == '\t') {
		if (!script_frame(&s->state, text))
			skip_line(&s->no_sample, line);
		return;
	}
	if (script_line_parse(text, &l)) {
		script_end(&s->state);
		if (!script_begin(&s->state, &l))
			skip_line(&s->bad_fields, line);
		return;
	}
	if (*text.at == '#')
		text_header(s->state.p, text);
	else if (*text.at != ' ' || !script_frame(&s->state, text))
		skip_line(&s->no_sample, line);
}

/* ----------------------------------------------------------------- reader */

/* Of "6.1.0": at least @major.@minor, or not known. */
static bool is_kernel_since(const struct profile *p, uint64_t major,
			    uint64_t minor)
{
	const char *release = profile_text(p, p->os_release);
	struct text t = text_of(release, strlen(release));
	uint64_t a, b;

	if (!text_take_u64(&t, &a) || !text_take(&t, ".") ||
	    !text_take_u64(&t, &b))
		return true;
	return a > major || (a == major && b >= minor);
}

static int read_samples(struct script *s, const struct input *in,
			struct lines *lines, struct error *err)
{
	struct line line;
	int got;

	s->state.since_4_14 = is_kernel_since(s->state.p, 4, 14);
	while ((got = lines_next(lines, &line)) > 0)
		take_line(s, &line);
	if (got < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot read",
				   in->name);
	script_end(&s->state);
	return 0;
}

static int finish(struct script *s, const struct input *in, struct error *err)
{
	struct profile *p = s->state.p;
	const struct skipped *bad = &s->no_sample;

	p->losses.malformed += s->no_sample.lines + s->bad_fields.lines;
	skipped_warn(&s->no_sample, p, in,
		     "neither a sample nor part of its call chain");
	skipped_warn(&s->bad_fields, p, in,
		     "the event's fields are not as perf script prints them");
	if (p->has_switches || p->has_contention ||
	    (p->events && !s->bad_fields.lines))
		return 0;
	if (s->bad_fields.lines)
		bad = &s->bad_fields;
	if (!bad->lines)
		return error_set(err, EXIT_USAGE,
				 "%s: perf script text without any sample",
				 in->name);
	return error_set(err, EXIT_USAGE,
			 "%s: line %llu: no usable sample; expected what perf "
			 "script prints, 'comm pid [cpu] time: "
			 "sched:sched_switch: prev_comm=... ==> next_comm=...'",
			 in->name, (unsigned long long)bad->first);
}

static int read_script(const struct input *in, struct profile *p,
		       struct lines *lines, struct error *err)
{
	struct script *s;
	int ret = -1;

	if (text_set_unit(p, UNIT_EVENTS, in, err))
		return -1;
	s = calloc(1, sizeof(*s));
	if (!s)
		goto out_of_memory;
	s->state.p = p;
	s->state.cache = chain_cache_new(p);
	s->state.account = account_new(p);
	if (!s->state.cache || !s->state.account)
		goto out_of_memory;
	ret = read_samples(s, in, lines, err);
	account_finish(s->state.account);
	s->state.account = NULL;
	if (!ret)
		ret = finish(s, in, err);
	goto out;

out_of_memory:
	profile_fail(p);
	error_set(err, EXIT_USAGE, "%s: out of memory", in->name);
out:
	if (s) {
		if (s->state.account)
			account_finish(s->state.account);
		chain_cache_free(s->state.cache);
	}
	free(s);
	return ret;
}

/* A header of perf's may be longer than what matches() could see. */
static int skip_header(const struct input *in, struct profile *p,
		       struct lines *lines, bool *is_report, struct error *err)
{
	struct line line;
	int got;

	*is_report = false;
	while ((got = lines_next(lines, &line)) > 0) {
		struct text text = text_of(line.text, line.length);

		if (report_text_begins(text)) {
			*is_report = true;
			break;
		}
		if (line.length && *text.at != '#')
			break;
		text_header(p, text);
	}
	if (got < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot read",
				   in->name);
	if (got > 0)
		lines_again(lines);
	return 0;
}

static int script_read(const struct input *in, struct profile *p,
		       struct error *err)
{
	struct lines *lines = lines_open(in);
	bool is_report;
	int ret;

	if (!lines) {
		profile_fail(p);
		return error_set(err, EXIT_USAGE, "%s: out of memory",
				 in->name);
	}
	ret = skip_header(in, p, lines, &is_report, err);
	if (!ret && is_report)
		ret = report_text_read(in, p, lines, err);
	else if (!ret)
		ret = read_script(in, p, lines, err);
	lines_close(lines);
	return ret;
}

static bool script_matches(const struct input *in)
{
	struct script_line l;
	struct line line;
	bool header = false, others = false;
	size_t at = 0;

	while (head_line(in, &at, &line)) {
		struct text text = text_of(line.text, line.length);

		if (report_text_begins(text))
			return false;
		if (script_line_parse(text, &l))
			return true;
		header |= text_starts(&text, "# captured on");
		others |= line.length && *text.at != '#';
	}
	return header && !others;
}

const struct reader reader_perf_script = {
	.name = "perf script text",
	.matches = script_matches,
	.read = script_read,
};

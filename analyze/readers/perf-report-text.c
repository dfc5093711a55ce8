// SPDX-License-Identifier: GPL-2.0-only
/*
 * `perf report` text: of --stdio, of the browser, of a mail that quotes one.
 */
#include "analyze/readers/perf-report-text.h"

#include <string.h>

#include "analyze/input.h"
#include "analyze/readers/perf-report-line.h"
#include "analyze/readers/perf-report-tree.h"
#include "analyze/readers/perf-script-trace.h"
#include "analyze/readers/text-frames.h"
#include "analyze/readers/text-header.h"

enum section {
	SECTION_UNNAMED, /* no header says which event it is about */
	SECTION_SWITCHES,
	SECTION_OTHER, /* of another event */
};

struct report {
	struct profile *p;
	const struct input *in;
	struct report_tree *tree;
	struct text_classes classes;
	enum section section;
	uint64_t event_count;
	bool has_self; /* columns "Children" and "Self" */
	bool is_hierarchy; /* entries within entries */
	bool after_blank;
	bool skip_graph; /* of an entry that has no samples itself */
	int entry_column; /* of the '%', -1: entries are marked "[k]" */
	uint64_t lines;
	struct skipped prose, misplaced;
	char other[64]; /* an event that was found instead */
};

/* --------------------------------------------------------------- headers */

/* "# Samples: 60K of event 'sched:sched_switch'", old: "# Events: 3K cs" */
static bool take_event_name(struct text t, struct text *name)
{
	const char *at = text_find(&t, "of event");
	struct text number;

	if (!at) {
		if (!text_take(&t, "Events: ") || !text_take_word(&t, &number))
			return false;
		text_skip_blanks(&t);
		return text_take_word(&t, name);
	}
	at = memchr(at, '\'', (size_t)(t.end - at));
	if (!at)
		return false;
	*name = (struct text){ at + 1, t.end };
	at = memchr(name->at, '\'', text_length(name));
	if (at)
		name->end = at;
	return true;
}

static void keep_other(struct report *r, const struct text *name)
{
	size_t n = text_length(name);

	if (n > sizeof(r->other) - 1)
		n = sizeof(r->other) - 1;
	memcpy(r->other, name->at, n);
	r->other[n] = '\0';
}

static void begin_section(struct report *r, struct text name,
			  const struct line *line)
{
	struct text rest = name;

	r->section = SECTION_OTHER;
	r->has_self = false;
	if (!text_take(&rest, "sched:sched_switch") ||
	    (rest.at < rest.end && *rest.at != ':')) {
		keep_other(r, &name);
		profile_warn(r->p,
			     "%s: line %llu: an event other than "
			     "sched:sched_switch, not used",
			     r->in->name, (unsigned long long)line->number);
		return;
	}
	if (report_tree_nr_entries(r->tree)) {
		profile_warn(r->p,
			     "%s: line %llu: another report begins, not used",
			     r->in->name, (unsigned long long)line->number);
		return;
	}
	r->section = SECTION_SWITCHES;
}

static void take_count(struct report *r, const struct text *t)
{
	static const char name[] = "Event count (approx.): ";
	const char *at = text_find(t, name);
	struct text rest;
	uint64_t n;

	if (!at || r->section == SECTION_OTHER)
		return;
	rest = (struct text){ at + strlen(name), t->end };
	if (text_take_u64(&rest, &n))
		r->event_count = n;
}

static void take_comment(struct report *r, struct text text,
			 const struct line *line)
{
	struct text t = text, name;
	uint64_t lost;

	if (text_take(&t, "#"))
		text_header(r->p, text);
	text_skip_blanks(&t);
	if ((text_starts(&t, "Samples: ") || text_starts(&t, "Events: ")) &&
	    take_event_name(t, &name))
		begin_section(r, name, line);
	take_count(r, &t);
	if (text_starts(&t, "Children "))
		r->has_self = true;
	if (text_starts(&t, "Children ") || text_starts(&t, "Overhead "))
		r->is_hierarchy |= text_find(&t, " / ") != NULL;
	if (text_take(&t, "Total Lost Samples: ") && text_take_u64(&t, &lost))
		r->p->losses.lost_samples += lost;
}

/* --------------------------------------------------------------- entries */

/*
 * The marker "[k]" shows an entry.  In a report that is not sorted by symbol
 * it is where its percentage stands, which is the same place for all.
 */
static bool is_entry(struct report *r, const struct report_line *l)
{
	bool first = !report_tree_nr_entries(r->tree) && !r->skip_graph;

	if (l->kind == REPORT_ENTRY)
		return true;
	if (l->kind != REPORT_VALUE || !l->is_percent || !l->nr_values ||
	    (l->in_tree && !l->fold) || l->fields.at == l->fields.end)
		return false;
	if (!first)
		return l->percent_column == r->entry_column;
	r->entry_column = l->percent_column;
	return true;
}

/*
 * Of a recording that has only tracepoints, perf's unasked-for column is what
 * perf script prints of the event.
 */
static bool take_trace_output(struct report *r, struct text fields,
			      struct report_entry *e)
{
	struct trace_switch s;

	if (!trace_switch(fields, true, &s))
		return false;
	e->comm = profile_string(r->p, s.prev_comm, sizeof(s.prev_comm));
	e->state = s.prev_state;
	return true;
}

static void take_columns(struct report *r, struct text fields,
			 struct report_entry *e)
{
	struct report_fields f;

	report_fields_parse(fields, &f);
	e->symbol = text_string(r->p, f.symbol);
	e->comm = text_string(r->p, f.comm);
	e->dso = text_dso(r->p, f.dso);
	e->is_kernel = f.is_kernel;
	e->is_doubtful = r->section == SECTION_UNNAMED;
	/* A graph that was pasted without its entry. */
	if (!e->symbol && text_is_scheduler(&r->classes, e->comm)) {
		e->symbol = e->comm;
		e->comm = 0;
	}
}

static void take_entry(struct report *r, const struct report_line *l,
		       const struct line *line)
{
	struct report_entry e = { .line = line->number, .state = STATE_OTHER };
	bool has_self = r->has_self || l->nr_values == 2;

	e.share = l->value[0];
	if (has_self && l->nr_values > 1) {
		e.share = l->value[1];
		e.is_partial = l->value[0] > e.share + 100000;
	}
	r->skip_graph = has_self && !e.share;
	if (r->skip_graph)
		return;
	if (!take_trace_output(r, l->fields, &e))
		take_columns(r, l->fields, &e);
	report_tree_entry(r->tree, &e);
}

/* ------------------------------------------------------------------ lines */

static void take_tree_line(struct report *r, const struct report_line *l,
			   const struct line *line)
{
	bool bare = l->kind == REPORT_NAME && !l->in_tree;

	if (r->skip_graph)
		return;
	/* A word on its own is a frame only right below the others. */
	if (!report_tree_nr_entries(r->tree) || l->is_entry_or_prose ||
	    (bare && r->after_blank))
		skip_line(&r->prose, line);
	else if (!report_tree_line(r->tree, l))
		skip_line(bare ? &r->prose : &r->misplaced, line);
}

static void take_line(struct report *r, const struct line *line)
{
	struct report_line l;

	r->lines++;
	report_line_parse(text_of(line->text, line->length), &l);
	if (l.kind == REPORT_BLANK) {
		r->after_blank |= !l.in_tree;
		return;
	}
	if (l.kind == REPORT_COMMENT) {
		take_comment(r, l.fields, line);
		return;
	}
	if (r->section == SECTION_OTHER)
		return;
	if (is_entry(r, &l))
		take_entry(r, &l, line);
	else if (l.kind == REPORT_OTHER)
		skip_line(&r->prose, line);
	else
		take_tree_line(r, &l, line);
	r->after_blank = false;
}

/* ----------------------------------------------------------------- reader */

static int finish(struct report *r, struct error *err)
{
	skipped_warn(&r->prose, r->p, r->in, "no part of a perf report");
	skipped_warn(&r->misplaced, r->p, r->in,
		     "does not fit to the call graph above it");
	if (r->is_hierarchy)
		return error_set(err, EXIT_USAGE,
				 "%s: a report made with --hierarchy, which "
				 "can't be read; make it without",
				 r->in->name);
	if (report_tree_nr_entries(r->tree)) {
		r->p->events += r->event_count;
		return report_tree_finish(r->tree, r->in, r->event_count, err);
	}
	if (r->other[0])
		return error_set(err, EXIT_USAGE,
				 "%s: a report of %s; expected one of "
				 "sched:sched_switch",
				 r->in->name, r->other);
	return error_set(err, EXIT_USAGE,
			 "%s: lines 1 to %llu hold no entry of a perf report; "
			 "expected '59.51%%  comm  [kernel.kallsyms]  [k] "
			 "__schedule' and its call graph",
			 r->in->name, (unsigned long long)r->lines);
}

int report_text_read(const struct input *in, struct profile *p,
		     struct lines *lines, struct error *err)
{
	struct report r = {
		.p = p,
		.in = in,
		.classes = { .p = p },
		.entry_column = -1,
	};
	const char *format = reader_perf_report_text.name;
	struct line line;
	int got, ret;

	if (text_set_unit(p, UNIT_SHARE, in, err))
		return -1;
	r.tree = report_tree_new(p);
	if (!r.tree) {
		profile_fail(p);
		return error_set(err, EXIT_USAGE, "%s: out of memory",
				 in->name);
	}
	p->format = profile_string(p, format, strlen(format));
	while ((got = lines_next(lines, &line)) > 0)
		take_line(&r, &line);
	if (got < 0)
		ret = error_errno(err, EXIT_USAGE, "%s: cannot read", in->name);
	else
		ret = finish(&r, err);
	report_tree_free(r.tree);
	text_classes_free(&r.classes);
	p->files++;
	return ret;
}

static int report_read(const struct input *in, struct profile *p,
		       struct error *err)
{
	struct lines *lines = lines_open(in);
	int ret;

	if (!lines) {
		profile_fail(p);
		return error_set(err, EXIT_USAGE, "%s: out of memory",
				 in->name);
	}
	ret = report_text_read(in, p, lines, err);
	lines_close(lines);
	return ret;
}

static bool is_report_comment(struct text t)
{
	struct text name;

	if (!text_take(&t, "#"))
		return take_event_name(t, &name) &&
		       text_starts(&t, "Samples: ");
	text_skip_blanks(&t);
	return text_starts(&t, "To display the perf.data header info") ||
	       text_starts(&t, "Total Lost Samples:") ||
	       text_starts(&t, "Samples: ") || text_starts(&t, "Overhead ") ||
	       text_starts(&t, "Children ");
}

bool report_text_begins(struct text text)
{
	struct report_line l;

	report_line_parse(text, &l);
	if (l.kind == REPORT_COMMENT)
		return is_report_comment(l.fields);
	return l.kind == REPORT_ENTRY;
}

static const char *const mail_fields[] = {
	"From: ", "To: ",	"Subject: ", "Date: ",	      "Message-ID: ",
	"Cc: ",	  "Received: ", "From ",     "Return-Path: ", "Message-Id: ",
};

static bool is_mail_field(const struct text *t)
{
	size_t i;

	for (i = 0; i < sizeof(mail_fields) / sizeof(mail_fields[0]); i++)
		if (text_starts(t, mail_fields[i]))
			return true;
	return false;
}

/* A whole mail may quote its report beyond what can be seen here. */
static bool report_matches(const struct input *in)
{
	unsigned int mail = 0, values = 0;
	struct report_line l;
	struct line line;
	size_t at = 0;

	while (head_line(in, &at, &line)) {
		struct text text = text_of(line.text, line.length);

		if (report_text_begins(text))
			return true;
		mail += is_mail_field(&text);
		report_line_parse(text, &l);
		values += l.kind == REPORT_VALUE && l.in_tree && l.nr_values;
	}
	return mail >= 2 || values >= 2;
}

const struct reader reader_perf_report_text = {
	.name = "perf report text",
	.matches = report_matches,
	.read = report_read,
};

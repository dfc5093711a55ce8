// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as one JSON document; rwsemlab-json(5) describes it. */
#include <math.h>
#include <string.h>

#include "analyze/diff-report.h"
#include "analyze/reports/document.h"

static void set(json_t *object, const char *key, json_t *value, bool *failed)
{
	if (json_object_set_new(object, key, value))
		*failed = true;
}

static void append(json_t *array, json_t *value, bool *failed)
{
	if (json_array_append_new(array, value))
		*failed = true;
}

static json_t *number(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

/* JSON has neither NAN nor infinity. */
static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_null(const struct diff *d, uint32_t text)
{
	if (!text || text == DIFF_NO_TEXT)
		return json_null();
	return document_text(diff_text_of(&d->reading.texts, text));
}

/* ----------------------------------------------------------------- values */

static json_t *value_json(const struct diff_value *v, bool *failed)
{
	json_t *json = json_object();

	set(json, "base", real_or_null(v->side[0]), failed);
	set(json, "new", real_or_null(v->side[1]), failed);
	set(json, "ratio", real_or_null(v->ratio), failed);
	set(json, "low", real_or_null(v->interval.low), failed);
	set(json, "high", real_or_null(v->interval.high), failed);
	set(json, "p", real_or_null(v->p), failed);
	set(json, "q", real_or_null(v->q), failed);
	set(json, "verdict", json_string(diff_verdict_name(v->verdict)),
	    failed);
	set(json, "runs_needed", v->repeats ? number(v->repeats) : json_null(),
	    failed);
	return json;
}

static json_t *values_json(const struct diff_line *line, bool *failed)
{
	json_t *json = json_object();
	unsigned int m;

	for (m = 0; m < NR_DIFF_MEASURES; m++) {
		const struct diff_value *v = &line->value[m];

		if (!isnan(v->side[0]) || !isnan(v->side[1]))
			set(json, diff_measures[m].name, value_json(v, failed),
			    failed);
	}
	return json;
}

/* ------------------------------------------------------------------ lines */

static json_t *counts_json(const struct diff_counts *c, bool shares,
			   bool *failed)
{
	json_t *json = json_object();

	if (shares)
		return json;
	set(json, "sleeps", number(c->sleeps), failed);
	set(json, "acquisitions", number(c->acquisitions), failed);
	set(json, "no_sleep", number(c->ended[ACQUIRED_NO_SLEEP]), failed);
	set(json, "one_sleep", number(c->ended[ACQUIRED_ONE_SLEEP]), failed);
	set(json, "more_sleeps", number(c->ended[ACQUIRED_MORE_SLEEPS]),
	    failed);
	set(json, "failed", number(c->ended[ACQUISITION_FAILED]), failed);
	return json;
}

static json_t *side_of_line(const struct diff *d,
			    const struct diff_comparison *c,
			    const struct diff_line *line, int s, bool *failed)
{
	const struct diff_row *row;
	json_t *json;

	if (!line->nr_rows[s])
		return json_null();
	json = counts_json(&line->sum[s], c->side[s]->unit == UNIT_SHARE,
			   failed);
	if (line->kind == DIFF_FAMILY)
		return json;
	row = line->row[s][0];
	if (row->type == SITE_LOCK) {
		set(json, "class", text_or_null(d, row->lock_class), failed);
		set(json, "mode", text_or_null(d, row->mode), failed);
		set(json, "wrapper", text_or_null(d, row->wrapper_shown),
		    failed);
		set(json, "callers_cut", json_boolean(line->cut >> s & 1),
		    failed);
	}
	set(json, "site", document_text(diff_site_name(d, line, s)), failed);
	return json;
}

static json_t *line_json(const struct diff *d, const struct diff_comparison *c,
			 const struct diff_line *line, bool *failed);

static json_t *lines_json(const struct diff *d, const struct diff_comparison *c,
			  const struct diff_line *line, bool *failed)
{
	json_t *json = json_array();

	for (; line; line = line->next)
		append(json, line_json(d, c, line, failed), failed);
	return json;
}

static const char *type_name(enum site_type type)
{
	static const char *const names[] = {
		[SITE_LOCK] = "lock",
		[SITE_OTHER] = "other",
		[SITE_UNKNOWN] = "unknown",
		[SITE_NO_CHAIN] = "no_chain",
	};

	return names[type];
}

static json_t *line_json(const struct diff *d, const struct diff_comparison *c,
			 const struct diff_line *line, bool *failed)
{
	json_t *json = json_object();

	set(json, "type", json_string(type_name(line->type)), failed);
	set(json, line->type == SITE_LOCK ? "family" : "kind",
	    text_or_null(d, line->family), failed);
	set(json, "status", json_string(diff_status_name(line->status)),
	    failed);
	set(json, "base", side_of_line(d, c, line, 0, failed), failed);
	set(json, "new", side_of_line(d, c, line, 1, failed), failed);
	set(json, "values", values_json(line, failed), failed);
	if (line->child)
		set(json, "rows", lines_json(d, c, line->child, failed),
		    failed);
	return json;
}

/* ----------------------------------------------------------- comparisons */

static json_t *totals_json(const struct diff_comparison *c, bool *failed)
{
	const struct diff_total *t;
	json_t *json = json_object();

	for (t = c->totals; t; t = t->next)
		set(json, t->name, value_json(&t->value, failed), failed);
	return json;
}

static json_t *noise_json(const struct diff_comparison *c, bool *failed)
{
	json_t *json = json_object();

	set(json, "lines", number(c->tested), failed);
	set(json, "marked_before_control", number(c->marked_before), failed);
	set(json, "marked_after_control", number(c->marked_after), failed);
	set(json, "half_of_lines_within", real_or_null(c->noise[0]), failed);
	set(json, "most_lines_within", real_or_null(c->noise[1]), failed);
	return json;
}

static json_t *comparison_json(const struct diff *d, size_t i, bool *failed)
{
	const struct diff_comparison *c = &d->comparison[i];
	json_t *json = json_object();

	set(json, "base", json_integer(0), failed);
	set(json, "new", number(i + 1), failed);
	set(json, "test", json_string(diff_test_name(c->test)), failed);
	set(json, "pairs", json_integer(c->pairs), failed);
	set(json, "measure", json_string(diff_measures[c->per_sleeps].name),
	    failed);
	set(json, "totals", totals_json(c, failed), failed);
	set(json, "locks", lines_json(d, c, c->locks, failed), failed);
	set(json, "others", lines_json(d, c, c->others, failed), failed);
	if (d->aa)
		set(json, "noise", noise_json(c, failed), failed);
	return json;
}

/* ------------------------------------------------------------------ sides */

static json_t *run_json(const struct diff_run *run, bool shares, bool *failed)
{
	json_t *json = json_object();

	set(json, "name", document_text(run->from->name), failed);
	set(json, "counted", json_boolean(!run->dropped), failed);
	set(json, "pair",
	    run->from->pair ? number(run->from->pair) : json_null(), failed);
	if (shares)
		return json;
	set(json, "seconds", json_real(run->seconds), failed);
	if (run->work > 0)
		set(json, "work", json_real(run->work), failed);
	set(json, "switches", number(run->switches), failed);
	set(json, "sleeps", number(run->sleeps), failed);
	return json;
}

static json_t *left_out_json(const struct diff_side *side, bool *failed)
{
	json_t *json = json_array();
	size_t i;

	for (i = 0; i < side->nr_left_out; i++) {
		json_t *run = json_object();

		set(run, "name", document_text(side->left_out[i].name), failed);
		set(run, "reason", document_text(side->left_out[i].reason),
		    failed);
		append(json, run, failed);
	}
	return json;
}

static json_t *side_json(const struct diff *d, const struct diff_side *side,
			 bool *failed)
{
	bool shares = side->unit == UNIT_SHARE;
	json_t *json = json_object(), *runs = json_array();
	size_t i;

	set(json, "name", document_text(side->name), failed);
	set(json, "unit", json_string(shares ? "share" : "events"), failed);
	set(json, "format", text_or_null(d, side->format), failed);
	set(json, "kernel", text_or_null(d, side->kernel), failed);
	set(json, "architecture", text_or_null(d, side->arch), failed);
	set(json, "cpu_model", text_or_null(d, side->cpu_model), failed);
	set(json, "cpus_online", side->cpus ? number(side->cpus) : json_null(),
	    failed);
	set(json, "workload", text_or_null(d, side->workload), failed);
	set(json, "work_unit", text_or_null(d, side->work_unit), failed);
	set(json, "options", json_incref(side->options ?: json_null()), failed);
	set(json, "vary",
	    json_incref(json_object_get(side->candidate[0].run, "vary") ?:
				json_null()),
	    failed);
	set(json, "all_switches_recorded", json_boolean(side->has_all_switches),
	    failed);
	set(json, "contention_recorded", json_boolean(side->has_contention),
	    failed);
	set(json, "untrusted", json_boolean(side->untrusted), failed);
	for (i = 0; i < side->nr_runs; i++)
		append(runs, run_json(&side->run[i], shares, failed), failed);
	set(json, "runs", runs, failed);
	set(json, "left_out", left_out_json(side, failed), failed);
	return json;
}

json_t *diff_document(const struct diff *d, bool *failed)
{
	json_t *json = json_object(), *sides = json_array();
	json_t *comparisons = json_array();
	size_t i;

	set(json, "format", json_string("rwsemlab-diff-1"), failed);
	set(json, "two_halves", json_boolean(d->aa), failed);
	set(json, "confidence", json_real(DIFF_CONFIDENCE), failed);
	set(json, "false_discovery_rate", json_real(DIFF_DISCOVERY), failed);
	set(json, "notes", json_incref(d->reading.notes), failed);
	set(json, "warnings", json_incref(d->reading.warnings), failed);
	for (i = 0; i < d->nr_sides; i++)
		append(sides, side_json(d, &d->side[i], failed), failed);
	set(json, "sides", sides, failed);
	for (i = 0; i + 1 < d->nr_sides; i++)
		append(comparisons, comparison_json(d, i, failed), failed);
	set(json, "comparisons", comparisons, failed);
	if (d->failed_if)
		set(json, "fail_if", json_incref(d->failed_if), failed);
	return json;
}

static int print_json(const struct diff *d,
		      const struct diff_report_options *options, FILE *out,
		      struct error *err)
{
	bool failed = false;
	json_t *json = diff_document(d, &failed);

	(void)options;
	return document_print(json, failed, out, err);
}

const struct diff_report diff_report_json = {
	.format.name = "json",
	.format.summary = "one JSON document",
	.print = print_json,
};

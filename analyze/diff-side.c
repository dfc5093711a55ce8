// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/diff-side.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff-side-private.h"
#include "analyze/input.h"

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

/* ------------------------------------------------------- texts and notes */

uint32_t diff_text(struct diff_texts *texts, const char *text)
{
	struct interned_entry *e;

	/* The terminating zero is part of the key, so "" has one, too. */
	if (!texts->table.nr && !interned_get(&texts->table, "", 1, 0, NULL))
		texts->failed = true;
	e = interned_get(&texts->table, text, strlen(text) + 1, 0, NULL);
	if (e)
		return interned_number(e);
	texts->failed = true;
	return DIFF_NO_TEXT;
}

const char *diff_text_of(const struct diff_texts *texts, uint32_t number)
{
	if (number >= texts->table.nr)
		return "";
	return interned_key(texts->table.entry[number]);
}

void diff_texts_free(struct diff_texts *texts)
{
	interned_free(&texts->table);
}

static json_t *printable(char *text)
{
	json_t *json;
	char *c;

	for (c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	json = json_string(text);
	for (c = text; !json && *c; c++)
		if ((signed char)*c < 0)
			*c = '?';
	return json ? json : json_string(text);
}

void diff_note(json_t *notes, const char *fmt, ...)
{
	char text[1024];
	json_t *note;
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note = printable(text);
	for (i = 0; i < json_array_size(notes); i++)
		if (json_equal(json_array_get(notes, i), note)) {
			json_decref(note);
			return;
		}
	json_array_append_new(notes, note);
}

/* --------------------------------------------------- what a run is worth */

__attribute__((format(printf, 3, 4))) static int
leave_out(struct diff_side *side, const struct diff_candidate *from,
	  const char *fmt, ...)
{
	struct diff_left_out *grown;
	char reason[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	grown = realloc(side->left_out,
			(side->nr_left_out + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	side->left_out = grown;
	grown += side->nr_left_out++;
	grown->name = strdup(from->name);
	grown->reason = strdup(reason);
	return grown->name && grown->reason ? 1 : -1;
}

/* 1: left out, for the reason that the session gives; 0: it is to be read. */
static int check_result(struct diff_side *side,
			const struct diff_candidate *from)
{
	json_t *result = json_object_get(from->run, "result");
	json_t *problem = json_object_get(result, "problem");
	json_t *failures = json_object_get(
		json_object_get(result, "verification"), "failures");

	if (!from->run)
		return 0;
	if (!json_is_object(result))
		return leave_out(side, from, "it has no result");
	if (json_integer_value(failures) > 0)
		return leave_out(side, from,
				 "%" JSON_INTEGER_FORMAT
				 " of its units of work were wrong",
				 json_integer_value(failures));
	if (json_is_object(problem)) {
		const char *text =
			json_string_value(json_object_get(problem, "text"));

		return leave_out(side, from, "%s",
				 text ? text : "it had a problem");
	}
	return 0;
}

static uint64_t lost_in(const struct diff_candidate *from,
			const struct profile *p)
{
	json_int_t said = json_integer_value(json_object_get(
		json_object_get(from->run, "recording"), "lost"));
	uint64_t lost = p->losses.lost + p->losses.lost_samples;

	return said > 0 && (uint64_t)said > lost ? (uint64_t)said : lost;
}

/* ----------------------------------------------------- facts of the side */

/* A text that all runs should share. */
static void take_text(struct diff_side *side, uint32_t *text, uint32_t now)
{
	if (!side->nr_runs)
		*text = now;
	else if (*text != now)
		*text = DIFF_NO_TEXT;
}

static const char *session_text(const struct diff_candidate *from,
				const char *key)
{
	const char *text =
		json_string_value(json_object_get(from->session, key));

	return text ? text : "";
}

static void take_facts(struct diff_side *side, struct diff_texts *texts,
		       const struct diff_candidate *from,
		       const struct profile *p)
{
	bool first = !side->nr_runs;

	take_text(side, &side->format,
		  diff_text(texts, profile_text(p, p->format)));
	take_text(side, &side->kernel,
		  diff_text(texts, profile_text(p, p->os_release)));
	take_text(side, &side->arch,
		  diff_text(texts, profile_text(p, p->arch)));
	take_text(side, &side->cpu_model,
		  diff_text(texts, profile_text(p, p->cpu_model)));
	take_text(side, &side->workload,
		  diff_text(texts, session_text(from, "workload")));
	take_text(side, &side->work_unit,
		  diff_text(texts, session_text(from, "unit")));
	side->cpus = first || side->cpus == p->cpus_online ? p->cpus_online : 0;
	side->has_all_switches = (first || side->has_all_switches) &&
				 p->has_all_switches;
	side->has_contention = (first || side->has_contention) &&
			       p->has_contention;
	if (first || p->sample_period > side->sample_period)
		side->sample_period = p->sample_period;
	if (first) {
		side->unit = p->unit;
		side->options = json_object_get(from->session, "options");
	}
}

static void take_warnings(struct diff_reading *reading,
			  const struct diff_side *side, const struct profile *p)
{
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++) {
		uint64_t times;

		diff_note(reading->warnings, "%s: %s", side->name,
			  profile_warning(p, i, &times));
	}
}

/* -------------------------------------------------------------- one run */

static int count_run(struct diff_side *side, struct diff_reading *reading,
		     const struct diff_candidate *from, struct profile *p,
		     struct error *err)
{
	struct diff_run *run = &side->run[side->nr_runs];
	struct sites *sites;
	int ret;

	if (symbols_resolve(p, &reading->symbols, err))
		return -1;
	sites = sites_new(p, reading->rules);
	if (!sites)
		return no_memory(err);
	take_facts(side, &reading->texts, from, p);
	take_warnings(reading, side, p);
	memset(run, 0, sizeof(*run));
	run->from = from;
	run->switches = p->switches;
	run->sleeps = p->sleeps;
	run->preemptions = p->preemptions;
	run->has_all_switches = p->has_all_switches;
	run->has_contention = p->has_contention;
	run->seconds = (double)p->window_ns / 1e9;
	run->result = json_object_get(from->run, "result");
	run->work = json_number_value(json_object_get(run->result, "work"));
	ret = diff_rows_count(side, &reading->texts, sites, p, side->nr_runs);
	side->nr_runs++;
	sites_free(sites);
	return ret ? no_memory(err) : 0;
}

/* A session's run that can't be read is left out; any other file matters. */
static int read_run(struct diff_side *side, struct diff_reading *reading,
		    const struct diff_candidate *from, bool lossy,
		    struct error *err)
{
	struct profile *p = profile_new();
	struct error why = { 0 };
	uint64_t lost;
	int ret = 0;

	if (!p)
		return no_memory(err);
	if (input_read(from->path, p, &why)) {
		if (from->run)
			ret = leave_out(side, from, "%s", why.text);
		else
			error_set(err, why.code, "%s", why.text);
		profile_free(p);
		return ret == 1 ? 0 : err->code ? -1 : no_memory(err);
	}
	lost = lost_in(from, p);
	if (side->nr_runs && p->unit != side->unit)
		ret = error_set(err, EXIT_USAGE,
				"%s: it has %s, but %s has %s; give them on"
				" sides of their own",
				from->name,
				p->unit == UNIT_SHARE ? "shares" : "counts",
				side->run[0].from->name,
				p->unit == UNIT_SHARE ? "counts" : "shares");
	else if (lost && !lossy)
		ret = leave_out(side, from, "%" PRIu64 " events were lost",
				lost);
	else
		ret = count_run(side, reading, from, p, err);
	if (lost && !ret && !reading->allow_lost)
		side->untrusted = true;
	profile_free(p);
	return ret < 0 ? (err->code ? -1 : no_memory(err)) : 0;
}

static int read_runs(struct diff_side *side, struct diff_reading *reading,
		     bool lossy, struct error *err)
{
	size_t i;

	for (i = 0; i < side->nr_candidates; i++) {
		int ret = check_result(side, &side->candidate[i]);

		if (ret < 0)
			return no_memory(err);
		if (!ret &&
		    read_run(side, reading, &side->candidate[i], lossy, err))
			return -1;
	}
	return 0;
}

static void forget_left_out(struct diff_side *side)
{
	while (side->nr_left_out) {
		side->nr_left_out--;
		free(side->left_out[side->nr_left_out].name);
		free(side->left_out[side->nr_left_out].reason);
	}
}

int diff_side_read(struct diff_side *side, struct diff_reading *reading,
		   struct error *err)
{
	/* A file on its own is taken as it is: don't read it twice. */
	bool lossy = reading->allow_lost || side->nr_candidates == 1;

	side->run = calloc(side->nr_candidates + 1, sizeof(*side->run));
	if (!side->run)
		return no_memory(err);
	if (read_runs(side, reading, lossy, err))
		return -1;
	if (!side->nr_runs && !lossy) {
		forget_left_out(side);
		if (read_runs(side, reading, true, err))
			return -1;
	}
	if (side->nr_runs)
		return 0;
	if (!side->nr_left_out)
		return error_set(err, EXIT_USAGE, "%s: it has no run",
				 side->name);
	return error_set(err, EXIT_CHECK_FAILED,
			 "%s: no run can be used; %s: %s", side->name,
			 side->left_out[0].name, side->left_out[0].reason);
}

/* ----------------------------------------------------------------- free */

static void free_candidates(struct diff_side *side)
{
	size_t i;

	for (i = 0; i < side->nr_candidates; i++) {
		free(side->candidate[i].path);
		free(side->candidate[i].name);
		json_decref(side->candidate[i].session);
		json_decref(side->candidate[i].run);
	}
	free(side->candidate);
}

bool diff_run_has(const struct diff_run *run, enum weight weight)
{
	if (run->dropped)
		return false;
	return weight == WEIGHT_OFF  ? run->has_all_switches :
	       weight == WEIGHT_WAIT ? run->has_contention :
				       true;
}

void diff_stack_total(const struct diff_side *side,
		      const struct diff_stack *stack,
		      uint64_t total[NR_WEIGHTS])
{
	unsigned int w;
	size_t i;

	for (w = 0; w < NR_WEIGHTS; w++) {
		total[w] = 0;
		for (i = 0; i < side->nr_runs; i++)
			if (diff_run_has(&side->run[i], (enum weight)w))
				total[w] += stack->run[i][w];
	}
}

void diff_side_free(struct diff_side *side)
{
	uint32_t i;

	for (i = 0; i < side->rows.nr; i++) {
		struct diff_row *row = interned_at(&side->rows, i);

		diff_counts_free(row->run, side->nr_candidates);
	}
	interned_free(&side->rows);
	interned_free(&side->stacks);
	forget_left_out(side);
	free(side->left_out);
	free_candidates(side);
	json_decref(side->vmstat);
	free(side->run);
	free(side->name);
	memset(side, 0, sizeof(*side));
}

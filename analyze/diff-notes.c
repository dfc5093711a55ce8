// SPDX-License-Identifier: GPL-2.0-only
/* What should be known before a number of a comparison is believed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/diff-private.h"

/* ---------------------------------------------------------- of each side */

static void note_left_out(const struct diff *d, const struct diff_side *side)
{
	const struct diff_left_out *first = side->left_out;
	size_t all = side->nr_left_out + side->nr_runs;

	if (!side->nr_left_out)
		return;
	diff_note(d->reading.notes, "%s: %zu of %zu runs left out; %s: %s%s",
		  side->name, side->nr_left_out, all, first->name,
		  first->reason, side->nr_left_out > 1 ? "; …" : "");
}

static void note_dropped(const struct diff *d, const struct diff_side *side)
{
	size_t i, nr = 0;

	for (i = 0; i < side->nr_runs; i++)
		nr += side->run[i].dropped;
	if (nr)
		diff_note(d->reading.notes,
			  "%s: %zu of %zu runs not counted, their partners on"
			  " the other side were left out",
			  side->name, nr, side->nr_runs);
}

static void note_mixture(const struct diff *d, const struct diff_side *side)
{
	const struct {
		uint32_t text;
		const char *what;
	} facts[] = {
		{ side->kernel, "kernels" },
		{ side->arch, "architectures" },
		{ side->cpu_model, "CPUs" },
		{ side->workload, "workloads" },
	};
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].text == DIFF_NO_TEXT)
			diff_note(d->reading.notes,
				  "%s: its runs are of different %s; they are"
				  " taken for repeats",
				  side->name, facts[i].what);
}

void diff_notes_sides(struct diff *d)
{
	size_t i;

	for (i = 0; i < d->nr_sides; i++) {
		const struct diff_side *side = &d->side[i];
		uint64_t sleeps = 0;
		size_t k;

		note_left_out(d, side);
		note_dropped(d, side);
		note_mixture(d, side);
		if (side->untrusted)
			diff_note(d->reading.notes,
				  "%s: events were lost in every run, so its"
				  " counts are too low",
				  side->name);
		if (side->sample_period > 1)
			diff_note(d->reading.notes,
				  "%s: one in %" PRIu32
				  " switches was recorded; its counts are of"
				  " those",
				  side->name, side->sample_period);
		for (k = 0; k < side->nr_runs; k++)
			sleeps += side->run[k].sleeps;
		if (!sleeps)
			diff_note(d->reading.notes, "%s: no sleep was recorded",
				  side->name);
	}
}

/* ------------------------------------------------------- of a comparison */

static const char *shown(const struct diff *d, uint32_t text)
{
	if (text == DIFF_NO_TEXT)
		return "several";
	return text ? diff_text_of(&d->reading.texts, text) : "not known";
}

static void note_text(const struct diff *d, const char *what, uint32_t base,
		      uint32_t other)
{
	if (base != other)
		diff_note(d->reading.notes, "%s differ: base %s, new %s", what,
			  shown(d, base), shown(d, other));
}

static void print_value(const json_t *value, char *buffer, size_t size)
{
	if (json_is_string(value))
		snprintf(buffer, size, "%s", json_string_value(value));
	else if (json_is_integer(value))
		snprintf(buffer, size, "%" JSON_INTEGER_FORMAT,
			 json_integer_value(value));
	else if (json_is_real(value))
		snprintf(buffer, size, "%g", json_real_value(value));
	else if (json_is_boolean(value))
		snprintf(buffer, size, "%d", json_is_true(value));
	else
		snprintf(buffer, size, "?");
}

static void note_options(const struct diff *d, const struct diff_comparison *c)
{
	const char *key;
	json_t *value;
	char text[512] = "";

	json_object_foreach(c->side[0]->options, key, value) {
		json_t *new = json_object_get(c->side[1]->options, key);
		char a[64], b[64];
		size_t used = strlen(text);

		if (!new || json_equal(value, new))
			continue;
		print_value(value, a, sizeof(a));
		print_value(new, b, sizeof(b));
		snprintf(text + used, sizeof(text) - used, "%s %s %s -> %s",
			 used ? "," : "", key, a, b);
	}
	if (text[0])
		diff_note(d->reading.notes, "options differ:%s", text);
}

static void note_machines(const struct diff *d, const struct diff_comparison *c)
{
	const struct diff_side *a = c->side[0], *b = c->side[1];

	note_text(d, "kernels", a->kernel, b->kernel);
	note_text(d, "architectures", a->arch, b->arch);
	note_text(d, "CPUs", a->cpu_model, b->cpu_model);
	if (a->cpus != b->cpus && a->cpus && b->cpus)
		diff_note(d->reading.notes,
			  "numbers of CPUs differ: base %" PRIu32
			  ", new %" PRIu32,
			  a->cpus, b->cpus);
}

static size_t runs_with_gaps(const struct diff_side *side)
{
	size_t i, nr = 0;

	for (i = 0; i < side->nr_runs; i++)
		nr += !side->run[i].has_all_switches;
	return nr;
}

/* Times off the CPU take both switches of a sleep. */
static void note_gaps(const struct diff *d, const struct diff_side *side,
		      const struct diff_side *other)
{
	size_t nr = runs_with_gaps(side);

	if (runs_with_gaps(other) == other->nr_runs)
		return;
	if (nr && nr < side->nr_runs)
		diff_note(d->reading.notes,
			  "%s: not all switches were recorded in %zu of %zu"
			  " runs; times off the CPU are those of the others",
			  side->name, nr, side->nr_runs);
	else if (nr)
		diff_note(d->reading.notes,
			  "%s: the switches of sleepers only were recorded, so"
			  " times off the CPU are not compared",
			  side->name);
}

static void note_inputs(const struct diff *d, const struct diff_comparison *c)
{
	const struct diff_side *a = c->side[0], *b = c->side[1];

	if (a->unit != b->unit)
		diff_note(d->reading.notes,
			  "units differ: the %s side knows shares of all"
			  " recorded switches only, so nothing else is"
			  " compared; what was recorded may differ, too",
			  a->unit == UNIT_SHARE ? "base" : "new");
	if (a->unit == UNIT_SHARE || b->unit == UNIT_SHARE)
		return;
	note_gaps(d, a, b);
	note_gaps(d, b, a);
	if (a->has_contention != b->has_contention)
		diff_note(d->reading.notes,
			  "the %s side has no lock:contention_begin: contended"
			  " acquisitions are not compared",
			  a->has_contention ? "new" : "base");
	if (a->sample_period != b->sample_period)
		diff_note(d->reading.notes,
			  "sample periods differ: base 1 in %" PRIu32
			  ", new 1 in %" PRIu32 "; counts can't be compared",
			  a->sample_period, b->sample_period);
}

/* The smallest p-value that so many runs can give. */
static double smallest_p(const struct diff_comparison *c, size_t runs)
{
	double ways = 1;
	size_t i;

	if (c->test == DIFF_PAIRED)
		return 2 * pow(0.5, (double)runs);
	for (i = 1; i <= runs; i++)
		ways = ways * (double)(runs + i) / (double)i;
	return 2 / ways;
}

static void note_test(const struct diff *d, const struct diff_comparison *c)
{
	/* In pairs the signs have a veto, and the t test the last digits. */
	double most = c->test == DIFF_PAIRED ? DIFF_ALONE : DIFF_DISCOVERY;
	size_t enough = c->smallest;

	if (c->test == DIFF_NO_TEST)
		diff_note(d->reading.notes,
			  "the counts behind the shares are not known: no"
			  " uncertainty can be given, and no line is called a"
			  " change");
	if (c->test == DIFF_COUNTS)
		diff_note(d->reading.notes,
			  "no repeats: intervals and marks hold the counts' own"
			  " uncertainty; what varies from run to run is not in"
			  " them");
	if (c->test < DIFF_MANN_WHITNEY || smallest_p(c, c->smallest) < most)
		return;
	while (smallest_p(c, enough) >= most)
		enough++;
	diff_note(d->reading.notes,
		  "%zu runs a side can show no change, whatever its size; it"
		  " takes %zu at least",
		  c->smallest, enough);
}

void diff_notes_comparison(struct diff *d, const struct diff_comparison *c)
{
	note_text(d, "workloads", c->side[0]->workload, c->side[1]->workload);
	if (c->side[0]->workload == c->side[1]->workload)
		note_options(d, c);
	if (c->side[0]->work_unit != c->side[1]->work_unit)
		note_text(d, "units of work", c->side[0]->work_unit,
			  c->side[1]->work_unit);
	note_machines(d, c);
	note_inputs(d, c);
	note_test(d, c);
}

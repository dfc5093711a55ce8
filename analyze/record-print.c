// SPDX-License-Identifier: GPL-2.0-only
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "analyze/record-print.h"
#include "analyze/units.h"

static double megabytes(uint64_t bytes)
{
	return (double)bytes / 1e6;
}

void record_status_show(struct record_status *status,
			const struct record_stats *s)
{
	uint64_t ns = s->elapsed_ns - status->elapsed_ns;
	char rate[UNITS_SIZE], lost[UNITS_SIZE];

	if (ns < RECORD_STATUS_MS * 900000ULL)
		return;
	fprintf(stderr,
		"\r[ record: %.0f s, %s events/s, %.1f MB, %s lost ]\033[K",
		(double)s->elapsed_ns / 1e9,
		units_count(rate,
			    (uint64_t)((double)(s->samples - status->samples) *
				       1e9 / (double)ns)),
		megabytes(s->bytes), units_count(lost, s->lost));
	fflush(stderr);
	status->shown = true;
	status->elapsed_ns = s->elapsed_ns;
	status->samples = s->samples;
}

void record_status_clear(struct record_status *status)
{
	if (status->shown)
		fputs("\r\033[K", stderr);
	status->shown = false;
}

void record_print_summary(const struct record_stats *s, const char *output)
{
	char events[UNITS_SIZE], lost[UNITS_SIZE];

	fprintf(stderr, "[ record: %.1f MB, %s events, %s lost, %s ]\n",
		megabytes(s->bytes), units_count(events, s->samples),
		units_count(lost, s->lost),
		strcmp(output, "-") ? output : "standard output");
}

void record_print_warnings(const struct record_stats *s)
{
	if (s->buffer_size < s->buffer_wanted)
		fprintf(stderr,
			"rwsemlab: record: ring buffers of %lu KiB instead of"
			" %lu: limited by ulimit -l and"
			" kernel.perf_event_mlock_kb\n",
			s->buffer_size >> 10, s->buffer_wanted >> 10);
	if (s->kernel_hidden)
		fputs("rwsemlab: record: the kernel hides its addresses; its"
		      " functions will have no names (run it as root, or as"
		      " root: sysctl kernel.kptr_restrict=0"
		      " kernel.perf_event_paranoid=1)\n",
		      stderr);
}

static json_t *events_json(const struct record_stats *s)
{
	json_t *events = json_array();
	size_t i;

	for (i = 0; i < s->nr_events; i++) {
		const struct record_event_stats *e = &s->event[i];

		json_array_append_new(
			events, json_pack("{s:s, s:s, s:I, s:I, s:I}", "name",
					  e->name, "filter", e->filter,
					  "samples", (json_int_t)e->samples,
					  "lost", (json_int_t)e->lost,
					  "counted", (json_int_t)e->counted));
	}
	return events;
}

int record_print_json(const struct record_stats *s, const char *output,
		      struct error *err)
{
	json_t *root = json_pack(
		"{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o}", "format",
		"rwsemlab-record-1", "file", output, "size_bytes",
		(json_int_t)s->bytes, "elapsed_ns", (json_int_t)s->elapsed_ns,
		"cpus", (json_int_t)s->nr_cpus, "buffer_bytes_per_cpu",
		(json_int_t)s->buffer_size, "samples", (json_int_t)s->samples,
		"lost", (json_int_t)s->lost, "incomplete", s->incomplete,
		"events", events_json(s));
	int failed = !root || json_dumpf(root, stdout, JSON_INDENT(2)) ||
		     putchar('\n') == EOF;

	json_decref(root);
	if (failed)
		return error_set(err, EXIT_USAGE,
				 "record: can't print the result as JSON");
	return 0;
}

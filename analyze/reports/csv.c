// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table of all rows, quoted as RFC 4180 says.  A cell is what the JSON
 * document holds at a place; cells that a row has not are empty.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/reports/csv-text.h"
#include "analyze/reports/document.h"

/* Where no keys are given, the column's name is the key. */
static const struct column {
	const char *name;
	const char *object, *key;
} columns[] = {
	{ "type" },
	{ "class" },
	{ "mode" },
	{ "family" },
	{ "kind" },
	{ "site" },
	{ "slow_path" },
	{ "callers_cut" },
	{ "group" },
	{ "sleeps" },
	{ "share_of_sleeps" },
	{ "share_of_switches" },
	{ "sleeps_per_work" },
	{ "preemptions", "by_state", "R" },
	{ "sleeps_interruptible", "by_state", "S" },
	{ "sleeps_uninterruptible", "by_state", "D" },
	{ "sleeps_stopped", "by_state", "T" },
	{ "sleeps_traced", "by_state", "t" },
	{ "sleeps_dead", "by_state", "X" },
	{ "sleeps_parked", "by_state", "P" },
	{ "sleeps_idle", "by_state", "I" },
	{ "sleeps_other", "by_state", "other" },
#define DISTRIBUTION(name)                                                    \
	{ name "_count", name, "count" }, { name "_sum_ns", name, "sum_ns" }, \
		{ name "_min_ns", name, "min_ns" },                           \
		{ name "_p50_ns", name, "p50_ns" },                           \
		{ name "_p90_ns", name, "p90_ns" },                           \
		{ name "_p99_ns", name, "p99_ns" },                           \
		{ name "_p999_ns", name, "p999_ns" },                         \
	{                                                                     \
		name "_max_ns", name, "max_ns"                                \
	}
	DISTRIBUTION("off_cpu"),
	{ "woken" },
	{ "runnable_ns" },
	{ "acquisitions" },
	{ "no_sleep" },
	{ "one_sleep" },
	{ "more_sleeps" },
	{ "failed" },
	DISTRIBUTION("wait"),
	{ "locks" },
	{ "hottest_lock" },
	{ "hottest_acquisitions" },
	{ "released_by" },
	{ "released_by_comm", NULL, "comm" },
	{ "releases", NULL, "count" },
	DISTRIBUTION("wake_to_run"),
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

void csv_text(const char *text, FILE *out)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_cell(const json_t *value, FILE *out)
{
	if (json_is_string(value))
		csv_text(json_string_value(value), out);
	else if (json_is_integer(value))
		fprintf(out, "%" JSON_INTEGER_FORMAT,
			json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.9g", json_real_value(value));
	else if (json_is_boolean(value))
		fputc(json_is_true(value) ? '1' : '0', out);
}

/* A row of releases names the sleeper's site one level down. */
static const json_t *find(const json_t *row, const struct column *column)
{
	const char *key = column->key ? column->key : column->name;
	const json_t *value;

	if (column->object)
		return json_object_get(json_object_get(row, column->object),
				       key);
	value = json_object_get(row, key);
	return value ? value :
		       json_object_get(json_object_get(row, "sleeper"), key);
}

static void print_rows(const json_t *document, const char *section, FILE *out)
{
	const json_t *rows = json_object_get(document, section);
	size_t i, c;

	for (i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		fputs(section, out);
		for (c = 0; c < NR_COLUMNS; c++) {
			fputc(',', out);
			print_cell(find(row, &columns[c]), out);
		}
		fputc('\n', out);
	}
}

static int print_csv(const struct report_input *in,
		     const struct report_options *options, FILE *out,
		     struct error *err)
{
	bool failed = false;
	json_t *document = document_new(in, &failed);
	size_t c;

	(void)options;
	if (failed) {
		json_decref(document);
		return error_set(err, EXIT_USAGE, "out of memory");
	}
	fputs("section", out);
	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, ",%s", columns[c].name);
	fputc('\n', out);
	print_rows(document, "lock_sleeps", out);
	print_rows(document, "other_sleeps", out);
	print_rows(document, "contended_acquisitions", out);
	print_rows(document, "releases", out);
	json_decref(document);
	return 0;
}

const struct report report_csv = {
	.format.name = "csv",
	.format.summary = "one table of all rows, as comma-separated values",
	.print = print_csv,
};

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/locks/compare.h"

#include <inttypes.h>
#include <string.h>

#include "lib/rwsemlab.h"

#define LABEL_WIDTH 26
#define MAX_SITES   6

struct table {
	const struct workload_result *result;
	size_t nr;
	int width; /* of a column */
	FILE *out;
};

static const char *text_of(const struct workload_result *result,
			   const char *key)
{
	const char *text =
		json_string_value(json_object_get(result->lock, key));

	return text ? text : "";
}

static json_int_t event_of(const json_t *counts, const char *event)
{
	return json_integer_value(
		json_object_get(json_object_get(counts, "events"), event));
}

static json_t *time_of(const json_t *counts, const char *time)
{
	return json_object_get(json_object_get(counts, "times"), time);
}

/* Only whole operations were seen: what is inside is not known, not 0. */
static bool counts_all(const struct workload_result *result)
{
	return json_is_true(json_object_get(result->lock, "counts_all"));
}

static void label(const struct table *t, const char *text)
{
	fprintf(t->out, "%-*s", LABEL_WIDTH, text);
}

static void cell(const struct table *t, bool known, int digits, double value)
{
	char text[48];

	if (known)
		snprintf(text, sizeof(text), "%.*f", digits, value);
	else
		snprintf(text, sizeof(text), "-");
	fprintf(t->out, "  %*s", t->width, text);
}

static void print_names(const struct table *t)
{
	size_t i;

	label(t, "");
	for (i = 0; i < t->nr; i++)
		fprintf(t->out, "  %*s", t->width,
			text_of(&t->result[i], "name"));
	fputc('\n', t->out);
}

static double rate(const struct workload_result *result)
{
	return result->elapsed_s > 0 ?
		       (double)result->work / result->elapsed_s :
		       0;
}

static void print_rates(const struct table *t, const char *unit)
{
	double base = rate(&t->result[0]);
	char text[64];
	size_t i;

	snprintf(text, sizeof(text), "%s per s", unit);
	label(t, text);
	for (i = 0; i < t->nr; i++)
		cell(t, true, 0, rate(&t->result[i]));
	fputc('\n', t->out);
	label(t, "  ratio to the first lock");
	for (i = 0; i < t->nr; i++)
		cell(t, base > 0, 3, base > 0 ? rate(&t->result[i]) / base : 0);
	fputc('\n', t->out);
}

static void print_latency(const struct table *t, const char *text, double q)
{
	size_t i;

	if (!t->result[0].latency.count)
		return;
	label(t, text);
	for (i = 0; i < t->nr; i++)
		cell(t, true, 1,
		     (double)rwsemlab_histogram_quantile(&t->result[i].latency,
							 q) /
			     1000);
	fputc('\n', t->out);
}

static void print_event(const struct table *t, enum rwsemlab_event event)
{
	const char *name = rwsemlab_event_name(event);
	bool whole = event == RWSEMLAB_FAST || event == RWSEMLAB_SLOW ||
		     event == RWSEMLAB_TRY_FAILED ||
		     event == RWSEMLAB_CANCELLED;
	bool any = event == RWSEMLAB_FAST || event == RWSEMLAB_SLOW ||
		   event == RWSEMLAB_SLEEPS;
	size_t i;

	for (i = 0; i < t->nr; i++)
		any = any || event_of(t->result[i].lock, name);
	if (!any)
		return;
	label(t, name);
	for (i = 0; i < t->nr; i++)
		cell(t, whole || counts_all(&t->result[i]), 0,
		     (double)event_of(t->result[i].lock, name));
	fputc('\n', t->out);
}

static void print_sleeps(const struct table *t)
{
	size_t i;

	label(t, "sleeps per 1000 acquired");
	for (i = 0; i < t->nr; i++)
		cell(t, counts_all(&t->result[i]), 3,
		     1000 * json_number_value(
				    json_object_get(t->result[i].lock,
						    "sleeps_per_acquisition")));
	fputc('\n', t->out);
}

static void print_time(const struct table *t, enum rwsemlab_time time,
		       const char *quantile)
{
	const char *name = rwsemlab_time_name(time);
	bool any = false;
	char text[64];
	size_t i;

	for (i = 0; i < t->nr; i++)
		any = any ||
		      json_integer_value(json_object_get(
			      time_of(t->result[i].lock, name), "count"));
	if (!any)
		return;
	snprintf(text, sizeof(text), "%s %s", name, quantile);
	label(t, text);
	for (i = 0; i < t->nr; i++) {
		json_t *at = time_of(t->result[i].lock, name);
		bool has = json_integer_value(json_object_get(at, "count"));

		cell(t, has, 0,
		     json_number_value(json_object_get(at, quantile)));
	}
	fputc('\n', t->out);
}

/* The lock that readers of all groups take too has counters of its own. */
static void print_globals(const struct table *t)
{
	const char *name;
	json_t *value;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		json_t *global = json_object_get(t->result[i].lock, "global");
		const char *before = "";

		if (!global)
			continue;
		fprintf(t->out, "%s, the lock of all groups:",
			text_of(&t->result[i], "name"));
		json_object_foreach(json_object_get(global, "events"), name,
				    value)
			if (json_integer_value(value)) {
				fprintf(t->out, "%s %s %" JSON_INTEGER_FORMAT,
					before, name,
					json_integer_value(value));
				before = ",";
			}
		fputc('\n', t->out);
	}
}

static void print_departures(const struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (*text_of(&t->result[i], "departs"))
			fprintf(t->out, "%s never was: %s\n",
				text_of(&t->result[i], "name"),
				text_of(&t->result[i], "departs"));
}

void compare_print(const struct workload_result *result, size_t nr,
		   const char *unit, FILE *out)
{
	struct table t = {
		.result = result,
		.nr = nr,
		.width = 12,
		.out = out,
	};
	unsigned int i;

	for (i = 0; i < nr; i++)
		if ((int)strlen(text_of(&result[i], "name")) > t.width)
			t.width = (int)strlen(text_of(&result[i], "name"));
	print_names(&t);
	print_rates(&t, unit);
	print_latency(&t, "latency p50 us", 0.5);
	print_latency(&t, "latency p99 us", 0.99);
	print_sleeps(&t);
	for (i = 0; i < RWSEMLAB_NR_EVENTS; i++)
		print_event(&t, (enum rwsemlab_event)i);
	for (i = 0; i < RWSEMLAB_NR_TIMES; i++) {
		print_time(&t, (enum rwsemlab_time)i, "p50");
		print_time(&t, (enum rwsemlab_time)i, "p99");
		print_time(&t, (enum rwsemlab_time)i, "max");
	}
	print_globals(&t);
	print_departures(&t);
}

void compare_sites(const struct workload_result *result, size_t nr, FILE *out)
{
	json_t *site;
	size_t i, j;

	fprintf(out, "\n%-22s %-28s %-5s %10s %10s %10s %12s\n", "lock",
		"call site", "mode", "fast", "slow", "sleeps", "wait_ns p99");
	for (i = 0; i < nr; i++)
		json_array_foreach(json_object_get(result[i].lock, "sites"), j,
				   site) {
			if (j == MAX_SITES)
				break;
			/* Sites of releases, which only woke others. */
			if (!event_of(site, "fast") && !event_of(site, "slow"))
				continue;
			fprintf(out,
				"%-22s %-28s %-5s %10" JSON_INTEGER_FORMAT
				" %10" JSON_INTEGER_FORMAT
				" %10" JSON_INTEGER_FORMAT
				" %12" JSON_INTEGER_FORMAT "\n",
				j ? "" : text_of(&result[i], "name"),
				json_string_value(
					json_object_get(site, "function")),
				json_string_value(
					json_object_get(site, "mode")),
				event_of(site, "fast"), event_of(site, "slow"),
				event_of(site, "sleeps"),
				json_integer_value(json_object_get(
					time_of(site, "wait_ns"), "p99")));
		}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cmd-session-show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input.h"
#include "analyze/text-table.h"
#include "analyze/units.h"
#include "workloads/workload.h"

/* One session's runs, read and added up. */
struct runs {
	const struct session *session;
	struct profile *profile;
	const struct output *out;
	struct workload_result *result;
	size_t nr;
	double work;
	int code; /* the worst that a result calls for */
};

static int read_run(struct runs *r, size_t i, struct error *err)
{
	struct error why = { 0 };
	char *perf_data;
	json_t *run;
	int code;

	run = session_run(r->session, i, &perf_data);
	if (!run)
		return error_set(err, EXIT_USAGE, "out of memory");
	if (workload_result_from_json(json_object_get(run, "result"),
				      &r->result[i], &why)) {
		free(perf_data);
		return error_set(err, EXIT_USAGE,
				 "%s/session.json: run %zu: %s",
				 r->session->path, i + 1, why.text);
	}
	r->nr++;
	r->work += (double)r->result[i].work;
	code = workload_result_code(&r->result[i]);
	if (code && !r->code)
		r->code = code;
	code = input_read(perf_data, r->profile, err);
	free(perf_data);
	return code;
}

/* " vmas=64" of a run of session --vary, else "" */
static const char *vary_of(const struct runs *r, size_t i, char text[80])
{
	const json_t *run =
		json_array_get(json_object_get(r->session->root, "runs"), i);
	const json_t *vary = json_object_get(run, "vary");
	const char *key = json_string_value(json_object_get(vary, "key"));
	const char *value = json_string_value(json_object_get(vary, "value"));

	text[0] = '\0';
	if (key && value)
		snprintf(text, 80, " %.30s=%.40s", key, value);
	return text;
}

static void print_runs(const struct runs *r)
{
	struct text_table t = { 0 };
	char a[UNITS_SIZE], vary[80];
	size_t i;

	text_table_column(&t, true, "run");
	text_table_column(&t, false, "work/s");
	text_table_column(&t, false, "forks/s");
	text_table_column(&t, false, "latency p50");
	text_table_column(&t, false, "p99");
	text_table_column(&t, false, "cs/s");
	text_table_column(&t, false, "failures");
	for (i = 0; i < r->nr; i++) {
		const struct workload_result *w = &r->result[i];
		uint64_t ns = (uint64_t)(w->elapsed_s * 1e9);

		text_table_cell(&t, "%03zu%s", i + 1, vary_of(r, i, vary));
		text_table_cell(&t, "%s", units_rate(a, w->work, ns));
		text_table_cell(&t, "%s", units_rate(a, w->forks, ns));
		text_table_cell(&t, "%s",
				w->latency.count ?
					units_time(a,
						   rwsemlab_histogram_quantile(
							   &w->latency, 0.5)) :
					"-");
		text_table_cell(&t, "%s",
				w->latency.count ?
					units_time(a,
						   rwsemlab_histogram_quantile(
							   &w->latency, 0.99)) :
					"-");
		text_table_cell(&t, "%.0f/s", w->vmstat.total.cs_per_s);
		text_table_cell(&t, "%s",
				units_count(a, w->verification.failures));
	}
	text_table_print(&t, 0, false, r->out->file);
}

/* A value as the user would give it; other types can't be in options. */
static void print_option(const char *key, const json_t *value, FILE *out)
{
	if (json_is_string(value))
		fprintf(out, " %s=%s", key, json_string_value(value));
	else if (json_is_integer(value))
		fprintf(out, " %s=%lld", key,
			(long long)json_integer_value(value));
	else if (json_is_boolean(value))
		fprintf(out, " %s=%d", key, json_is_true(value));
	else if (json_is_real(value))
		fprintf(out, " %s=%g", key, json_real_value(value));
}

static void print_options(const json_t *root, FILE *out)
{
	const char *workload =
		json_string_value(json_object_get(root, "workload"));
	const char *key;
	json_t *value;

	fprintf(out, "session %s", workload ? workload : "");
	json_object_foreach(json_object_get(root, "options"), key, value)
		print_option(key, value, out);
	fputc('\n', out);
}

static void print_results(const struct runs *r)
{
	FILE *out = r->out->file;

	print_options(r->session->root, out);
	if (r->nr == 1)
		workload_result_print(&r->result[0], out);
	else
		print_runs(r);
	fputc('\n', out);
}

static int show_runs(struct runs *r, const struct show_options *options,
		     struct error *err)
{
	const char *unit =
		json_string_value(json_object_get(r->session->root, "unit"));
	bool text = !options->format || !strcmp(options->format, "text");
	size_t nr = session_nr_runs(r->session);
	size_t i;
	int code;

	for (i = 0; i < nr; i++)
		if (read_run(r, i, err))
			return err->code;
	if (text)
		print_results(r);
	code = show(r->profile, options, r->out, r->work, unit,
		    r->session->root, err);
	if (code || !r->code)
		return code;
	error_set(err, r->code, "%s",
		  r->code == EXIT_CHECK_FAILED ?
			  "the workload's verification failed" :
			  "a run had a problem, see above");
	return r->code;
}

int session_show(const struct session *session,
		 const struct show_options *options, const struct output *out,
		 enum split_by split, struct error *err)
{
	struct runs r = { .session = session, .out = out };
	int code;
	size_t i;

	r.profile = profile_new();
	r.result = calloc(session_nr_runs(session) + 1, sizeof(*r.result));
	if (r.profile && r.result) {
		r.profile->split = split;
		code = show_runs(&r, options, err);
	} else {
		error_set(err, EXIT_USAGE, "out of memory");
		code = err->code;
	}
	for (i = 0; i < r.nr; i++)
		workload_result_free(&r.result[i]);
	free(r.result);
	profile_free(r.profile);
	return code;
}

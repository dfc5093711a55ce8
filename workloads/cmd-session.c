// SPDX-License-Identifier: GPL-2.0-only
/* rwsemlab session: run a workload, record it, keep both, print the report. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "analyze/record.h"
#include "workloads/cmd-session-show.h"
#include "workloads/workload.h"

#define POLL_MS 250

struct session_values {
	struct show_options show;
	const char *output;
	unsigned long repeats;
	unsigned long buffer;
	bool wakers;
	bool cgroups;
	bool allow_remount;
	int argc; /* as the user typed it */
	char **argv;
};

static const struct command_option options[] = {
	{ 'o', "output", "DIR", OPTION_STRING,
	  offsetof(struct session_values, output),
	  "the session's folder (WORKLOAD-001 and on)" },
	{ 'n', "repeats", "N", OPTION_UINT,
	  offsetof(struct session_values, repeats), "how many runs (1)" },
	{ 'm', "buffer", "SIZE", OPTION_UINT,
	  offsetof(struct session_values, buffer),
	  "ring buffer per CPU in bytes, or with k, M (16M, less on"
	  " many CPUs)" },
	{ 0, "wakers", NULL, OPTION_FLAG,
	  offsetof(struct session_values, wakers),
	  "record who wakes the sleepers, too" },
	{ 0, "cgroups", NULL, OPTION_FLAG,
	  offsetof(struct session_values, cgroups),
	  "record each event's control group, too" },
	{ 0, "allow-remount", NULL, OPTION_FLAG,
	  offsetof(struct session_values, allow_remount),
	  "the same as the key allow_remount=1 of cgroup workloads" },
	SHOW_COMMAND_OPTIONS(struct session_values, show),
	{ 0 },
};

/* How often the user asked for an end: once is a request, twice an order. */
static volatile sig_atomic_t interrupts;

static void on_signal(int signal_number)
{
	(void)signal_number;
	interrupts++;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* Both run: empty the buffers until the workload is at its end. */
static int record_until_end(struct recording *rec, struct workload_run *run,
			    struct error *err)
{
	bool stopping = false;
	int ret;

	for (;;) {
		ret = record_poll(rec, workload_fd(run), POLL_MS, err);
		if (ret)
			return ret < 0 ? -1 : 0;
		if (interrupts > 1)
			return error_set(err, EXIT_USAGE, "interrupted");
		if (interrupts && !stopping) {
			workload_stop(run);
			stopping = true;
		}
	}
}

static int record_workload(struct recording *rec, struct workload_run *run,
			   struct workload_result *result, struct error *err)
{
	struct error stop = { 0 };
	int ret = -1;

	if (!record_start(rec, err) && !workload_go(run, err))
		ret = record_until_end(rec, run, err);
	/* Whatever happened: what was recorded stays readable. */
	if (record_stop(rec, &stop)) {
		ret = -1;
		error_set(err, stop.code, "%s", stop.text);
	}
	if (ret)
		return -1;
	return workload_wait(run, result, err);
}

static json_t *run_json(const struct workload_result *result,
			const struct record_stats *stats)
{
	json_t *recording = json_pack("{s:I, s:I, s:I, s:I, s:I}", "events",
				      (json_int_t)stats->samples, "bytes",
				      (json_int_t)stats->bytes, "lost",
				      (json_int_t)stats->lost, "elapsed_ns",
				      (json_int_t)stats->elapsed_ns,
				      "buffer_bytes",
				      (json_int_t)stats->buffer_size);

	return json_pack("{s:o, s:o}", "result", workload_result_json(result),
			 "recording", recording);
}

static int run_once(struct session *session, int number,
		    const struct workload_options *workload,
		    const struct record_options *record, struct error *err)
{
	struct workload_result result = { 0 };
	struct workload_run *run = NULL;
	struct recording *rec = NULL;
	int ret = -1;

	if (workload_start(workload, &run, err))
		goto out;
	if (record_open(record, &rec, err))
		goto out;
	if (record_workload(rec, run, &result, err))
		goto out;
	ret = session_add_run(session, number,
			      run_json(&result, record_stats(rec)), err);
	workload_result_free(&result);
out:
	workload_free_run(run);
	record_close(rec);
	return ret;
}

static json_t *head_json(const struct workload_options *workload,
			 const struct session_values *values)
{
	struct utsname name = { 0 };
	struct tm tm;
	char started[32] = "";
	time_t now = time(NULL);

	uname(&name);
	if (gmtime_r(&now, &tm))
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:s, s:s, s:s, s:I}",
			 "format", "", "version", PACKAGE_VERSION, "workload",
			 workload->workload->name, "unit",
			 workload->workload->unit, "options",
			 workload_options_json(workload), "repeats",
			 (json_int_t)values->repeats, "started", started,
			 "kernel", name.release, "architecture", name.machine,
			 "cpus_online",
			 (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
}

static bool is_split_by(const struct session_values *values, const char *what)
{
	return values->show.by && !strcmp(values->show.by, what);
}

static int run_all(struct session *session,
		   const struct workload_options *workload,
		   const struct session_values *values, struct error *err)
{
	struct record_options record = RECORD_OPTIONS_DEFAULT;
	unsigned long i;

	/* What the report is to be split by has to be recorded. */
	record.wakers = values->wakers || is_split_by(values, "waker");
	record.cgroups = values->cgroups || is_split_by(values, "cgroup");
	record.argc = values->argc;
	record.argv = values->argv;
	if (values->buffer)
		record.buffer_size = values->buffer;
	for (i = 0; i < values->repeats && !interrupts; i++) {
		char *perf_data;
		int number = session_new_run(session, &perf_data, err);
		int ret;

		if (number < 0)
			return -1;
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "run %lu of %lu: %s/run-%03d\n", i + 1,
				values->repeats, session->path, number);
		record.path = perf_data;
		ret = run_once(session, number, workload, &record, err);
		free(perf_data);
		if (ret)
			return -1;
	}
	return 0;
}

static int run_workload(const struct workload_options *workload,
			const struct session_values *values,
			enum split_by split, struct error *err)
{
	struct session session;
	struct output out;
	int code;

	if (output_open(&out, NULL, err))
		return err->code;
	if (session_create(values->output, workload->workload->name,
			   head_json(workload, values), &session, err))
		return err->code;
	catch_signals();
	if (run_all(&session, workload, values, err)) {
		code = err->code;
	} else {
		code = session_show(&session, &values->show, &out, split, err);
		fprintf(stderr, "session: %s\n", session.path);
	}
	session_free(&session);
	return code;
}

static int parse_and_run(const struct command *self, int argc, char **argv,
			 struct session_values *values, struct error *err)
{
	struct workload_options *workload_options;
	const struct workload *workload;
	enum split_by split;
	int words = command_parse(self, argc, argv, values, err);
	int code;

	if (words == COMMAND_HELPED)
		return EXIT_OK;
	if (words < 0 || show_check(&values->show, &split, err))
		return err->code;
	if (!words)
		return error_set(err, EXIT_USAGE,
				 "session: which WORKLOAD? 'rwsemlab list"
				 " workloads' shows what there is");
	if (!values->repeats || values->repeats > 9999)
		return error_set(err, EXIT_USAGE,
				 "session: -n takes 1 to 9999");
	workload = workload_find(argv[1], err);
	/* The option left room for the word. */
	if (values->allow_remount)
		argv[++words] = (char *)"allow_remount=1";
	if (!workload ||
	    workload_parse_options(workload, argv + 2, (size_t)words - 1,
				   &workload_options, err))
		return err->code;
	code = run_workload(workload_options, values, split, err);
	workload_free_options(workload_options);
	return code;
}

static int run_session(const struct command *self, int argc, char **argv,
		       struct error *err)
{
	struct session_values values = {
		.show = SHOW_OPTIONS_DEFAULT,
		.repeats = 1,
		.argc = argc,
	};
	int code;

	/* Parsing moves the words; the recording's header has them as given. */
	values.argv = malloc((size_t)argc * sizeof(*argv));
	if (!values.argv)
		return error_set(err, EXIT_USAGE, "out of memory");
	memcpy(values.argv, argv, (size_t)argc * sizeof(*argv));
	code = parse_and_run(self, argc, argv, &values, err);
	free(values.argv);
	return code;
}

const struct command command_session = {
	.name = "session",
	.summary = "run a workload, record it and print its sleep sites",
	.usage = "[OPTION...] WORKLOAD [KEY=VALUE...]",
	.options = options,
	.run = run_session,
};

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

#include "analyze/diff-show.h"
#include "analyze/record.h"
#include "workloads/cmd-session-show.h"
#include "workloads/cmd-session-vary.h"
#include "workloads/workload.h"

#define POLL_MS 250

struct session_values {
	struct show_options show;
	const char *output;
	const char *vary;
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
	{ 0, "vary", "KEY=A,B", OPTION_STRING,
	  offsetof(struct session_values, vary),
	  "-n runs with each value of a key, in turns, and compare them" },
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

/* One run of the session. */
struct turn {
	int number; /* of its folder */
	const struct workload_options *workload;
	json_t *vary; /* borrowed; NULL: nothing is varied */
};

static json_t *run_json(const struct turn *turn,
			const struct workload_result *result,
			const struct record_stats *stats)
{
	json_t *recording = json_pack("{s:I, s:I, s:I, s:I, s:I}", "events",
				      (json_int_t)stats->samples, "bytes",
				      (json_int_t)stats->bytes, "lost",
				      (json_int_t)stats->lost, "elapsed_ns",
				      (json_int_t)stats->elapsed_ns,
				      "buffer_bytes",
				      (json_int_t)stats->buffer_size);

	/* O*: where nothing is varied there is no such key. */
	return json_pack("{s:o, s:o, s:O*}", "result",
			 workload_result_json(result), "recording", recording,
			 "vary", turn->vary);
}

static int run_once(struct session *session, const struct turn *turn,
		    const struct record_options *record, struct error *err)
{
	struct workload_result result = { 0 };
	struct workload_run *run = NULL;
	struct recording *rec = NULL;
	int ret = -1;

	if (workload_start(turn->workload, &run, err))
		goto out;
	if (record_open(record, &rec, err))
		goto out;
	if (record_workload(rec, run, &result, err))
		goto out;
	ret = session_add_run(session, turn->number,
			      run_json(turn, &result, record_stats(rec)), err);
	workload_result_free(&result);
out:
	workload_free_run(run);
	record_close(rec);
	return ret;
}

static json_t *head_json(const struct session_plan *plan,
			 const struct session_values *values)
{
	const struct workload_options *workload = plan->options[0];
	json_t *workload_json = workload_options_json(workload);
	struct utsname name = { 0 };
	struct tm tm;
	char started[32] = "";
	time_t now = time(NULL);

	uname(&name);
	if (gmtime_r(&now, &tm))
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &tm);
	/* What was varied is in the runs. */
	if (plan->key)
		json_object_del(workload_json, plan->key);
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o*, s:I, s:s, s:s, s:s,"
			 " s:I}",
			 "format", "", "version", PACKAGE_VERSION, "workload",
			 workload->workload->name, "unit",
			 workload->workload->unit, "options", workload_json,
			 "vary", session_plan_json(plan), "repeats",
			 (json_int_t)values->repeats, "started", started,
			 "kernel", name.release, "architecture", name.machine,
			 "cpus_online",
			 (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
}

static int run_turn(struct session *session, const struct session_plan *plan,
		    unsigned long place, unsigned long all,
		    struct record_options *record, struct error *err)
{
	char *perf_data;
	struct turn turn = {
		.number = session_new_run(session, &perf_data, err),
		.workload = plan->options[session_plan_at(plan, place)],
	};
	int ret;

	if (turn.number < 0)
		return -1;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "run %lu of %lu: %s/run-%03d\n", place + 1, all,
			session->path, turn.number);
	record->path = perf_data;
	turn.vary = session_plan_run_json(plan, place);
	ret = run_once(session, &turn, record, err);
	json_decref(turn.vary);
	free(perf_data);
	return ret;
}

static int run_all(struct session *session, const struct session_plan *plan,
		   const struct session_values *values, enum split_by split,
		   struct error *err)
{
	struct record_options record = RECORD_OPTIONS_DEFAULT;
	unsigned long all = values->repeats * plan->nr, i;

	/* What the report is to be split by has to be recorded. */
	record.wakers = values->wakers || split == SPLIT_WAKER;
	record.cgroups = values->cgroups || split == SPLIT_CGROUP;
	record.argc = values->argc;
	record.argv = values->argv;
	if (values->buffer)
		record.buffer_size = values->buffer;
	for (i = 0; i < all && !interrupts; i++)
		if (run_turn(session, plan, i, all, &record, err))
			return -1;
	return 0;
}

static struct diff_show_options diff_options(const struct session_values *v)
{
	const struct diff_show_options show = {
		.format = v->show.format,
		.sites = v->show.sites,
		.kallsyms = v->show.kallsyms,
		.vmlinux = v->show.vmlinux,
		.tree = v->show.tree,
		.value = v->show.value,
		.percent_limit = v->show.percent_limit,
		.top = v->show.top,
		.allow_lost = v->show.allow_lost,
	};

	return show;
}

static int show_session(const struct session *session,
			const struct session_values *values,
			const struct output *out, enum split_by split,
			struct error *err)
{
	const struct diff_show_options show = diff_options(values);

	if (!values->vary)
		return session_show(session, &values->show, out, split, err);
	return diff_show(&session->path, 1, &show, out, err);
}

static int run_workload(const struct session_plan *plan,
			const struct session_values *values,
			enum split_by split, struct error *err)
{
	struct session session;
	struct output out;
	int code;

	if (output_open(&out, NULL, err))
		return err->code;
	if (session_create(values->output, plan->options[0]->workload->name,
			   head_json(plan, values), &session, err))
		return err->code;
	catch_signals();
	if (run_all(&session, plan, values, split, err)) {
		code = err->code;
	} else {
		code = show_session(&session, values, &out, split, err);
		fprintf(stderr, "session: %s\n", session.path);
	}
	session_free(&session);
	return code;
}

/* What is printed depends on whether there is something to compare. */
static int check_show(const struct session_values *values, enum split_by *split,
		      struct error *err)
{
	const struct diff_show_options show = diff_options(values);

	if (!values->vary)
		return show_check(&values->show, split, err);
	if (values->show.by)
		return error_set(err, EXIT_USAGE,
				 "--by does not go with --vary; 'rwsemlab"
				 " report' takes it");
	return diff_show_check(&show, err);
}

static int parse_and_run(const struct command *self, int argc, char **argv,
			 struct session_values *values, struct error *err)
{
	const struct workload *workload;
	struct session_plan plan;
	enum split_by split = SPLIT_NONE;
	int words = command_parse(self, argc, argv, values, err);
	int code;

	if (words == COMMAND_HELPED)
		return EXIT_OK;
	if (words < 0 || check_show(values, &split, err))
		return err->code;
	if (!words)
		return error_set(err, EXIT_USAGE,
				 "session: which WORKLOAD? 'rwsemlab list"
				 " workloads' shows what there is");
	if (!values->repeats || values->repeats > 9999)
		return error_set(err, EXIT_USAGE,
				 "session: -n takes 1 to 9999");
	workload = workload_find(argv[1], err);
	if (!workload)
		return err->code;
	/* The option left room for the word. */
	if (values->allow_remount)
		argv[++words] = (char *)"allow_remount=1";
	if (session_plan_make(&plan, workload, values->vary, argv + 2,
			      (size_t)words - 1, err))
		code = err->code;
	else
		code = run_workload(&plan, values, split, err);
	session_plan_free(&plan);
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

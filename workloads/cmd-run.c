// SPDX-License-Identifier: GPL-2.0-only
/*
 * rwsemlab run: a workload without recording.
 */
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/locks/compare.h"
#include "workloads/workload.h"

struct run_options {
	const char *format;
	struct option_list locks;
	bool allow_remount;
};

static const struct command_option run_options[] = {
	{ .name = "format",
	  .argument = "FORMAT",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct run_options, format),
	  .help = "text (default) or json" },
	{ .name = "lock",
	  .argument = "SPEC",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct run_options, locks),
	  .help = "run it on this lock of the library; each use adds one" },
	{ .name = "allow-remount",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct run_options, allow_remount),
	  .help = "the same as the key allow_remount=1 of cgroup workloads" },
	{ 0 },
};

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
#define NR_CAUGHT (sizeof(caught) / sizeof(caught[0]))

/* What the handler must set. */
static volatile sig_atomic_t interrupted_by;

static void on_interrupt(int sig)
{
	interrupted_by = sig;
}

/*
 * The first signal ends the run early, with its result; the next one has its
 * usual effect, after which the keeper cleans up.  They are let in only while
 * we poll; @mask is for that.
 */
static void catch_signals(sigset_t *mask)
{
	struct sigaction action = { .sa_handler = on_interrupt,
				    .sa_flags = (int)SA_RESETHAND };
	struct sigaction before;
	sigset_t block;
	size_t i;

	sigemptyset(&action.sa_mask);
	sigemptyset(&block);
	for (i = 0; i < NR_CAUGHT; i++) {
		sigaction(caught[i], NULL, &before);
		/* Ignored ones stay so: nohup, a shell's background jobs. */
		if (before.sa_handler == SIG_IGN)
			continue;
		sigaction(caught[i], &action, NULL);
		sigaddset(&block, caught[i]);
	}
	sigprocmask(SIG_BLOCK, &block, mask);
}

/* Print all we have, then end as the signal would have. */
static void end_by_signal(int sig)
{
	fflush(stdout);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void wait_for_end(struct workload_run *run, const sigset_t *mask)
{
	struct pollfd end = { .fd = workload_fd(run), .events = POLLIN };

	while (ppoll(&end, 1, NULL, mask) < 0 && errno == EINTR)
		if (interrupted_by)
			workload_stop(run);
}

static int run_workload(const struct workload_options *options,
			struct workload_result *result, struct error *err)
{
	struct workload_run *run;
	sigset_t mask;
	int ret;

	if (workload_start(options, &run, err))
		return -1;
	catch_signals(&mask);
	ret = workload_go(run, err);
	if (!ret) {
		wait_for_end(run, &mask);
		ret = workload_wait(run, result, err);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	workload_free_run(run);
	return ret;
}

static int print_json(const struct workload_options *options,
		      const struct workload_result *result, struct error *err)
{
	json_t *json = workload_result_json(result);
	int ret = -1;

	if (json && !json_object_set_new(json, "options",
					 workload_options_json(options)))
		ret = json_dumpf(json, stdout, JSON_INDENT(2));
	json_decref(json);
	if (ret)
		return error_set(err, EXIT_USAGE,
				 "run: cannot write the result as JSON");
	putchar('\n');
	return 0;
}

static int run_and_print(const struct workload_options *options, bool json,
			 struct error *err)
{
	struct workload_result result;
	int code;

	if (run_workload(options, &result, err))
		return (int)err->code;
	code = workload_result_code(&result);
	if (!json) {
		workload_result_print(&result, stdout);
		if (result.lock) {
			compare_print(&result, 1, options->workload->units,
				      stdout);
			compare_sites(&result, 1, stdout);
		}
	} else if (print_json(options, &result, err)) {
		code = EXIT_USAGE;
	}
	if (code == EXIT_CHECK_FAILED)
		error_set(err, EXIT_CHECK_FAILED,
			  "%s: %llu failures of its verification, first: %s",
			  result.workload,
			  (unsigned long long)result.verification.failures,
			  result.verification.first_failure);
	else if (code != EXIT_OK)
		error_set(err, (enum exit_code)code, "%s: %s", result.workload,
			  result.problem.text);
	workload_result_free(&result);
	return code;
}

/*
 * One workload on several locks: a run for each.
 */
struct comparison {
	const struct workload *workload;
	size_t nr; /* of those that have run */
	struct workload_result result[32];
	struct workload_options *options[32];
};

static bool drives_lock(const struct workload *workload)
{
	const struct workload_option *option;

	for (option = workload->options; option->key; option++)
		if (!strcmp(option->key, "lock"))
			return true;
	return false;
}

/* @words with one more, "lock=SPEC". */
static int parse_with_lock(const struct workload *workload, char **words,
			   size_t nr, const char *spec,
			   struct workload_options **options, struct error *err)
{
	char **with = calloc(nr + 1, sizeof(*with));
	char *lock = NULL;
	int ret = -1;

	if (!with || asprintf(&lock, "lock=%s", spec) < 0) {
		error_set(err, EXIT_USAGE, "run: out of memory");
	} else {
		memcpy(with, words, nr * sizeof(*with));
		with[nr] = lock;
		ret = workload_parse_options(workload, with, nr + 1, options,
					     err);
		free(lock);
	}
	free(with);
	return ret;
}

static int comparison_json(const struct comparison *c, struct error *err)
{
	json_t *runs = json_array();
	json_t *json;
	int ret = -1;
	size_t i;

	for (i = 0; i < c->nr; i++) {
		json_t *one = workload_result_json(&c->result[i]);

		json_object_set_new(one, "options",
				    workload_options_json(c->options[i]));
		json_array_append_new(runs, one);
	}
	json = json_pack(
		"{s:s, s:o, s:o*}", "workload", c->workload->name, "runs", runs,
		"latency_ratios",
		c->workload->latency_base ?
			compare_latency_json(c->result, c->nr,
					     c->workload->latency_base) :
			NULL);
	if (json && json_array_size(runs) == c->nr)
		ret = json_dumpf(json, stdout, JSON_INDENT(2));
	json_decref(json);
	if (ret)
		return error_set(err, EXIT_USAGE,
				 "run: cannot write the results as JSON");
	putchar('\n');
	return 0;
}

/* The first run that was not fine makes the exit code and the error. */
static int comparison_code(const struct comparison *c, struct error *err)
{
	int code = EXIT_OK;
	size_t i;

	for (i = 0; i < c->nr && code == EXIT_OK; i++) {
		const struct workload_result *result = &c->result[i];

		code = workload_result_code(result);
		if (code != EXIT_OK)
			error_set(err, (enum exit_code)code,
				  "%s on lock %zu: %s", result->workload, i + 1,
				  code == EXIT_CHECK_FAILED ?
					  result->verification.first_failure :
					  result->problem.text);
	}
	return code;
}

static int compare(struct comparison *c, char **words, size_t nr_words,
		   const struct run_options *o, struct error *err)
{
	size_t i;

	for (i = 0; i < o->locks.nr; i++)
		if (parse_with_lock(c->workload, words, nr_words,
				    o->locks.item[i], &c->options[i], err))
			return EXIT_USAGE;
	for (i = 0; i < o->locks.nr && !interrupted_by; i++) {
		if (run_workload(c->options[i], &c->result[i], err))
			return (int)err->code;
		c->nr++;
	}
	if (!strcmp(o->format, "json"))
		return comparison_json(c, err) ? EXIT_USAGE :
						 comparison_code(c, err);
	compare_print(c->result, c->nr, c->workload->units, stdout);
	if (c->workload->latency_base)
		compare_latency(c->result, c->nr, c->workload->latency_base,
				c->workload->latency_of, stdout);
	compare_sites(c->result, c->nr, stdout);
	return comparison_code(c, err);
}

static int run_comparison(const struct workload *workload, char **words,
			  size_t nr_words, const struct run_options *o,
			  struct error *err)
{
	struct comparison *c;
	int code;
	size_t i;

	if (!drives_lock(workload)) {
		error_set(err, EXIT_USAGE,
			  "run: %s runs on the kernel's locks, it takes no "
			  "--lock; anon-vma, rwmix, torture and cgroup-model "
			  "do",
			  workload->name);
		return EXIT_USAGE;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return error_set(err, EXIT_USAGE, "run: out of memory");
	c->workload = workload;
	code = compare(c, words, nr_words, o, err);
	for (i = 0; i < c->nr; i++)
		workload_result_free(&c->result[i]);
	for (i = 0; i < o->locks.nr; i++)
		workload_free_options(c->options[i]);
	free(c);
	return code;
}

static int run(const struct command *self, int argc, char **argv,
	       struct error *err)
{
	struct run_options o = { .format = "text" };
	int words = command_parse(self, argc, argv, &o, err);
	const struct workload *workload;
	struct workload_options *options;
	int code;

	if (words < 0)
		return words == COMMAND_HELPED ? EXIT_OK : EXIT_USAGE;
	if (!words) {
		error_set(err, EXIT_USAGE,
			  "run: name a workload; 'rwsemlab list workloads'"
			  " shows what there is");
		return EXIT_USAGE;
	}
	if (strcmp(o.format, "text") && strcmp(o.format, "json")) {
		error_set(err, EXIT_USAGE,
			  "run: --format takes text or json, not '%s'",
			  o.format);
		return EXIT_USAGE;
	}
	workload = workload_find(argv[1], err);
	if (!workload)
		return EXIT_USAGE;
	/* The option left room for the word. */
	if (o.allow_remount)
		argv[++words] = (char *)"allow_remount=1";
	if (o.locks.nr) {
		code = run_comparison(workload, argv + 2, (size_t)words - 1, &o,
				      err);
	} else {
		if (workload_parse_options(workload, argv + 2,
					   (size_t)words - 1, &options, err))
			return EXIT_USAGE;
		code = run_and_print(options, !strcmp(o.format, "json"), err);
		workload_free_options(options);
	}
	if (interrupted_by)
		end_by_signal(interrupted_by);
	return code;
}

const struct command command_run = {
	.name = "run",
	.summary = "run a workload without recording",
	.usage = "[OPTION...] WORKLOAD [key=value...]",
	.options = run_options,
	.run = run,
};

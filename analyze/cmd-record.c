// SPDX-License-Identifier: GPL-2.0-only
/*
 * rwsemlab record: record a command, a process or the whole system.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyze/record-child.h"
#include "analyze/record-print.h"
#include "analyze/record.h"
#include "analyze/units.h"
#include "command.h"

struct record_values {
	const char *output;
	const char *format;
	bool all;
	bool wakers;
	bool cgroups;
	bool no_user_chains;
	bool allow_lost;
	unsigned long pid;
	unsigned long seconds;
	unsigned long buffer;
};

#define VALUE(member) offsetof(struct record_values, member)
static const struct command_option options[] = {
	{ 'a', "all", NULL, OPTION_FLAG, VALUE(all),
	  "the whole system, until Ctrl-C or the command's end" },
	{ 'p', "pid", "PID", OPTION_UINT, VALUE(pid),
	  "a running process and what it forks from now on" },
	{ 'o', "output", "FILE", OPTION_STRING, VALUE(output),
	  "where to (perf.data); '-': a stream on standard output" },
	{ 'd', "duration", "SECONDS", OPTION_UINT, VALUE(seconds),
	  "end the recording after that time" },
	{ 'm', "buffer", "SIZE", OPTION_UINT, VALUE(buffer),
	  "ring buffer per CPU (16M, less on many CPUs)" },
	{ 0, "wakers", NULL, OPTION_FLAG, VALUE(wakers),
	  "record wake-ups with the wakers' call chains" },
	{ 0, "cgroups", NULL, OPTION_FLAG, VALUE(cgroups),
	  "record each event's control group (--by cgroup)" },
	{ 0, "no-user-chains", NULL, OPTION_FLAG, VALUE(no_user_chains),
	  "the kernel part of call chains only" },
	{ 0, "allow-lost", NULL, OPTION_FLAG, VALUE(allow_lost),
	  "lost events are no failure" },
	{ 0, "format", "FORMAT", OPTION_STRING, VALUE(format),
	  "json: what was recorded, on standard output" },
	{ 0 },
};

/* One run of the command. */
struct run {
	const struct record_values *values;
	char **command; /* NULL: none */
	struct record_child child;
	struct recording *rec;
	sigset_t old_mask;
	int signals; /* signalfd */
	int ended_by; /* the signal that ended the recording, 0: none */
	bool terminal; /* standard error is one */
	struct record_status status;
};

/* ------------------------------------------------------------- signals */

/* A signal that was ignored when we began stays ignored (nohup). */
static void add_signal(sigset_t *set, int number)
{
	struct sigaction action;

	if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_IGN)
		sigaddset(set, number);
}

static int open_signals(struct run *run, struct error *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	add_signal(&set, SIGINT);
	add_signal(&set, SIGTERM);
	add_signal(&set, SIGHUP);
	add_signal(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, &run->old_mask);
	run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (run->signals < 0)
		return error_errno(err, EXIT_USAGE, "record: signalfd");
	return 0;
}

/* What a terminal sends goes to the command as well; the rest we pass on. */
static void take_signals(struct run *run)
{
	struct signalfd_siginfo info;

	while (read(run->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		run->ended_by = (int)info.ssi_signo;
		if (info.ssi_code != SI_KERNEL && run->child.pid)
			kill(run->child.pid, run->ended_by);
	}
}

/* ------------------------------------------------------------ recording */

static bool time_is_up(const struct run *run)
{
	return run->values->seconds &&
	       record_stats(run->rec)->elapsed_ns >=
		       run->values->seconds * 1000000000ULL;
}

static int timeout_ms(const struct run *run)
{
	uint64_t end = run->values->seconds * 1000000000ULL;
	uint64_t now = record_stats(run->rec)->elapsed_ns;

	if (!run->values->seconds || end > now + RECORD_STATUS_MS * 1000000ULL)
		return RECORD_STATUS_MS;
	return end > now ? (int)((end - now) / 1000000) + 1 : 0;
}

static int record_until_end(struct run *run, struct error *err)
{
	int ready;

	for (;;) {
		ready = record_poll(run->rec, run->signals, timeout_ms(run),
				    err);
		if (ready < 0)
			return -1;
		if (ready)
			take_signals(run);
		if (run->terminal)
			record_status_show(&run->status,
					   record_stats(run->rec));
		if (run->ended_by || time_is_up(run) ||
		    record_stats(run->rec)->ended)
			return 0;
		if (run->command && record_child_ended(&run->child, false))
			return 0;
	}
}

/* The recording is over, but the command is not: let it end by itself. */
static void wait_for_command(struct run *run)
{
	struct signalfd_siginfo info;
	int pauses = 0;

	while (run->command && !record_child_ended(&run->child, false)) {
		struct timespec pause = { 0, 50000000 };

		/* Not when it ends just now. */
		if (pauses++ == 10 && !run->ended_by)
			fputs("rwsemlab: record: the recording has ended;"
			      " waiting for the command\n",
			      stderr);
		nanosleep(&pause, NULL);
		while (read(run->signals, &info, sizeof(info)) ==
		       sizeof(info)) {
			if (info.ssi_signo == SIGCHLD)
				continue;
			run->ended_by = (int)info.ssi_signo;
			if (info.ssi_code != SI_KERNEL)
				kill(run->child.pid, run->ended_by);
		}
	}
}

static int open_recording(struct run *run, int argc, char **argv,
			  struct error *err)
{
	const struct record_values *v = run->values;
	struct record_options o = {
		.path = v->output,
		.buffer_size = v->buffer,
		.wakers = v->wakers,
		.cgroups = v->cgroups,
		.no_user_chains = v->no_user_chains,
		.argv = argv,
		.argc = argc,
	};

	if (!v->all)
		o.pid = run->command ? run->child.pid : (pid_t)v->pid;
	return record_open(&o, &run->rec, err);
}

static int start(struct run *run, int argc, char **argv, struct error *err)
{
	run->child.output_to_error = run->values->format ||
				     !strcmp(run->values->output, "-");
	if (run->command &&
	    record_child_fork(&run->child, run->command, &run->old_mask, err))
		return -1;
	/* Or else a file limit would kill us with the file incomplete. */
	signal(SIGXFSZ, SIG_IGN);
	if (open_recording(run, argc, argv, err) ||
	    record_start(run->rec, err)) {
		if (run->command)
			record_child_cancel(&run->child);
		return -1;
	}
	record_print_warnings(record_stats(run->rec));
	if (run->command &&
	    record_child_release(&run->child, run->command[0], err)) {
		record_discard(run->rec);
		return -1;
	}
	return 0;
}

/* ------------------------------------------------------------- results */

/* A command that we ended, or the terminal did, has not failed. */
static int command_failed(const struct run *run, struct error *err)
{
	int status = run->child.status;

	if (!run->command || run->ended_by || !status)
		return 0;
	if (WIFSIGNALED(status))
		return error_set(err, EXIT_CHECK_FAILED,
				 "record: %s was killed by signal %d (%s);"
				 " the recording is complete",
				 run->command[0], WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	return error_set(err, EXIT_CHECK_FAILED,
			 "record: %s ended with status %d; the recording is"
			 " complete",
			 run->command[0], WEXITSTATUS(status));
}

static int judge(const struct run *run, struct error *err)
{
	const struct record_stats *s = record_stats(run->rec);
	char lost[UNITS_SIZE];

	if (s->lost && !run->values->allow_lost)
		return error_set(err, EXIT_UNTRUSTED,
				 "record: %s records were lost; try a larger"
				 " buffer, -m %luk, or --allow-lost",
				 units_count(lost, s->lost),
				 s->buffer_size >> 8);
	return command_failed(run, err);
}

static int run_recording(struct run *run, int argc, char **argv,
			 struct error *err)
{
	if (open_signals(run, err) || start(run, argc, argv, err))
		return -1;
	record_until_end(run, err);
	record_stop(run->rec, err);
	record_status_clear(&run->status);
	record_print_summary(record_stats(run->rec), run->values->output);
	wait_for_command(run);
	if (run->values->format &&
	    record_print_json(record_stats(run->rec), run->values->output, err))
		return -1;
	return err->code == EXIT_OK ? judge(run, err) : -1;
}

static int check(const struct run *run, struct error *err)
{
	const struct record_values *v = run->values;

	if (!v->all && !v->pid && !run->command)
		return error_set(err, EXIT_USAGE,
				 "record: say what to record: -a, -p PID, or a"
				 " command after '--'");
	if (v->pid && (v->all || run->command))
		return error_set(err, EXIT_USAGE,
				 "record: -p goes with neither -a nor a"
				 " command");
	if (v->pid > INT_MAX)
		return error_set(err, EXIT_USAGE, "record: no process %lu",
				 v->pid);
	if (v->seconds > ULONG_MAX / 1000000000UL)
		return error_set(err, EXIT_USAGE,
				 "record: -d %lu: that many seconds are not"
				 " possible",
				 v->seconds);
	if (v->format && strcmp(v->format, "json"))
		return error_set(err, EXIT_USAGE,
				 "record: --format knows json, not '%s'",
				 v->format);
	if (v->format && !strcmp(v->output, "-"))
		return error_set(err, EXIT_USAGE,
				 "record: --format and -o - both want standard"
				 " output");
	return run->command ? record_child_find(run->command[0], err) : 0;
}

/* The words as they were given: parsing moves them. */
static char **copy_words(int argc, char **argv)
{
	static char program[] = PACKAGE_NAME;
	char **words = calloc((size_t)argc + 1, sizeof(*words));

	if (!words)
		return NULL;
	words[0] = program;
	memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
	return words;
}

static int record_run(const struct command *self, int argc, char **argv,
		      struct error *err)
{
	struct record_values values = {
		.output = RECORD_DEFAULT_PATH,
	};
	struct run run = { .values = &values, .signals = -1 };
	char **words = copy_words(argc, argv);
	int nr = command_parse(self, argc, argv, &values, err);

	if (nr > 0) {
		run.command = argv + 1;
		argv[nr + 1] = NULL;
	}
	run.terminal = isatty(STDERR_FILENO);
	if (nr >= 0 && !check(&run, err))
		run_recording(&run, words ? argc + 1 : 0, words, err);
	if (run.signals >= 0)
		close(run.signals);
	record_close(run.rec);
	free(words);
	return err->code;
}

const struct command command_record = {
	.name = "record",
	.summary = "record what puts tasks to sleep",
	.usage = "[OPTION...] [-a | -p PID | -- COMMAND [ARGUMENT...]]",
	.options = options,
	.run = record_run,
};

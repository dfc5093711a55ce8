// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tool's side of a run.
 */
#include "workloads/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/channel.h"
#include "workloads/keeper.h"
#include "workloads/options.h"

extern char **environ;

struct workload_run {
	const struct workload_options *options;
	const char *name;
	char *directory; /* the run's own; NULL: none */
	pid_t keeper; /* 0: was waited for */
	pid_t root; /* 0: not known yet */
	int control_fd; /* -1: closed, which ends the run */
	struct channel result;
	bool went;
};

static int no_memory(const struct workload_run *run, struct error *err)
{
	return error_set(err, EXIT_USAGE, "%s: out of memory", run->name);
}

/* A name that nobody can have made before us. */
static int choose_directory(struct workload_run *run, struct error *err)
{
	const struct workload *workload = run->options->workload;
	const char *base;
	uint64_t random;

	if (!workload->directory)
		return 0;
	base = workload->directory(run->options->values);
	if (access(base, W_OK | X_OK))
		return error_errno(err, EXIT_USAGE, "%s: cannot write into %s",
				   run->name, base);
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return error_errno(err, EXIT_USAGE, "%s: no random numbers",
				   run->name);
	if (asprintf(&run->directory, "%s/rwsemlab-%s-%d-%08x", base, run->name,
		     (int)getpid(), (unsigned int)random) < 0) {
		run->directory = NULL;
		return no_memory(run, err);
	}
	return 0;
}

/* A pipe whose ends are not among those that the keeper gets them as. */
static int high_pipe(int fds[2])
{
	int low[2];
	int i;

	if (pipe2(low, O_CLOEXEC))
		return -1;
	for (i = 0; i < 2; i++) {
		fds[i] = fcntl(low[i], F_DUPFD_CLOEXEC, KEEPER_RESULT_FD + 1);
		close(low[i]);
	}
	if (fds[0] >= 0 && fds[1] >= 0)
		return 0;
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
	return -1;
}

/* Fresh signals, no terminal, and only the two pipes beside the usual three. */
static int spawn(struct workload_run *run, char *const argv[], int control,
		 int result)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t all, none;
	int ret;

	sigfillset(&all);
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files))
		return -1;
	if (posix_spawnattr_init(&how)) {
		posix_spawn_file_actions_destroy(&files);
		return -1;
	}
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF |
					       POSIX_SPAWN_SETSIGMASK |
					       POSIX_SPAWN_SETSID);
	ret = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR,
					       0);
	ret = ret ?: posix_spawn_file_actions_adddup2(&files, 0, 1);
	ret = ret   ?:
		      posix_spawn_file_actions_adddup2(&files, control,
						       KEEPER_CONTROL_FD);
	ret = ret   ?:
		      posix_spawn_file_actions_adddup2(&files, result,
						       KEEPER_RESULT_FD);
	ret = ret   ?:
		      posix_spawn_file_actions_addclosefrom_np(
			      &files, KEEPER_RESULT_FD + 1);
	ret = ret   ?:
		      posix_spawn(&run->keeper, "/proc/self/exe", &files, &how,
				  argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	errno = ret;
	return ret ? -1 : 0;
}

/* "rwsemlab keeper DIRECTORY WORKLOAD key=value...". */
static char **keeper_words(struct workload_run *run, char **options)
{
	size_t nr = 0;
	char **argv;

	while (options[nr])
		nr++;
	argv = calloc(nr + 5, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = (char *)"rwsemlab";
	argv[1] = (char *)"keeper";
	argv[2] = run->directory ? run->directory : (char *)"-";
	argv[3] = (char *)run->name;
	memcpy(argv + 4, options, nr * sizeof(*argv));
	return argv;
}

static int start_keeper(struct workload_run *run, struct error *err)
{
	char **options = workload_option_words(run->options);
	char **argv = options ? keeper_words(run, options) : NULL;
	int control[2] = { -1, -1 };
	int result[2] = { -1, -1 };
	int ret = -1;

	if (!argv)
		no_memory(run, err);
	else if (high_pipe(control) || high_pipe(result))
		error_errno(err, EXIT_USAGE, "%s: no pipe", run->name);
	else if (spawn(run, argv, control[0], result[1]))
		error_errno(err, EXIT_USAGE,
			    "%s: cannot start its keeper"
			    " (/proc/self/exe)",
			    run->name);
	else
		ret = 0;
	run->control_fd = control[1];
	run->result.fd = result[0];
	if (control[0] >= 0)
		close(control[0]);
	if (result[1] >= 0)
		close(result[1]);
	free(argv);
	workload_free_words(options);
	return ret;
}

/* The next event, waited for; NULL: there is none. */
static json_t *next_event(struct workload_run *run)
{
	json_t *event;

	for (;;) {
		if (channel_next(&run->result, &event) || event)
			return event;
		if (run->result.ended || channel_fill(&run->result))
			return NULL;
	}
}

/*
 * Wait for the keeper.  Where it did not end by itself, do its work as far as
 * that is possible.
 */
static void reap_keeper(struct workload_run *run, struct error *err)
{
	int status = 0;

	if (!run->keeper)
		return;
	while (waitpid(run->keeper, &status, 0) < 0 && errno == EINTR)
		;
	run->keeper = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return;
	if (run->root)
		kill(-run->root, SIGKILL);
	if (run->directory)
		keeper_remove_directory(run->directory);
	if (run->options->workload->sweep)
		run->options->workload->sweep(run->options->values);
	error_set(err, EXIT_CHECK_FAILED,
		  "%s: its keeper was killed; its processes were ended",
		  run->name);
}

/* Ends the run, well or not, with what the keeper had to say. */
static int end_run(struct workload_run *run, json_t *event, struct error *err)
{
	channel_take_error(event, err);
	reap_keeper(run, err);
	return error_set(err, EXIT_CHECK_FAILED,
			 "%s: its keeper did not answer as it should",
			 run->name);
}

static int wait_ready(struct workload_run *run, struct error *err)
{
	json_t *event = next_event(run);
	json_int_t pid;
	int ret = 0;

	if (channel_is(event, "ready") &&
	    !json_unpack(event, "{s:I}", "pid", &pid) && pid > 1)
		run->root = (pid_t)pid;
	else
		ret = end_run(run, event, err);
	json_decref(event);
	return ret;
}

int workload_start(const struct workload_options *options,
		   struct workload_run **result, struct error *err)
{
	const struct workload *workload = options->workload;
	struct workload_run *run;
	const char *reason;

	*result = NULL;
	if (workload->supported && !workload->supported(&reason))
		return error_set(err, EXIT_IMPOSSIBLE, "%s: %s", workload->name,
				 reason);
	run = calloc(1, sizeof(*run));
	if (!run)
		return error_set(err, EXIT_USAGE, "out of memory");
	run->options = options;
	run->name = workload->name;
	run->control_fd = -1;
	run->result.fd = -1;
	if (choose_directory(run, err) || start_keeper(run, err) ||
	    wait_ready(run, err)) {
		workload_free_run(run);
		return -1;
	}
	*result = run;
	return 0;
}

pid_t workload_pid(const struct workload_run *run)
{
	return run->root;
}

int workload_fd(const struct workload_run *run)
{
	return run->result.fd;
}

int workload_go(struct workload_run *run, struct error *err)
{
	if (write(run->control_fd, "g", 1) == 1) {
		run->went = true;
		return 0;
	}
	/* Something ended it at the gate; the keeper's event says what. */
	return workload_wait(run, NULL, err);
}

void workload_stop(struct workload_run *run)
{
	if (run->went && run->control_fd >= 0 &&
	    write(run->control_fd, "s", 1) < 0)
		return; /* it has ended by itself */
}

int workload_wait(struct workload_run *run, struct workload_result *result,
		  struct error *err)
{
	json_t *event = next_event(run);
	json_t *json = json_object_get(event, "result");
	int ret;

	if (!json || !result || !channel_is(event, "end"))
		ret = end_run(run, event, err);
	else
		ret = workload_result_from_json(json, result, err);
	json_decref(event);
	/* With a whole result at hand the keeper's own end is no matter. */
	reap_keeper(run, ret ? err : &(struct error){ 0 });
	return ret;
}

void workload_free_run(struct workload_run *run)
{
	struct error unused = { 0 };

	if (!run)
		return;
	/* The end of this pipe is the keeper's sign to end all. */
	if (run->control_fd >= 0)
		close(run->control_fd);
	channel_close(&run->result);
	reap_keeper(run, &unused);
	free(run->directory);
	free(run);
}

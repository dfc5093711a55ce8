// SPDX-License-Identifier: GPL-2.0-only
/*
 * Root, the first process of a workload.
 */
#include "workloads/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "workloads/channel.h"
#include "workloads/env.h"

/* What SIGCHLD does in root: nothing, but it ends a ppoll(). */
static void wake(int sig)
{
	(void)sig;
}

static void set_signals(struct workload_env *env)
{
	struct sigaction action = { .sa_handler = wake };
	sigset_t mask;

	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	/* A limit of file sizes is an error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigemptyset(&env->sleep_mask);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static int send_result(const struct workload_env *env,
		       const struct workload_result *result)
{
	json_t *json = workload_result_json(result);

	return channel_send(env->event_fd, json_pack("{s:s, s:o}", "event",
						     "end", "result", json));
}

static int run_workload(const struct workload_options *options,
			const char *directory, struct workload_env *env)
{
	const struct workload *workload = options->workload;
	struct workload_result result = { 0 };
	struct error err = { 0 };
	int ret = -1;

	snprintf(result.workload, sizeof(result.workload), "%s",
		 workload->name);
	if (directory && chdir(directory))
		error_errno(&err, EXIT_USAGE, "%s: cannot enter %s",
			    workload->name, directory);
	else if (pipe2(env->start_fd, O_CLOEXEC) ||
		 pipe2(env->ready_fd, O_CLOEXEC))
		error_errno(&err, EXIT_USAGE, "%s: no pipe", workload->name);
	else
		ret = workload->run(options->values, env, &result, &err);
	if (ret)
		return channel_send(env->event_fd, channel_error(&err));
	return send_result(env, &result);
}

static void be_root(const struct workload_options *options,
		    const char *directory, struct workload_env *env,
		    pid_t keeper)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(1);
	prctl(PR_SET_NAME, options->workload->name);
	close(KEEPER_CONTROL_FD);
	close(KEEPER_RESULT_FD);
	set_signals(env);
	_exit(run_workload(options, directory, env) ? 1 : 0);
}

/* Three pipes, [0] to read from; all or none. */
static int make_pipes(int pipes[3][2])
{
	int i;

	for (i = 0; i < 3; i++) {
		if (!pipe2(pipes[i], O_CLOEXEC))
			continue;
		while (i--) {
			close(pipes[i][0]);
			close(pipes[i][1]);
		}
		return -1;
	}
	return 0;
}

pid_t keeper_start_root(const struct workload_options *options,
			const char *directory, void *place,
			struct keeper_fds *fds, struct error *err)
{
	struct workload_env env = {
		.workload = options->workload->name,
		.seconds = workload_options_seconds(options),
		.place = place,
	};
	pid_t keeper = getpid();
	int pipes[3][2];
	pid_t pid;

	if (make_pipes(pipes))
		return error_errno(err, EXIT_USAGE, "%s: no pipe",
				   env.workload);
	env.gate_fd = pipes[0][0];
	env.event_fd = pipes[1][1];
	env.trouble_fd = pipes[2][1];
	/* Nobody waits for the keeper when there is too much trouble. */
	fcntl(env.trouble_fd, F_SETFL, O_NONBLOCK);
	pid = fork();
	if (pid < 0)
		error_errno(err, EXIT_IMPOSSIBLE,
			    "%s: cannot fork; the limit of processes"
			    " (ulimit -u, pids cgroup) or of memory is reached",
			    env.workload);
	if (!pid) {
		close(pipes[0][1]);
		close(pipes[1][0]);
		close(pipes[2][0]);
		be_root(options, directory, &env, keeper);
	}
	close(env.gate_fd);
	close(env.event_fd);
	close(env.trouble_fd);
	fds->gate = pipes[0][1];
	fds->event = pipes[1][0];
	fds->trouble = pipes[2][0];
	fcntl(fds->event, F_SETFL, O_NONBLOCK);
	fcntl(fds->trouble, F_SETFL, O_NONBLOCK);
	if (pid > 0)
		setpgid(pid, pid);
	return pid;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/env.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workloads/channel.h"

uint64_t workload_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void workload_describe_status(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(text, size, "was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, size, "exited with status %d",
			 WEXITSTATUS(status));
}

void workload_trouble(const struct workload_env *env, const char *fmt, ...)
{
	char text[512]; /* at most PIPE_BUF: written in one piece */
	size_t length;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	length = strlen(text);
	text[length++] = '\n';
	/* When the pipe is full the keeper has its first line already. */
	if (write(env->trouble_fd, text, length) < 0)
		return;
}

/* What a child of root starts with. */
static void enter_child(struct workload_env *env, pid_t root)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != root)
		_exit(1);
	close(env->gate_fd);
	close(env->event_fd);
	close(env->start_fd[1]);
	close(env->ready_fd[0]);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t workload_spawn(struct workload_env *env, const char *name,
		     int (*child_main)(struct workload_env *env, void *arg),
		     void *arg, struct error *err)
{
	struct workload_child *grown;
	pid_t root = getpid();
	pid_t pid;

	grown = realloc(env->child, (env->nr_children + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, EXIT_USAGE, "%s: out of memory",
				 env->workload);
	env->child = grown;
	pid = fork();
	if (pid < 0)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "%s: cannot fork a %s; the limit of"
				   " processes (ulimit -u, pids cgroup) or of"
				   " memory is reached",
				   env->workload, name);
	if (!pid) {
		enter_child(env, root);
		_exit(child_main(env, arg));
	}
	env->child[env->nr_children++] = (struct workload_child){
		.pid = pid,
		.name = name,
	};
	return pid;
}

int workload_worker_ready(struct workload_env *env)
{
	ssize_t wrote = write(env->ready_fd[1], "r", 1);

	close(env->ready_fd[1]);
	return wrote == 1 ? 0 : -1;
}

int workload_worker_gate(struct workload_env *env)
{
	char byte;
	ssize_t got;

	if (workload_worker_ready(env))
		return -1;
	do
		got = read(env->start_fd[0], &byte, 1);
	while (got < 0 && errno == EINTR);
	close(env->start_fd[0]);
	return got == 1 ? 0 : -1;
}

/*
 * Sleeps until @until_ns (0: for ever), a child's end, or something to read
 * from @fd.  Returns whether there is.
 */
static bool sleep_until(struct workload_env *env, struct pollfd *fd,
			uint64_t until_ns)
{
	uint64_t now = workload_now_ns();
	uint64_t left = until_ns > now ? until_ns - now : 0;
	struct timespec timeout = {
		.tv_sec = (time_t)(left / 1000000000u),
		.tv_nsec = (long)(left % 1000000000u),
	};

	return ppoll(fd, fd ? 1 : 0, until_ns ? &timeout : NULL,
		     &env->sleep_mask) > 0;
}

/* The same; returns the byte at the gate, 's' without a keeper, or 0. */
static char sleep_at_gate(struct workload_env *env, uint64_t until_ns)
{
	struct pollfd gate = { .fd = env->gate_fd, .events = POLLIN };
	char byte = 's';
	ssize_t got;

	if (!sleep_until(env, &gate, until_ns))
		return 0;
	got = read(env->gate_fd, &byte, 1);
	return got < 0 && errno == EINTR ? 0 : byte;
}

static struct workload_child *find_child(struct workload_env *env, pid_t pid)
{
	size_t i;

	for (i = 0; i < env->nr_children; i++)
		if (env->child[i].pid == pid)
			return &env->child[i];
	return NULL;
}

/* Before their time is over, children must not end at all. */
static bool may_end(const struct workload_env *env)
{
	return env->stopped || env->finishes ||
	       (env->deadline_ns && workload_now_ns() >= env->deadline_ns);
}

/* Waits for children that have ended.  One that did so badly is an error. */
static int reap(struct workload_env *env, struct error *err)
{
	struct workload_child *child;
	char how[128];
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		child = find_child(env, pid);
		if (!child)
			continue;
		child->pid = 0;
		if (may_end(env) && WIFEXITED(status) && !WEXITSTATUS(status))
			continue;
		workload_describe_status(status, how, sizeof(how));
		return error_set(err, EXIT_CHECK_FAILED, "%s: a %s (pid %d) %s",
				 env->workload, child->name, (int)pid, how);
	}
	return 0;
}

/* Until every child has said that it is ready. */
static int wait_for_workers(struct workload_env *env, struct error *err)
{
	struct pollfd ready = { .fd = env->ready_fd[0], .events = POLLIN };
	size_t left = env->nr_children;
	char bytes[256];

	close(env->ready_fd[1]);
	while (left) {
		ssize_t got = 0;

		if (sleep_until(env, &ready, 0))
			got = read(ready.fd, bytes,
				   left < sizeof(bytes) ? left : sizeof(bytes));
		if (reap(env, err))
			return -1;
		if (got > 0)
			left -= (size_t)got;
	}
	close(env->ready_fd[0]);
	return 0;
}

int workload_gate(struct workload_env *env, struct error *err)
{
	size_t i;
	char byte;

	if (wait_for_workers(env, err))
		return -1;
	if (channel_send(env->event_fd, json_pack("{s:s}", "event", "ready")))
		return error_errno(err, EXIT_USAGE, "%s: the keeper is gone",
				   env->workload);
	do {
		byte = sleep_at_gate(env, 0);
		if (reap(env, err))
			return -1;
	} while (!byte);
	if (byte != 'g')
		return error_set(err, EXIT_USAGE, "%s: stopped before it began",
				 env->workload);
	env->go_ns = workload_now_ns();
	env->deadline_ns = env->go_ns + (uint64_t)(env->seconds * 1e9);
	if (env->shared) {
		env->shared->go_ns = env->go_ns;
		env->shared->deadline_ns = env->deadline_ns;
	}
	/* One byte a worker; they take them as they wake. */
	for (i = 0; i < env->nr_children; i++)
		if (write(env->start_fd[1], "g", 1) != 1)
			return error_errno(err, EXIT_USAGE,
					   "%s: cannot start the workers",
					   env->workload);
	return 0;
}

static struct workload_child *any_left(const struct workload_env *env,
				       const char *name)
{
	size_t i;

	for (i = 0; i < env->nr_children; i++)
		if (env->child[i].pid &&
		    (!name || !strcmp(env->child[i].name, name)))
			return &env->child[i];
	return NULL;
}

/* Has all that may finish early done so? */
static bool all_done(const struct workload_env *env)
{
	return env->finishes && !any_left(env, NULL);
}

int workload_supervise_until(struct workload_env *env, uint64_t until_ns,
			     struct error *err)
{
	if (until_ns > env->deadline_ns)
		until_ns = env->deadline_ns;
	while (!env->stopped && !all_done(env) &&
	       workload_now_ns() < until_ns) {
		char byte = sleep_at_gate(env, until_ns);

		if (reap(env, err))
			return -1;
		if (byte)
			env->stopped = true;
	}
	return 0;
}

int workload_supervise(struct workload_env *env, struct error *err)
{
	if (workload_supervise_until(env, env->deadline_ns, err))
		return -1;
	env->end_ns = env->deadline_ns;
	if (env->stopped || all_done(env))
		env->end_ns = workload_now_ns();
	if (env->shared)
		__atomic_store_n(&env->shared->stop, 1, __ATOMIC_RELAXED);
	return 0;
}

int workload_join(struct workload_env *env, const char *name, struct error *err)
{
	const uint64_t limit_ns =
		env->end_ns + (uint64_t)WORKLOAD_GRACE_S * 1000000000u;
	const struct workload_child *left;

	while (!reap(env, err)) {
		left = any_left(env, name);
		if (!left)
			return 0;
		if (workload_now_ns() >= limit_ns)
			return error_set(err, EXIT_CHECK_FAILED,
					 "%s: a %s (pid %d) still ran %d s"
					 " after its time; ended by force",
					 env->workload, left->name,
					 (int)left->pid, WORKLOAD_GRACE_S);
		/* SIGCHLD is let in only here, so none can be missed. */
		sleep_until(env, NULL, limit_ns);
	}
	return -1;
}

void workload_measured(struct workload_env *env, struct workload_result *result)
{
	result->elapsed_s = (double)(env->end_ns - env->go_ns) / 1e9;
	result->stopped = env->stopped;
	/* A keeper that is gone shows when the result is sent. */
	channel_send(env->event_fd, json_pack("{s:s}", "event", "measured"));
}

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/exim/exim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the handlers must set. */
static volatile sig_atomic_t told_to_end;

static void on_signal(int sig)
{
	if (sig == SIGTERM)
		told_to_end = 1;
}

/* SIGCHLD and SIGTERM come in only while the master sleeps. */
static void set_signals(sigset_t *sleep_mask)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t mask;

	sigemptyset(&action.sa_mask);
	sigemptyset(sleep_mask);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGTERM);
	sigaction(SIGCHLD, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void reset_signals(const sigset_t *sleep_mask)
{
	signal(SIGCHLD, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, sleep_mask, NULL);
}

/* Returns what waitpid() said last. */
static pid_t reap(struct exim *exim, int flags)
{
	char how[128];
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, flags)) > 0) {
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			continue;
		workload_describe_status(status, how, sizeof(how));
		workload_trouble(exim->env, "a receiver (pid %d) %s", (int)pid,
				 how);
	}
	return pid;
}

static void turn_away(int fd)
{
	static const char text[] = "421 4.3.2 too many processes\r\n";

	/* A client that does not hear it sees the connection close. */
	if (exim_write(fd, text, sizeof(text) - 1))
		return;
}

static void accept_one(struct exim *exim, const sigset_t *sleep_mask)
{
	int fd = accept4(exim->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	pid_t pid;

	if (fd < 0) {
		/* Out of files or memory: it may pass. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			poll(NULL, 0, 10);
		return;
	}
	pid = fork();
	if (!pid) {
		reset_signals(sleep_mask);
		close(exim->listen_fd);
		_exit(exim_receiver(exim, fd));
	}
	if (pid < 0)
		turn_away(fd);
	close(fd);
}

int exim_master(struct workload_env *env, void *arg)
{
	struct exim *exim = arg;
	struct pollfd listening = { .fd = exim->listen_fd, .events = POLLIN };
	struct error err = { 0 };
	sigset_t sleep_mask;
	struct vmas vmas;

	/* Its forks must not clone the clients' memory. */
	munmap(env->shared, env->shared_size);
	fcntl(exim->listen_fd, F_SETFL, O_NONBLOCK);
	set_signals(&sleep_mask);
	if (vmas_map(&vmas, "exim", exim->options->vmas, exim->options->roots,
		     &err)) {
		workload_trouble(env, "%s", err.text);
		return 1;
	}
	if (workload_worker_ready(env))
		return 1;
	while (!told_to_end) {
		if (ppoll(&listening, 1, NULL, &sleep_mask) > 0)
			accept_one(exim, &sleep_mask);
		reap(exim, WNOHANG);
	}
	close(exim->listen_fd);
	while (reap(exim, 0) < 0 && errno == EINTR)
		;
	return 0;
}

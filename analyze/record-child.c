// SPDX-License-Identifier: GPL-2.0-only
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/record-child.h"

static bool executable(const char *path)
{
	struct stat st;

	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

int record_child_find(const char *name, struct error *err)
{
	const char *path = getenv("PATH");
	char place[4096];
	int length;

	if (strchr(name, '/')) {
		if (executable(name))
			return 0;
		return error_set(err, EXIT_USAGE,
				 "record: can't execute %s: %s", name,
				 access(name, F_OK) ? "no such file" :
						      "not an executable file");
	}
	for (path = path ? path : "/bin:/usr/bin"; *name; path += length + 1) {
		length = (int)strcspn(path, ":");
		snprintf(place, sizeof(place), "%.*s/%s", length ? length : 1,
			 length ? path : ".", name);
		if (executable(place))
			return 0;
		if (!path[length])
			break;
	}
	return error_set(err, EXIT_USAGE, "record: command not found: %s",
			 name);
}

static void __attribute__((noreturn))
run_child(const struct record_child *child, char *const *argv,
	  const sigset_t *mask, int gate, int report)
{
	ssize_t got;
	char go;

	sigprocmask(SIG_SETMASK, mask, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (child->output_to_error)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do {
		got = read(gate, &go, 1);
	} while (got < 0 && errno == EINTR);
	if (got == 1) {
		int number;

		execvp(argv[0], argv);
		number = errno;
		got = write(report, &number, sizeof(number));
	}
	_exit(127);
}

int record_child_fork(struct record_child *child, char *const *argv,
		      const sigset_t *mask, struct error *err)
{
	int gate[2], report[2];

	if (pipe2(gate, O_CLOEXEC))
		return error_errno(err, EXIT_USAGE, "record: pipe");
	if (pipe2(report, O_CLOEXEC)) {
		error_errno(err, EXIT_USAGE, "record: pipe");
		close(gate[0]);
		close(gate[1]);
		return -1;
	}
	fflush(NULL);
	child->pid = fork();
	if (child->pid == 0) {
		close(gate[1]);
		close(report[0]);
		run_child(child, argv, mask, gate[0], report[1]);
	}
	close(gate[0]);
	close(report[1]);
	child->gate = gate[1];
	child->report = report[0];
	if (child->pid < 0) {
		child->pid = 0;
		error_errno(err, EXIT_USAGE, "record: fork");
		record_child_cancel(child);
		return -1;
	}
	return 0;
}

bool record_child_ended(struct record_child *child, bool wait)
{
	pid_t pid;

	if (!child->pid)
		return true;
	do {
		pid = waitpid(child->pid, &child->status, wait ? 0 : WNOHANG);
	} while (pid < 0 && errno == EINTR);
	if (pid == 0)
		return false;
	child->pid = 0;
	return true;
}

void record_child_cancel(struct record_child *child)
{
	close(child->gate);
	close(child->report);
	record_child_ended(child, true);
}

int record_child_release(struct record_child *child, const char *name,
			 struct error *err)
{
	int number = 0;
	ssize_t got;

	/* When it was killed meanwhile, nobody reads: that shows below. */
	if (write(child->gate, "", 1) != 1)
		number = errno;
	do {
		got = read(child->report, &number, sizeof(number));
	} while (got < 0 && errno == EINTR);
	close(child->gate);
	close(child->report);
	if (!number)
		return 0;
	record_child_ended(child, true);
	errno = number;
	return error_errno(err, EXIT_USAGE, "record: can't execute %s", name);
}

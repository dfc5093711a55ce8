/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that waits at a gate until its recording has begun.
 */
#ifndef RWSEMLAB_ANALYZE_RECORD_CHILD_H
#define RWSEMLAB_ANALYZE_RECORD_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

struct record_child {
	pid_t pid; /* 0: none, or it has ended and status is valid */
	int gate; /* written to: it may go on */
	int report; /* read from: errno of a failed exec */
	int status; /* as of waitpid() */
	/* Its standard output is our standard error: ours is taken. */
	bool output_to_error;
};

/**
 * record_child_find() - whether there is such a command
 * @name: a path, or a name to look up in PATH
 *
 * Return: 0; -1 with @err set (EXIT_USAGE).
 */
int record_child_find(const char *name, struct error *err);

/**
 * record_child_fork() - start a process that waits at the gate
 * @argv: what it is to execute, ending in NULL
 * @mask: its signal mask; SIGPIPE becomes the default action again
 *
 * It ends when the gate is closed, by our end as well.
 */
int record_child_fork(struct record_child *child, char *const *argv,
		      const sigset_t *mask, struct error *err);

/**
 * record_child_release() - open the gate and see it execute its command
 *
 * Return: 0; -1 with @err set: it could not be executed and is gone.
 */
int record_child_release(struct record_child *child, const char *name,
			 struct error *err);

/**
 * record_child_cancel() - close the gate; the command is not executed
 */
void record_child_cancel(struct record_child *child);

/**
 * record_child_ended() - whether the command has ended; its status is kept
 * @wait: wait until it has
 */
bool record_child_ended(struct record_child *child, bool wait);

#endif

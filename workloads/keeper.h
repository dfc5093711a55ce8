/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keeper: the process between the tool and a workload's root.
 *
 * It leads a session of its own, so that a Ctrl-C meant for the tool does not
 * reach it, and is the subreaper of all that the workload forks.  The
 * workload's processes share one process group, whose number is root's pid.
 * One kill(2) of that group is atomic against fork(2): the kernel holds the
 * task list for both.  Root is waited for only after that kill, so its number
 * can't belong to anyone else.
 */
#ifndef WORKLOADS_KEEPER_H
#define WORKLOADS_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "workloads/workload.h"

/* Where the keeper finds its ends of the pipes. */
#define KEEPER_CONTROL_FD 3 /* from the tool: 'g' go, 's' stop; end: all ends */
#define KEEPER_RESULT_FD  4 /* to the tool: a channel */

/* How long after its time root may take before it counts as hung. */
#define KEEPER_GRACE_S 10
/* The same for its set-up and its verification. */
#define KEEPER_SETUP_S	60
#define KEEPER_VERIFY_S 120

/**
 * keeper_run() - be the keeper, from start to end
 * @options:   what to run
 * @directory: the run's directory, to make and to remove; NULL: none
 *
 * What goes wrong is told to the tool through the channel.
 *
 * Return: the exit status.
 */
int keeper_run(const struct workload_options *options, const char *directory);

/**
 * keeper_start_root() - fork root, in a process group of its own
 * @place: what the workload's prepare() made, or NULL
 * @fds:   receives the keeper's ends
 */
struct keeper_fds {
	int gate, event, trouble;
};
pid_t keeper_start_root(const struct workload_options *options,
			const char *directory, void *place,
			struct keeper_fds *fds, struct error *err);

/**
 * keeper_end_all() - kill the group of @root and every other descendant
 *
 * All children are waited for, root among them.  Blocks SIGCHLD or not: both
 * are fine.
 *
 * Return: 0; -1 when some can't be killed within 10 s, e.g. in a hung file
 * system.
 */
int keeper_end_all(pid_t root);

/**
 * keeper_remove_directory() - with all that is in it; symlinks aren't followed
 *
 * Return: 0, also where it does not exist; -1 with errno set.
 */
int keeper_remove_directory(const char *directory);

#endif

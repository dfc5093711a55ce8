// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/keeper.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Children that left the group.  Their pids are safe to kill: a child's pid
 * stays its own until it is waited for, which only we do.
 */
static void kill_strays(void)
{
	char path[64];
	FILE *list;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)getpid());
	list = fopen(path, "re");
	if (!list)
		return;
	while (fscanf(list, "%d", &pid) == 1)
		if (pid > 1)
			kill(pid, SIGKILL);
	fclose(list);
}

int keeper_end_all(pid_t root)
{
	int tries;

	kill(-root, SIGKILL);
	for (tries = 0; tries < 2000; tries++) {
		pid_t pid;

		do
			pid = waitpid(-1, NULL, WNOHANG);
		while (pid > 0 || (pid < 0 && errno == EINTR));
		if (pid < 0)
			return 0;
		/* Children of a killed child are ours only now. */
		if (tries)
			kill_strays();
		poll(NULL, 0, 5);
	}
	return -1;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path) && errno != ENOENT ? -1 : 0;
}

int keeper_remove_directory(const char *directory)
{
	if (!nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		return 0;
	return errno == ENOENT ? 0 : -1;
}

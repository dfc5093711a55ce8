// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "workloads/cgroup/place.h"

#define PREFIX "rwsemlab-"

#define PF_EXITING 4 /* of the kernel's include/linux/sched.h */

/* Of a process, from /proc. */
struct process {
	char comm[32];
	uint64_t start; /* clock ticks since boot */
	bool ended; /* or about to: it has no memory, and runs nothing */
};

static int read_process(pid_t pid, struct process *p)
{
	char path[64], text[1024], state;
	const char *name, *rest;
	unsigned int flags;
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	errno = ESRCH;
	if (!got)
		return -1;
	text[got] = '\0';
	/* The name, between the parentheses, may hold some of its own. */
	name = strchr(text, '(');
	rest = strrchr(text, ')');
	errno = EPROTO;
	if (!name || !rest ||
	    sscanf(rest,
		   ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u"
		   " %*d %*d %*d %*d %*d %*d %" SCNu64,
		   &state, &flags, &p->start) != 3)
		return -1;
	snprintf(p->comm, sizeof(p->comm), "%.*s", (int)(rest - name - 1),
		 name + 1);
	p->ended = state == 'Z' || state == 'X' || (flags & PF_EXITING);
	return 0;
}

int cgroup_own_name(char name[CGROUP_NAME_SIZE], const char *was)
{
	struct process self;

	if (read_process(getpid(), &self))
		return -1;
	snprintf(name, CGROUP_NAME_SIZE, PREFIX "%d-%" PRIu64 "%s",
		 (int)getpid(), self.start, was);
	return 0;
}

/* Exactly what cgroup_own_name() writes. */
static bool parse_name(const char *name, pid_t *pid, uint64_t *start,
		       int *restore_favor)
{
	char again[CGROUP_NAME_SIZE];
	const char *was = "";

	if (sscanf(name, PREFIX "%d-%" SCNu64, pid, start) != 2 || *pid < 2)
		return false;
	*restore_favor = -1;
	if (strstr(name, "-nofavordynmods")) {
		*restore_favor = 0;
		was = "-nofavordynmods";
	} else if (strstr(name, "-favordynmods")) {
		*restore_favor = 1;
		was = "-favordynmods";
	}
	snprintf(again, sizeof(again), PREFIX "%d-%" PRIu64 "%s", (int)*pid,
		 *start, was);
	return !strcmp(name, again);
}

bool cgroup_is_leftover(const char *name, int *restore_favor)
{
	struct process owner;
	uint64_t started;
	pid_t pid;

	if (!parse_name(name, &pid, &started, restore_favor))
		return false;
	if (read_process(pid, &owner))
		return errno == ENOENT || errno == ESRCH;
	/* One that nobody waits for has ended all the same. */
	if (owner.ended)
		return true;
	/* Clocks of other time namespaces differ: a keeper is a keeper. */
	return owner.start != started && strcmp(owner.comm, "rwsemlab-keeper");
}

bool cgroup_is_inside(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && (fs.f_type == CGROUP_SUPER_MAGIC ||
				      fs.f_type == CGROUP2_SUPER_MAGIC);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *where)
{
	(void)st;
	(void)where;
	if (type != FTW_DP)
		return 0;
	return rmdir(path) && errno != ENOENT ? -1 : 0;
}

int cgroup_remove(const char *path, int wait_ms)
{
	int waited;

	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	if (!cgroup_is_inside(path)) {
		errno = ENOTTY;
		return -1;
	}
	for (waited = 0;; waited += 5) {
		if (!nftw(path, remove_one, 16,
			  FTW_DEPTH | FTW_PHYS | FTW_MOUNT) ||
		    errno == ENOENT)
			return 0;
		if (errno != EBUSY || waited >= wait_ms)
			return -1;
		poll(NULL, 0, 5);
	}
}

/* Does it run the program that we run? */
static bool is_ours(pid_t pid)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	return !stat("/proc/self/exe", &ours) && !stat(path, &its) &&
	       ours.st_dev == its.st_dev && ours.st_ino == its.st_ino;
}

/* Kills it, unless the number meanwhile belongs to someone else. */
static void kill_ours(pid_t pid, bool *foreign)
{
	int fd = pid > 1 ? pidfd_open(pid, 0) : -1;
	struct process p;

	if (fd < 0 && errno == ESRCH && pid > 1)
		return;
	/* Looked at after the descriptor is there: it is the same process. */
	if (fd >= 0 && is_ours(pid))
		pidfd_send_signal(fd, SIGKILL, NULL, 0);
	else if (fd < 0 || (!read_process(pid, &p) && !p.ended))
		*foreign = true;
	if (fd >= 0)
		close(fd);
}

/* nftw() takes no argument of ours. */
static __thread bool found_foreign;

static int kill_in(const char *path, const struct stat *st, int type,
		   struct FTW *where)
{
	char procs[4096];
	FILE *list;
	int pid;

	(void)st;
	(void)where;
	if (type != FTW_D)
		return 0;
	if (snprintf(procs, sizeof(procs), "%s/cgroup.procs", path) >=
	    (int)sizeof(procs))
		return -1;
	list = fopen(procs, "re");
	/* A threaded cgroup's can't be read; its domain's has them all. */
	if (!list)
		return 0;
	while (fscanf(list, "%d", &pid) == 1)
		kill_ours(pid, &found_foreign);
	fclose(list);
	return 0;
}

static bool restore_option(const char *v2_point, int favor)
{
	struct error unused = { 0 };

	if (favor < 0 || !v2_point || cgroup_favors(v2_point) == favor)
		return true;
	return !cgroup_remount(v2_point, favor, &unused);
}

/*
 * Its name says that its keeper is gone; so does the lock, also where that one
 * was in another PID namespace.  It stays until its mount option is restored.
 */
static bool remove_leftover(const char *path, const char *v2_point, int favor)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	bool removed = false;

	if (fd < 0)
		return false;
	found_foreign = false;
	if (!flock(fd, LOCK_EX | LOCK_NB) &&
	    !nftw(path, kill_in, 16, FTW_PHYS | FTW_MOUNT) && !found_foreign &&
	    restore_option(v2_point, favor))
		removed = !cgroup_remove(path, 2000);
	close(fd);
	return removed;
}

static unsigned long sweep_in(const char *parent, const char *v2_point)
{
	DIR *dir = cgroup_is_inside(parent) ? opendir(parent) : NULL;
	unsigned long nr = 0;
	struct dirent *entry;
	char path[4096];
	int favor;

	while (dir && (entry = readdir(dir))) {
		if (!cgroup_is_leftover(entry->d_name, &favor) ||
		    snprintf(path, sizeof(path), "%s/%s", parent,
			     entry->d_name) >= (int)sizeof(path))
			continue;
		nr += remove_leftover(path, v2_point, favor);
	}
	if (dir)
		closedir(dir);
	return nr;
}

unsigned long cgroup_sweep(const void *options)
{
	const struct cgroup_options *o = options;
	const struct cgroup_mount *v2;
	struct cgroup_mounts mounts;
	struct error unused = { 0 };
	unsigned long nr = 0;
	size_t i;

	if (cgroup_mounts_read(&mounts, &unused))
		return 0;
	v2 = cgroup_mounts_pick(&mounts, true);
	for (i = 0; i < mounts.nr; i++)
		nr += sweep_in(mounts.mount[i].point, v2 ? v2->point : NULL);
	if (o->parent)
		nr += sweep_in(o->parent, v2 ? v2->point : NULL);
	cgroup_mounts_free(&mounts);
	return nr;
}

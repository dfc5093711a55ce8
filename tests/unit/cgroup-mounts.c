// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which cgroup file systems there are, from texts of mountinfo as systems have
 * them and as none should, and which cgroups a killed run left, by their name.
 */
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/cgroup/leftovers.h"
#include "workloads/cgroup/mounts.h"

static const char hybrid[] =
	"22 27 0:21 / /proc rw,relatime - proc proc rw\n"
	"31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
	"34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
	"33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 master:2 - cgroup"
	" cgroup rw,cpu,cpuacct\n"
	"36 31 0:33 / /sys/fs/cgroup/pids ro,nosuid - cgroup cgroup rw,pids\n"
	"37 31 0:34 / /sys/fs/cgroup/systemd rw - cgroup cgroup"
	" rw,xattr,release_agent=/lib/agent,name=systemd\n"
	"38 31 0:35 /docker/1 /mnt/a\\040b\\134c rw - cgroup2 cgroup2"
	" rw,nsdelegate,favordynmods\n";

static const char unified[] = "24 23 0:22 / /sys/fs/cgroup rw - cgroup2 none"
			      " rw,nsdelegate\n"
			      "29 23 0:22 / /sys/fs/cgroup ro - cgroup2 none"
			      " rw,nsdelegate\n";

static const char nonsense[] = "\n"
			       "1 2 3\n"
			       " - cgroup2 a rw\n"
			       "24 23 0:22 / /x rw - cgroup2\n"
			       "24 23 0:22 / /x rw - cgroup2 none\n"
			       "24 23 0:22 / /x - cgroup2 none rw\n"
			       "24 23 0:22 / /x rw - cgroup3 none rw\n"
			       "24 23 0:22 / /x rw cgroup2 none rw\n"
			       "24 23 0:22 / /\\9\\0 rw - cgroup2 \\ rw,,=,";

static void parse(const char *text, struct cgroup_mounts *mounts)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	struct error err = { 0 };

	if (cgroup_mounts_parse(file, mounts, &err))
		tap_bail("%s", err.text);
	fclose(file);
}

static void check_name(const struct cgroup_mount *mount, const char *want)
{
	char name[64];

	cgroup_mount_name(mount, name, sizeof(name));
	tap_is_str(name, want, "its name: %s", want);
}

static void check_hybrid(void)
{
	const struct cgroup_mount *mount;
	struct cgroup_mounts mounts;

	parse(hybrid, &mounts);
	tap_is_u64(mounts.nr, 5, "cgroup mounts among others");
	mount = cgroup_mounts_pick(&mounts, true);
	tap_is_str(mount->point, "/mnt/a b\\c", "cgroup2, with odd characters");
	tap_ok(mount->v2 && !mount->read_only, "is version 2 and writable");
	tap_ok(cgroup_option_is_set(mount->options, "favordynmods"),
	       "its options are known");
	tap_ok(!cgroup_option_is_set(mount->options, "favor") &&
		       !cgroup_option_is_set(mount->options, "dynmods"),
	       "a part of one is none");
	check_name(mount, "cgroup2");
	mount = cgroup_mounts_pick(&mounts, false);
	tap_is_str(mount->point, "/sys/fs/cgroup/cpu,cpuacct",
		   "of version 1 not a cpuset, nor what is read-only");
	check_name(mount, "cgroup1 cpu,cpuacct");
	mount = cgroup_mounts_of(&mounts, "/sys/fs/cgroup/systemd/a/b");
	check_name(mount, "cgroup1 name=systemd");
	mount = cgroup_mounts_of(&mounts, "/sys/fs/cgroup/pids");
	tap_ok(mount && mount->read_only, "a read-only mount is seen");
	tap_ok(!cgroup_mounts_of(&mounts, "/sys/fs/cgroup/pidsx") &&
		       !cgroup_mounts_of(&mounts, "/sys/fs/cgroup"),
	       "what only begins like a mount, or is above it, is not in it");
	cgroup_mounts_free(&mounts);
	tap_is_u64(mounts.nr, 0, "freed");
}

static void check_others(void)
{
	const struct cgroup_mount *mount;
	struct cgroup_mounts mounts;

	parse(unified, &mounts);
	tap_is_u64(mounts.nr, 1, "two mounts on one point count once");
	mount = cgroup_mounts_pick(&mounts, true);
	tap_ok(mount && mount->read_only, "the later one hides the other");
	tap_ok(!cgroup_mounts_pick(&mounts, false), "no version 1");
	cgroup_mounts_free(&mounts);

	parse(nonsense, &mounts);
	tap_is_u64(mounts.nr, 1, "malformed lines are passed over");
	tap_is_str(mounts.mount[0].point, "/\\9\\0", "no octal number");
	cgroup_mounts_free(&mounts);
	parse(" ", &mounts);
	tap_ok(!mounts.nr && !cgroup_mounts_pick(&mounts, true),
	       "no mounts at all");
}

/* Whose number was that of a process that is gone, and waited for. */
static pid_t gone(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void check_left(const char *suffix, bool want, int want_favor)
{
	char name[128];
	int favor = 7;

	snprintf(name, sizeof(name), "rwsemlab-%d%s", (int)gone(), suffix);
	tap_ok(cgroup_is_leftover(name, &favor) == want, "%s%s", name,
	       want ? " is a leftover" : " is none");
	if (want)
		tap_is_i64(favor, want_favor, "what it restores");
}

static void check_zombie(const char *start)
{
	char name[CGROUP_NAME_SIZE];
	siginfo_t info;
	pid_t pid = fork();
	int favor;

	if (!pid)
		_exit(0);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	snprintf(name, sizeof(name), "rwsemlab-%d-%s", (int)pid, start);
	tap_ok(cgroup_is_leftover(name, &favor),
	       "that of one that nobody waited for");
	waitpid(pid, NULL, 0);
}

static void check_names(void)
{
	static const char *const other[] = {
		"",
		"rwsemlab",
		"rwsemlab-",
		"rwsemlab-1-",
		"..",
		"rwsemlab-1",
		"rwsemlab-0-5",
		"rwsemlab--7-5",
		"x",
		"Rwsemlab-2-3",
		"rwsemlab-2-3-",
		"rwsemlab-02-3",
		"2-3",
		"rwsemlab-2-3x",
		"rwsemlab- 2-3",
		"rwsemlab-2-+3",
		"a/b",
		"rwsemlab-2-3/",
		"xrwsemlab-2-3",
		"rwsemlab-1-5",
		"init",
		"rwsemlab-2-3-nofavor",
	};
	char name[CGROUP_NAME_SIZE], again[CGROUP_NAME_SIZE];
	int favor;
	size_t i;

	if (cgroup_own_name(name, "") || cgroup_own_name(again, ""))
		tap_bail("no name");
	tap_is_str(again, name, "a process has one name");
	tap_ok(!cgroup_is_leftover(name, &favor), "%s lives", name);
	cgroup_own_name(again, "-nofavordynmods");
	tap_ok(!cgroup_is_leftover(again, &favor), "%s lives", again);
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		tap_ok(!cgroup_is_leftover(other[i], &favor), "not ours: '%s'",
		       other[i]);
	check_left("-12", true, -1);
	check_left("-12-favordynmods", true, 1);
	check_left("-12-nofavordynmods", true, 0);
	check_left("-12-yesfavordynmods", false, 0);
	check_left("-favordynmods", false, 0);
	check_left("-12-favordynmods-nofavordynmods", false, 0);
	check_zombie(strrchr(name, '-') + 1);
	/* Our number, but of a process that started at another time. */
	snprintf(name, sizeof(name), "rwsemlab-%d-1", (int)getpid());
	tap_ok(cgroup_is_leftover(name, &favor), "a number that came again");
}

int main(void)
{
	check_hybrid();
	check_others();
	check_names();
	tap_ok(!cgroup_is_inside("/tmp") && !cgroup_is_inside("/nowhere"),
	       "not in a cgroup file system");
	return tap_done();
}

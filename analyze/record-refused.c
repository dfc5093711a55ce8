// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why the kernel does not let us record, and what helps.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "analyze/record-private.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define PARANOID_PATH "/proc/sys/kernel/perf_event_paranoid"

/* Effective capabilities; 0 where they can't be read. */
static uint64_t own_capabilities(void)
{
	char text[8192];
	uint64_t caps = 0;
	char *line;

	if (record_read_text("/proc/self/status", text, sizeof(text)) < 0)
		return 0;
	line = strstr(text, "\nCapEff:");
	if (line && sscanf(line, "\nCapEff: %" SCNx64, &caps) != 1)
		return 0;
	return caps;
}

static bool privileged(void)
{
	return own_capabilities() &
	       (1ULL << CAP_PERFMON | 1ULL << CAP_SYS_ADMIN);
}

/* In a user namespace root's capabilities don't count for perf events. */
static bool in_user_namespace(void)
{
	char text[256];
	unsigned long inside, outside, count;

	if (record_read_text("/proc/self/uid_map", text, sizeof(text)) < 0)
		return false;
	return sscanf(text, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
	       (inside || outside || count != 4294967295UL);
}

static bool locked_down(void)
{
	char text[256];

	return record_read_text("/sys/kernel/security/lockdown", text,
				sizeof(text)) > 0 &&
	       strstr(text, "[confidentiality]");
}

static int refused_lockdown(struct error *err)
{
	return error_set(err, EXIT_IMPOSSIBLE,
			 "record: the kernel is locked down (lockdown="
			 "confidentiality) and lets nobody record;"
			 " boot with lockdown=none or integrity");
}

static int refused_permission(const char *what, struct error *err)
{
	char level[32] = "unknown";

	if (locked_down())
		return refused_lockdown(err);
	if (in_user_namespace())
		return error_set(err, EXIT_IMPOSSIBLE,
				 "record: %s: not permitted in a user"
				 " namespace (a rootless container); run it as"
				 " root outside of it",
				 what);
	if (privileged())
		return error_set(err, EXIT_IMPOSSIBLE,
				 "record: %s: not permitted in spite of our"
				 " capabilities: a seccomp filter (docker:"
				 " --security-opt seccomp=unconfined) or a"
				 " security module forbids it",
				 what);
	record_read_text(PARANOID_PATH, level, sizeof(level));
	if (geteuid() == 0)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "record: %s: not permitted to this container's"
				 " root; it needs CAP_PERFMON (docker:"
				 " --cap-add PERFMON) or CAP_SYS_ADMIN",
				 what);
	return error_set(err, EXIT_IMPOSSIBLE,
			 "record: %s: not permitted while"
			 " kernel.perf_event_paranoid is %s; run it as root, or"
			 " let root do: sysctl kernel.perf_event_paranoid=-1 &&"
			 " mount -o remount,mode=750,gid=%d"
			 " /sys/kernel/tracing",
			 what, level, (int)getegid());
}

static int refused_absent(struct error *err)
{
	if (access(PARANOID_PATH, F_OK))
		return error_set(err, EXIT_IMPOSSIBLE,
				 "record: this kernel has no perf events; it"
				 " needs CONFIG_PERF_EVENTS");
	return error_set(err, EXIT_IMPOSSIBLE,
			 "record: perf_event_open does not exist here: a"
			 " sandbox or a container's seccomp filter hides it"
			 " (docker: --security-opt seccomp=unconfined)");
}

int record_refused(const struct recording *rec, int number, struct error *err)
{
	switch (number) {
	case EPERM:
	case EACCES:
		return refused_permission("perf_event_open", err);
	case ENOSYS:
		return refused_absent(err);
	case EMFILE:
		return error_set(err, EXIT_USAGE,
				 "record: too many open files: %zu are needed"
				 " for the events alone; raise ulimit -n",
				 rec->nr_events * rec->nr_cpus *
					 (size_t)rec->nr_threads);
	case ENFILE:
		return error_set(err, EXIT_USAGE,
				 "record: the system has too many open files;"
				 " raise fs.file-max");
	case ESRCH:
		return error_set(err, EXIT_USAGE, "record: no process %d",
				 (int)rec->options.pid);
	case EINVAL:
		if (rec->options.cgroups)
			return error_set(err, EXIT_IMPOSSIBLE,
					 "record: the kernel refuses to record"
					 " control groups; it needs Linux 5.7"
					 " and CONFIG_CGROUP_PERF: leave out"
					 " --cgroups (--by cgroup)");
		/* fall through */
	default:
		errno = number;
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "record: the kernel refuses perf_event_open"
				   " (dmesg may say why)");
	}
}

char *record_tracefs(struct error *err)
{
	static const char *const places[] = { "/sys/kernel/tracing",
					      "/sys/kernel/debug/tracing" };
	char events[64];
	struct statfs fs;
	char *path;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		/* The second is mounted when it is looked into. */
		snprintf(events, sizeof(events), "%s/events", places[i]);
		if (statfs(events, &fs) && statfs(places[i], &fs))
			continue;
		if (fs.f_type != TRACEFS_MAGIC && fs.f_type != DEBUGFS_MAGIC)
			continue;
		path = strdup(places[i]);
		if (!path)
			error_set(err, EXIT_USAGE, "record: out of memory");
		return path;
	}
	if (geteuid())
		error_set(err, EXIT_IMPOSSIBLE,
			  "record: tracefs is not mounted or not visible; run"
			  " it as root, after: mount -t tracefs nodev %s",
			  places[0]);
	else if (access(places[0], F_OK))
		error_set(err, EXIT_IMPOSSIBLE,
			  "record: there is no %s: a container that hides it,"
			  " or a kernel without CONFIG_TRACING",
			  places[0]);
	else
		error_set(err, EXIT_IMPOSSIBLE,
			  "record: tracefs is not mounted; mount it:"
			  " mount -t tracefs nodev %s",
			  places[0]);
	return NULL;
}

int record_tracepoint_id(const struct recording *rec,
			 const struct record_event *event, struct error *err)
{
	char path[512];
	char text[32];
	char what[600];
	long id;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", rec->tracefs,
		 event->system, event->name);
	errno = 0;
	if (record_read_text(path, text, sizeof(text)) > 0) {
		id = strtol(text, NULL, 10);
		if (id > 0 && id < 65536)
			return (int)id;
		errno = EINVAL;
	}
	if (errno == ENOENT)
		return 0;
	snprintf(what, sizeof(what), "reading %s", path);
	if (errno == EACCES || errno == EPERM)
		return refused_permission(what, err);
	return error_errno(err, EXIT_IMPOSSIBLE, "record: %s", what);
}

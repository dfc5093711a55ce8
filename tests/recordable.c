// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says whether the running kernel can be recorded here, judged without the
 * program under test.  Mounts tracefs where it is missing.
 *
 * Exit code 0: yes.  3: no, and it is nobody's fault: the kernel has no such
 * feature, or the user is not root.  1: no, although it should.  The reason is
 * on stdout.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing"

enum {
	RECORDABLE = 0,
	BROKEN = 1,
	NO_FEATURE = 3
};

static int kernel_has_tracefs(void)
{
	FILE *f = fopen("/proc/filesystems", "re");
	char line[128];
	int found = 0;

	while (f && fgets(line, sizeof(line), f))
		found |= !strcmp(line, "nodev\ttracefs\n");
	if (f)
		fclose(f);
	return found;
}

static int open_switch_event(unsigned int id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static int check_events(void)
{
	FILE *f = fopen(TRACING "/events/sched/sched_switch/id", "re");
	unsigned int id;
	int read_id;

	if (!f && access(TRACING "/events", F_OK) == 0) {
		puts("this kernel has no sched:sched_switch");
		return NO_FEATURE;
	}
	read_id = f ? fscanf(f, "%u", &id) : 0;
	if (f)
		fclose(f);
	if (read_id != 1) {
		printf("cannot read %s: %s\n", TRACING, strerror(errno));
		return BROKEN;
	}
	if (open_switch_event(id) < 0) {
		printf("perf_event_open: %s\n", strerror(errno));
		return errno == ENOSYS ? NO_FEATURE : BROKEN;
	}
	return RECORDABLE;
}

int main(void)
{
	if (geteuid() != 0) {
		puts("recording the kernel takes root");
		return NO_FEATURE;
	}
	if (access("/proc/sys/kernel/perf_event_paranoid", F_OK) != 0) {
		puts("this kernel has no perf_event_open");
		return NO_FEATURE;
	}
	if (!kernel_has_tracefs()) {
		puts("this kernel has no tracefs");
		return NO_FEATURE;
	}
	if (access(TRACING "/events", F_OK) != 0 &&
	    mount("nodev", TRACING, "tracefs", 0, NULL) != 0) {
		printf("cannot mount tracefs on %s: %s\n", TRACING,
		       strerror(errno));
		return BROKEN;
	}
	return check_events();
}

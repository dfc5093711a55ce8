// SPDX-License-Identifier: GPL-2.0-only
/*
 * The favordynmods option of cgroup2's superblock.
 *
 * fsconfig(2) changes the superblock and leaves the flags of the mount alone,
 * which mount(2) with MS_REMOUNT would set, too.  The kernel takes options
 * that are not given as cleared, so all that are there are given again.
 */
#include "workloads/cgroup/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The options of cgroup2 at this point, to free; NULL: not there. */
static char *read_options(const char *v2_point)
{
	struct error unused = { 0 };
	struct cgroup_mounts mounts;
	char *options = NULL;
	size_t i;

	if (cgroup_mounts_read(&mounts, &unused))
		return NULL;
	for (i = 0; i < mounts.nr && !options; i++)
		if (mounts.mount[i].v2 &&
		    !strcmp(mounts.mount[i].point, v2_point))
			options = strdup(mounts.mount[i].options);
	cgroup_mounts_free(&mounts);
	return options;
}

int cgroup_favors(const char *v2_point)
{
	char *options = read_options(v2_point);
	int favors = -1;

	if (options)
		favors = cgroup_option_is_set(options, "favordynmods");
	free(options);
	return favors;
}

static int set_option(int fs, char *word)
{
	char *value = strchr(word, '=');

	/* These belong to the superblock's flags, which stay as they are. */
	if (!strcmp(word, "rw") || !strcmp(word, "ro") ||
	    !strcmp(word, "favordynmods"))
		return 0;
	if (!value)
		return fsconfig(fs, FSCONFIG_SET_FLAG, word, NULL, 0);
	*value++ = '\0';
	return fsconfig(fs, FSCONFIG_SET_STRING, word, value, 0);
}

static int reconfigure(int fs, char *options, bool favor)
{
	char *save, *word;

	for (word = strtok_r(options, ",", &save); word;
	     word = strtok_r(NULL, ",", &save))
		if (set_option(fs, word))
			return -1;
	if (favor && fsconfig(fs, FSCONFIG_SET_FLAG, "favordynmods", NULL, 0))
		return -1;
	return fsconfig(fs, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0);
}

int cgroup_remount(const char *v2_point, bool favor, struct error *err)
{
	const char *const mode = favor ? "favordynmods" : "nofavordynmods";
	char *options = read_options(v2_point);
	int fs, ret;

	if (!options)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "cgroup2 is not mounted on %s any more",
				 v2_point);
	fs = fspick(AT_FDCWD, v2_point, FSPICK_CLOEXEC);
	ret = fs < 0 ? -1 : reconfigure(fs, options, favor);
	if (ret && errno == EINVAL)
		error_set(err, EXIT_IMPOSSIBLE,
			  "cannot remount %s %s: this kernel's cgroup2 has no"
			  " such option (Linux 6.0 has)",
			  v2_point, mode);
	else if (ret)
		error_errno(err, EXIT_IMPOSSIBLE,
			    "cannot remount %s %s; it takes root outside of"
			    " containers",
			    v2_point, mode);
	if (fs >= 0)
		close(fs);
	free(options);
	if (ret || cgroup_favors(v2_point) == favor)
		return ret;
	return error_set(
		err, EXIT_IMPOSSIBLE,
		"remounting %s %s has no effect: in a cgroup namespace,"
		" or the kernel was built or booted to favour"
		" (CONFIG_CGROUP_FAVOR_DYNMODS, cgroup_favordynmods=)",
		v2_point, mode);
}

/* The word on a line of its own; a file that can't be read has all. */
static bool has_feature(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	bool found = !file;
	char line[256];

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strcmp(line, word);
	}
	if (file)
		fclose(file);
	return found;
}

int cgroup_can_remount(struct error *err)
{
	/* PROC_CGROUP_INIT_INO of the kernel's include/linux/proc_ns.h */
	static const char init_namespace[] = "cgroup:[4026531835]";
	char namespace[64];
	ssize_t length;

	if (!has_feature("/sys/kernel/cgroup/features", "favordynmods"))
		return error_set(err, EXIT_IMPOSSIBLE,
				 "allow_remount: this kernel's cgroup2 has no"
				 " favordynmods; Linux 6.0 has");
	length = readlink("/proc/self/ns/cgroup", namespace,
			  sizeof(namespace) - 1);
	namespace[length < 0 ? 0 : length] = '\0';
	/* The kernel ignores the option of others, without an error. */
	if (length > 0 && strcmp(namespace, init_namespace))
		return error_set(
			err, EXIT_IMPOSSIBLE,
			"allow_remount: only the first cgroup namespace"
			" may change the option; run outside of"
			" containers");
	return 0;
}

static bool since_6_18(void)
{
	unsigned int major, minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return false;
	return major > 6 || (major == 6 && minor >= 18);
}

/* What the kernel says, once, when the option is cleared after it was set. */
static bool log_says_switched(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool found = false;
	char text[8192];
	ssize_t got;

	while (fd >= 0 && !found) {
		got = read(fd, text, sizeof(text) - 1);
		if (got < 0 && errno == EPIPE)
			continue; /* overwritten meanwhile */
		if (got <= 0)
			break;
		text[got] = '\0';
		found = strstr(text, "per threadgroup rwsem mechanism can't");
	}
	if (fd >= 0)
		close(fd);
	return found;
}

const char *cgroup_note(const struct cgroup_place *place)
{
	if (!since_6_18())
		return "";
	if (place->favors || log_says_switched())
		return "favordynmods was set since boot: from Linux 6.18 on"
		       " writers then take a lock per thread group, also with"
		       " nofavordynmods, until the next boot";
	if (place->remounts)
		return "this run has set favordynmods: from Linux 6.18 on"
		       " writers now take a lock per thread group, also with"
		       " nofavordynmods, until the next boot";
	return "";
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/kernel-find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "analyze/symbols/debuginfod.h"
#include "analyze/symbols/find-debug.h"
#include "analyze/symbols/open-file.h"

static void recorded_id(const struct profile *p, struct build_id *id)
{
	build_id_set(id, p->kernel.build_id, p->kernel.build_id_size);
}

/* ------------------------------------------- files that the options name */

static int refuse(const struct profile *p, const struct kernel_source *s,
		  const char *path, enum source_result result,
		  struct error *err)
{
	char theirs[BUILD_ID_TEXT], ours[BUILD_ID_TEXT];
	struct build_id id;

	switch (result) {
	case SOURCE_HIDDEN:
		return error_set(err, EXIT_USAGE,
				 "%s: all addresses are 0; copy it as root or"
				 " after " SHOW_THEM,
				 path);
	case SOURCE_OTHER_KERNEL:
		if (!s->elf.build_id.size)
			return error_set(
				err, EXIT_USAGE,
				"%s: is of another kernel than the recording:"
				" their text differs by no whole page",
				path);
		recorded_id(p, &id);
		return error_set(err, EXIT_USAGE,
				 "%s: is of another kernel: build-id %s, the"
				 " recording has %s",
				 path, build_id_text(&s->elf.build_id, theirs),
				 build_id_text(&id, ours));
	case SOURCE_FAILED:
		return error_set(err, EXIT_USAGE, "%s: out of memory", path);
	default:
		return error_set(err, EXIT_USAGE,
				 s->is_vmlinux ?
					 "%s: no ELF file with symbols of"
					 " functions" :
					 "%s: holds no symbols in the format of"
					 " /proc/kallsyms",
				 path);
	}
}

static int open_named(const char *path, struct error *err)
{
	int fd = open_regular(NULL, path);

	if (fd < 0 && errno == ENODEV)
		error_set(err, EXIT_USAGE, "%s: not a regular file", path);
	else if (fd < 0)
		error_errno(err, EXIT_USAGE, "%s: can't be opened", path);
	return fd;
}

static enum source_result find_option(struct kernel_search *search,
				      const char *path, bool is_vmlinux,
				      struct profile *p,
				      struct kernel_source *s)
{
	enum source_result result;
	int fd;

	if (!path)
		return SOURCE_ABSENT;
	fd = open_named(path, search->err);
	if (fd < 0)
		return SOURCE_ABSENT;
	s->name = strdup(path);
	result = is_vmlinux ? kernel_source_vmlinux_fd(s, p, fd) :
			      kernel_source_kallsyms_fd(s, p, fd);
	if (result != SOURCE_READY)
		refuse(p, s, path, result, search->err);
	return result;
}

static enum source_result find_kallsyms_option(struct kernel_search *search,
					       struct profile *p,
					       struct kernel_source *s)
{
	return find_option(search, search->options->kallsyms, false, p, s);
}

static enum source_result find_vmlinux_option(struct kernel_search *search,
					      struct profile *p,
					      struct kernel_source *s)
{
	return find_option(search, search->options->vmlinux, true, p, s);
}

/* -------------------------------------------------- what comes by itself */

static enum source_result find_recorded(struct kernel_search *search,
					struct profile *p,
					struct kernel_source *s)
{
	const char *text = profile_text(p, p->kernel.kallsyms);
	const size_t size = strlen(text);
	char *copy;

	(void)search;
	if (!size)
		return SOURCE_ABSENT;
	copy = malloc(size + 1);
	if (!copy)
		return SOURCE_FAILED;
	memcpy(copy, text, size + 1);
	s->name = strdup("the kallsyms of the recording");
	s->is_recorded = true;
	return kernel_source_kallsyms(s, p, copy, size);
}

static enum source_result find_in_cache(struct kernel_search *search,
					struct profile *p,
					struct kernel_source *s)
{
	struct build_id id;
	int fd;

	recorded_id(p, &id);
	fd = find_cached(search->places, &id, "kallsyms");
	if (fd < 0)
		return SOURCE_ABSENT;
	s->name = strdup("the kallsyms of perf's build-id cache");
	return kernel_source_kallsyms_fd(s, p, fd);
}

static enum source_result try_vmlinux(struct kernel_search *search,
				      struct profile *p,
				      struct kernel_source *s, char *path)
{
	enum source_result result;
	int fd;

	if (!path)
		return SOURCE_FAILED;
	s->name = path;
	fd = open_regular(NULL, path);
	if (fd < 0)
		return SOURCE_ABSENT;
	result = kernel_source_vmlinux_fd(s, p, fd);
	search->saw_other |= result == SOURCE_OTHER_KERNEL;
	/* By its release alone, a file without a build-id may be any build. */
	if (result == SOURCE_READY &&
	    (!p->kernel.build_id_size || !s->elf.build_id.size))
		profile_warn(p,
			     "kernel names are from %s by its release only;"
			     " there is no build-id to verify it by",
			     path);
	return result;
}

static enum source_result find_by_release(struct kernel_search *search,
					  struct profile *p,
					  struct kernel_source *s)
{
	const char *release = profile_text(p, p->os_release);
	const char *debug = search->places->debug_directory;
	enum source_result result = SOURCE_ABSENT;
	size_t i;

	if (!*release || strchr(release, '/'))
		return SOURCE_ABSENT;
	for (i = 0; i < 4 && result != SOURCE_READY; i++) {
		char *path = i == 0 ? join_path("%s/boot/vmlinux-%s", debug,
						release) :
			     i == 1 ? join_path("%s/lib/modules/%s/vmlinux",
						debug, release) :
			     i == 2 ? join_path("/boot/vmlinux-%s", release) :
				      join_path("/lib/modules/%s/build/vmlinux",
						release);

		kernel_source_close(s);
		result = try_vmlinux(search, p, s, path);
	}
	return result;
}

static enum source_result find_by_id(struct kernel_search *search,
				     struct profile *p, struct kernel_source *s)
{
	enum source_result result;
	struct build_id id;
	int fd;

	recorded_id(p, &id);
	fd = find_debug_file(search->places, &id);
	if (fd < 0)
		fd = find_cached(search->places, &id, "elf");
	if (fd < 0)
		return SOURCE_ABSENT;
	s->name = strdup("the vmlinux found by build-id");
	result = kernel_source_vmlinux_fd(s, p, fd);
	search->saw_other |= result == SOURCE_OTHER_KERNEL;
	return result;
}

/* Without a build-id: release, host and architecture must all be the same. */
static bool looks_like_running(const struct profile *p)
{
	struct utsname u;

	return !p->kernel.build_id_size && p->os_release && p->hostname &&
	       recorded_here(p) && !uname(&u) &&
	       !strcmp(u.release, profile_text(p, p->os_release)) &&
	       !strcmp(u.machine, profile_text(p, p->arch));
}

static enum source_result find_running(struct kernel_search *search,
				       struct profile *p,
				       struct kernel_source *s)
{
	const bool verified = is_running_kernel(p);
	enum source_result result;
	int fd;

	if (!verified && !looks_like_running(p))
		return SOURCE_ABSENT;
	fd = open_regular(NULL, "/proc/kallsyms");
	if (fd < 0)
		return SOURCE_ABSENT;
	s->name = strdup("/proc/kallsyms");
	result = kernel_source_kallsyms_fd(s, p, fd);
	search->saw_hidden |= result == SOURCE_HIDDEN;
	if (result == SOURCE_READY && !verified)
		profile_warn(p, "kernel names are from the running kernel,"
				" which has the recording's host name and"
				" release; there is no build-id to verify it"
				" by");
	return result;
}

static enum source_result find_on_servers(struct kernel_search *search,
					  struct profile *p,
					  struct kernel_source *s)
{
	struct build_id id;
	int fd;

	recorded_id(p, &id);
	fd = debuginfod_find(search->places->debuginfod, &id, false);
	if (fd < 0)
		return SOURCE_ABSENT;
	s->name = strdup("the vmlinux from debuginfod");
	return kernel_source_vmlinux_fd(s, p, fd);
}

/* -------------------------------------------------------------- in order */

static const struct {
	enum source_result (*find)(struct kernel_search *search,
				   struct profile *p, struct kernel_source *s);
	bool is_vmlinux;
} places_in_order[] = {
	{ find_kallsyms_option, false }, { find_vmlinux_option, true },
	{ find_recorded, false },	 { find_in_cache, false },
	{ find_by_release, true },	 { find_by_id, true },
	{ find_running, false },	 { find_on_servers, true },
};

#define NR_PLACES (sizeof(places_in_order) / sizeof(places_in_order[0]))

int kernel_find_next(struct kernel_search *search, struct profile *p,
		     struct kernel_source *s)
{
	while (search->next < NR_PLACES) {
		const size_t i = search->next++;
		enum source_result result;

		if (search->only_kallsyms && places_in_order[i].is_vmlinux)
			continue;
		kernel_source_close(s);
		result = places_in_order[i].find(search, p, s);
		if (search->err->code != EXIT_OK)
			return -1;
		if (result == SOURCE_READY)
			return 1;
		if (result == SOURCE_FAILED)
			profile_fail(p);
	}
	kernel_source_close(s);
	return 0;
}

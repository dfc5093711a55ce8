// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for user code: files, the vDSO, and what JIT compilers made.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/symbols/debuginfod.h"
#include "analyze/symbols/elf-extra.h"
#include "analyze/symbols/find-debug.h"
#include "analyze/symbols/open-file.h"
#include "analyze/symbols/perf-map.h"
#include "analyze/symbols/resolve.h"
#include "analyze/symbols/vdso.h"

enum miss_reason {
	MISS_ABSENT,
	MISS_CHANGED,
	MISS_ELSEWHERE, /* not known to be the file recorded */
	MISS_FOREIGN_MAP,
	UNVERIFIED, /* no miss: named, but from what is there now */
	NR_MISS_REASONS,
	VERIFIED = NR_MISS_REASONS, /* nothing to complain about */
};

static const char *const miss_text[NR_MISS_REASONS] = {
	[MISS_ABSENT] = "not found here (copy the recorded computer's ~/.debug,"
			" as 'perf archive' packs it)",
	[MISS_CHANGED] = "changed since the recording: the build-id is another"
			 " one (bring back the recorded version, or run 'perf"
			 " buildid-cache --add' where it is)",
	[MISS_ELSEWHERE] =
		"recorded on another computer and without a build-id, so that"
		" the files here may be others (record with build-ids)",
	[MISS_FOREIGN_MAP] = "JIT maps in /tmp that belong to neither this user"
			     " nor root (chown them, or run as their user)",
	[UNVERIFIED] = "recorded without a build-id: the names come from what"
		       " is there now, which may have changed since",
};

/* All that is open while one file's frames are named. */
struct user_image {
	struct elf_file file; /* mapped by the recorded process */
	struct elf_file debug, inner;
	char *plt_names;
	struct symbol_table table;
};

static void close_image(struct user_image *image)
{
	symbol_table_free(&image->table);
	free(image->plt_names);
	elf_file_close(&image->inner);
	elf_file_close(&image->debug);
	elf_file_close(&image->file);
}

static void miss(struct user_misses *misses, enum miss_reason reason,
		 const struct dso *dso, size_t frames)
{
	if (!frames)
		return;
	if (!misses->by_reason[reason].files++)
		misses->by_reason[reason].example = dso->path;
	misses->by_reason[reason].frames += frames;
}

/* Memory without a file behind it: there is nothing to look for. */
static bool is_file_path(const char *path)
{
	static const char *const prefixes[] = {
		"//", "/SYSV", "/memfd:", "/dev/", "/anon_hugepage", "/["
	};
	size_t i;

	if (path[0] != '/')
		return false;
	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(path, prefixes[i], strlen(prefixes[i])))
			return false;
	return true;
}

/* The path without " (deleted)", which only says that it was. */
static char *path_on_disk(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path);
	size_t cut = sizeof(deleted) - 1;

	if (length > cut && !strcmp(path + length - cut, deleted))
		length -= cut;
	return strndup(path, length);
}

static bool open_if_same(struct elf_file *f, int fd, const struct build_id *id)
{
	if (fd < 0 || elf_file_open(f, fd))
		return false;
	if (build_id_equal(&f->build_id, id))
		return true;
	elf_file_close(f);
	return false;
}

/* Also for a file that was deleted or replaced: by build-id. */
static enum miss_reason open_by_id(const struct symbol_places *places,
				   const char *path, const struct build_id *id,
				   struct elf_file *f)
{
	int fd = open_regular(places->root, path);
	const bool is_there = fd >= 0;

	if (open_if_same(f, fd, id) ||
	    open_if_same(f, find_cached(places, id, "elf"), id) ||
	    open_if_same(f, debuginfod_find(places->debuginfod, id, true), id))
		return VERIFIED;
	return is_there ? MISS_CHANGED : MISS_ABSENT;
}

/* Not touched since the recording was written, where that is a file here. */
static bool is_older(const struct profile *p, int fd)
{
	struct stat recording, file;

	if (stat(profile_text(p, p->source), &recording) || fstat(fd, &file))
		return false;
	return file.st_ctim.tv_sec < recording.st_mtim.tv_sec;
}

static enum miss_reason open_by_path(const struct profile *p,
				     const struct symbol_places *places,
				     const char *path, struct elf_file *f)
{
	int fd;

	if (!places->root && p->hostname && !recorded_here(p))
		return MISS_ELSEWHERE;
	fd = open_regular(places->root, path);
	if (fd < 0 || elf_file_open(f, fd))
		return MISS_ABSENT;
	return is_older(p, f->fd) ? VERIFIED : UNVERIFIED;
}

static int load_symbols(const struct symbol_places *places, const char *path,
			struct user_image *image)
{
	struct symbol_table *t = &image->table;
	int64_t n = elf_file_add_symbols(&image->file, t, SHT_SYMTAB);

	if (!n && find_debug(places, path, &image->file, &image->debug))
		n = elf_file_add_symbols(&image->debug, t, SHT_SYMTAB);
	if (!n) {
		n = elf_file_add_symbols(&image->file, t, SHT_DYNSYM);
		if (n >= 0 && elf_open_debugdata(&image->file, &image->inner))
			n = elf_file_add_symbols(&image->inner, t, SHT_SYMTAB);
	}
	if (n < 0 || elf_add_plt(&image->file, t, &image->plt_names))
		return -1;
	return symbol_table_finish(t, SYMBOLS_ELF);
}

/* From offsets in the file to addresses; what has none is dropped. */
static void translate(const struct elf_file *f, struct frame_queries *q)
{
	struct elf_segments segments;
	size_t kept = 0;
	size_t i;

	elf_file_segments(f, &segments);
	for (i = 0; i < q->nr; i++) {
		struct symbol_query *query = &q->query[i];

		if (elf_segments_address(&segments, query->address,
					 &query->address))
			q->query[kept++] = *query;
	}
	q->nr = kept;
}

static void resolve_in_image(struct profile *p,
			     const struct symbol_places *places,
			     const char *path, struct user_image *image,
			     struct frame_queries *q)
{
	if (load_symbols(places, path, image)) {
		profile_fail(p);
		return;
	}
	translate(&image->file, q);
	resolve_frames(p, &image->table, q);
}

static void resolve_file(struct profile *p, const struct symbol_places *places,
			 const struct dso *dso, struct frame_queries *q,
			 struct user_misses *misses)
{
	const char *recorded = profile_text(p, dso->path);
	struct user_image image = { 0 };
	enum miss_reason reason;
	struct build_id id;
	char *path;

	if (!is_file_path(recorded))
		return;
	build_id_set(&id, dso->build_id, dso->build_id_size);
	path = path_on_disk(recorded);
	if (!path) {
		profile_fail(p);
		return;
	}
	if (id.size)
		reason = open_by_id(places, path, &id, &image.file);
	else if (strcmp(path, recorded) != 0)
		reason = MISS_ABSENT;
	else
		reason = open_by_path(p, places, path, &image.file);
	if (reason != VERIFIED)
		miss(misses, reason, dso, q->nr);
	if (reason == VERIFIED || reason == UNVERIFIED)
		resolve_in_image(p, places, path, &image, q);
	close_image(&image);
	free(path);
}

static bool open_vdso(const struct profile *p,
		      const struct symbol_places *places,
		      const struct build_id *id, struct elf_file *f)
{
	if (open_if_same(f, find_cached(places, id, "vdso"), id))
		return true;
	if (!id->size && !is_running_kernel(p))
		return false;
	if (!vdso_open_own(f))
		return false;
	if (!id->size || build_id_equal(&f->build_id, id))
		return true;
	elf_file_close(f);
	return false;
}

static void resolve_vdso(struct profile *p, const struct symbol_places *places,
			 const struct dso *dso, struct frame_queries *q)
{
	struct user_image image = { 0 };
	struct build_id id;

	build_id_set(&id, dso->build_id, dso->build_id_size);
	if (open_vdso(p, places, &id, &image.file))
		resolve_in_image(p, places, "", &image, q);
	close_image(&image);
}

static void resolve_perf_map(struct profile *p,
			     const struct symbol_places *places,
			     const struct dso *dso, struct frame_queries *q,
			     struct user_misses *misses)
{
	struct symbol_table table = { 0 };
	char *text = NULL;

	/* Another computer's process of that number is none of ours. */
	if (!places->root && p->hostname && !recorded_here(p))
		return;
	switch (perf_map_read(&table, places->root, dso->pid, &text)) {
	case PERF_MAP_READ:
		if (symbol_table_finish(&table, SYMBOLS_PERF_MAP))
			profile_fail(p);
		else
			resolve_frames(p, &table, q);
		break;
	case PERF_MAP_FOREIGN:
		miss(misses, MISS_FOREIGN_MAP, dso, q->nr);
		break;
	case PERF_MAP_NONE:
		break;
	}
	symbol_table_free(&table);
	free(text);
}

void user_resolve(struct profile *p, const struct symbol_places *places,
		  uint32_t dso, struct frame_queries *q,
		  struct user_misses *misses)
{
	const struct dso d = *profile_get_dso(p, dso);

	switch (d.kind) {
	case DSO_USER:
		resolve_file(p, places, &d, q, misses);
		break;
	case DSO_VDSO:
		resolve_vdso(p, places, &d, q);
		break;
	case DSO_PERF_MAP:
		resolve_perf_map(p, places, &d, q, misses);
		break;
	case DSO_UNKNOWN:
	case DSO_KERNEL:
	case DSO_MODULE:
		break;
	}
}

void user_warn(struct profile *p, const struct user_misses *misses)
{
	size_t i;

	for (i = 0; i < NR_MISS_REASONS; i++) {
		const uint32_t files = misses->by_reason[i].files;
		const char *example =
			profile_text(p, misses->by_reason[i].example);

		if (files == 1)
			profile_warn(p, "user file %s: %s", miss_text[i],
				     example);
		else if (files)
			profile_warn(p,
				     "user files %s: %s and %" PRIu32 " more",
				     miss_text[i], example, files - 1);
	}
}

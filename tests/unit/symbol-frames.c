// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/symbol-frames.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static char folder[] = "/tmp/rwsemlab-symbols.XXXXXX";

void folder_make(void)
{
	if (!mkdtemp(folder))
		tap_bail("can't make a folder in /tmp");
}

const char *folder_path(void)
{
	return folder;
}

const char *in_folder(const char *name)
{
	static char path[4][512];
	static int next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", folder, name);
	return p;
}

void make_folder(const char *name)
{
	char path[512];
	char *slash;

	snprintf(path, sizeof(path), "%s/", in_folder(name));
	for (slash = path + strlen(folder) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		tap_bail("can't write %s", path);
}

void write_elf(const char *path, const struct made_elf *e)
{
	if (make_elf_file(path, e))
		tap_bail("can't write %s", path);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

void folder_remove(void)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* --------------------------------------------- a profile and its frames */

struct symbol_options options;

uint32_t new_string(struct profile *p, const char *text)
{
	return profile_string(p, text, strlen(text));
}

struct profile *new_profile(void)
{
	static char cache[512], debug[512];
	struct profile *p = profile_new();
	struct utsname u;

	if (!p || uname(&u))
		tap_bail("out of memory");
	p->hostname = new_string(p, u.nodename);
	memset(&options, 0, sizeof(options));
	snprintf(cache, sizeof(cache), "%s/cache", folder);
	snprintf(debug, sizeof(debug), "%s/debug", folder);
	options.build_id_cache = cache;
	options.debug_directory = debug;
	return p;
}

uint32_t new_dso(struct profile *p, enum dso_kind kind, const char *path,
		 const char *id)
{
	struct dso dso = { .kind = kind, .path = new_string(p, path) };

	if (id) {
		dso.build_id_size = 20;
		memcpy(dso.build_id, id, 20);
	}
	return profile_dso(p, &dso);
}

uint32_t new_frame(struct profile *p, uint32_t dso, uint64_t address,
		   uint32_t flags)
{
	const struct frame frame = {
		.address = address,
		.dso = dso,
		.flags = flags,
	};

	return profile_frame(p, &frame);
}

const char *shown(struct profile *p, uint32_t frame)
{
	static char text[512];
	const struct frame *f = profile_get_frame(p, frame);

	profile_frame_name(p, frame, text, sizeof(text));
	if (f->symbol)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "+0x%" PRIx32, f->offset);
	return text;
}

void resolve(struct profile *p)
{
	struct error err = { 0 };

	if (symbols_resolve(p, &options, &err))
		tap_diag("%s", err.text);
	tap_is_i64(err.code, EXIT_OK, "no error");
}

bool warned(const struct profile *p, const char *about)
{
	uint64_t times;
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++)
		if (strstr(profile_warning(p, i, &times), about))
			return true;
	return false;
}

void check_user(const char *path, const char *id, uint64_t offset,
		const char *want, const char *warning, const char *what)
{
	struct profile *p = new_profile();
	uint32_t frame = new_frame(p, new_dso(p, DSO_USER, path, id), offset,
				   FRAME_EXACT);

	resolve(p);
	tap_is_str(shown(p, frame), want, "%s", what);
	if (warning)
		tap_ok(warned(p, warning), "%s: warns", what);
	else
		tap_is_u64(profile_nr_warnings(p), 0, "%s: no warning", what);
	tap_ok(profile_get_frame(p, frame)->flags & FRAME_LOOKED_UP,
	       "%s: marked as looked up", what);
	profile_free(p);
}

/* ----------------------------------------------------------- user files */

static const struct made_symbol functions[] = {
	{ "first", 0x401000, 0x40, STT_FUNC, STB_GLOBAL },
	{ "second", 0x401040, 0x20, STT_FUNC, STB_LOCAL },
	{ "data", 0x401044, 4, STT_OBJECT, STB_GLOBAL },
	{ "unsized", 0x401080, 0, STT_FUNC, STB_LOCAL },
	{ "__alias", 0x4010c0, 0x10, STT_FUNC, STB_GLOBAL },
	{ "alias", 0x4010c0, 0x10, STT_FUNC, STB_GLOBAL },
	{ 0 },
};

/* Its offsets in the file and its addresses have nothing in common. */
struct made_elf plain_elf(void)
{
	return (struct made_elf){
		.text_offset = 0x200,
		.text_address = 0x401000,
		.text_size = 0x400,
		.build_id = ID,
		.symtab = functions,
	};
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the running kernel and its modules are, and their build-ids.
 */
#include "config.h"

#include <inttypes.h>
#include <perf/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "analyze/record-private.h"

#define BUILD_ID_SIZE	  20
#define NOTE_GNU_BUILD_ID 3

struct module {
	char name[64];
	uint64_t start;
	uint64_t size;
	const char *path; /* or "[name]" */
};

typedef void (*module_fn)(const struct module *m, struct record_buffer *b);

/* Module names have '_' where their files may have '-'. */
static bool same_module(const char *file, size_t length, const char *name)
{
	size_t i;

	if (strlen(name) != length)
		return false;
	for (i = 0; i < length; i++)
		if ((file[i] == '-' ? '_' : file[i]) != name[i])
			return false;
	return true;
}

/* Looks through modules.dep: "kernel/fs/ext4/ext4.ko.xz: kernel/…". */
static void find_module(FILE *dep, const char *directory, const char *name,
			char *path, size_t size)
{
	size_t room = 0;
	char *line = NULL;

	snprintf(path, size, "[%s]", name);
	if (!dep)
		return;
	rewind(dep);
	while (getline(&line, &room, dep) > 0) {
		const char *file;
		size_t length;

		line[strcspn(line, ":\n")] = 0;
		file = strrchr(line, '/');
		file = file ? file + 1 : line;
		length = strcspn(file, ".");
		if (!same_module(file, length, name))
			continue;
		if (line[0] == '/')
			snprintf(path, size, "%s", line);
		else
			snprintf(path, size, "%s/%s", directory, line);
		break;
	}
	free(line);
}

static void each_module(module_fn fn, struct record_buffer *b)
{
	char directory[128], dep_path[160], path[4096];
	struct module m = { .path = path };
	FILE *modules = fopen("/proc/modules", "re");
	struct utsname u;
	char *line = NULL;
	size_t room = 0;
	FILE *dep;

	if (!modules)
		return;
	uname(&u);
	snprintf(directory, sizeof(directory), "/lib/modules/%s", u.release);
	snprintf(dep_path, sizeof(dep_path), "%s/modules.dep", directory);
	dep = fopen(dep_path, "re");
	while (getline(&line, &room, modules) > 0) {
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64,
			   m.name, &m.size, &m.start) != 3)
			continue;
		find_module(dep, directory, m.name, path, sizeof(path));
		fn(&m, b);
	}
	free(line);
	fclose(modules);
	if (dep)
		fclose(dep);
}

static void add_mmap(struct record_buffer *b, uint64_t start, uint64_t size,
		     uint64_t file_offset, const char *name)
{
	size_t record =
		record_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	record_buffer_u32(b, UINT32_MAX); /* the kernel's pid for perf: -1 */
	record_buffer_u32(b, 0);
	record_buffer_u64(b, start);
	record_buffer_u64(b, size);
	record_buffer_u64(b, file_offset);
	record_buffer_string(b, name, 8);
	record_end(b, record, true);
}

static void add_module(const struct module *m, struct record_buffer *b)
{
	if (m->start)
		add_mmap(b, m->start, m->size, 0, m->path);
}

struct kernel_text {
	uint64_t text, stext, etext;
};

/* Reads /proc/kallsyms until all three are found; 0 for what is not. */
static void find_kernel(struct kernel_text *k)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[1024];

	if (!f)
		return;
	while (!(k->text && k->stext && k->etext) &&
	       fgets(line, sizeof(line), f)) {
		char *name;
		uint64_t address = strtoull(line, &name, 16);

		if (strlen(name) < 4)
			continue;
		name += 3; /* " T " */
		name[strcspn(name, "\t\n")] = 0;
		if (!strcmp(name, "_text"))
			k->text = address;
		else if (!strcmp(name, "_stext"))
			k->stext = address;
		else if (!strcmp(name, "_etext"))
			k->etext = address;
	}
	fclose(f);
}

void record_synth_kernel(struct record_buffer *b, bool *hidden)
{
	struct kernel_text k = { 0 };
	uint64_t start;

	find_kernel(&k);
	start = k.text ? k.text : k.stext;
	*hidden = !start;
	if (!start)
		return;
	/* The name tells perf which symbol the offset is the address of. */
	add_mmap(b, start, k.etext > start ? k.etext - start : 0, start,
		 k.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext");
	each_module(add_module, b);
}

/*
 * Finds the build-id among ELF notes.  Returns its size, 0 where there is
 * none.
 */
static size_t find_build_id(const struct record_buffer *notes,
			    unsigned char *build_id)
{
	size_t at = 0;

	while (notes->size - at >= 12) {
		uint32_t note[3]; /* sizes of name and contents, type */
		size_t name, desc;

		memcpy(note, notes->data + at, sizeof(note));
		name = at + sizeof(note);
		if (note[0] > notes->size - name)
			return 0;
		desc = name + ((note[0] + (size_t)3) & ~(size_t)3);
		if (desc > notes->size || note[1] > notes->size - desc)
			return 0;
		if (note[2] == NOTE_GNU_BUILD_ID && note[0] == 4 &&
		    !memcmp(notes->data + name, "GNU", 4) && note[1] &&
		    note[1] <= BUILD_ID_SIZE) {
			memcpy(build_id, notes->data + desc, note[1]);
			return note[1];
		}
		at = desc + ((note[1] + (size_t)3) & ~(size_t)3);
		if (at > notes->size)
			return 0;
	}
	return 0;
}

static void add_build_id(struct record_buffer *b, const char *notes_path,
			 const char *name)
{
	unsigned char build_id[BUILD_ID_SIZE] = { 0 };
	struct record_buffer notes = { 0 };
	size_t size = 0, record;

	if (record_buffer_file(&notes, notes_path, 1 << 20) > 0)
		size = find_build_id(&notes, build_id);
	record_buffer_free(&notes);
	if (!size)
		return;
	record = record_begin(
		b, 0, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_BUILD_ID_SIZE);
	record_buffer_u32(b, UINT32_MAX); /* pid */
	record_buffer_add(b, build_id, sizeof(build_id));
	record_buffer_u32(b, (uint32_t)size); /* a byte, and three of zero */
	record_buffer_string(b, name, 64);
	record_end(b, record, false);
}

static void add_module_build_id(const struct module *m, struct record_buffer *b)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id",
		 m->name);
	add_build_id(b, path, m->path);
}

void record_feature_build_ids(struct record_buffer *b)
{
	add_build_id(b, "/sys/kernel/notes", "[kernel.kallsyms]");
	each_module(add_module_build_id, b);
}

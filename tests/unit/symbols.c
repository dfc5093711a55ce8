// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols_resolve() for user code as reports call it: frames of a profile in,
 * names out, with files made here.  tests/kernel/symbols.t compares with perf
 * and nm.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/symbol-frames.h"

static void test_user_file(void)
{
	struct made_elf e = plain_elf();
	struct profile *p;
	uint32_t dso, call, entry, leaf;

	write_elf(in_folder("plain"), &e);
	check_user(in_folder("plain"), ID, 0x210, "first+0x10", NULL,
		   "an offset becomes an address");
	check_user(in_folder("plain"), ID, 0x25f, "second+0x1f", NULL,
		   "the last byte of a function");
	check_user(in_folder("plain"), ID, 0x260, "plain+0x260", NULL,
		   "behind a function with a size");
	check_user(in_folder("plain"), ID, 0x2bf, "unsized+0x3f", NULL,
		   "a function without a size goes up to the next");
	check_user(in_folder("plain"), ID, 0x2c4, "alias+0x4", NULL,
		   "of aliases, the one with fewer underscores");
	check_user(in_folder("plain"), ID, 0x600, "plain+0x600", NULL,
		   "behind the segment");
	check_user(in_folder("plain"), ID, 0, "plain+0x0", NULL,
		   "offset 0, no code");
	check_user(in_folder("plain"), ID, UINT64_MAX,
		   "plain+0xffffffffffffffff", NULL, "an absurd offset");

	p = new_profile();
	dso = new_dso(p, DSO_USER, in_folder("plain"), ID);
	call = new_frame(p, dso, 0x240, 0);
	entry = new_frame(p, dso, 0x240, FRAME_EXACT);
	leaf = new_frame(p, dso, 0x241, 0);
	resolve(p);
	tap_is_str(shown(p, call), "first+0x40",
		   "a return address right behind a function is in its call");
	tap_is_str(shown(p, entry), "second+0x0",
		   "the same as an exact address is the next function");
	tap_is_str(shown(p, leaf), "second+0x1",
		   "a return address inside a function");
	profile_free(p);
}

static void test_verification(void)
{
	struct made_elf e = plain_elf();
	struct profile *p;
	uint32_t frame;
	char file[512], deleted[544];

	snprintf(file, sizeof(file), "%s", in_folder("other"));
	e.build_id = OTHER_ID;
	write_elf(file, &e);
	check_user(file, ID, 0x210, "other+0x210", "changed since",
		   "another build-id");
	check_user(file, NULL, 0x210, "first+0x10", "without a build-id",
		   "no build-id recorded");
	check_user(in_folder("absent"), ID, 0x210, "absent+0x210",
		   "not found here", "no such file");
	snprintf(deleted, sizeof(deleted), "%s (deleted)", in_folder("plain"));
	check_user(deleted, ID, 0x210, "first+0x10", NULL,
		   "deleted, and the same is there again");
	snprintf(deleted, sizeof(deleted), "%s (deleted)", file);
	check_user(deleted, NULL, 0x210, "other (deleted)+0x210",
		   "not found here", "deleted, and nothing says the same");

	p = new_profile();
	p->hostname = new_string(p, "not-this-computer");
	frame = new_frame(p, new_dso(p, DSO_USER, in_folder("plain"), NULL),
			  0x210, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "plain+0x210",
		   "another computer's file without a build-id");
	tap_ok(warned(p, "another computer"), "it warns");
	profile_free(p);

	p = new_profile();
	p->hostname = new_string(p, "not-this-computer");
	frame = new_frame(p, new_dso(p, DSO_USER, in_folder("plain"), ID),
			  0x210, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "first+0x10",
		   "another computer's file with its build-id");
	profile_free(p);
}

/* Without a build-id, a file that is older than the recording is as good. */
static void test_age(void)
{
	const struct timespec ages[2][2] = {
		{ { 0, UTIME_OMIT }, { 4000000000, 0 } },
		{ { 0, UTIME_OMIT }, { 1000000000, 0 } },
	};
	int i;

	write_file(in_folder("recording"), "", 0);
	for (i = 0; i < 2; i++) {
		struct profile *p = new_profile();
		uint32_t frame;

		if (utimensat(AT_FDCWD, in_folder("recording"), ages[i], 0))
			tap_bail("can't set a file's time");
		p->source = new_string(p, in_folder("recording"));
		frame = new_frame(
			p, new_dso(p, DSO_USER, in_folder("plain"), NULL),
			0x210, FRAME_EXACT);
		resolve(p);
		tap_is_str(shown(p, frame), "first+0x10", "it has a name");
		tap_ok(warned(p, "without a build-id") == (i == 1),
		       "a file %s than the recording warns: %s",
		       i ? "newer" : "older", i ? "yes" : "no");
		profile_free(p);
	}
}

static void test_root(void)
{
	struct made_elf e = plain_elf();
	struct profile *p;
	uint32_t plain, escaping;

	if (syscall(SYS_openat2, -1, NULL, NULL, 0) && errno == ENOSYS) {
		tap_skip("needs openat2(), Linux 5.6", "a root directory");
		return;
	}
	p = new_profile();
	make_folder("root/usr/bin");
	write_elf(in_folder("root/usr/bin/tool"), &e);
	if (symlink("/usr/bin/tool", in_folder("root/link")) ||
	    symlink("../../../../../../../usr/bin/tool", in_folder("root/up")))
		tap_bail("can't make links");
	options.root = in_folder("root");
	p->hostname = new_string(p, "not-this-computer");
	plain = new_frame(p, new_dso(p, DSO_USER, "/link", ID), 0x210,
			  FRAME_EXACT);
	escaping = new_frame(p, new_dso(p, DSO_USER, "/up", ID), 0x210,
			     FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, plain), "first+0x10",
		   "an absolute link stays below the root directory");
	tap_is_str(shown(p, escaping), "first+0x10", "so does one that climbs");
	profile_free(p);
}

/* Paths that must not be opened; opening a pipe would wait forever. */
static void test_special_files(void)
{
	static const char *const none[] = { "/dev/zero",
					    "//anon",
					    "[heap]",
					    "[stack]",
					    "relative",
					    "",
					    "/SYSV00000000 (deleted)" };
	char want[64];
	size_t i;

	if (mkfifo(in_folder("fifo"), 0600))
		tap_bail("can't make a pipe");
	alarm(20);
	check_user(in_folder("fifo"), NULL, 0x210, "fifo+0x210",
		   "not found here", "a named pipe");
	snprintf(want, sizeof(want), "%s+0x210",
		 strrchr(folder_path(), '/') + 1);
	check_user(folder_path(), ID, 0x210, want, "not found", "a folder");
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct profile *p = new_profile();
		uint32_t frame = new_frame(
			p, new_dso(p, DSO_USER, none[i], NULL), 0x1234, 0);

		resolve(p);
		snprintf(want, sizeof(want), "%s", shown(p, frame));
		tap_ok(!profile_get_frame(p, frame)->symbol,
		       "'%s' names nothing: %s", none[i], want);
		tap_is_u64(profile_nr_warnings(p), 0, "'%s': no warning",
			   none[i]);
		profile_free(p);
	}
	alarm(0);
}

/* ------------------------------------------------------- generated code */

static void test_perf_map(void)
{
	const uint32_t pid = (uint32_t)getpid();
	struct profile *p = new_profile();
	struct dso dso = { .kind = DSO_PERF_MAP, .pid = pid };
	uint32_t frame, foreign;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", pid);
	if (!access(path, F_OK)) {
		tap_skip("there is one for this process already", "perf map");
		profile_free(p);
		return;
	}
	write_file(path, "1000 100 jitted one\n", 20);
	dso.path = new_string(p, "//anon");
	frame = new_frame(p, profile_dso(p, &dso), 0x1010, 0);
	resolve(p);
	tap_is_str(shown(p, frame), "jitted one+0x10", "a perf map");
	profile_free(p);

	p = new_profile();
	p->hostname = new_string(p, "not-this-computer");
	dso.path = new_string(p, "//anon");
	frame = new_frame(p, profile_dso(p, &dso), 0x1010, 0);
	resolve(p);
	tap_is_str(shown(p, frame), "//anon:0x1010",
		   "not for another computer's process");
	profile_free(p);

	if (geteuid() || chown(path, 12345, 12345)) {
		tap_skip("needs root", "a perf map of somebody else");
	} else {
		p = new_profile();
		dso.path = new_string(p, "//anon");
		foreign = new_frame(p, profile_dso(p, &dso), 0x1010, 0);
		resolve(p);
		tap_is_str(shown(p, foreign), "//anon:0x1010",
			   "not one of somebody else");
		tap_ok(warned(p, "nor root"), "it warns");
		profile_free(p);
	}
	remove(path);
	if (symlink("/etc/passwd", path))
		tap_bail("can't make a link");
	p = new_profile();
	dso.path = new_string(p, "//anon");
	frame = new_frame(p, profile_dso(p, &dso), 0x1010, 0);
	resolve(p);
	tap_is_str(shown(p, frame), "//anon:0x1010", "links are not followed");
	profile_free(p);
	remove(path);
}

static void test_no_user(void)
{
	struct profile *p = new_profile();
	uint32_t frame = new_frame(
		p, new_dso(p, DSO_USER, in_folder("plain"), ID), 0x210, 0);

	options.no_user = true;
	resolve(p);
	tap_is_str(shown(p, frame), "plain+0x210", "user frames not wanted");
	tap_ok(!(profile_get_frame(p, frame)->flags & FRAME_LOOKED_UP),
	       "they are not marked");
	options.no_user = false;
	resolve(p);
	tap_is_str(shown(p, frame), "first+0x10", "a second call names them");
	profile_free(p);
}

/* By the dynamic linker's word: where it says the function is. */
static void test_vdso(void)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOLOAD | RTLD_NOW);
	char *function = vdso ? dlsym(vdso, "__vdso_clock_gettime") : NULL;
	char *start = (char *)getauxval(AT_SYSINFO_EHDR);
	struct profile *p = new_profile();
	const struct dso *dso;
	FILE *notes;
	uint32_t frame, other;

	if (!function) {
		tap_skip("no vDSO with __vdso_clock_gettime", "the vDSO");
		profile_free(p);
		return;
	}
	/* Without a build-id of its own it goes by the kernel's. */
	frame = new_frame(p, new_dso(p, DSO_VDSO, "[vdso]", NULL),
			  (uint64_t)(function - start) + 4, FRAME_EXACT);
	other = new_frame(p, new_dso(p, DSO_VDSO, "[vdso]", ID),
			  (uint64_t)(function - start) + 4, FRAME_EXACT);
	notes = fopen("/sys/kernel/notes", "re");
	if (notes && !fseek(notes, 16, SEEK_SET) &&
	    fread(p->kernel.build_id, 20, 1, notes) == 1)
		p->kernel.build_id_size = 20;
	if (notes)
		fclose(notes);
	resolve(p);
	dso = profile_get_dso(p, profile_get_frame(p, frame)->dso);
	tap_ok(!dso->build_id_size, "the vDSO was recorded without a build-id");
	tap_is_str(shown(p, frame), "__vdso_clock_gettime+0x4",
		   "this kernel's vDSO");
	tap_ok(!profile_get_frame(p, other)->symbol,
	       "a vDSO with another build-id");
	profile_free(p);
	dlclose(vdso);
}

int main(void)
{
	folder_make();
	unsetenv("DEBUGINFOD_URLS");
	test_user_file();
	test_verification();
	test_age();
	test_root();
	test_special_files();
	test_perf_map();
	test_no_user();
	test_vdso();
	folder_remove();
	return tap_done();
}

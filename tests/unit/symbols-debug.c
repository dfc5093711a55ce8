// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of files that have none themselves, and of damaged ones.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "tests/unit/symbol-frames.h"

static const struct made_symbol exported[] = {
	{ "first", 0x401000, 0x40, STT_FUNC, STB_GLOBAL },
	{ 0 },
};

/* The CRC of a debug link by zlib's definition, bit by bit. */
static uint32_t crc32_of(const char *path)
{
	FILE *f = fopen(path, "re");
	uint32_t crc = ~0u;
	int c, bit;

	if (!f)
		tap_bail("can't read %s", path);
	while ((c = getc(f)) != EOF) {
		crc ^= (uint32_t)c;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	fclose(f);
	return ~crc;
}

static void test_debug_by_id(void)
{
	struct made_elf stripped = plain_elf();
	struct made_elf debug = plain_elf();

	stripped.symtab = NULL;
	stripped.dynsym = exported;
	write_elf(in_folder("stripped"), &stripped);
	check_user(in_folder("stripped"), ID, 0x210, "first+0x10", NULL,
		   "stripped: .dynsym still names");
	check_user(in_folder("stripped"), ID, 0x250, "stripped+0x250", NULL,
		   "stripped: what .dynsym does not name");
	make_folder("debug/.build-id/30");
	write_elf(in_folder("debug/.build-id/" ID_PATH ".debug"), &debug);
	check_user(in_folder("stripped"), ID, 0x250, "second+0x10", NULL,
		   "a debug file by build-id");
	debug.build_id = OTHER_ID;
	write_elf(in_folder("debug/.build-id/" ID_PATH ".debug"), &debug);
	check_user(in_folder("stripped"), ID, 0x250, "stripped+0x250", NULL,
		   "a debug file of another build-id in its place");
	remove(in_folder("debug/.build-id/" ID_PATH ".debug"));
}

static void test_cache(void)
{
	struct made_elf e = plain_elf();
	struct made_elf stripped = plain_elf();

	stripped.symtab = NULL;
	make_folder("cache/.build-id/" ID_PATH);
	write_elf(in_folder("cache/.build-id/" ID_PATH "/elf"), &e);
	check_user("/no/such/file", ID, 0x210, "first+0x10", NULL,
		   "perf's cache has a file that is gone");
	check_user(in_folder("other"), ID, 0x210, "first+0x10", NULL,
		   "perf's cache has the old version of a changed file");
	write_elf(in_folder("cache/.build-id/" ID_PATH "/elf"), &stripped);
	write_elf(in_folder("cache/.build-id/" ID_PATH "/debug"), &e);
	check_user("/no/such/file", ID, 0x250, "second+0x10", NULL,
		   "perf's cache has the debug file too");
	remove(in_folder("cache/.build-id/" ID_PATH "/elf"));
	remove(in_folder("cache/.build-id/" ID_PATH "/debug"));
}

static void test_debug_link(void)
{
	struct made_elf debug = plain_elf();
	struct made_elf e = plain_elf();

	debug.build_id = NULL;
	make_folder("bin/.debug");
	write_elf(in_folder("bin/.debug/tool.debug"), &debug);
	e.symtab = NULL;
	e.debuglink = "tool.debug";
	e.debuglink_crc = crc32_of(in_folder("bin/.debug/tool.debug"));
	write_elf(in_folder("bin/tool"), &e);
	check_user(in_folder("bin/tool"), ID, 0x250, "second+0x10", NULL,
		   "a debug link, by its CRC");
	e.debuglink_crc ^= 1;
	write_elf(in_folder("bin/tool"), &e);
	check_user(in_folder("bin/tool"), ID, 0x250, "tool+0x250", NULL,
		   "a debug link with a wrong CRC");
	e.debuglink = "tool";
	write_elf(in_folder("bin/tool"), &e);
	check_user(in_folder("bin/tool"), ID, 0x250, "tool+0x250", NULL,
		   "a debug link to the file itself");
	e.debuglink = "../../etc/passwd";
	write_elf(in_folder("bin/tool"), &e);
	check_user(in_folder("bin/tool"), ID, 0x250, "tool+0x250", NULL,
		   "a debug link that is a path");
}

static void test_debugdata(void)
{
#ifdef HAVE_LZMA
	struct made_elf e = plain_elf();
	struct made_elf inner = plain_elf();
	static unsigned char packed[64 * 1024];
	size_t size, packed_size = 0;
	unsigned char *bytes;

	inner.text_size = 0;
	bytes = make_elf(&inner, &size);
	if (!bytes || lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes,
					      size, packed, &packed_size,
					      sizeof(packed)) != LZMA_OK)
		tap_bail("can't pack");
	free(bytes);
	e.symtab = NULL;
	e.dynsym = exported;
	e.debugdata = packed;
	e.debugdata_size = packed_size;
	write_elf(in_folder("mini"), &e);
	check_user(in_folder("mini"), ID, 0x250, "second+0x10", NULL,
		   "MiniDebugInfo");
	packed[packed_size / 2] ^= 0x55;
	write_elf(in_folder("mini"), &e);
	check_user(in_folder("mini"), ID, 0x250, "mini+0x250", NULL,
		   "damaged MiniDebugInfo");
	/* 100 MB of zeroes come as about 15 kB. */
	bytes = calloc(1, 100 << 20);
	packed_size = 0;
	if (!bytes || lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes,
					      100 << 20, packed, &packed_size,
					      sizeof(packed)) != LZMA_OK)
		tap_bail("can't pack");
	free(bytes);
	e.debugdata_size = packed_size;
	write_elf(in_folder("mini"), &e);
	check_user(in_folder("mini"), ID, 0x210, "first+0x10", NULL,
		   "MiniDebugInfo that unpacks to 100 MB is not");
#else
	tap_skip("built without liblzma", "MiniDebugInfo");
#endif
}

/* Addresses as objdump prints them. */
static void test_plt(void)
{
	const char *source = getenv("SRCDIR");
	char plain[512], ibt[512];

	if (!source) {
		tap_skip("SRCDIR is not set", "PLT entries");
		return;
	}
	snprintf(plain, sizeof(plain), "%s/tests/data/elf/plt", source);
	snprintf(ibt, sizeof(ibt), "%s/tests/data/elf/plt-ibt", source);
	check_user(plain, NULL, 0x250, "foo@plt+0x0", "without a build-id",
		   "the PLT's first entry");
	check_user(plain, NULL, 0x26f, "bar@plt+0xf", "without a build-id",
		   "the end of its last one");
	check_user(plain, NULL, 0x24f, "plt+0x24f", "without a build-id",
		   "what comes before the first");
	check_user(ibt, NULL, 0x270, "foo@plt+0x0", "without a build-id",
		   "the first entry of .plt.sec");
	check_user(ibt, NULL, 0x281, "bar@plt+0x1", "without a build-id",
		   "its second one");
}

static void test_debuginfod(void)
{
	struct made_elf e = plain_elf();
	void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	char url[600];

	if (!library) {
		tap_skip("there is no libdebuginfod.so.1", "debuginfod");
		return;
	}
	dlclose(library);
	make_folder("server/buildid/" ID_TEXT);
	write_elf(in_folder("server/buildid/" ID_TEXT "/debuginfo"), &e);
	e.symtab = NULL;
	write_elf(in_folder("remote"), &e);
	check_user(in_folder("remote"), ID, 0x250, "remote+0x250", NULL,
		   "debuginfod is not asked unless DEBUGINFOD_URLS says so");
	snprintf(url, sizeof(url), "file://%s", in_folder("server"));
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", in_folder("client-cache"), 1);
	check_user(in_folder("remote"), ID, 0x250, "second+0x10", NULL,
		   "a debug file from debuginfod");
	unsetenv("DEBUGINFOD_URLS");
}

/* Every byte of a file changed once: no crash, no hang, no error. */
static void test_damaged_files(void)
{
	struct made_elf e = plain_elf();
	size_t size, i, k, errors = 0;
	unsigned char *bytes;

	e.text_size = 0x40;
	e.debuglink = "x.debug";
	e.dynsym = exported;
	bytes = make_elf(&e, &size);
	if (!bytes)
		tap_bail("out of memory");
	for (i = 0; i < size; i++) {
		static const unsigned char values[] = { 0, 0x7f, 0xff };

		for (k = 0; k < sizeof(values); k++) {
			unsigned char was = bytes[i];
			struct error err = { 0 };
			struct profile *p = new_profile();

			if (was == values[k]) {
				profile_free(p);
				continue;
			}
			bytes[i] = values[k];
			write_file(in_folder("damaged"), bytes, size);
			bytes[i] = was;
			new_frame(p,
				  new_dso(p, DSO_USER, in_folder("damaged"),
					  NULL),
				  0x210, FRAME_EXACT);
			errors += symbols_resolve(p, &options, &err) != 0;
			errors += profile_failed(p);
			profile_free(p);
		}
	}
	tap_is_u64(errors, 0, "each of %zu bytes damaged: no error", size);
	for (i = errors = 0; i < size; i += 7) {
		struct error err = { 0 };
		struct profile *p = new_profile();

		write_file(in_folder("damaged"), bytes, i);
		new_frame(p, new_dso(p, DSO_USER, in_folder("damaged"), NULL),
			  0x210, FRAME_EXACT);
		errors += symbols_resolve(p, &options, &err) != 0;
		profile_free(p);
	}
	tap_is_u64(errors, 0, "cut at every seventh byte: no error");
	free(bytes);
}

int main(void)
{
	const struct made_elf e = plain_elf();
	struct made_elf other = e;

	folder_make();
	unsetenv("DEBUGINFOD_URLS");
	write_elf(in_folder("plain"), &e);
	other.build_id = OTHER_ID;
	write_elf(in_folder("other"), &other);
	test_debug_by_id();
	test_cache();
	test_debug_link();
	test_debugdata();
	test_plt();
	test_debuginfod();
	test_damaged_files();
	folder_remove();
	return tap_done();
}

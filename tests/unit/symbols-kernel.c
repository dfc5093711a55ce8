// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols_resolve() for the kernel and its modules, with sources made here
 * and with the running kernel.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/unit/symbol-frames.h"

#define TEXT 0xffffffff81000000

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000100 T down_write\n"
			       "ffffffff81000180 t __pfx_padded\n"
			       "ffffffff81000190 t padded\n"
			       "ffffffff81000200 T __sched_text_start\n"
			       "ffffffff81000200 t __schedule\n"
			       "ffffffff81000300 T __sched_text_end\n"
			       "ffffffff81000300 T __lock_text_start\n"
			       "ffffffff81000300 T _raw_spin_lock\n"
			       "ffffffff81000400 T __lock_text_end\n"
			       "ffffffff81000444 T _etext\n"
			       "ffffffffc0001000 t fn_one\t[mod_one]\n"
			       "ffffffffc0002000 t fn_two\t[mod_two]\n"
			       "ffffffffc0003000 t bpf_prog_1_f\t[bpf]\n";

static const struct made_symbol vmlinux[] = {
	{ "_text", TEXT, 0, STT_NOTYPE, STB_GLOBAL },
	{ "startup_64", TEXT, 0x80, STT_FUNC, STB_GLOBAL },
	{ "vm_down_write", TEXT + 0x100, 0x80, STT_FUNC, STB_GLOBAL },
	{ "vm_asm", TEXT + 0x200, 0, STT_NOTYPE, STB_GLOBAL },
	{ "vm_last", TEXT + 0x300, 0x10, STT_FUNC, STB_LOCAL },
	{ 0 },
};

static void write_kallsyms(const char *path)
{
	write_file(path, kallsyms, strlen(kallsyms));
}

static void write_vmlinux(const char *path, const char *id)
{
	const struct made_elf e = {
		.text_offset = 0x1000,
		.text_address = TEXT,
		.text_size = 0x1000,
		.build_id = id,
		.symtab = vmlinux,
	};

	write_elf(path, &e);
}

/* A kernel that is not the running one, moved by @moved bytes. */
static struct profile *kernel_profile(uint64_t moved)
{
	struct profile *p = new_profile();

	p->os_release = new_string(p, "1.2.3-test");
	memcpy(p->kernel.build_id, ID, 20);
	p->kernel.build_id_size = 20;
	p->kernel.map_name = new_string(p, "[kernel.kallsyms]_text");
	p->kernel.map_start = TEXT + moved;
	p->kernel.map_length = 0x444;
	p->kernel.reloc_address = TEXT + moved;
	return p;
}

static uint32_t kernel_frame(struct profile *p, uint64_t address,
			     uint32_t flags)
{
	return new_frame(p, new_dso(p, DSO_KERNEL, "[kernel]", NULL), address,
			 flags | FRAME_KERNEL);
}

static uint32_t module_frame(struct profile *p, const char *module,
			     uint64_t address)
{
	return new_frame(p, new_dso(p, DSO_MODULE, module, NULL), address,
			 FRAME_EXACT | FRAME_KERNEL);
}

static void test_kallsyms(void)
{
	struct profile *p = kernel_profile(0);
	uint32_t call = kernel_frame(p, TEXT + 0x180, 0);
	uint32_t entry = kernel_frame(p, TEXT + 0x190, 0);
	uint32_t exact = kernel_frame(p, TEXT + 0x200, FRAME_EXACT);
	uint32_t lock = kernel_frame(p, TEXT + 0x310, 0);
	uint32_t behind = kernel_frame(p, TEXT + 0x9000, FRAME_EXACT);
	uint32_t one = module_frame(p, "[mod_one]", 0xffffffffc0001010);
	uint32_t two = module_frame(p, "[mod-two]", 0xffffffffc0002010);
	uint32_t wrong = module_frame(p, "[mod_one]", 0xffffffffc0002010);
	uint32_t bpf = new_frame(p, new_dso(p, DSO_KERNEL, "[bpf]", NULL),
				 0xffffffffc0003010,
				 FRAME_KERNEL | FRAME_EXACT);

	options.kallsyms = in_folder("kallsyms");
	resolve(p);
	tap_is_str(shown(p, call), "down_write+0x80",
		   "a return address behind down_write");
	tap_is_str(shown(p, entry), "padded+0x0",
		   "padding calls nothing: interrupted at the entry");
	tap_is_str(shown(p, exact), "__schedule+0x0", "an exact address");
	tap_is_str(shown(p, lock), "_raw_spin_lock+0x10", "a lock function");
	tap_is_str(shown(p, behind), "[kernel]+0x9000", "behind the text");
	tap_is_str(shown(p, one), "fn_one+0x10", "a module");
	tap_is_str(shown(p, two), "fn_two+0x10", "- and _ are the same in it");
	tap_is_str(shown(p, wrong), "[mod_one]:0xffffffffc0002010",
		   "an address where another module is now");
	tap_is_str(shown(p, bpf), "bpf_prog_1_f+0x10", "a BPF program");
#define SECTIONS(frame)                       \
	(profile_get_frame(p, frame)->flags & \
	 (FRAME_LOCK_TEXT | FRAME_SCHED_TEXT))
	tap_is_u64(SECTIONS(call), 0, "down_write is in no section of note");
	tap_is_u64(SECTIONS(exact), FRAME_SCHED_TEXT, "__sched_text");
	tap_is_u64(SECTIONS(lock), FRAME_LOCK_TEXT, "__lock_text");
	tap_is_u64(SECTIONS(behind), 0, "behind the text is none");
	tap_is_u64(profile_nr_warnings(p), 0, "no warning");
	profile_free(p);
}

/* What reports print for frames without a symbol. */
static void test_frame_names(void)
{
	struct profile *p = kernel_profile(0);
	struct frame f = {
		.address = 0xffffffffc0001234,
		.dso = new_dso(p, DSO_MODULE, "[ext4]", NULL),
		.flags = FRAME_KERNEL,
		.offset = 0x1234,
	};
	uint32_t module = profile_frame(p, &f);
	uint32_t unknown = new_frame(p, 0, 0x4321, 0);
	uint32_t user = new_frame(
		p, new_dso(p, DSO_USER, "/usr/lib/libx.so.1", NULL), 0x99, 0);
	uint32_t odd = new_frame(
		p, new_dso(p, DSO_USER, "/tmp/a\x1b[31m", NULL), 0x99, 0);
	char small[8];

	tap_is_str(shown(p, module), "[ext4]+0x1234", "a module's offset");
	tap_is_str(shown(p, unknown), "0x4321", "without a dso");
	tap_is_str(shown(p, user), "libx.so.1+0x99", "a user file");
	tap_is_str(shown(p, odd), "a?[31m+0x99", "what a terminal would obey");
	tap_is_str(profile_frame_name(p, user, small, sizeof(small)), "libx.so",
		   "cut to the buffer");
	profile_free(p);
}

static void test_moved(void)
{
	const uint64_t by = 0x7600000;
	struct profile *p = kernel_profile(by);
	uint32_t exact = kernel_frame(p, TEXT + by + 0x210, FRAME_EXACT);
	uint32_t stay = kernel_frame(p, TEXT + 0x210, FRAME_EXACT);
	uint32_t one = module_frame(p, "[mod_one]", 0xffffffffc0001010);
	uint32_t fake = module_frame(p, "[mod_one]", 0xffffffffc0001010 + by);

	options.kallsyms = in_folder("kallsyms");
	resolve(p);
	tap_is_str(shown(p, exact), "__schedule+0x10", "a moved kernel");
	tap_is_u64(SECTIONS(exact), FRAME_SCHED_TEXT, "its sections moved too");
	tap_is_str(shown(p, stay), "[kernel]:0xffffffff81000210",
		   "where the kernel no longer is");
	tap_is_str(shown(p, one), "[mod_one]:0xffffffffc0001010",
		   "modules of another boot");
	tap_ok(!profile_get_frame(p, fake)->symbol,
	       "modules don't move with the kernel");
	tap_ok(warned(p, "booted again"), "it warns about modules");
	profile_free(p);
}

static void test_warnings(void)
{
	struct profile *p = kernel_profile(0);

	kernel_frame(p, TEXT + 0x210, FRAME_EXACT);
	options.kallsyms = in_folder("kallsyms");
	p->kernel.reloc_address = 0;
	resolve(p);
	tap_ok(warned(p, "kptr_restrict"),
	       "recorded without the kernel's address");
	profile_free(p);

	p = kernel_profile(0);
	kernel_frame(p, TEXT + 0x210, FRAME_EXACT);
	options.kallsyms = in_folder("kallsyms");
	p->kernel.map_name = new_string(p, "[kernel.kallsyms]_stext");
	resolve(p);
	tap_ok(warned(p, "lacks the symbol"),
	       "a kallsyms without the recorded map's symbol");
	profile_free(p);

	p = kernel_profile(0);
	kernel_frame(p, TEXT + 0x210, FRAME_EXACT);
	options.kallsyms = in_folder("kallsyms");
	p->kernel.map_length = 0x555;
	resolve(p);
	tap_ok(warned(p, "another kernel"), "text that ends elsewhere");
	profile_free(p);

	p = kernel_profile(0);
	kernel_frame(p, TEXT + 0x210, FRAME_EXACT);
	resolve(p);
	tap_ok(warned(p, "1.2.3-test") && warned(p, ID_TEXT) &&
		       warned(p, "--kallsyms"),
	       "nothing found: release, build-id and what to do");
	profile_free(p);
}

/* Files of the options that can't be used: one error each. */
static void check_error(const char *file, bool is_vmlinux, uint64_t moved,
			const char *want)
{
	struct profile *p = kernel_profile(moved);
	struct error err = { 0 };
	const char *path = in_folder(file);

	kernel_frame(p, TEXT + moved + 0x210, FRAME_EXACT);
	if (is_vmlinux)
		options.vmlinux = path;
	else
		options.kallsyms = path;
	tap_is_i64(symbols_resolve(p, &options, &err), -1, "%s: an error",
		   want);
	tap_is_i64(err.code, EXIT_USAGE, "%s: exit code 2", want);
	if (!tap_ok(strstr(err.text, want) && strstr(err.text, path),
		    "%s: it says so and names the file", want))
		tap_diag("%s", err.text);
	profile_free(p);
}

static void test_errors(void)
{
	static const char hidden[] = "0000000000000000 T _text\n"
				     "0000000000000000 T schedule\n";

	write_file(in_folder("hidden"), hidden, strlen(hidden));
	write_file(in_folder("garbage"), "hello\n", 6);
	write_vmlinux(in_folder("other-vmlinux"), OTHER_ID);
	if (mkfifo(in_folder("pipe"), 0600))
		tap_bail("can't make a pipe");
	alarm(20);
	check_error("none", false, 0, "No such file");
	check_error("pipe", false, 0, "not a regular file");
	check_error("pipe", true, 0, "not a regular file");
	check_error("garbage", false, 0, "/proc/kallsyms");
	check_error("garbage", true, 0, "no ELF file");
	check_error("hidden", false, 0, "kernel.kptr_restrict");
	check_error("kallsyms", false, 0x123, "another kernel");
	check_error("other-vmlinux", true, 0,
		    "616e6f746865722d6275696c642d69642d2e2e2e");
	alarm(0);
}

static void test_vmlinux(void)
{
	struct profile *p = kernel_profile(0x200000);
	uint32_t function = kernel_frame(p, TEXT + 0x200110, FRAME_EXACT);
	uint32_t gap = kernel_frame(p, TEXT + 0x200190, FRAME_EXACT);
	uint32_t assembly = kernel_frame(p, TEXT + 0x200280, FRAME_EXACT);
	uint32_t entry = kernel_frame(p, TEXT + 0x200000, FRAME_EXACT);

	write_vmlinux(in_folder("vmlinux"), ID);
	options.vmlinux = in_folder("vmlinux");
	resolve(p);
	tap_is_str(shown(p, function), "vm_down_write+0x10", "a function");
	tap_is_str(shown(p, gap), "[kernel]+0x190", "between functions");
	tap_is_str(shown(p, assembly), "vm_asm+0x80", "a label of assembly");
	tap_is_str(shown(p, entry), "startup_64+0x0",
		   "a function before a label");
	tap_is_u64(profile_nr_warnings(p), 0, "no warning");
	profile_free(p);

	/* Found by itself, and a kallsyms adds modules, but only those. */
	p = kernel_profile(0);
	make_folder("debug/boot");
	make_folder("cache/.build-id/" ID_PATH);
	write_vmlinux(in_folder("debug/boot/vmlinux-1.2.3-test"), ID);
	write_kallsyms(in_folder("cache/.build-id/" ID_PATH "/kallsyms"));
	options.vmlinux = in_folder("debug/boot/vmlinux-1.2.3-test");
	function = kernel_frame(p, TEXT + 0x110, FRAME_EXACT);
	gap = kernel_frame(p, TEXT + 0x190, FRAME_EXACT);
	entry = module_frame(p, "[mod_one]", 0xffffffffc0001010);
	resolve(p);
	tap_is_str(shown(p, function), "vm_down_write+0x10",
		   "--vmlinux goes before perf's cache");
	tap_is_str(shown(p, gap), "[kernel]+0x190",
		   "the kernel's gaps stay what they are");
	tap_is_str(shown(p, entry), "fn_one+0x10",
		   "the kallsyms of perf's cache adds modules");
	profile_free(p);
}

static void test_search(void)
{
	struct profile *p = kernel_profile(0);
	uint32_t frame = kernel_frame(p, TEXT + 0x110, FRAME_EXACT);

	resolve(p);
	tap_is_str(shown(p, frame), "down_write+0x10",
		   "perf's cache by build-id");
	profile_free(p);

	remove(in_folder("cache/.build-id/" ID_PATH "/kallsyms"));
	p = kernel_profile(0);
	frame = kernel_frame(p, TEXT + 0x110, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "vm_down_write+0x10",
		   "then the vmlinux of the release");
	profile_free(p);

	write_vmlinux(in_folder("debug/boot/vmlinux-1.2.3-test"), OTHER_ID);
	p = kernel_profile(0);
	frame = kernel_frame(p, TEXT + 0x110, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "[kernel]+0x110",
		   "but not one of another build");
	tap_ok(warned(p, "another build"), "it warns");
	profile_free(p);

	make_folder("debug/.build-id/30");
	write_vmlinux(in_folder("debug/.build-id/" ID_PATH ".debug"), ID);
	p = kernel_profile(0);
	frame = kernel_frame(p, TEXT + 0x110, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "vm_down_write+0x10",
		   "then one by its build-id");
	profile_free(p);

	p = kernel_profile(0x4000);
	frame = kernel_frame(p, TEXT + 0x4110, FRAME_EXACT);
	p->kernel.build_id_size = 0;
	p->kernel.kallsyms = new_string(p, kallsyms);
	p->kernel.reloc_address = 0;
	resolve(p);
	tap_ok(!profile_get_frame(p, frame)->symbol,
	       "recorded kallsyms: the addresses are the recording's");
	frame = kernel_frame(p, TEXT + 0x111, FRAME_EXACT);
	resolve(p);
	tap_is_str(shown(p, frame), "down_write+0x11", "recorded kallsyms");
	profile_free(p);
}

/* ---------------------------------------------------- the running kernel */

/* Where schedule() is, by /proc/kallsyms; 0 where it does not tell. */
static uint64_t find_schedule(uint64_t *text)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t address, found = 0;
	char type, name[512];

	*text = 0;
	while (f && fscanf(f, "%" SCNx64 " %c %511s%*[^\n]", &address, &type,
			   name) == 3) {
		if (!strcmp(name, "_text"))
			*text = address;
		if (!strcmp(name, "schedule"))
			found = address;
	}
	if (f)
		fclose(f);
	return found;
}

static void test_running(void)
{
	uint64_t text, schedule = find_schedule(&text);
	FILE *notes = fopen("/sys/kernel/notes", "re");
	unsigned char id[20];
	struct profile *p;
	uint32_t frame;
	int round;

	if (!schedule || !text || !notes || fseek(notes, 16, SEEK_SET) ||
	    fread(id, sizeof(id), 1, notes) != 1) {
		tap_skip("/proc/kallsyms shows no addresses, or there is no"
			 " /sys/kernel/notes",
			 "the running kernel");
		if (notes)
			fclose(notes);
		return;
	}
	fclose(notes);
	for (round = 0; round < 3; round++) {
		struct utsname u;

		uname(&u);
		p = kernel_profile(0);
		memcpy(p->kernel.build_id, id, sizeof(id));
		p->kernel.reloc_address = text;
		p->kernel.map_start = 0;
		/* 1: another build; 2: no build-id, but host and release. */
		p->kernel.build_id[0] ^= round == 1;
		if (round == 2) {
			p->kernel.build_id_size = 0;
			p->os_release = new_string(p, u.release);
			p->arch = new_string(p, u.machine);
		}
		frame = kernel_frame(p, schedule + 4, FRAME_EXACT);
		resolve(p);
		if (round == 1)
			tap_ok(!profile_get_frame(p, frame)->symbol,
			       "not with another build-id");
		else
			tap_is_str(shown(p, frame), "schedule+0x4",
				   "the running kernel, by %s",
				   round ? "host and release" : "build-id");
		if (round == 2)
			tap_ok(warned(p, "no build-id to verify"), "it warns");
		profile_free(p);
	}
}

int main(void)
{
	folder_make();
	unsetenv("DEBUGINFOD_URLS");
	write_kallsyms(in_folder("kallsyms"));
	test_kallsyms();
	test_frame_names();
	test_moved();
	test_warnings();
	test_errors();
	test_vmlinux();
	test_search();
	test_running();
	folder_remove();
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the records of perf.data say, beyond the switches themselves: address
 * spaces, losses, two events for one switch, locks and wake-ups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define ID   7
#define FORK 7
#define EXIT 4

static struct pw w;
static struct profile *p;
static struct error err;

static void begin(uint64_t sample_type)
{
	pw_init(&w, &(struct pw_options){ 0 });
	pc_add_switch(&w, sample_type, PC_ID_ALL, ID);
}

static void end(void)
{
	struct pw_bytes b = pw_finish(&w);

	profile_free(p);
	p = pc_read(&b, &err);
	free(b.data);
	pw_free(&w);
}

static struct pw_stamp at(uint64_t time)
{
	return (struct pw_stamp){ .id = ID, .time = time };
}

/* A sleep of @pid at @time, whose user part is one address. */
static void put_sleep(int32_t pid, uint64_t time, uint64_t ip)
{
	const uint64_t chain[] = { PC_KERNEL, 0xffffffff81001000, PC_USER, ip };

	pc_put_switch(&w,
		      &(struct pc_switch){ .time = time,
					   .prev = pid,
					   .next = 0,
					   .state = 1,
					   .id = ID },
		      chain, 4);
	pc_put_switch(&w,
		      &(struct pc_switch){ .time = time + 1,
					   .prev = 0,
					   .next = pid,
					   .pid = pid,
					   .id = ID },
		      NULL, 0);
}

static void put_map(int32_t pid, uint64_t time, uint64_t start,
		    const char *path)
{
	const struct pw_stamp stamp = at(time);

	pw_mmap(&w, pid, start, 0x1000, 0, path, &stamp);
}

/* The first stacks, one a line, in the order in which they were seen. */
static void is_first_stacks(size_t nr, const char *want, const char *name)
{
	char *text = NULL, *stack;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		tap_bail("out of memory");
	for (i = 0; i < nr && i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		stack = pc_stack(p, row->stack);
		fprintf(f, "%llu %s\n", (unsigned long long)row->sleeps, stack);
		free(stack);
	}
	fclose(f);
	tap_is_str(text, want, "%s", name);
	free(text);
}

static void is_stacks(const char *want, const char *name)
{
	is_first_stacks(SIZE_MAX, want, name);
}

#define K "[kernel]@ffffffff81001000 "

static void check_fork_and_exec(uint64_t sample_type)
{
	struct pw_stamp s;

	begin(sample_type);
	put_map(10, 100, 0x400000, "/bin/sh");
	put_sleep(10, 200, 0x400010);
	s = at(300);
	pw_task(&w, FORK, 11, 10, 11, &s);
	put_sleep(11, 400, 0x400010);
	s = at(500);
	pw_comm(&w, 11, "ls", true, &s);
	/* Asleep within exec: the registers are still those of /bin/sh. */
	put_sleep(11, 550, 0x400020);
	put_map(11, 600, 0x400000, "/bin/ls");
	put_sleep(11, 700, 0x400010);
	put_sleep(10, 800, 0x400010);
	s = at(900);
	pw_task(&w, EXIT, 11, 10, 11, &s);
	s = at(1000);
	pw_task(&w, FORK, 11, 10, 11, &s);
	put_sleep(11, 1100, 0x400010);
	end();
	is_stacks("4 " K "/bin/sh@10!u\n1 " K "/bin/sh@20!u\n"
		  "1 " K "/bin/ls@10!u\n",
		  "fork, exec and a reused pid: each has its own image");
}

static void check_maps(void)
{
	begin(PC_USUAL);
	put_map(10, 100, 0x400000, "/lib/a.so");
	put_map(10, 110, 0x500000, "//anon");
	put_map(10, 120, 0x600000, "[vdso]");
	put_sleep(10, 200, 0x400010);
	put_sleep(10, 210, 0x500010);
	put_sleep(10, 220, 0x600010);
	put_sleep(10, 230, 0x700010);
	put_map(10, 300, 0x400000, "/lib/b.so");
	put_sleep(10, 400, 0x400010);
	end();
	is_stacks("1 " K "/lib/a.so@10!u\n1 " K "//anon@500010!u\n"
		  "1 " K "[vdso]@10!u\n1 " K "?@700010!u\n"
		  "1 " K "/lib/b.so@10!u\n",
		  "mappings over mappings; generated code; no mapping");
	tap_is_u64(profile_get_dso(p, profile_get_frame(p, 3)->dso)->pid, 10,
		   "generated code is a process's own");
}

static void put_ksymbol(uint64_t time, uint64_t address, const char *name,
			bool gone)
{
	const struct pw_stamp stamp = at(time);
	struct pw_bytes b = { 0 };

	pw_u64(&w, &b, address);
	pw_u32(&w, &b, 0x100);
	pw_u16(&w, &b, 1);
	pw_u16(&w, &b, gone);
	pw_text(&b, name, (strlen(name) + 8) & ~7ul);
	pw_record(&w, 17, 0, &b, &stamp);
	free(b.data);
}

static void put_kernel_sleep(uint64_t time, uint64_t ip)
{
	const uint64_t chain[] = { PC_KERNEL, ip };

	pc_put_switch(&w,
		      &(struct pc_switch){
			      .time = time, .prev = 10, .state = 1, .id = ID },
		      chain, 2);
}

static void check_kernel(void)
{
	const struct pw_stamp s = at(1);

	begin(PC_USUAL);
	pw_mmap(&w, -1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		"[kernel.kallsyms]_text", &s);
	pw_mmap(&w, -1, 0xffffffffc0001000, 0x1000, 0, "[ext4]", &s);
	put_ksymbol(2, 0xffffffffc0800000, "bpf_prog_1_a", false);
	put_kernel_sleep(10, 0xffffffff81001000);
	put_kernel_sleep(11, 0xffffffffc0001010);
	put_kernel_sleep(12, 0xffffffffc0800010);
	put_ksymbol(13, 0xffffffffc0800000, "bpf_prog_1_a", true);
	put_ksymbol(14, 0xffffffffc0800000, "bpf_prog_2_b", false);
	put_kernel_sleep(15, 0xffffffffc0800010);
	end();
	is_stacks("1 [kernel]@ffffffff81001000\n1 [ext4]@ffffffffc0001010\n"
		  "1 [kernel]@ffffffffc0800010\n1 [kernel]@ffffffffc0800010\n",
		  "kernel, modules and BPF programs");
	tap_is_str(profile_text(p, profile_get_frame(p, 3)->symbol),
		   "bpf_prog_1_a", "a BPF program has the name it had then");
	tap_is_str(profile_text(p, profile_get_frame(p, 4)->symbol),
		   "bpf_prog_2_b", "and the next one its own");
	tap_is_str(profile_text(p, p->kernel.map_name),
		   "[kernel.kallsyms]_text", "the kernel's mapping: name");
	tap_is_u64(p->kernel.reloc_address, 0xffffffff81000000,
		   "the kernel's mapping: address of _text");
}

/* kptr_restrict: the kernel's addresses are hidden. */
static void check_hidden_kernel(void)
{
	const struct pw_stamp s = at(1);

	begin(PC_USUAL);
	pw_mmap(&w, -1, 0, 0, 0, "[kernel.kallsyms]_text", &s);
	pw_mmap(&w, -1, 0, 0, 0, "[ext4]", &s);
	put_kernel_sleep(10, 0xffffffff81001000);
	end();
	is_stacks("1 [kernel]@ffffffff81001000\n",
		  "kernel mappings of no length");
	tap_is_u64(p->kernel.reloc_address, 0, "no address of _text");
}

static void check_build_ids(void)
{
	unsigned char kernel[20] = { 1, 2, 3 }, file[20] = { 4, 5, 6 };
	const struct dso *dso = NULL;
	uint32_t i;

	begin(PC_USUAL);
	pw_add_build_id(&w, 1, "[kernel.kallsyms]", kernel);
	pw_add_build_id(&w, 2, "/bin/a", file);
	put_map(10, 100, 0x400000, "/bin/a");
	put_sleep(10, 200, 0x400010);
	end();
	for (i = 0; i < profile_nr_dsos(p); i++)
		if (profile_get_dso(p, i)->kind == DSO_USER)
			dso = profile_get_dso(p, i);
	tap_ok(dso && dso->build_id_size == 20 &&
		       !memcmp(dso->build_id, file, 20),
	       "a file's build-id");
	tap_ok(p->kernel.build_id_size == 20 &&
		       !memcmp(p->kernel.build_id, kernel, 20),
	       "the kernel's build-id");
	tap_is_str(profile_text(p, p->os_release), "6.1.0", "its release");
	tap_is_str(profile_text(p, p->hostname), "testhost", "the host");
	tap_is_str(profile_text(p, p->cmdline), "perf record",
		   "the command line");
	tap_is_u64(p->cpus_available, 4, "CPUs available");
	tap_is_u64(p->cpus_online, 3, "CPUs online");
}

/* The last switch of a task: the record has no pid any more. */
static void check_dead(void)
{
	begin(PC_USUAL);
	pc_put_switch(&w,
		      &(struct pc_switch){ .time = 10,
					   .prev = 10,
					   .state = 16,
					   .pid = -1,
					   .prev_comm = "a b:c [d]",
					   .id = ID },
		      NULL, 0);
	end();
	tap_is_u64(p->sleeps, 1, "a switch of pid -1 counts");
	tap_is_u64(profile_get_sleep_row(p, 0)->by_state[STATE_DEAD], 1,
		   "as that of a dead task");
}

static void check_chains(void)
{
	/* powerpc's 0 for an untrusted link register, a guest, no marker */
	const uint64_t zeros[] = { PC_KERNEL, 0xffffffff81001000, 0, 0,
				   0xffffffff81002000 };
	const uint64_t guest[] = { PC_KERNEL,	    0xffffffff81001000,
				   (uint64_t)-2176, 0xffffffff81009000,
				   (uint64_t)-2560, 0x1234 };
	const uint64_t bare[] = { 0xffffffff81001000, 0xffffffff81003000 };
	uint64_t full[128] = { PC_KERNEL };
	size_t i;

	begin(PC_USUAL);
	for (i = 1; i < 128; i++)
		full[i] = 0xffffffff81001000;
	pc_put_switch(&w, &(struct pc_switch){ 10, 0, 10, 0, 1, .id = ID },
		      zeros, 5);
	pc_put_switch(&w, &(struct pc_switch){ 11, 0, 10, 0, 1, .id = ID },
		      guest, 6);
	pc_put_switch(&w, &(struct pc_switch){ 12, 0, 10, 0, 1, .id = ID },
		      bare, 2);
	pc_put_switch(&w, &(struct pc_switch){ 13, 0, 10, 0, 1, .id = ID },
		      full, 127);
	pc_put_switch(&w, &(struct pc_switch){ 14, 0, 10, 0, 1, .id = ID },
		      full, 128);
	end();
	tap_is_u64(profile_nr_sleep_rows(p), 5, "five call chains");
	is_first_stacks(3,
			"1 [kernel]@ffffffff81001000 "
			"[kernel]@ffffffff81002000\n"
			"1 [kernel]@ffffffff81001000\n"
			"1 [kernel]@ffffffff81001000 "
			"[kernel]@ffffffff81003000\n",
			"zeros and guests are left out, markers may be too");
	tap_ok(!(profile_get_stack(p, 4)->flags & STACK_CUT) &&
		       profile_get_stack(p, 5)->flags & STACK_CUT,
	       "a chain of as many as the kernel records is cut");
}

static void put_deferred(uint64_t cookie, uint64_t time, uint64_t ip)
{
	const struct pw_stamp s = at(time);
	struct pw_bytes b = { 0 };

	pw_u64(&w, &b, cookie);
	pw_u64(&w, &b, 2);
	pw_u64(&w, &b, PC_USER);
	pw_u64(&w, &b, ip);
	pw_record(&w, 22, 0, &b, &s);
	free(b.data);
}

/* Two sleeps in one system call, and one that never came back. */
static void put_cookies(void)
{
	const uint64_t first[] = { PC_KERNEL, 0xffffffff81001000,
				   (uint64_t)-640, 0xabc };
	const uint64_t second[] = { PC_KERNEL, 0xffffffff81002000,
				    (uint64_t)-640, 0xabc };
	const uint64_t lost[] = { PC_KERNEL, 0xffffffff81003000, (uint64_t)-640,
				  0xdef };

	put_map(10, 1, 0x400000, "/bin/a");
	pc_put_switch(&w, &(struct pc_switch){ 10, 0, 10, 0, 1, .id = ID },
		      first, 4);
	pc_put_switch(&w, &(struct pc_switch){ 11, 0, 10, 0, 1, .id = ID },
		      second, 4);
	pc_put_switch(&w, &(struct pc_switch){ 12, 0, 10, 0, 1, .id = ID },
		      lost, 4);
	pc_put_switch(&w, &(struct pc_switch){ 13, 0, 10, 0, 1, .id = ID },
		      lost, 4);
	put_deferred(0xabc, 20, 0x400010);
}

static bool warned(const char *part)
{
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++)
		if (strstr(profile_warning(p, i, &(uint64_t){ 0 }), part))
			return true;
	return false;
}

static void check_deferred(const struct pw_options *o)
{
	struct pw_bytes b;

	pw_init(&w, o);
	pc_add_switch(&w, PC_USUAL, PC_ID_ALL | 1ull << 38, ID);
	put_cookies();
	b = pw_finish(&w);
	profile_free(p);
	p = pc_read(&b, &err);
	is_stacks("1 [kernel]@ffffffff81001000 /bin/a@10!u\n"
		  "1 [kernel]@ffffffff81002000 /bin/a@10!u\n"
		  "2 [kernel]@ffffffff81003000 cut\n",
		  "deferred call chains are joined");
	tap_ok(warned("2 call chains lack their user part"),
	       "what is not known is said");
	profile_free(p);
	p = pc_read_pipe(&b, &err);
	if (o->pipe)
		is_stacks("1 [kernel]@ffffffff81001000 cut\n"
			  "1 [kernel]@ffffffff81002000 cut\n"
			  "2 [kernel]@ffffffff81003000 cut\n",
			  "in a pipe they can't be");
	free(b.data);
	pw_free(&w);
}

int main(void)
{
	check_deferred(&(struct pw_options){ 0 });
	check_deferred(&(struct pw_options){ .big_endian = true });
	check_deferred(&(struct pw_options){ .compressed = 83, .cut = 20 });
	check_deferred(&(struct pw_options){ .pipe = true });
	check_fork_and_exec(PC_USUAL);
	check_fork_and_exec(PC_USUAL | PC_ADDR | PC_ID | PC_STREAM_ID);
	check_fork_and_exec(PC_USUAL | PC_ID | PC_IDENTIFIER);
	check_maps();
	check_kernel();
	check_hidden_kernel();
	check_build_ids();
	check_dead();
	check_chains();
	profile_free(p);
	return tap_done();
}

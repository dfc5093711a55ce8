// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes small recordings, one of each kind, into a folder: the first inputs
 * of the fuzz targets, and files for perf to compare with.
 *
 *	perf-corpus FOLDER
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define ID 7

static const struct kind {
	const char *name;
	struct pw_options o;
	uint64_t sample_type;
} kinds[] = {
	{ "file", { 0 }, PC_USUAL },
	{ "file-identifier", { 0 }, PC_USUAL | PC_IDENTIFIER },
	{ "file-all",
	  { 0 },
	  PC_USUAL | PC_IDENTIFIER | PC_ADDR | PC_ID | PC_STREAM_ID | PC_READ },
	{ "file-big-endian", { .big_endian = true }, PC_USUAL },
	{ "file-32bit", { .is_32bit = true }, PC_USUAL },
	{ "file-big-endian-32bit",
	  { .big_endian = true, .is_32bit = true },
	  PC_USUAL },
	{ "file-killed",
	  { .no_size = true, .tracing_in_data = true },
	  PC_USUAL },
	{ "file-old", { .attr_size = 64 }, PC_USUAL },
	{ "file-new", { .attr_size = 136 }, PC_USUAL },
	{ "file-compressed", { .compressed = 81, .cut = 200 }, PC_USUAL },
	{ "file-compressed2", { .compressed = 83, .cut = 200 }, PC_USUAL },
	{ "pipe", { .pipe = true }, PC_USUAL },
	{ "pipe-identifier", { .pipe = true }, PC_USUAL | PC_IDENTIFIER },
	{ "pipe-big-endian", { .pipe = true, .big_endian = true }, PC_USUAL },
	{ "pipe-32bit", { .pipe = true, .is_32bit = true }, PC_USUAL },
	{ "pipe-compressed",
	  { .pipe = true, .compressed = 81, .cut = 200 },
	  PC_USUAL },
	{ "pipe-compressed2",
	  { .pipe = true, .compressed = 83, .cut = 200 },
	  PC_USUAL },
};

#define OTHER	 (2 * ID)
#define LOCK_ID	 30
#define WAKE_ID	 40
#define DEFERRED (1ull << 38)

static void put_mmap2(struct pw *w, const struct pw_stamp *at)
{
	struct pw_bytes b = { 0 };
	int i;

	pw_u32(w, &b, 100);
	pw_u32(w, &b, 100);
	pw_u64(w, &b, 0x600000);
	pw_u64(w, &b, 0x1000);
	pw_u64(w, &b, 0);
	pw_u32(w, &b, 20);
	for (i = 0; i < 7; i++)
		pw_u32(w, &b, 0x01010101u * (unsigned int)i);
	pw_text(&b, "/lib/c.so", 16);
	pw_record(w, 10, 2 | 1 << 14, &b, at);
	free(b.data);
}

static void put_symbol(struct pw *w, const struct pw_stamp *at)
{
	struct pw_bytes b = { 0 };

	pw_u64(w, &b, 0xffffffffc0800000);
	pw_u32(w, &b, 0x100);
	pw_u32(w, &b, 1);
	pw_text(&b, "bpf_prog_1", 16);
	pw_record(w, 17, 0, &b, at);
	free(b.data);
}

static void put_deferred(struct pw *w, const struct pw_stamp *at)
{
	const uint64_t chain[] = { PC_KERNEL, 0xffffffffc0001010,
				   (uint64_t)-640, 0xabc };
	const struct pc_switch s = {
		.time = 1300, .prev = 100, .state = 2, .id = ID
	};
	struct pw_bytes b = { 0 };

	pc_put_switch(w, &s, chain, 4);
	pw_u64(w, &b, 0xabc);
	pw_u64(w, &b, 2);
	pw_u64(w, &b, PC_USER);
	pw_u64(w, &b, 0x400100);
	pw_record(w, 22, 0, &b, at);
	free(b.data);
}

/* A lock taken and a task woken: attrs 2, 3 and 4. */
static void put_locks(struct pw *w)
{
	static const uint64_t chain[] = { PC_KERNEL, 0xffffffff81005000 };
	struct pw_bytes raw = { 0 };
	unsigned int attr;

	pw_u64(w, &raw, 0);
	pw_u64(w, &raw, 0xffff888012345678);
	pw_u32(w, &raw, 4);
	pw_u32(w, &raw, 0);
	pw_u32(w, &raw, 100);
	for (attr = 2; attr < 5; attr++)
		pw_sample(w,
			  &(struct pw_sample){
				  .at = { attr,
					  attr < 4 ? LOCK_ID + attr : WAKE_ID,
					  100, 100, 1400 + attr, 0 },
				  .chain = chain,
				  .nr = 2,
				  .raw = raw.data,
				  .raw_size = (uint32_t)raw.size,
			  });
	free(raw.data);
}

/* All other records, and each type once with nothing but zeros. */
static void put_rest(struct pw *w)
{
	const struct pw_stamp at = { .id = ID, .time = 1200, .pid = 100 };
	struct pw_bytes b = { 0 };
	uint32_t type;

	pw_comm(w, 100, "a b", true, &at);
	pw_mmap(w, 100, 0x400000, 0x10000, 0x3000, "/bin/b", &at);
	pw_mmap(w, 100, 0x500000, 0x10000, 0, "//anon", &at);
	pw_mmap(w, -1, 0xffffffffc0001000, 0x1000, 0, "[ext4]", &at);
	put_mmap2(w, &at);
	put_symbol(w, &at);
	pw_task(w, 7, 101, 100, 101, &at);
	pw_task(w, 7, 100, 100, 102, &at);
	pw_task(w, 4, 101, 100, 101, &at);
	pw_lost(w, ID, 3, &at);
	put_deferred(w, &at);
	put_locks(w);
	pw_text(&b, "", 64);
	for (type = 5; type < 90; type++)
		if (type != 7 && type != 9 && type != 64 && type != 66 &&
		    type != 71 && type != 81 && type != 83)
			pw_record(w, type, 0, &b, &at);
	free(b.data);
}

/* Five events, all told apart by an id; one has no call chain. */
static void add_events(struct pw *w, uint64_t sample_type)
{
	sample_type |= PC_IDENTIFIER;
	pc_add_switch(w, sample_type, PC_ID_ALL | DEFERRED, ID);
	pc_add_switch(w, sample_type & ~(uint64_t)PC_CHAIN, PC_ID_ALL, OTHER);
	pc_add_tracepoint(w, "lock", "contention_begin", 50, pc_begin_fields,
			  LOCK_ID + 2);
	pc_add_tracepoint(w, "lock", "contention_end", 51, pc_end_fields,
			  LOCK_ID + 3);
	pc_add_tracepoint(w, "sched", "sched_waking", 61, pc_wake_fields,
			  WAKE_ID);
}

static struct pw_bytes make(const struct kind *k, bool rest)
{
	struct pw_bytes b;
	struct pw w;

	pw_init(&w, &k->o);
	if (rest)
		add_events(&w, k->sample_type);
	else
		pc_add_switch(&w, k->sample_type, PC_ID_ALL, ID);
	w.attr[0].read_format = k->sample_type & PC_READ ? 1 | 2 | 4 : 0;
	pc_put_events(&w, ID, true);
	if (rest)
		put_rest(&w);
	b = pw_finish(&w);
	pw_free(&w);
	return b;
}

static void save(const char *folder, const char *name, const char *suffix,
		 const struct pw_bytes *b)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
	f = fopen(path, "wb");
	if (!f || fwrite(b->data, 1, b->size, f) != b->size || fclose(f))
		tap_bail("cannot write %s", path);
}

int main(int argc, char **argv)
{
	struct pw_bytes b;
	size_t i;

	if (argc != 2) {
		fprintf(stderr, "usage: perf-corpus FOLDER\n");
		return 2;
	}
	if (mkdir(argv[1], 0777) && errno != EEXIST) {
		perror(argv[1]);
		return 2;
	}
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		b = make(&kinds[i], false);
		save(argv[1], kinds[i].name, "", &b);
		free(b.data);
		b = make(&kinds[i], true);
		save(argv[1], kinds[i].name, "-more", &b);
		free(b.data);
	}
	return 0;
}

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

/* Two events, one of which has no call chain, and all other records. */
static void put_rest(struct pw *w)
{
	const struct pw_stamp at = { .id = ID, .time = 1200, .pid = 100 };
	struct pw_bytes b = { 0 };
	uint32_t type;

	pw_comm(w, 100, "a b", true, &at);
	pw_mmap(w, 100, 0x400000, 0x10000, 0x3000, "/bin/b", &at);
	pw_mmap(w, 100, 0x500000, 0x10000, 0, "//anon", &at);
	pw_mmap(w, -1, 0xffffffffc0001000, 0x1000, 0, "[ext4]", &at);
	pw_task(w, 7, 101, 100, 101, &at);
	pw_task(w, 7, 100, 100, 102, &at);
	pw_task(w, 4, 101, 100, 101, &at);
	pw_lost(w, ID, 3, &at);
	pw_text(&b, "", 64);
	for (type = 5; type < 90; type++)
		if (type != 7 && type != 9 && type != 64 && type != 66 &&
		    type != 71 && type != 81 && type != 83)
			pw_record(w, type, 0, &b, &at);
	free(b.data);
}

static struct pw_bytes make(const struct kind *k, bool rest)
{
	struct pw_bytes b;
	struct pw w;

	pw_init(&w, &k->o);
	pc_add_switch(&w, k->sample_type | (rest ? PC_IDENTIFIER : 0),
		      PC_ID_ALL, ID);
	w.attr[0].read_format = k->sample_type & PC_READ ? 1 | 2 | 4 : 0;
	if (rest)
		pc_add_switch(&w,
			      (k->sample_type | PC_IDENTIFIER) &
				      ~(uint64_t)PC_CHAIN,
			      PC_ID_ALL, 2 * ID);
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

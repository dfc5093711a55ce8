// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layouts that perf.data has: the same events in each of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

static const struct layout {
	const char *name;
	struct pw_options o;
} layouts[] = {
	{ "a file", { 0 } },
	{ "a big-endian file", { .big_endian = true } },
	{ "a file of a 32-bit machine", { .is_32bit = true } },
	{ "a file of a big-endian 32-bit machine",
	  { .big_endian = true, .is_32bit = true } },
	{ "a recording that did not end",
	  { .no_size = true, .tracing_in_data = true } },
	{ "tracepoint formats as a record", { .tracing_in_data = true } },
	{ "attr of 64 bytes", { .attr_size = 64 } },
	{ "attr of 72 bytes", { .attr_size = 72 } },
	{ "attr of 80 bytes", { .attr_size = 80 } },
	{ "attr of 96 bytes", { .attr_size = 96 } },
	{ "attr of 104 bytes", { .attr_size = 104 } },
	{ "attr of 120 bytes", { .attr_size = 120 } },
	{ "attr of 128 bytes", { .attr_size = 128 } },
	{ "attr of 136 bytes", { .attr_size = 136 } },
	{ "attr of a size yet to come", { .attr_size = 400 } },
	{ "a pipe", { .pipe = true } },
	{ "a big-endian pipe", { .pipe = true, .big_endian = true } },
	{ "a pipe of a 32-bit machine", { .pipe = true, .is_32bit = true } },
	{ "a pipe with attr of 64 bytes", { .pipe = true, .attr_size = 64 } },
	{ "compressed", { .compressed = 81 } },
	{ "compressed, cut anywhere", { .compressed = 81, .cut = 7 } },
	{ "compressed, of the second kind", { .compressed = 83 } },
	{ "compressed, of the second kind, cut anywhere",
	  { .compressed = 83, .cut = 13 } },
	{ "compressed, big-endian", { .compressed = 83, .big_endian = true } },
	{ "a compressed pipe", { .compressed = 81, .pipe = true, .cut = 100 } },
	{ "a compressed pipe of the second kind",
	  { .compressed = 83, .pipe = true, .cut = 100 } },
};

static void check_layouts(void)
{
	struct profile *p;
	struct error err;
	struct pw_bytes b;
	struct pw w;
	char name[200];
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		pw_init(&w, &layouts[i].o);
		pc_add_switch(&w, PC_USUAL, PC_ID_ALL, 7);
		pc_put_events(&w, 7, true);
		b = pw_finish(&w);
		p = pc_read(&b, &err);
		pc_check(p, &err, true, layouts[i].name);
		profile_free(p);
		if (layouts[i].o.pipe) {
			p = pc_read_pipe(&b, &err);
			snprintf(name, sizeof(name), "%s, not stored",
				 layouts[i].name);
			pc_check(p, &err, true, name);
			profile_free(p);
		}
		free(b.data);
		pw_free(&w);
	}
}

/* Compressed records that grow to more than any buffer holds. */
static void check_large_compressed(int nr)
{
	const struct pw_options o = { .compressed = 81, .cut = 1000000 };
	struct pc_switch s = { .prev = 1, .next = 2, .state = 1, .id = 7 };
	uint64_t chain[100] = { PC_KERNEL };
	struct profile *p;
	struct error err;
	struct pw_bytes b;
	struct pw w;
	int i;

	pw_init(&w, &o);
	pc_add_switch(&w, PC_USUAL, PC_ID_ALL, 7);
	for (i = 0; i < nr; i++) {
		s.time = (uint64_t)i * 1234567;
		chain[1 + i % 99] = (uint64_t)i * 0x9e3779b97f4a7c15u;
		pc_put_switch(&w, &s, chain, 100);
	}
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	tap_is_u64(p->switches, (uint64_t)nr, "compressed: %d large records",
		   nr);
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

static const struct sample_case {
	const char *name;
	uint64_t sample_type, flags, read_format;
} samples[] = {
	{ "samples with all that comes before the raw data",
	  PC_USUAL | PC_ADDR | PC_ID | PC_STREAM_ID | PC_IDENTIFIER, PC_ID_ALL,
	  0 },
	{ "samples with an id in the middle", PC_USUAL | PC_ID, PC_ID_ALL, 0 },
	{ "samples with counters", PC_USUAL | PC_READ, PC_ID_ALL,
	  1 | 2 | 4 | 16 },
	{ "samples with a group's counters", PC_USUAL | PC_READ, PC_ID_ALL,
	  1 | 2 | 4 | 8 | 16 },
	{ "samples with one counter", PC_USUAL | PC_READ, PC_ID_ALL, 0 },
	{ "no sample_id_all", PC_USUAL, 0, 0 },
};

static void check_samples(void)
{
	const struct pw_options plain = { 0 }, swapped = { .big_endian = true };
	struct profile *p;
	struct error err;
	struct pw_bytes b;
	struct pw w;
	unsigned int a;
	size_t i;

	for (i = 0; i < 2 * sizeof(samples) / sizeof(*samples); i++) {
		const struct sample_case *s = &samples[i / 2];

		pw_init(&w, i % 2 ? &swapped : &plain);
		a = pc_add_switch(&w, s->sample_type, s->flags, 7);
		w.attr[a].read_format = s->read_format;
		pc_put_events(&w, 7, true);
		b = pw_finish(&w);
		p = pc_read(&b, &err);
		pc_check(p, &err, true, s->name);
		profile_free(p);
		free(b.data);
		pw_free(&w);
	}
}

/* Without PERF_SAMPLE_CALLCHAIN or a time, events still count. */
static void check_poor_samples(void)
{
	struct pw w;
	struct pw_bytes b;
	struct profile *p;
	struct error err;

	pw_init(&w, &(struct pw_options){ 0 });
	pc_add_switch(&w, PC_USUAL & ~PC_CHAIN, PC_ID_ALL, 7);
	pc_put_events(&w, 7, true);
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	pc_check(p, &err, false, "no call chains");
	tap_is_u64(profile_nr_stacks(p), 1, "no stack but the empty one");
	profile_free(p);
	free(b.data);
	pw_free(&w);

	pw_init(&w, &(struct pw_options){ 0 });
	pc_add_switch(&w, PC_USUAL & ~PC_TIME, PC_ID_ALL, 7);
	pc_put_events(&w, 7, false);
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	tap_is_u64(p->switches, 5, "no times: all switches count");
	tap_is_u64(p->sleeps, 2, "no times: sleeps count");
	tap_is_u64(p->last_ns, 0, "no times: none is made up");
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

/* Two events of different layout, told apart by PERF_SAMPLE_IDENTIFIER. */
static void check_mixed(bool pipe)
{
	const struct pw_options o = { .pipe = pipe };
	const struct pw_stamp other = { 0, 40, 100, 100, 1100, 0 };
	struct profile *p;
	struct pw_bytes b;
	struct error err;
	struct pw w;

	pw_init(&w, &o);
	pw_add_attr(&w, &(struct pw_attr){
				.type = 1,
				.config = 0,
				.sample_type = PC_IDENTIFIER | PC_TID | PC_TIME,
				.flags = PC_ID_ALL,
				.id = { 40 },
				.nr_ids = 1,
				.name = "cpu-clock",
			});
	pc_add_switch(&w, PC_USUAL | PC_IDENTIFIER | PC_ADDR, PC_ID_ALL, 50);
	pw_sample(&w, &(struct pw_sample){ .at = other });
	pc_put_events(&w, 51, false);
	pw_sample(&w, &(struct pw_sample){ .at = other });
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	tap_is_u64(p->events, 7, "mixed sample types: every sample is read");
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

/* What a reader that knows less must skip by its size. */
static void put_strange(struct pw *w)
{
	static const char aux[] = "these 24 bytes are data";
	const struct pw_stamp at = { .id = 7 };
	struct pw_bytes b = { 0 };
	uint32_t type;

	pw_text(&b, "", 40);
	for (type = 11; type < 100; type++)
		/* 64…: those that change what is read are tested elsewhere */
		if (type < 13 || type == 14 || type == 15 || type == 19 ||
		    (type > 20 && type < 64) ||
		    (type > 68 && type != 71 && type != 78 && type < 80) ||
		    type > 83)
			pw_record(w, type, 0, &b, &at);
	pw_record(w, 40000, 0, &b, NULL);
	free(b.data);
	b = (struct pw_bytes){ 0 };
	pw_u64(w, &b, sizeof(aux));
	pw_text(&b, "", 32);
	pw_record(w, 71, 0, &b, NULL);
	pw_put(&w->stream[w->to], aux, sizeof(aux));
	free(b.data);
}

static void check_strange(void)
{
	struct pw_options o = { 0 };
	struct profile *p;
	struct pw_bytes b;
	struct error err;
	struct pw w;

	do {
		pw_init(&w, &o);
		pc_add_switch(&w, PC_USUAL, PC_ID_ALL, 7);
		put_strange(&w);
		pc_put_events(&w, 7, false);
		put_strange(&w);
		b = pw_finish(&w);
		p = o.pipe ? pc_read_pipe(&b, &err) : pc_read(&b, &err);
		pc_check(p, &err, true,
			 "other types of records are skipped, and AUX data");
		profile_free(p);
		free(b.data);
		pw_free(&w);
		o.pipe = !o.pipe;
	} while (o.pipe);
}

static void check_directory(unsigned int compressed)
{
	const struct pw_options o = { .compressed = compressed, .cut = 50 };
	char path[] = "/tmp/rwsemlab-perf-dir.XXXXXX", all[64], command[128];
	const struct pw_stamp none = { .id = 7 };
	const uint64_t a[] = { PC_KERNEL, 0xffffffff81001000,
			       0xffffffff81002000, PC_USER, 0x401000 };
	struct profile *p = profile_new();
	struct error err = { 0 };
	struct pw w;

	if (!mkdtemp(path) || !p)
		tap_bail("no temporary folder");
	pw_init(&w, &o);
	pc_add_switch(&w, PC_USUAL, PC_ID_ALL, 7);
	pw_mmap(&w, 100, 0x400000, 0x10000, 0x3000, "/bin/a", &none);
	pw_stream(&w, 1);
	pc_put_switch(&w, &(struct pc_switch){ 1000, 0, 100, 0, 2, "a", 0 }, a,
		      5);
	pc_put_switch(&w, &(struct pc_switch){ 4000, 0, 0, 100, 0, 0, "a" }, a,
		      1);
	pw_stream(&w, 2);
	pc_put_switch(&w, &(struct pc_switch){ 1500, 1, 200, 300, 256, "b" }, a,
		      2);
	pc_put_switch(&w, &(struct pc_switch){ 2500, 1, 300, 0, 1, "c" }, NULL,
		      0);
	pc_put_switch(&w, &(struct pc_switch){ 6000, 1, 0, 300, 0, "" }, a, 1);
	snprintf(all, sizeof(all), "%s/d", path);
	pw_write_directory(&w, all);
	input_read(all, p, &err);
	pc_check(p, &err, true, "a directory of two buffers");
	profile_free(p);
	pw_free(&w);
	snprintf(command, sizeof(command), "rm -rf %s", path);
	if (system(command))
		tap_diag("cannot remove %s", path);
}

int main(void)
{
	int i;

	check_layouts();
	for (i = 0; i < 12; i++)
		check_large_compressed(2000 + 40 * i);
	check_samples();
	check_poor_samples();
	check_mixed(false);
	check_mixed(true);
	check_strange();
	check_directory(0);
	check_directory(81);
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings that are damaged, cut short or hold nothing of use: what can be
 * read is kept, what is said names the place, and nothing takes long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define ID 7

static struct pw w;
static struct error err;

static void begin(const struct pw_options *o)
{
	pw_init(&w, o);
	pc_add_switch(&w, PC_USUAL, PC_ID_ALL, ID);
}

static struct pw_bytes plain(const struct pw_options *o)
{
	struct pw_bytes b;

	begin(o);
	pc_put_events(&w, ID, true);
	b = pw_finish(&w);
	pw_free(&w);
	return b;
}

/* Whatever is wrong, it is said in one line, and with exit code 2. */
static bool well_said(void)
{
	if (err.code == EXIT_OK)
		return true;
	if (err.code == EXIT_USAGE && *err.text && !strchr(err.text, '\n'))
		return true;
	tap_diag("exit code %d: '%s'", err.code, err.text);
	return false;
}

static void check_prefixes(const struct pw_options *o, const char *name)
{
	struct pw_bytes b = plain(o), cut;
	unsigned int bad = 0, went_back = 0;
	uint64_t before = 0;
	struct profile *p;

	for (cut = b, cut.size = 0; cut.size < b.size; cut.size++) {
		p = pc_read(&cut, &err);
		bad += !well_said();
		went_back += p->switches < before;
		before = p->switches;
		profile_free(p);
	}
	tap_is_u64(bad, 0, "%s cut after any byte: no crash, one line", name);
	tap_is_u64(went_back, 0, "%s: the longer, the more is read", name);
	tap_is_u64(before, 5, "%s: in the end, all", name);
	free(b.data);
}

/* Each byte of the file in turn is another one. */
static void check_bytes(const struct pw_options *o, const char *name)
{
	static const unsigned char values[] = { 0, 0x7f, 0xff };
	struct pw_bytes b = plain(o);
	unsigned int bad = 0;
	unsigned char was;
	size_t i, v;

	for (i = 0; i < b.size; i++) {
		was = b.data[i];
		for (v = 0; v < sizeof(values); v++) {
			b.data[i] = values[v];
			profile_free(pc_read(&b, &err));
			bad += !well_said();
		}
		b.data[i] = was;
	}
	tap_is_u64(bad, 0, "%s with any byte wrong: no crash, one line", name);
	free(b.data);
}

static void is_error(const struct pw_bytes *b, const char *part,
		     const char *name)
{
	struct profile *p = pc_read(b, &err);

	if (!tap_ok(err.code == EXIT_USAGE && strstr(err.text, part), "%s",
		    name)) {
		tap_diag("got '%s'", err.text);
		tap_diag("want '%s' in it", part);
	}
	profile_free(p);
}

static void check_messages(void)
{
	struct pw_bytes b = plain(&(struct pw_options){ 0 }), c;
	size_t first = 104 + 16 + 128; /* header, ids, attr */
	char text[100];

	c = b;
	b.data[first + 6] = 3;
	snprintf(text, sizeof(text),
		 "offset %zu: a record of type 1 is given "
		 "3 bytes",
		 first);
	is_error(&b, text, "a record's size: its offset and what is wrong");
	b.data[first + 6] = 88;
	b.data[24 + 7] = 0xff;
	is_error(&b, "the header puts the events at offset",
		 "a section outside of the file");
	b.data[24 + 7] = 0;
	b.data[16] = 5;
	is_error(&b, "offset 16: an event's entry is given 5 bytes",
		 "an entry's size");
	b.data[16] = 128;
	c.size = 12;
	is_error(&c, "12 bytes are too few", "hardly a file");
	free(b.data);
}

static void is_reason(const char *part, const char *name)
{
	struct pw_bytes b = pw_finish(&w);

	is_error(&b, part, name);
	free(b.data);
	pw_free(&w);
}

/* Recordings without the event that we need say what they have. */
static void check_reasons(void)
{
	const struct pw_attr cycles = {
		.type = 0,
		.sample_type = PC_USUAL,
		.flags = PC_ID_ALL,
		.id = { ID },
		.nr_ids = 1,
		.name = "cycles:ppp",
	};

	pw_init(&w, &(struct pw_options){ 0 });
	pw_add_attr(&w, &cycles);
	is_reason("no sched_switch event was recorded (it has: cycles:ppp)",
		  "another event: its name");
	pw_init(&w, &(struct pw_options){ .pipe = true });
	pw_add_attr(&w, &cycles);
	is_reason("(it has: cycles:ppp)", "a pipe: the name from EVENT_DESC");
	begin(&(struct pw_options){ .no_tracing = true });
	pc_put_events(&w, ID, false);
	is_reason("the formats of its tracepoints are missing",
		  "no tracing data");
	pw_init(&w, &(struct pw_options){ 0 });
	is_reason("no event was recorded", "no event at all");
}

static void check_malformed_samples(void)
{
	struct pw_bytes raw = { 0 }, b;
	struct profile *p;
	size_t i;

	begin(&(struct pw_options){ 0 });
	pc_put_events(&w, ID, true);
	pw_text(&raw, "", 56);
	/* Too short for the raw data that the format promises. */
	pw_sample(&w, &(struct pw_sample){ .at = { .time = 9000 },
					   .raw = raw.data,
					   .raw_size = 20 });
	/* Shorter than its own fixed part. */
	for (i = 0; i < 7; i++) {
		raw.size = 8 * i;
		pw_record(&w, 9, 0, &raw, NULL);
	}
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	tap_is_u64(p->losses.malformed, 8, "samples that can't be: counted");
	tap_is_u64(p->switches, 5, "the others are used");
	tap_ok(profile_nr_warnings(p) == 1 &&
		       strstr(profile_warning(p, 0, &(uint64_t){ 0 }),
			      "offset "),
	       "the offset of the first is said");
	profile_free(p);
	free(raw.data);
	free(b.data);
	pw_free(&w);
}

static double seconds_to_read(void)
{
	struct pw_bytes b = pw_finish(&w);
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	profile_free(pc_read(&b, &err));
	clock_gettime(CLOCK_MONOTONIC, &to);
	free(b.data);
	pw_free(&w);
	return (double)(to.tv_sec - from.tv_sec) +
	       (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/*
 * 200000 records of what would take a quadratic reader minutes.  A second is
 * far above what it takes, with a sanitizer and a busy machine too.
 */
#define MANY	     200000
#define MANY_SECONDS 20

static void check_time(const char *name)
{
	double seconds = seconds_to_read();

	tap_ok(err.code == EXIT_OK && seconds < MANY_SECONDS, "%d %s: %.3f s",
	       MANY, name, seconds);
}

static const struct pc_switch one = {
	.time = 1, .prev = 1, .next = 2, .state = 1, .id = ID
};

static void put_maps(uint64_t i)
{
	const struct pw_stamp at = { .id = ID, .time = i };

	pw_mmap(&w, 10, (MANY - i) * 0x2000, 0x1000, 0, "/a", &at);
}

static void put_forks(uint64_t i)
{
	const struct pw_stamp at = { .id = ID, .time = i + 1 };
	int32_t pid = (int32_t)i + 2;

	pw_task(&w, 7, pid, 1, pid, &at);
	pw_mmap(&w, pid, 0x1000, 0x1000, 0, "/a", &at);
}

static void put_backwards(uint64_t i)
{
	struct pc_switch s = one;

	s.time = MANY - i;
	pc_put_switch(&w, &s, NULL, 0);
}

static void put_rounds(uint64_t i)
{
	struct pc_switch s = one;

	s.time = i % 2 ? i : UINT64_MAX - i;
	pc_put_switch(&w, &s, NULL, 0);
	pw_round(&w);
}

static void put_chains(uint64_t i)
{
	const uint64_t chain[] = { PC_KERNEL, 0xffffffff81000000 + i,
				   0xffffffff82000000 };
	struct pc_switch s = one;

	s.time = i;
	pc_put_switch(&w, &s, chain, 3);
}

static void put_tasks(uint64_t i)
{
	struct pc_switch s = one;

	s.time = i;
	s.prev = (int32_t)i;
	s.cpu = (uint32_t)(i * 7919);
	pc_put_switch(&w, &s, NULL, 0);
}

static void check_many(void)
{
	static const struct {
		const char *name;
		void (*put)(uint64_t i);
	} cases[] = {
		{ "mappings of one process", put_maps },
		{ "processes that never exit", put_forks },
		{ "switches, time running backwards", put_backwards },
		{ "rounds with times all over the place", put_rounds },
		{ "different call chains", put_chains },
		{ "tasks and CPUs", put_tasks },
	};
	uint64_t i;
	size_t c;

	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		begin(&(struct pw_options){ 0 });
		for (i = 0; i < MANY; i++)
			cases[c].put(i);
		check_time(cases[c].name);
	}
}

int main(void)
{
	static const struct {
		const char *name;
		struct pw_options o;
	} forms[] = {
		{ "a file", { 0 } },
		{ "a pipe", { .pipe = true } },
		{ "a compressed pipe", { .pipe = true, .compressed = 81 } },
		{ "a big-endian file", { .big_endian = true } },
	};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		check_prefixes(&forms[i].o, forms[i].name);
		check_bytes(&forms[i].o, forms[i].name);
	}
	check_messages();
	check_reasons();
	check_malformed_samples();
	check_many();
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of events: by time, within rounds, across rounds, without them.
 *
 * The recordings are made of switches a → b → a → …, so that a wrong order
 * shows: as a gap (a CPU leaves a task that it had not switched to), and in
 * the sum of all times off the CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define MAX_CPUS 64

struct recording {
	const char *name;
	unsigned int cpus;
	uint64_t switches; /* of each CPU */
	uint64_t dump; /* switches of one CPU in a row */
	bool rounds; /* after all CPUs were dumped once */
	bool nested; /* every 100th pair of records is swapped */
	struct pw_options o;
	uint64_t small_first; /* so many in small rounds before the others */
};

/* Switch number @i of a CPU: its tasks are 2 * cpu + 1 and 2 * cpu + 2. */
static void put(struct pw *w, const struct recording *r, uint32_t cpu,
		uint64_t i)
{
	int32_t a = 2 * (int32_t)cpu + 1, b = a + 1;
	const uint64_t chain[] = { PC_KERNEL, 0xffffffff81000000 + cpu };

	if (r->nested && i % 100 == 50 && i + 1 < r->switches)
		i++;
	else if (r->nested && i % 100 == 51)
		i--;
	pc_put_switch(w,
		      &(struct pc_switch){
			      .time = 1000 + 1000 * i + cpu,
			      .cpu = cpu,
			      .prev = i % 2 ? b : a,
			      .next = i % 2 ? a : b,
			      .state = 1,
			      .id = 7,
		      },
		      chain, 2);
}

static uint64_t dump(struct pw *w, const struct recording *r, uint32_t cpu,
		     uint64_t from)
{
	uint64_t i, nr = from < r->small_first ? 100 : r->dump;

	/* Its buffer is read last, so it is always ahead of the others. */
	if (cpu == r->cpus - 1 && !from)
		nr += nr / 2;
	for (i = from; i < from + nr && i < r->switches; i++)
		put(w, r, cpu, i);
	return i;
}

/* As perf record does: all of one buffer, then all of the next. */
static void put_all(struct pw *w, const struct recording *r)
{
	uint64_t done[MAX_CPUS] = { 0 };
	uint32_t cpu;

	/* The first CPU is never ahead. */
	while (done[0] < r->switches) {
		for (cpu = 0; cpu < r->cpus; cpu++)
			done[cpu] = dump(w, r, cpu, done[cpu]);
		if (r->rounds)
			pw_round(w);
	}
}

static void put_directory(struct pw *w, const struct recording *r)
{
	uint32_t cpu;
	uint64_t i;

	for (cpu = 0; cpu < r->cpus; cpu++) {
		pw_stream(w, cpu + 1);
		for (i = 0; i < r->switches; i++)
			put(w, r, cpu, i);
	}
}

static uint64_t all_off_ns(const struct profile *p)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++)
		sum += profile_get_sleep_row(p, i)->off_ns;
	return sum;
}

static void check(struct profile *p, const struct recording *r,
		  const struct error *err, const char *how)
{
	uint64_t all = r->cpus * r->switches;
	size_t i;

	if (err->code != EXIT_OK)
		tap_diag("%s", err->text);
	for (i = 0; i < profile_nr_warnings(p); i++)
		tap_diag("warning: %s",
			 profile_warning(p, i, &(uint64_t){ 0 }));
	tap_is_u64(p->switches, all, "%s%s: every switch", r->name, how);
	tap_is_u64(p->events, all, "%s%s: no event twice", r->name, how);
	tap_is_u64(p->switch_gaps, 0, "%s%s: in order", r->name, how);
	tap_is_u64(p->losses.out_of_order, 0, "%s%s: none came too late",
		   r->name, how);
	/* Each but the first of a CPU ends a time off the CPU of 1000 ns. */
	tap_is_u64(all_off_ns(p), 1000 * (all - r->cpus), "%s%s: all times",
		   r->name, how);
	tap_is_u64(profile_nr_sleep_rows(p), r->cpus, "%s%s: a stack each",
		   r->name, how);
}

static const struct recording files[] = {
	{ "rounds", 4, 1000, 50, true, false, { 0 } },
	{ "rounds of one record", 2, 200, 1, true, false, { 0 } },
	{ "nested interrupts", 4, 1000, 50, true, true, { 0 } },
	{ "one round", 4, 1000, 1000, true, false, { 0 } },
	{ "no rounds", 4, 1000, 50, false, false, { 0 } },
	{ "no rounds, one CPU", 1, 5000, 50, false, false, { 0 } },
	{ "no rounds, whole buffers", 8, 1000, 1000, false, false, { 0 } },
	/* More than a queue holds: merged as runs. */
	{ "large, no rounds", 4, 150000, 2000, false, false, { 0 } },
	{ "large, no rounds, nested interrupts",
	  4,
	  150000,
	  20000,
	  false,
	  true,
	  { 0 } },
	{ "large, no rounds, whole buffers",
	  3,
	  150000,
	  150000,
	  false,
	  false,
	  { 0 } },
	{ "large rounds", 3, 400000, 100000, true, false, { 0 } },
	{ "very large rounds", 3, 400000, 200000, true, true, { 0 } },
	/* What was delivered before the queue got too long is not again. */
	{ "large rounds after small ones",
	  3,
	  400000,
	  150000,
	  true,
	  true,
	  { 0 },
	  20000 },
	{ "large, one CPU, no rounds", 1, 500000, 1000, false, false, { 0 } },
	{ "compressed, large rounds",
	  3,
	  200000,
	  100000,
	  true,
	  false,
	  { .compressed = 83, .cut = 30000 } },
	{ "big-endian, large, no rounds",
	  3,
	  150000,
	  2000,
	  false,
	  false,
	  { .big_endian = true } },
	{ "formats as a record, large, no rounds",
	  3,
	  150000,
	  2000,
	  false,
	  false,
	  { .tracing_in_data = true } },
};

static const struct recording pipes[] = {
	{ "rounds", 4, 1000, 50, true, false, { .pipe = true } },
	{ "large rounds", 3, 200000, 100000, true, false, { .pipe = true } },
	{ "no rounds", 4, 20000, 50, false, false, { .pipe = true } },
	{ "large, one CPU, no rounds",
	  1,
	  500000,
	  1000,
	  false,
	  false,
	  { .pipe = true } },
};

static const struct recording directories[] = {
	{ "a directory", 5, 1000, 0, false, false, { 0 } },
	{ "a large directory", 4, 150000, 0, false, true, { 0 } },
	{ "a compressed directory",
	  4,
	  50000,
	  0,
	  false,
	  false,
	  { .compressed = 81, .cut = 10000 } },
};

static void begin(struct pw *w, const struct recording *r)
{
	pw_init(w, &r->o);
	pc_add_switch(w, PC_USUAL, PC_ID_ALL, 7);
}

static void check_file(const struct recording *r)
{
	struct profile *p;
	struct error err;
	struct pw_bytes b;
	struct pw w;

	begin(&w, r);
	put_all(&w, r);
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	check(p, r, &err, r->o.pipe ? ", a stored pipe" : "");
	profile_free(p);
	if (r->o.pipe) {
		p = pc_read_pipe(&b, &err);
		check(p, r, &err, ", a pipe");
		profile_free(p);
	}
	free(b.data);
	pw_free(&w);
}

static void check_directory(const struct recording *r)
{
	char path[] = "/tmp/rwsemlab-perf-dir.XXXXXX", name[64], command[128];
	struct profile *p = profile_new();
	struct error err = { 0 };
	struct pw w;

	if (!mkdtemp(path) || !p)
		tap_bail("no temporary folder");
	snprintf(name, sizeof(name), "%s/d", path);
	begin(&w, r);
	put_directory(&w, r);
	pw_write_directory(&w, name);
	input_read(name, p, &err);
	check(p, r, &err, "");
	profile_free(p);
	pw_free(&w);
	snprintf(command, sizeof(command), "rm -rf %s", path);
	if (system(command))
		tap_diag("cannot remove %s", path);
}

/* A record of a round that is older than what rounds promise. */
static void check_too_late(void)
{
	const struct recording r = { "", 1, 100, 1, true, false, { 0 } };
	struct profile *p;
	struct error err;
	struct pw_bytes b;
	uint64_t i;
	struct pw w;

	begin(&w, &r);
	for (i = 0; i < 100; i++) {
		put(&w, &r, 0, i == 60 ? 0 : i);
		pw_round(&w);
	}
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	tap_is_u64(p->switches, 100, "too late: it still counts");
	tap_is_u64(p->losses.out_of_order, 1, "too late: it is said");
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		check_file(&files[i]);
	for (i = 0; i < sizeof(pipes) / sizeof(*pipes); i++)
		check_file(&pipes[i]);
	for (i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		check_directory(&directories[i]);
	check_too_late();
	return tap_done();
}

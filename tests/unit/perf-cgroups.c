// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with a control group, wherever it stands among the members behind
 * the raw data, and the records that name it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define ID     7
#define CGROUP 19 /* the record */

/* attr.sample_type: what may stand around it */
#define BRANCHES  (1ull << 11)
#define WEIGHT	  (1ull << 14)
#define IN_CGROUP (1ull << 21)
#define DATA_PAGE (1ull << 22)
#define CODE_PAGE (1ull << 23)

static const struct layout {
	const char *name;
	uint64_t sample_type;
	bool big_endian;
} layouts[] = {
	{ "alone", IN_CGROUP, false },
	{ "of a big-endian machine", IN_CGROUP, true },
	{ "before page sizes", IN_CGROUP | DATA_PAGE | CODE_PAGE, false },
	{ "before one page size", IN_CGROUP | CODE_PAGE, false },
	{ "behind branches and a weight",
	  IN_CGROUP | BRANCHES | WEIGHT | DATA_PAGE, false },
};

static void put_rest(struct pw *w, struct pw_bytes *b, uint64_t sample_type,
		     uint64_t cgroup)
{
	int i;

	b->size = 0;
	if (sample_type & BRANCHES) {
		pw_u64(w, b, 1);
		for (i = 0; i < 3; i++)
			pw_u64(w, b, 0x1111);
	}
	if (sample_type & WEIGHT)
		pw_u64(w, b, 0x2222);
	pw_u64(w, b, cgroup);
	if (sample_type & DATA_PAGE)
		pw_u64(w, b, 4096);
	if (sample_type & CODE_PAGE)
		pw_u64(w, b, 8192);
}

/* A sleep of @tid in @cgroup. */
static void put_sleep(struct pw *w, uint64_t sample_type, int32_t tid,
		      uint64_t cgroup)
{
	struct pw_bytes rest = { 0 };
	struct pc_switch s = { .time = (uint64_t)tid * 1000,
			       .prev = tid,
			       .state = 1,
			       .id = ID,
			       .rest = &rest };

	put_rest(w, &rest, sample_type, cgroup);
	pc_put_switch(w, &s, NULL, 0);
	free(rest.data);
}

static void name_cgroup(struct pw *w, uint64_t id, const char *path)
{
	const struct pw_stamp stamp = { .id = ID, .time = 1 };
	struct pw_bytes b = { 0 };

	pw_u64(w, &b, id);
	pw_text(&b, path, (strlen(path) + 8) & ~7ul);
	pw_record(w, CGROUP, 0, &b, &stamp);
	free(b.data);
}

/* "PATH=SLEEPS " of each group, in the order in which they came. */
static void print_groups(struct profile *p, char *text, size_t size)
{
	size_t i, used = 0;

	text[0] = 0;
	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);
		uint32_t path = profile_cgroup_path(p, (uint32_t)row->group);

		used += (size_t)snprintf(text + used, size - used, "%s=%llu ",
					 profile_text(p, path),
					 (unsigned long long)row->sleeps);
	}
}

static struct profile *read_by_cgroup(const struct pw_bytes *b)
{
	struct profile *p = profile_new();
	struct error err = { 0 };
	char path[64];
	int fd = pw_write(b);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	p->split = SPLIT_CGROUP;
	if (input_read(path, p, &err))
		tap_diag("%s", err.text);
	close(fd);
	return p;
}

static void check(const struct layout *l)
{
	const struct pw_options o = { .big_endian = l->big_endian };
	struct profile *p;
	struct pw_bytes b;
	char groups[200];
	struct pw w;

	pw_init(&w, &o);
	pc_add_switch(&w, PC_USUAL | l->sample_type, PC_ID_ALL, ID);
	name_cgroup(&w, 1, "/");
	put_sleep(&w, l->sample_type, 1, 1);
	put_sleep(&w, l->sample_type, 2, 0x100000002);
	put_sleep(&w, l->sample_type, 3, 1);
	put_sleep(&w, l->sample_type, 4, 77);
	name_cgroup(&w, 0x100000002, "/made later, used before");
	b = pw_finish(&w);
	p = read_by_cgroup(&b);
	print_groups(p, groups, sizeof(groups));
	tap_is_str(groups, "/=2 /made later, used before=1 cgroup id 77=1 ",
		   "sleeps of each control group: %s", l->name);
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

/* No room for the member behind the raw data. */
static void check_short(void)
{
	struct pc_switch s = { .time = 1, .prev = 1, .state = 1, .id = ID };
	struct profile *p;
	struct pw_bytes b;
	struct pw w;

	pw_init(&w, &(struct pw_options){ 0 });
	pc_add_switch(&w, PC_USUAL | IN_CGROUP, PC_ID_ALL, ID);
	pc_put_switch(&w, &s, NULL, 0);
	put_sleep(&w, IN_CGROUP, 2, 1);
	b = pw_finish(&w);
	p = read_by_cgroup(&b);
	tap_is_u64(p->sleeps, 1, "a sample without room for it is not used");
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		check(&layouts[i]);
	check_short();
	return tap_done();
}

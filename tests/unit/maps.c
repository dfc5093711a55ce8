// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces against a plain array of bytes: what each address maps to
 * after any mix of mappings, unmappings, copies and frees.
 */
#include "analyze/maps.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/tasks.h"
#include "tests/tap.h"

#define SIZE   512 /* addresses */
#define SPACES 6
#define STEPS  20000

/* image << 32 | (address - offset), 0: nothing there. */
static uint64_t model[SPACES][SIZE];
static struct space space[SPACES];
static uint64_t seed = 12345;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static uint64_t found(const struct space *s, uint64_t address)
{
	struct mapping m;

	if (!space_find(s, address, &m))
		return 0;
	return (uint64_t)m.image << 32 |
	       (address - m.start + m.offset + 1000000 - address);
}

static void do_map(struct map_pool *pool, unsigned int i)
{
	uint32_t start = random_below(SIZE), a;
	struct mapping m = {
		.start = start,
		.end = start + 1 + random_below(SIZE - start),
		.offset = random_below(1000),
		.image = 1 + random_below(9),
	};

	space_map(pool, &space[i], &m);
	for (a = start; a < m.end; a++)
		model[i][a] = (uint64_t)m.image << 32 |
			      (m.offset - start + 1000000);
}

static void do_unmap(struct map_pool *pool, unsigned int i)
{
	uint32_t start = random_below(SIZE);
	uint32_t end = start + random_below(SIZE - start + 1);

	space_unmap(pool, &space[i], start, end);
	memset(&model[i][start], 0, (end - start) * sizeof(model[i][0]));
}

static void do_copy(struct map_pool *pool, unsigned int from, unsigned int to)
{
	if (from == to)
		return;
	space_free(pool, &space[to]);
	space[to] = space_copy(&space[from]);
	memcpy(model[to], model[from], sizeof(model[to]));
}

static unsigned int wrong(void)
{
	unsigned int i, a, n = 0;

	for (i = 0; i < SPACES; i++)
		for (a = 0; a < SIZE; a++)
			n += found(&space[i], a) != model[i][a];
	return n;
}

/* Spaces that hold the same have the same id, others another. */
static unsigned int wrong_ids(void)
{
	unsigned int i, j, n = 0;

	for (i = 0; i < SPACES; i++)
		for (j = 0; j < i; j++) {
			bool same =
				!memcmp(model[i], model[j], sizeof(model[i]));

			/* Cut in pieces it may be the same and not look it. */
			n += space_id(&space[i]) == space_id(&space[j]) &&
			     !same;
		}
	return n;
}

static void check_random(void)
{
	struct map_pool *pool = map_pool_new();
	unsigned int step, bad = 0, bad_ids = 0, i;

	for (step = 0; step < STEPS; step++) {
		i = random_below(SPACES);
		switch (random_below(4)) {
		case 0:
		case 1:
			do_map(pool, i);
			break;
		case 2:
			do_unmap(pool, i);
			break;
		case 3:
			do_copy(pool, i, random_below(SPACES));
			break;
		}
		bad += step % 16 == 0 ? wrong() : 0;
		bad_ids += wrong_ids();
	}
	tap_is_u64(bad, 0, "%d random steps: each address as in a plain array",
		   STEPS);
	tap_is_u64(bad_ids, 0, "no two spaces that differ have the same id");
	for (i = 0; i < SPACES; i++)
		space_free(pool, &space[i]);
	map_pool_free(pool);
}

static void check_ids(void)
{
	struct map_pool *pool = map_pool_new();
	const struct mapping a = { 10, 20, 0, 1, 0 }, b = { 30, 40, 5, 2, 0 };
	struct space x = { NULL }, y = { NULL }, z;

	tap_is_u64(space_id(&x), 0, "an empty space has the id 0");
	space_map(pool, &x, &a);
	space_map(pool, &x, &b);
	space_map(pool, &y, &b);
	space_map(pool, &y, &a);
	tap_is_u64(space_id(&x), space_id(&y),
		   "the order of mapping does not show in the id");
	z = space_copy(&x);
	tap_is_u64(space_id(&z), space_id(&x), "a copy has the same id");
	space_unmap(pool, &z, 0, UINT64_MAX);
	tap_is_u64(space_id(&z), 0, "all unmapped: empty again");
	tap_is_u64(space_id(&x), space_id(&y), "the original stays");
	map_pool_free(pool);
}

/* What would take hours in any quadratic way. */
static void check_many(void)
{
	struct map_pool *pool = map_pool_new();
	struct space s = { NULL }, copy;
	struct mapping m = { .image = 1 };
	clock_t begin = clock();
	uint64_t i;

	for (i = 300000; i-- > 0;) {
		m.start = i * 4096;
		m.end = m.start + 4096;
		space_map(pool, &s, &m);
		copy = space_copy(&s);
		space_unmap(pool, &copy, m.start, m.end);
		space_free(pool, &copy);
	}
	tap_ok(space_find(&s, 4096 * 150000ull + 7, &m) &&
		       m.start == 4096 * 150000ull,
	       "300000 mappings, downwards, each with a copy");
	tap_ok((double)(clock() - begin) / CLOCKS_PER_SEC < 60,
	       "it took no quadratic time");
	space_free(pool, &s);
	map_pool_free(pool);
}

static bool has(struct tasks *t, int32_t pid, uint64_t address, uint32_t image)
{
	const struct space *before;
	struct mapping m;

	if (!space_find(tasks_space(t, pid, &before), address, &m))
		return image == 0;
	return m.image == image;
}

static void check_exec(struct tasks *t)
{
	const struct space *before;
	struct mapping m;

	tasks_exec(t, 11);
	tap_ok(has(t, 11, 1500, 0), "exec: the address space is empty");
	tasks_space(t, 11, &before);
	tap_ok(before && space_find(before, 1500, &m) && m.image == 1,
	       "exec: the space before is known until the program runs");
	tasks_started(t, 11);
	tasks_space(t, 11, &before);
	tap_ok(!before, "exec: then no more");
}

static void check_tasks(void)
{
	const struct mapping a = { 1000, 2000, 0, 1, 0 };
	const struct mapping b = { 1000, 3000, 0, 2, 0 };
	struct tasks *t = tasks_new();
	int32_t pid;

	tasks_map(t, 10, &a);
	tasks_fork(t, 11, 10);
	tasks_map(t, 10, &b);
	tap_ok(has(t, 10, 1500, 2) && has(t, 11, 1500, 1),
	       "fork: the child keeps what was there then");
	tasks_fork(t, 10, 10);
	tap_ok(has(t, 10, 1500, 2), "a new thread changes nothing");
	check_exec(t);
	tasks_exit(t, 10, 12);
	tasks_exit(t, 10, 10);
	tap_ok(has(t, 10, 2500, 2), "exit: the last switch comes after it");
	tasks_fork(t, 10, 11);
	tap_ok(has(t, 10, 1500, 0), "a reused pid has its new parent's space");
	tasks_map(t, 10, &a);
	for (pid = 100; pid < 100000; pid++) {
		tasks_fork(t, pid, 10);
		tasks_exit(t, pid, pid);
	}
	tap_ok(has(t, 99999, 1500, 1) && has(t, 100, 1500, 0),
	       "of many that exited, only the last are kept");
	tap_ok(has(t, 10, 1500, 1) && !tasks_failed(t),
	       "one that lives is kept");
	tasks_exit(t, 10, 10);
	for (pid = 100; pid < 100000; pid++) {
		tasks_fork(t, pid, 12);
		tasks_exit(t, pid, pid);
		/* Its other threads go on. */
		if (pid % 100 == 0)
			has(t, 10, 1500, 1);
	}
	tap_ok(has(t, 10, 1500, 1),
	       "one whose first thread exited is kept while it is used");
	tasks_free(t);
}

int main(void)
{
	check_random();
	check_ids();
	check_many();
	check_tasks();
	return tap_done();
}

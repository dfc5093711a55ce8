// SPDX-License-Identifier: GPL-2.0-only
/* Slices of time against counting every switch anew. */
#include <stdlib.h>

#include "analyze/timeline.h"
#include "tests/tap.h"

#define NR 20000

/* How many of the first @nr times lie in a slice. */
static uint64_t count_in(const uint64_t *at, int nr, uint64_t slice_ns,
			 uint32_t slice)
{
	uint64_t count = 0;
	int i;

	for (i = 0; i < nr; i++)
		count += at[i] / slice_ns == slice;
	return count;
}

static void check(const struct timeline *t, const uint64_t *at, int nr,
		  const char *what)
{
	uint64_t sum = 0, wrong = 0;
	uint32_t i;

	for (i = 0; i < TIMELINE_SLICES; i++) {
		uint64_t got = t->count[TIMELINE_SLEEP][i];

		sum += got;
		wrong += got != count_in(at, nr, t->slice_ns, i);
		wrong += i >= t->nr && got;
	}
	tap_is_u64(wrong, 0, "%s: slices of %llu ns hold what lies in them",
		   what, (unsigned long long)t->slice_ns);
	tap_is_u64(sum, (uint64_t)nr, "%s: none is lost", what);
}

static void check_range(uint64_t range, uint64_t slice_ns, bool rising,
			const char *what)
{
	struct timeline t = { 0 };
	uint64_t *at = calloc(NR, sizeof(*at));
	int i;

	if (!at)
		tap_bail("out of memory");
	srand(1);
	for (i = 0; i < NR; i++) {
		at[i] = rising ? range / NR * (uint64_t)i :
				 (uint64_t)rand() * 4096u % range;
		timeline_add(&t, at[i], TIMELINE_SLEEP);
	}
	check(&t, at, NR, what);
	tap_is_u64(t.slice_ns, slice_ns,
		   "%s: the slices are the shortest"
		   " that reach",
		   what);
	free(at);
}

int main(void)
{
	struct timeline t = { 0 };

	check_range(1000000, 1000000, true, "1 ms");
	check_range(512000000, 1000000, true, "512 ms");
	check_range(512100000, 2000000, true, "a little more");
	check_range(30000000000, 64000000, true, "30 s");
	check_range(30000000000, 64000000, false, "30 s in any order");
	timeline_add(&t, 5, TIMELINE_FROM_IDLE);
	timeline_add(&t, UINT64_MAX, TIMELINE_PREEMPTION);
	tap_is_u64(t.count[TIMELINE_FROM_IDLE][0], 1, "the end of time: first");
	tap_ok(t.nr && t.count[TIMELINE_PREEMPTION][t.nr - 1] == 1,
	       "the end of time: last");
	return tap_done();
}

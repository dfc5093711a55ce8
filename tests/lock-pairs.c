// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an uncontended pair of lock and unlock costs, for scripts/bench.d/locks.
 *
 * usage: lock-pairs [ROUNDS] [SPEC...]
 *
 * A round measures everything once, one after the other in short runs, so that
 * a drift of the machine hits all alike.  Printed are medians over the rounds:
 * of nanoseconds, and of each round's ratio to two bare locked
 * read-modify-writes, as a compare-and-swap and a fetch-and-add take.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/rwsemlab.h"

#define PAIRS	   100000u
#define MAX_ROUNDS 999u
#define MAX_ROWS   64u

struct row {
	char name[80];
	struct rwsemlab_lock lock;
	struct rwsemlab_class *class_;
	bool read;
	double ns[MAX_ROUNDS], ratio[MAX_ROUNDS];
};

static struct row rows[MAX_ROWS];
static unsigned int nr_rows, nr_rounds = 15;
static long word;

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static double two_rmws(void)
{
	double start = now_ns();
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		long free = 0;

		__atomic_compare_exchange_n(&word, &free, 1, 0,
					    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
		__atomic_fetch_sub(&word, 1, __ATOMIC_RELEASE);
	}
	return (now_ns() - start) / PAIRS;
}

static double pairs(struct row *row)
{
	double start = now_ns();
	unsigned int i;

	if (row->read) {
		for (i = 0; i < PAIRS; i++) {
			rwsemlab_down_read(&row->lock);
			rwsemlab_up_read(&row->lock);
		}
	} else {
		for (i = 0; i < PAIRS; i++) {
			rwsemlab_down_write(&row->lock);
			rwsemlab_up_write(&row->lock);
		}
	}
	return (now_ns() - start) / PAIRS;
}

static void add_row(struct rwsemlab_machine *machine, const char *text,
		    enum rwsemlab_build build, bool read)
{
	struct row *row = &rows[nr_rows];
	struct rwsemlab_spec *spec;
	char why[512];

	if (nr_rows == MAX_ROWS)
		return;
	if (rwsemlab_spec_parse(text, &spec, why, sizeof(why))) {
		fprintf(stderr, "lock-pairs: %s\n", why);
		return;
	}
	if (!rwsemlab_class_create(machine, spec, text, build, &row->class_) &&
	    !rwsemlab_lock_init(&row->lock, row->class_)) {
		snprintf(row->name, sizeof(row->name), "%s%s %s", text,
			 build == RWSEMLAB_COUNTED ? " counted" : "",
			 read ? "read" : "write");
		row->read = read;
		nr_rows++;
	}
	rwsemlab_spec_free(spec);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values)
{
	qsort(values, nr_rounds, sizeof(*values), by_value);
	return values[nr_rounds / 2];
}

static void measure(void)
{
	static double bare[MAX_ROUNDS];
	unsigned int i, round;

	for (round = 0; round < nr_rounds; round++) {
		bare[round] = two_rmws();
		for (i = 0; i < nr_rows; i++) {
			rows[i].ns[round] = pairs(&rows[i]);
			rows[i].ratio[round] = rows[i].ns[round] / bare[round];
		}
	}
	printf("%.3f\t1.000\ttwo locked read-modify-writes\n", median(bare));
	for (i = 0; i < nr_rows; i++)
		printf("%.3f\t%.3f\t%s\n", median(rows[i].ns),
		       median(rows[i].ratio), rows[i].name);
}

int main(int argc, char *argv[])
{
	static const char *const always[] = { "rwsem@6.3", "pthread-rwlock" };
	struct rwsemlab_machine *machine;
	int i;

	if (argc > 1)
		nr_rounds = (unsigned int)strtoul(argv[1], NULL, 10);
	if (!nr_rounds || nr_rounds > MAX_ROUNDS ||
	    rwsemlab_machine_create(1, &machine) ||
	    rwsemlab_task_enter(machine))
		return 2;
	for (i = 0; i < 2; i++) {
		add_row(machine, always[i], RWSEMLAB_BARE, false);
		add_row(machine, always[i], RWSEMLAB_BARE, true);
		add_row(machine, always[i], RWSEMLAB_COUNTED, false);
		add_row(machine, always[i], RWSEMLAB_COUNTED, true);
	}
	for (i = 2; i < argc; i++)
		add_row(machine, argv[i], RWSEMLAB_BARE, false);
	measure();
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an uncontended pair of lock and unlock costs, for scripts/bench.d/locks.
 *
 * usage: lock-pairs [ROUNDS] [SPEC...]
 *	lock-pairs ROUNDS -t THREADS [r:SPEC...]
 *
 * A SPEC is written; with "r:" before it, read.
 * A round measures everything once, one after the other in short runs, so that
 * a drift of the machine hits all alike.  Printed are medians over the rounds:
 * of nanoseconds, and of each round's ratio to two bare locked
 * read-modify-writes, as a compare-and-swap and a fetch-and-add take.
 *
 * With -t the locks' read pairs are measured on one thread, then on THREADS of
 * them at once, on the same lock; the ratio is to the one.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/rwsemlab.h"

#define PAIRS	    100000u
#define MAX_ROUNDS  999u
#define MAX_ROWS    64u
#define MAX_THREADS 256u

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

/* The kernel's smp_mb(), twice: a pair has as many. */
static double two_barriers(void)
{
	double start = now_ns();
	unsigned int i;

	for (i = 0; i < 2 * PAIRS; i++)
#if defined(__x86_64__)
		__asm__ volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
#else
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
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
	static double bare[MAX_ROUNDS], barrier[MAX_ROUNDS];
	static double barriers[MAX_ROUNDS];
	unsigned int i, round;

	for (round = 0; round < nr_rounds; round++) {
		bare[round] = two_rmws();
		barriers[round] = two_barriers();
		barrier[round] = barriers[round] / bare[round];
		for (i = 0; i < nr_rows; i++) {
			rows[i].ns[round] = pairs(&rows[i]);
			rows[i].ratio[round] = rows[i].ns[round] / bare[round];
		}
	}
	printf("%.3f\t1.000\ttwo locked read-modify-writes\n", median(bare));
	printf("%.3f\t%.3f\ttwo full barriers\n", median(barriers),
	       median(barrier));
	for (i = 0; i < nr_rows; i++)
		printf("%.3f\t%.3f\t%s\n", median(rows[i].ns),
		       median(rows[i].ratio), rows[i].name);
}

/* --- several at once */

struct crowd {
	struct rwsemlab_machine *machine;
	struct row *row;
	unsigned int nr;
	atomic_uint ready;
	double ns[MAX_THREADS];
};

static atomic_uint next_number;

static void *one_of_crowd(void *arg)
{
	struct crowd *crowd = arg;
	unsigned int me = atomic_fetch_add(&next_number, 1);

	if (rwsemlab_task_enter(crowd->machine))
		abort();
	atomic_fetch_add(&crowd->ready, 1);
	while (atomic_load(&crowd->ready) < crowd->nr)
		;
	crowd->ns[me] = pairs(crowd->row);
	rwsemlab_task_leave();
	return NULL;
}

/* The median of the threads: one that lost its CPU says nothing of locks. */
static double crowd_ns(struct rwsemlab_machine *machine, struct row *row,
		       unsigned int nr)
{
	struct crowd crowd = { .machine = machine, .row = row, .nr = nr };
	pthread_t thread[MAX_THREADS];
	unsigned int i;

	atomic_store(&next_number, 0);
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread[i], NULL, one_of_crowd, &crowd))
			abort();
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	qsort(crowd.ns, nr, sizeof(*crowd.ns), by_value);
	return crowd.ns[(nr - 1) / 2];
}

static void measure_crowds(struct rwsemlab_machine *machine, unsigned int nr)
{
	static double one[MAX_ROUNDS], many[MAX_ROUNDS];
	unsigned int i, round;

	for (i = 0; i < nr_rows; i++) {
		for (round = 0; round < nr_rounds; round++) {
			one[round] = crowd_ns(machine, &rows[i], 1);
			many[round] = crowd_ns(machine, &rows[i], nr);
			rows[i].ratio[round] = many[round] / one[round];
		}
		printf("%.3f\t1.000\t%s, 1 thread\n", median(one),
		       rows[i].name);
		printf("%.3f\t%.3f\t%s, %u threads\n", median(many),
		       median(rows[i].ratio), rows[i].name, nr);
	}
}

static void add_rows(struct rwsemlab_machine *machine, char *const specs[],
		     int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		bool read = !strncmp(specs[i], "r:", 2);

		add_row(machine, specs[i] + (read ? 2 : 0), RWSEMLAB_BARE,
			read);
	}
}

static int crowds(int argc, char *argv[])
{
	unsigned int nr = (unsigned int)strtoul(argv[3], NULL, 10);
	struct rwsemlab_machine *machine;

	if (!nr || nr > MAX_THREADS || rwsemlab_machine_create(nr, &machine))
		return 2;
	add_rows(machine, argv + 4, argc - 4);
	measure_crowds(machine, nr);
	return 0;
}

int main(int argc, char *argv[])
{
	static const char *const always[] = { "rwsem@6.3", "pthread-rwlock" };
	struct rwsemlab_machine *machine;
	int i;

	if (argc > 1)
		nr_rounds = (unsigned int)strtoul(argv[1], NULL, 10);
	if (!nr_rounds || nr_rounds > MAX_ROUNDS)
		return 2;
	if (argc > 3 && !strcmp(argv[2], "-t"))
		return crowds(argc, argv);
	if (rwsemlab_machine_create(1, &machine) ||
	    rwsemlab_task_enter(machine))
		return 2;
	for (i = 0; i < 2; i++) {
		add_row(machine, always[i], RWSEMLAB_BARE, false);
		add_row(machine, always[i], RWSEMLAB_BARE, true);
		add_row(machine, always[i], RWSEMLAB_COUNTED, false);
		add_row(machine, always[i], RWSEMLAB_COUNTED, true);
	}
	add_rows(machine, argv + 2, argc - 2);
	measure();
	return 0;
}

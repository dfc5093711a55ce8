/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-CPU counts of a percpu-rwsem's readers.  A reader adds where it runs
 * and takes away where it runs then; so only their sum means something, modulo
 * 2^32.
 */
#ifndef LIB_LOCKS_PERCPU_COUNT_H
#define LIB_LOCKS_PERCPU_COUNT_H

#include "lib/instrument/hooks.h"

typedef _Atomic uint32_t percpu_count_t;

static inline percpu_count_t *percpu_count_of(percpu_t counts)
{
	return this_cpu_ptr(counts);
}

/*
 * this_cpu_add() - inside a read section; no barrier
 *
 * One CPU's count is written on that CPU alone.  "release": a writer that sees
 * a reader leave has what the reader did before.
 */
static inline void this_cpu_add(percpu_t counts, uint32_t value)
{
	percpu_count_t *count = percpu_count_of(counts);

	atomic_store_explicit(
		count,
		atomic_load_explicit(count, memory_order_relaxed) + value,
		memory_order_release);
}

/*
 * this_cpu_add_mb() - with a full barrier
 *
 * Between the change and a look at what a writer says, and between what was
 * done before and the change.  All accesses of that exchange are sequentially
 * consistent, the writer's too: see percpu_sum().
 */
static inline void this_cpu_add_mb(percpu_t counts, uint32_t value)
{
	atomic_fetch_add(percpu_count_of(counts), value);
}

/* The readers inside, where none can come unseen. */
static inline uint32_t percpu_sum(struct rwsemlab_machine *machine,
				  percpu_t counts)
{
	unsigned int nr = machine_nr_cpus(machine);
	uint32_t sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < nr; cpu++)
		sum += atomic_load(
			(percpu_count_t *)per_cpu_ptr(machine, counts, cpu));
	return sum;
}

/* For a writer that keeps all others out: the sum, and all counts 0. */
static inline uint32_t percpu_take_sum(struct rwsemlab_machine *machine,
				       percpu_t counts)
{
	unsigned int nr = machine_nr_cpus(machine);
	uint32_t sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < nr; cpu++)
		sum += atomic_exchange(
			(percpu_count_t *)per_cpu_ptr(machine, counts, cpu), 0);
	return sum;
}

/* How far a writer has come. */
enum percpu_write_stage {
	PERCPU_WRITE_NOTHING,
	PERCPU_WRITE_ENTERED, /* rcu_sync: no reader is on the fast path */
	PERCPU_WRITE_BLOCKS, /* no other writer, no reader that comes */
	PERCPU_WRITE_HAS, /* and none inside */
};

/* The one writer that waits for readers to leave; they wake it. */
typedef _Atomic(struct rwsemlab_task *) rcuwait_t;

/* By a reader that has left, after a full barrier. */
static inline void rcuwait_wake_up(rcuwait_t *wait)
{
	struct rwsemlab_task *task = atomic_load(wait);

	if (task)
		wake_task(task);
}

#endif

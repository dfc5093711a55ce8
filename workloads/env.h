/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the processes of a workload work with: the gate, the clock, children
 * that are looked after, slots for their results.
 *
 * The course of a workload's run():
 *
 *	workload_slots()	one slot a worker
 *	set up			anything that takes long
 *	workload_spawn() ...	workers; each calls workload_worker_gate()
 *	workload_gate()		ready; sleep until the tool says go
 *	workload_supervise()	until the time is over
 *	workload_join()		workers finish what they have begun
 *	workload_measured()	stops the counters
 *	verify, fill in the result
 *
 * An error return at any point is fine: the keeper ends what was spawned.
 */
#ifndef WORKLOADS_ENV_H
#define WORKLOADS_ENV_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"
#include "lib/rwsemlab.h"
#include "workloads/result.h"

/* How long after its time a child may take before it counts as hung. */
#define WORKLOAD_GRACE_S 5

/* As many buckets as a histogram can have. */
#define WORKLOAD_BUCKETS 1920

/*
 * One worker's results, in memory that root shares.  Each is written by its
 * worker alone; root reads after the worker has ended.
 */
struct workload_slot {
	uint64_t work; /* done within the time */
	uint64_t forks;
	uint64_t count[8]; /* the workload's own */
	uint64_t failures;
	char failure[256]; /* the first one */
	char note[256]; /* the workload's own */
	uint64_t latency_count, latency_sum, latency_min, latency_max;
	uint64_t bucket[WORKLOAD_BUCKETS];
} __attribute__((aligned(64)));

/* At the start of the shared memory; written by root. */
struct workload_shared {
	uint64_t go_ns; /* CLOCK_MONOTONIC */
	uint64_t deadline_ns;
	uint32_t stop; /* the run ends early; read with workload_over() */
	struct workload_slot slot[];
};

struct workload_child {
	pid_t pid; /* 0: has ended and was waited for */
	const char *name; /* for messages: "client" */
};

/* Belongs to root; children see a copy. */
struct workload_env {
	const char *workload; /* its name */
	double seconds;
	bool stopped; /* ended early */
	/*
	 * Set before the gate: children may end before the time, well, and
	 * the time is over when none is left.
	 */
	bool finishes;
	uint64_t go_ns, deadline_ns, end_ns; /* end_ns: set when it is over */
	int gate_fd; /* from the keeper: 'g' goes, all else stops */
	int event_fd; /* to the keeper */
	int trouble_fd; /* to the keeper, from any process */
	int ready_fd[2]; /* a byte from every child at its gate */
	int start_fd[2]; /* holds back the workers until go */
	sigset_t sleep_mask; /* lets SIGCHLD in */
	void *place; /* what the workload's prepare() made, a copy */
	struct workload_child *child;
	size_t nr_children;
	struct workload_shared *shared;
	size_t shared_size;
	size_t nr_slots;
};

/**
 * workload_now_ns() - CLOCK_MONOTONIC
 */
uint64_t workload_now_ns(void);

/**
 * workload_slots() - make the shared memory with @nr slots, all zero
 */
int workload_slots(struct workload_env *env, size_t nr, struct error *err);

/**
 * workload_hide_slots() - keep the shared memory out of what this process
 * forks
 *
 * A worker calls it before it forks in its turn: the mapping would otherwise
 * be cloned each time, under the lock of its own file.
 */
void workload_hide_slots(struct workload_env *env);

/**
 * workload_spawn() - fork one long-living child of root
 * @name: for messages; a constant
 * @main: what it does; its return is the exit status
 *
 * The child has default signal handling, an empty mask, and dies with root.
 *
 * Return: its pid, or -1 with @err set.
 */
pid_t workload_spawn(struct workload_env *env, const char *name,
		     int (*main)(struct workload_env *env, void *arg),
		     void *arg, struct error *err);

/**
 * workload_worker_ready() - in a child that needs no go: its set-up is done
 *
 * Every spawned child, or the descendant that works for it, calls this or
 * workload_worker_gate() once.
 *
 * Return: 0, or -1 when root has gone.
 */
int workload_worker_ready(struct workload_env *env);

/**
 * workload_worker_gate() - in a worker: ready; sleep until go
 *
 * Return: 0; -1 when there won't be a go, and the worker should end.
 */
int workload_worker_gate(struct workload_env *env);

/**
 * workload_over() - in a worker that sees the slots: is the time over?
 */
bool workload_over(const struct workload_env *env, uint64_t now_ns);

/**
 * workload_gate() - in root: tell that all is set up, sleep until go
 *
 * Return: 0; -1 with @err set when the run ends before it began.
 */
int workload_gate(struct workload_env *env, struct error *err);

/**
 * workload_supervise_until() - in root: sleep until @until_ns, or the time is
 * over, or the tool asks for an end
 *
 * For work in several parts; workload_supervise() follows in any case.
 *
 * Return: 0; -1 with @err set as soon as a child ended before its time.
 */
int workload_supervise_until(struct workload_env *env, uint64_t until_ns,
			     struct error *err);

/**
 * workload_supervise() - in root: sleep until the time is over
 *
 * Sets env->stopped when it ended early because the tool asked for it.
 *
 * Return: 0; -1 with @err set as soon as a child ended before its time.
 */
int workload_supervise(struct workload_env *env, struct error *err);

/**
 * workload_join() - in root: wait until every child of this name has ended
 * @name: NULL: every child
 *
 * Return: 0; -1 with @err set when one was killed, its status is not 0, or it
 * still runs WORKLOAD_GRACE_S after the time.
 */
int workload_join(struct workload_env *env, const char *name,
		  struct error *err);

/**
 * workload_measured() - in root: the measured time ends here
 * @result: gets elapsed_s and stopped
 *
 * Workloads whose workers finish a last unit after the deadline, and do not
 * count it, call workload_supervise() then this, then workload_join().
 */
void workload_measured(struct workload_env *env,
		       struct workload_result *result);

/**
 * workload_collect() - add up all slots: work, forks, latency, failures
 *
 * What a slot holds is checked: a worker may have been killed while writing.
 */
int workload_collect(struct workload_env *env, struct workload_result *result,
		     struct error *err);

/**
 * workload_slot_histogram() - add one slot's latencies to @to, checked
 */
int workload_slot_histogram(const struct workload_env *env,
			    struct workload_slot *slot,
			    struct rwsemlab_histogram *to, struct error *err);

/**
 * workload_slot_latency() - copy a worker's histogram into its slot
 */
void workload_slot_latency(struct workload_slot *slot,
			   const struct rwsemlab_histogram *latency);

/**
 * workload_slot_failure() - count a failed check; the first text is kept
 */
void workload_slot_failure(struct workload_slot *slot, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * workload_trouble() - from any process: the run is broken
 * @fmt: one line, e.g. "deliverer (pid 7) was killed by signal 11"
 *
 * The keeper ends the run, and the first such line is its error.
 */
void workload_trouble(const struct workload_env *env, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * workload_describe_status() - a wait status in words
 *
 * "was killed by signal 11 (Segmentation fault)", "exited with status 3".
 */
void workload_describe_status(int status, char *text, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of tests/locks.c. */
#ifndef TESTS_LOCKS_H
#define TESTS_LOCKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/rwsemlab.h"

/* A free lock of one spec; every test leaves it free. */
struct lock_test {
	struct rwsemlab_machine *machine;
	struct rwsemlab_class *class_;
	struct rwsemlab_lock lock;
	const struct rwsemlab_variant *variant;
	const char *name;
};

/* One task alone: what excludes what; the lock at rest. */
void test_modes(struct lock_test *test);
/* Readers are inside together. */
void test_sharing(struct lock_test *test);
/* Readers that wait come in when a writer downgrades. */
void test_downgrade(struct lock_test *test);
/* Waits that end early, at every place in the queue. */
void test_cancelling(struct lock_test *test);
/* In which order waiters get it, where the rules say so. */
void test_order(struct lock_test *test);
/* Nobody waits longer than the rules allow. */
void test_starvation(struct lock_test *test);

/* What only a percpu-rwsem can get wrong; @ms for each of two tortures. */
void test_percpu(struct lock_test *test, unsigned int ms);

/*
 * Other tasks, on the main thread's command.
 */
enum actor_how {
	ACTOR_READ,
	ACTOR_WRITE,
	ACTOR_READ_INTERRUPTIBLE,
	ACTOR_WRITE_INTERRUPTIBLE,
	ACTOR_READ_TIMED,
	ACTOR_WRITE_TIMED,
};

struct actor {
	struct lock_test *test;
	enum actor_how how;
	uint64_t ns; /* of a timed wait */
	bool signalled; /* before it comes */
	pthread_t thread;
	_Atomic(struct rwsemlab_task *) task;
	atomic_int state; /* enum actor_state */
	atomic_bool release;
	int result; /* of its wait */
	unsigned int order; /* which one to get the lock, from 1 */
	atomic_uint *next; /* the counter for it; NULL: none */
};

enum actor_state {
	ACTOR_COMING,
	ACTOR_INSIDE,
	ACTOR_GONE,
};

/* Start one; it takes the lock, waits for actor_release(), and releases. */
void actor_start(struct actor *actor, struct lock_test *test,
		 enum actor_how how);
/* Wait until it waits: @waiting tasks are in the queue then. */
void actor_wait_queued(struct lock_test *test, unsigned int waiting);
/* Return: whether it reached @state within 5 seconds. */
bool actor_reaches(struct actor *actor, enum actor_state state);
/* Let it go and wait for its end. */
void actor_end(struct actor *actor);

#endif

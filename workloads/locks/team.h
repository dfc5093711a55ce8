/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A team: threads that become tasks of one machine, start together, work
 * until told to stop, and are watched meanwhile.
 */
#ifndef WORKLOADS_LOCKS_TEAM_H
#define WORKLOADS_LOCKS_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/rwsemlab.h"

struct team;

/* One member; on cache lines of its own. */
struct team_member {
	_Alignas(64) struct team *team;
	unsigned int number;
	struct rwsemlab_task *task;
	uint64_t seed; /* of team_random() */
	_Atomic uint64_t done; /* its work, counted by itself; the watch's */
	void *data;
};

struct team_config {
	struct rwsemlab_machine *machine;
	unsigned int members;
	uint64_t run_ns; /* how long to work; only team_run()'s */
	uint64_t hang_ns; /* without any progress: given up */
	uint64_t seed;
	/* Work until team_stopping(); counts done. */
	void (*work)(struct team_member *member);
	void *data; /* every member's */
};

/**
 * team_start() - make the threads; they wait for team_go()
 * @team: where it goes; team_join() frees it
 *
 * Return: 0; -errno: a thread could not be made, or is no task; nothing is
 * left then.
 */
int team_start(const struct team_config *config, struct team **team);

/**
 * team_go() - let them work
 */
void team_go(struct team *team);

/**
 * team_stop() - tell them to end; what they have begun they finish
 */
void team_stop(struct team *team);

/**
 * team_join() - wait for their ends; after team_stop()
 * @done: the members' work in sum
 *
 * Return: 0; -EDEADLK: no progress for hang_ns, the threads are still there
 * and nothing that they use may be freed.
 */
int team_join(struct team *team, uint64_t *done);

/**
 * team_done() - the members' work up to now; any thread
 */
uint64_t team_done(const struct team *team);

/**
 * team_run() - all of it, for run_ns or until something was done
 * @ns: from team_go() to the last one's end
 *
 * Return: as team_start() and team_join(); a team that hangs is given up
 * before its time.
 */
int team_run(const struct team_config *config, uint64_t *done, uint64_t *ns);

/**
 * team_stopping() - should the members end?
 */
bool team_stopping(const struct team_member *member);

/**
 * team_task() - the task of member @number; valid once all have started
 */
struct rwsemlab_task *team_task(const struct team_member *member,
				unsigned int number);

/**
 * team_size() - how many members there are
 */
unsigned int team_size(const struct team_member *member);

/**
 * team_random() - the member's next random number
 */
uint64_t team_random(struct team_member *member);

/**
 * team_work_for() - use the CPU for @ns nanoseconds; 0: for none
 */
void team_work_for(uint64_t ns);

/**
 * team_clock() - monotonic nanoseconds
 */
uint64_t team_clock(void);

/* Count one unit of work. */
static inline void team_did(struct team_member *member)
{
	atomic_store_explicit(
		&member->done,
		atomic_load_explicit(&member->done, memory_order_relaxed) + 1,
		memory_order_relaxed);
}

#endif

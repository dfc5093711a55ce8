/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random operations on one lock, and an oracle that knows who may be inside.
 */
#ifndef WORKLOADS_LOCKS_ORACLE_H
#define WORKLOADS_LOCKS_ORACLE_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/rwsemlab.h"

struct oracle_config {
	struct rwsemlab_machine *machine;
	struct rwsemlab_class *class_;
	unsigned int abilities; /* of the lock: enum rwsemlab_ability */
	unsigned int tasks;
	unsigned int read_percent;
	uint64_t run_ns, hang_ns, seed;
};

struct oracle_result {
	uint64_t reads, writes, downgrades, failed_trylocks, cancelled,
		timed_out;
	uint64_t ns;
	uint64_t failures;
	const char *failure; /* the first one's text; NULL: none */
};

struct oracle;
struct team_config;

/**
 * oracle_new() - a lock to torture
 * @config: used as long as the oracle
 * @team:   filled in: what its members do
 *
 * Return: NULL without memory.
 */
struct oracle *oracle_new(const struct oracle_config *config,
			  struct team_config *team);

/**
 * oracle_end() - after the team: the last checks, and free it
 */
void oracle_end(struct oracle *oracle, struct oracle_result *result);

/**
 * oracle_run() - torture one lock for run_ns
 *
 * Checked: exclusion and sharing, what a writer left is what the next sees,
 * every acquisition ends, and the lock is at rest after it.
 *
 * Return: 0, see @result for failures; -errno: it could not run; -EDEADLK: it
 * hangs (result->failure says so): the caller should exit.
 */
int oracle_run(const struct oracle_config *config,
	       struct oracle_result *result);

#endif

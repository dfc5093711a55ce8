// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random operations on one lock of the library: reads, writes, trylocks,
 * downgrades, waits that time out or are cancelled; oracle.c watches.
 */
#include <string.h>

#include "workloads/locks/driver.h"
#include "workloads/locks/oracle.h"

struct torture_options {
	struct driver_options driver;
	unsigned long read_percent, seed;
};

static const struct workload_option torture_keys[] = {
	DRIVER_OPTIONS("6"),
	{
		.key = "read_percent",
		.type = WORKLOAD_UINT,
		.offset = offsetof(struct torture_options, read_percent),
		.fallback = "50",
		.max = 100,
		.help = "of the operations are for reading",
	},
	{
		.key = "seed",
		.type = WORKLOAD_UINT,
		.offset = offsetof(struct torture_options, seed),
		.fallback = "1",
		.max = 4294967295.0,
		.help = "of the tasks' random choices",
	},
	{ 0 },
};

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct torture_options *o = options;
	struct oracle_config config = {
		.tasks = (unsigned int)o->driver.tasks,
		.read_percent = (unsigned int)o->read_percent,
		.seed = o->seed,
	};
	struct oracle *oracle;
	struct oracle_result found;
	struct team_config team;
	struct driver driver;

	if (driver_open(&driver, &o->driver, o->driver.tasks + 1, "torture",
			result, err))
		return -1;
	config.machine = driver.machine;
	config.class_ = driver.class_;
	config.abilities = driver.variant->abilities;
	oracle = oracle_new(&config, &team);
	if (!oracle)
		return error_set(err, EXIT_USAGE, "no memory for a lock");
	if (driver_run(&driver, &team, env, err))
		return -1;
	oracle_end(oracle, &found);
	result->verification.checked = found.reads + found.writes;
	if (found.failures) {
		workload_result_failure(result, "%s", found.failure);
		result->verification.failures = found.failures;
	}
	workload_result_metric(result, "reads", (double)found.reads);
	workload_result_metric(result, "writes", (double)found.writes);
	workload_result_metric(result, "downgrades", (double)found.downgrades);
	workload_result_metric(result, "failed_trylocks",
			       (double)found.failed_trylocks);
	workload_result_metric(result, "cancelled_waits",
			       (double)found.cancelled);
	workload_result_metric(result, "timed_out_waits",
			       (double)found.timed_out);
	return driver_close(&driver, err);
}

const struct workload workload_torture = {
	.name = "torture",
	.summary = "random operations on one lock of the library, checked",
	.unit = "operation",
	.units = "operations",
	.verifies = "acquisitions checked",
	.options = torture_keys,
	.options_size = sizeof(struct torture_options),
	.run = run,
};

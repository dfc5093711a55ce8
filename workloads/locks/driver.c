// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/locks/driver.h"

#include <errno.h>
#include <string.h>

#define HANG_NS 5000000000ull

const char *const driver_builds[] = {
	[RWSEMLAB_BARE] = "bare",
	[RWSEMLAB_COUNTED] = "counted",
	[RWSEMLAB_CHECKED] = "checked",
	NULL,
};

/* The checked build found something: a failure of the verification. */
static void on_report(const struct rwsemlab_report *report, void *arg)
{
	struct driver *driver = arg;

	pthread_mutex_lock(&driver->report_lock);
	workload_result_failure(driver->result, "%s, in %s (%s)", report->what,
				report->function ? report->function : "?",
				report->lock_name);
	pthread_mutex_unlock(&driver->report_lock);
}

static int open_spec(struct driver *driver, struct error *err)
{
	char why[512] = "";
	int ret = rwsemlab_spec_parse(driver->options->lock, &driver->spec, why,
				      sizeof(why));

	if (!ret) {
		driver->variant = rwsemlab_spec_variant(driver->spec);
		return 0;
	}
	return error_set(err, ret == -ENOSYS ? EXIT_IMPOSSIBLE : EXIT_USAGE,
			 "lock '%s': %s", driver->options->lock,
			 *why ? why : strerror(-ret));
}

static int open_machine(struct driver *driver, unsigned long cpus,
			struct error *err)
{
	int ret = rwsemlab_machine_create((unsigned int)cpus, &driver->machine);

	if (ret == -ENOSYS)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "this kernel has no private expedited "
				 "membarrier(2), which locks need");
	if (ret)
		return error_set(err, EXIT_USAGE, "no machine of %lu CPUs: %s",
				 cpus, strerror(-ret));
	rwsemlab_machine_on_report(driver->machine, on_report, driver);
	return 0;
}

int driver_open(struct driver *driver, const struct driver_options *options,
		unsigned long cpus, const char *name,
		struct workload_result *result, struct error *err)
{
	int ret;

	memset(driver, 0, sizeof(*driver));
	driver->options = options;
	driver->result = result;
	pthread_mutex_init(&driver->report_lock, NULL);
	if (open_spec(driver, err) || open_machine(driver, cpus, err))
		return -1;
	ret = rwsemlab_class_create(driver->machine, driver->spec, name,
				    (enum rwsemlab_build)options->build,
				    &driver->class_);
	ret = ret ?: rwsemlab_task_enter(driver->machine);
	if (ret)
		return error_set(err, EXIT_USAGE, "no lock: %s",
				 strerror(-ret));
	return 0;
}

int driver_run(struct driver *driver, struct team_config *team,
	       struct workload_env *env, struct error *err)
{
	struct team *threads;
	uint64_t done;
	int ret;

	team->machine = driver->machine;
	team->hang_ns = HANG_NS;
	ret = team_start(team, &threads);
	if (ret)
		return error_set(err, EXIT_USAGE, "cannot start %u threads: %s",
				 team->members, strerror(-ret));
	if (workload_gate(env, err))
		return -1;
	team_go(threads);
	ret = workload_supervise(env, err);
	driver->result->work = team_done(threads);
	workload_measured(env, driver->result);
	team_stop(threads);
	if (team_join(threads, &done))
		return error_set(err, EXIT_CHECK_FAILED,
				 "%s: a task waits for ever: a wake-up was "
				 "lost",
				 rwsemlab_spec_name(driver->spec));
	return ret;
}

int driver_close(struct driver *driver, struct error *err)
{
	int ret = 0;

	rwsemlab_task_leave();
	driver->result->lock =
		counters_json(driver->class_, driver->spec,
			      (enum rwsemlab_build)driver->options->build);
	if (!driver->result->lock)
		ret = error_set(err, EXIT_USAGE, "no memory for counters");
	rwsemlab_class_free(driver->class_);
	rwsemlab_spec_free(driver->spec);
	rwsemlab_machine_free(driver->machine);
	pthread_mutex_destroy(&driver->report_lock);
	return ret;
}

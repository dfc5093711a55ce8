// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers and writers of one lock, with work inside and outside it: what
 * locktorture and will-it-scale do, and the mixes of rwsem patches' tables.
 */
#include <stdlib.h>

#include "workloads/locks/driver.h"

struct rwmix_options {
	struct driver_options driver;
	unsigned long read_percent, inside_ns, outside_ns;
};

#define NUMBER(key_, field_, fallback_, max_, help_)                     \
	{                                                                \
		.key = (key_), .type = WORKLOAD_UINT,                    \
		.offset = offsetof(struct rwmix_options, field_),        \
		.fallback = (fallback_), .max = (max_), .help = (help_), \
	}

static const struct workload_option rwmix_keys[] = {
	DRIVER_OPTIONS("4"),
	NUMBER("read_percent", read_percent, "50", 100,
	       "of the acquisitions are for reading"),
	NUMBER("inside_ns", inside_ns, "500", 1000000000,
	       "work while the lock is held, nanoseconds"),
	NUMBER("outside_ns", outside_ns, "500", 1000000000,
	       "work between two acquisitions, nanoseconds"),
	{ 0 },
};

struct rwmix {
	struct rwsemlab_lock lock;
	const struct rwmix_options *options;
	uint64_t data; /* writers' */
	_Atomic uint64_t writes;
};

static void read_once(struct rwmix *mix)
{
	uint64_t before;

	rwsemlab_down_read(&mix->lock);
	before = *(volatile uint64_t *)&mix->data;
	team_work_for(mix->options->inside_ns);
	if (*(volatile uint64_t *)&mix->data != before)
		abort(); /* the lock is broken: no number would be right */
	rwsemlab_up_read(&mix->lock);
}

static void write_once(struct rwmix *mix)
{
	rwsemlab_down_write(&mix->lock);
	mix->data++;
	team_work_for(mix->options->inside_ns);
	rwsemlab_up_write(&mix->lock);
}

static void work(struct team_member *member)
{
	struct rwmix *mix = member->data;
	uint64_t writes = 0;

	while (!team_stopping(member)) {
		if (team_random(member) % 100 < mix->options->read_percent) {
			read_once(mix);
		} else {
			write_once(mix);
			writes++;
		}
		team_work_for(mix->options->outside_ns);
		team_did(member);
	}
	atomic_fetch_add(&mix->writes, writes);
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct rwmix_options *o = options;
	struct rwmix mix = { .options = o };
	struct team_config team = {
		.members = (unsigned int)o->driver.tasks,
		.work = work,
		.data = &mix,
	};
	struct driver driver;
	const char *wrong;

	if (driver_open(&driver, &o->driver, o->driver.tasks + 1, "rwmix",
			result, err))
		return -1;
	if (rwsemlab_lock_init(&mix.lock, driver.class_))
		return error_set(err, EXIT_USAGE, "no memory for a lock");
	if (driver_run(&driver, &team, env, err))
		return -1;
	result->verification.checked = mix.writes;
	if (mix.data != mix.writes)
		workload_result_failure(result,
					"%llu writes, of which %llu are seen",
					(unsigned long long)mix.writes,
					(unsigned long long)mix.data);
	wrong = rwsemlab_lock_at_rest(&mix.lock);
	if (wrong)
		workload_result_failure(result, "lock not at rest: %s", wrong);
	rwsemlab_lock_destroy(&mix.lock);
	return driver_close(&driver, err);
}

const struct workload workload_rwmix = {
	.name = "rwmix",
	.summary = "readers and writers of one lock of the library",
	.unit = "acquisition",
	.units = "acquisitions",
	.verifies = "writes seen by all",
	.options = rwmix_keys,
	.options_size = sizeof(struct rwmix_options),
	.run = run,
};

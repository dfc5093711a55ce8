// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forks and exits hold the lock of cgroup membership for reading; moves of a
 * thread group hold it for writing.  What did a move cost with which lock?
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "workloads/locks/cgroup-model/churn.h"
#include "workloads/locks/driver.h"

enum destroy_option {
	DESTROY_NONE,
	DESTROY_SYNC,
	DESTROY_CALL_RCU,
	DESTROY_WORK,
	DESTROY_ALL,
};

struct cgroup_options {
	struct driver_options driver;
	unsigned long threads, idle_groups, writers, writes, global_percent;
	unsigned long fork_ns, exit_ns, between_us, move_ns, call_us, pause_us;
	unsigned long free_ns;
	unsigned int rcu, destroy;
	bool attach_waits;
};

static const char *const rcus[] = { "normal", "expedited", NULL };
static const char *const destroys[] = {
	[DESTROY_NONE] = "none",	 [DESTROY_SYNC] = "sync",
	[DESTROY_CALL_RCU] = "call_rcu", [DESTROY_WORK] = "work",
	[DESTROY_ALL] = "all",		 NULL,
};

#define NUMBER(key_, field_, fallback_, min_, max_, help_)             \
	{                                                              \
		.key = (key_), .type = WORKLOAD_UINT,                  \
		.offset = offsetof(struct cgroup_options, field_),     \
		.fallback = (fallback_), .min = (min_), .max = (max_), \
		.help = (help_),                                       \
	}

static const struct workload_option cgroup_keys[] = {
	DRIVER_LOCK_OPTIONS("percpu-rwsem", "5"),
	NUMBER("tasks", driver.tasks, "4", 0, 1024, "that fork and exit"),
	NUMBER("threads", threads, "1", 1, 1024, "of them in a thread group"),
	NUMBER("idle_groups", idle_groups, "2", 0, 1024,
	       "thread groups that don't fork, but are moved too"),
	NUMBER("writers", writers, "1", 1, 256, "tasks that move groups"),
	NUMBER("writes_per_transaction", writes, "2", 1, 1000,
	       "moves of one group, there and back, before a pause"),
	NUMBER("call_us", call_us, "20000", 0, 10000000,
	       "sleep between two of them, microseconds"),
	NUMBER("global_percent", global_percent, "0", 0, 100,
	       "of the writes concern all groups"),
	NUMBER("fork_ns", fork_ns, "50000", 0, 1000000000,
	       "work of a fork with the lock, nanoseconds"),
	NUMBER("exit_ns", exit_ns, "2000", 0, 1000000000,
	       "work of an exit with the lock, nanoseconds"),
	NUMBER("between_us", between_us, "500", 0, 1000000,
	       "sleep between a fork and an exit, microseconds"),
	NUMBER("move_ns", move_ns, "2000", 0, 1000000000,
	       "work of a move with the lock, nanoseconds"),
	NUMBER("pause_us", pause_us, "20000", 0, 10000000,
	       "sleep between transactions, microseconds"),
	{
		.key = "rcu",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct cgroup_options, rcu),
		.fallback = "normal",
		.choices = rcus,
		.help = "grace periods: as long as the kernel's, or short",
	},
	{
		.key = "destroy",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct cgroup_options, destroy),
		.fallback = "none",
		.choices = destroys,
		.help = "writers make and remove cgroups: who waits to free",
	},
	{
		.key = "attach_waits",
		.type = WORKLOAD_FLAG,
		.offset = offsetof(struct cgroup_options, attach_waits),
		.fallback = "0",
		.help = "for a grace period, of destroy= (as to 2011)",
	},
	NUMBER("free_ns", free_ns, "2000", 0, 100000,
	       "work to free a removed cgroup, nanoseconds"),
	{ 0 },
};

struct run {
	const struct cgroup_options *options;
	struct cgroup_model model;
	struct cgroup *place[2]; /* background, foreground */
	/* one for each writer */
	struct rwsemlab_histogram *latency; /* ns of a write */
	struct churn *churn;
	struct churn_phase phase[CHURN_MAX_PHASES];
	size_t nr_phases;
	_Atomic uint64_t forks, writes;
};

static void pause_for(unsigned long us)
{
	struct timespec ts = {
		.tv_sec = (time_t)(us / 1000000),
		.tv_nsec = (long)(us % 1000000) * 1000,
	};

	if (us)
		nanosleep(&ts, NULL);
}

static void fork_and_exit(struct run *run, struct team_member *member)
{
	struct thread_group *group =
		&run->model.group[member->number / run->options->threads];
	uint64_t forks = 0;

	while (!team_stopping(member)) {
		copy_process(&run->model, group);
		forks++;
		pause_for(run->options->between_us);
		cgroup_model_look(&run->model, group);
		exit_signals(&run->model, group);
		pause_for(run->options->between_us);
	}
	atomic_fetch_add(&run->forks, forks);
}

static int write_once(struct run *run, struct team_member *member,
		      struct rwsemlab_histogram *latency,
		      struct thread_group *group)
{
	uint64_t ns;

	if (run->model.all &&
	    team_random(member) % 100 < run->options->global_percent) {
		ns = cgroup_update_dfl_csses(&run->model);
	} else {
		struct cgroup *now = atomic_load(&group->cgroup);

		/* Others may move it too: there or back, as it comes. */
		ns = __cgroup_procs_write(
			&run->model, group,
			run->place[now == run->place[0] ? 1 : 0]);
	}
	return rwsemlab_histogram_add(latency, ns);
}

static void migrate(struct run *run, struct team_member *member,
		    struct rwsemlab_histogram *latency)
{
	uint64_t writes = 0;
	unsigned long i;

	while (!team_stopping(member)) {
		struct thread_group *group =
			&run->model.group[team_random(member) %
					  run->model.nr_groups];

		for (i = 0; i < run->options->writes; i++) {
			if (i)
				pause_for(run->options->call_us);
			if (write_once(run, member, latency, group))
				cgroup_model_wrong(&run->model,
						   "out of memory");
			writes++;
		}
		team_did(member);
		pause_for(run->options->pause_us);
	}
	atomic_fetch_add(&run->writes, writes);
}

static void work(struct team_member *member)
{
	struct run *run = member->data;
	unsigned long tasks = run->options->driver.tasks;
	const char *wrong;

	if (member->number < tasks) {
		fork_and_exit(run, member);
		return;
	}
	if (!run->nr_phases) {
		migrate(run, member, &run->latency[member->number - tasks]);
		return;
	}
	wrong = churn_work(&run->churn[member->number - tasks], member);
	if (wrong)
		cgroup_model_wrong(&run->model, wrong);
}

/* Each writer that churns is a thread group, after those that fork. */
static unsigned long count_groups(const struct cgroup_options *o)
{
	unsigned long forking = (o->driver.tasks + o->threads - 1) / o->threads;
	unsigned long others = o->destroy == DESTROY_NONE ? o->idle_groups :
							    o->writers;

	return forking + others ? forking + others : 1;
}

static int set_up_groups(struct run *run, struct driver *driver)
{
	struct cgroup_model *model = &run->model;
	size_t size;
	unsigned long i;

	model->nr_groups = count_groups(run->options);
	model->grouped = driver->variant->abilities & RWSEMLAB_GROUPS;
	size = model->nr_groups * sizeof(*model->group);
	model->group = aligned_alloc(_Alignof(struct thread_group), size);
	run->place[0] = cgroup_model_create();
	run->place[1] = cgroup_model_create();
	if (!model->group || !run->place[0] || !run->place[1])
		return -1;
	memset(model->group, 0, size);
	for (i = 0; i < model->nr_groups; i++) {
		struct thread_group *group = &model->group[i];

		group->lock = &model->group[model->grouped ? i : 0].own_lock;
		if (group->lock == &group->own_lock &&
		    rwsemlab_lock_init(group->lock, driver->class_))
			return -1;
		atomic_store(&group->cgroup, run->place[0]);
		atomic_store(&group->nr_tasks, 1);
	}
	atomic_store(&run->place[0]->nr_tasks, (int64_t)model->nr_groups);
	model->all = model->grouped ? rwsemlab_class_global(driver->class_) :
				      model->group[0].lock;
	return 0;
}

static void choose_phases(struct run *run)
{
	static const struct churn_phase all[CHURN_MAX_PHASES] = {
		{ "attach_and_sync", CGROUP_SYNC, true },
		{ "sync", CGROUP_SYNC, false },
		{ "call_rcu", CGROUP_CALL_RCU, false },
		{ "work", CGROUP_WORK, false },
	};
	unsigned int destroy = run->options->destroy;

	if (destroy == DESTROY_ALL) {
		memcpy(run->phase, all, sizeof(all));
		run->nr_phases = CHURN_MAX_PHASES;
	} else if (destroy != DESTROY_NONE) {
		run->phase[0] = all[destroy];
		run->phase[0].attach_waits = run->options->attach_waits;
		run->nr_phases = 1;
	}
}

static int set_up_writers(struct run *run, struct driver *driver)
{
	const struct cgroup_options *o = run->options;
	unsigned long i;

	choose_phases(run);
	run->latency = calloc(o->writers, sizeof(*run->latency));
	run->churn = calloc(o->writers, sizeof(*run->churn));
	if (!run->latency || !run->churn)
		return -1;
	for (i = 0; i < o->writers && run->nr_phases; i++)
		run->churn[i] = (struct churn){
			.model = &run->model,
			.machine = driver->machine,
			.self = &run->model.group[run->model.nr_groups - 1 - i],
			.home = run->place[0],
			.phase = run->phase,
			.nr_phases = run->nr_phases,
			.run_ns = (uint64_t)(o->driver.seconds * 1e9),
			.free_ns = o->free_ns,
		};
	return 0;
}

static int collect(struct run *run, struct workload_result *result,
		   struct error *err)
{
	const struct cgroup_options *o = run->options;
	unsigned long i;

	result->forks = atomic_load(&run->forks);
	result->verification.checked =
		run->nr_phases ? 2 * result->work : atomic_load(&run->writes);
	for (i = 0; i < o->writers; i++) {
		if (rwsemlab_histogram_merge(&result->latency,
					     &run->latency[i]))
			return error_set(err, EXIT_USAGE, "out of memory");
		rwsemlab_histogram_free(&run->latency[i]);
	}
	return run->nr_phases ?
		       churn_result(run->churn, o->writers, result, err) :
		       0;
}

/* After the last fork and exit: every group is where its tasks are. */
static void verify(struct run *run, struct workload_result *result)
{
	struct cgroup_model *model = &run->model;
	int64_t in[2] = { 0, 0 };
	const char *wrong = atomic_load(&model->wrong);
	unsigned long i;

	for (i = 0; i < model->nr_groups; i++) {
		struct thread_group *group = &model->group[i];

		in[atomic_load(&group->cgroup) == run->place[1]] +=
			atomic_load(&group->nr_tasks);
		if (group->lock == &group->own_lock && !wrong)
			wrong = rwsemlab_lock_at_rest(group->lock);
	}
	for (i = 0; i < 2; i++)
		if (atomic_load(&run->place[i]->nr_tasks) != in[i])
			wrong = "a cgroup's tasks are not those of its groups";
	if (wrong)
		workload_result_failure(result, "%s", wrong);
}

static void tear_down(struct run *run)
{
	struct cgroup_model *model = &run->model;
	unsigned long i;

	for (i = 0; i < model->nr_groups; i++)
		if (model->group[i].lock == &model->group[i].own_lock)
			rwsemlab_lock_destroy(model->group[i].lock);
	cgroup_model_free(run->place[0]);
	cgroup_model_free(run->place[1]);
	free(model->group);
	free(run->latency);
	free(run->churn);
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct cgroup_options *o = options;
	struct run run = {
		.options = o,
		.model.fork_ns = o->fork_ns,
		.model.exit_ns = o->exit_ns,
		.model.move_ns = o->move_ns,
	};
	struct team_config team = {
		.members = (unsigned int)(o->driver.tasks + o->writers),
		.work = work,
		.data = &run,
	};
	struct driver driver;

	if (driver_open(&driver, &o->driver, team.members + 1, "cgroup", result,
			err))
		return -1;
	if (o->rcu)
		rwsemlab_machine_expedite(driver.machine);
	if (set_up_groups(&run, &driver) || set_up_writers(&run, &driver))
		return error_set(err, EXIT_USAGE,
				 "cgroup-model: out of memory");
	if (driver_run(&driver, &team, env, err) || collect(&run, result, err))
		return -1;
	verify(&run, result);
	tear_down(&run);
	return driver_close(&driver, err);
}

const struct workload workload_cgroup_model = {
	.name = "cgroup-model",
	.summary = "forks, exits and cgroup moves on a lock of the library",
	.unit = "transaction",
	.units = "transactions",
	.latency_of = "writes to cgroup.procs",
	.latency_base = "group-rwsem",
	.verifies = "writes, none met a fork",
	.times_work = true,
	.options = cgroup_keys,
	.options_size = sizeof(struct cgroup_options),
	.run = run,
};

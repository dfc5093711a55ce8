// SPDX-License-Identifier: GPL-2.0-only
/*
 * Create a cgroup, attach oneself, detach oneself, destroy it; nothing else.
 *
 * Until 2011 the attach and the destruction each waited for an RCU grace
 * period, and a thousand rounds took 100 seconds.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "workloads/cgroup/member.h"
#include "workloads/cgroup/phases.h"
#include "workloads/env.h"

struct churn_options {
	struct cgroup_options cgroup;
	double seconds;
	unsigned long n;
};

static const struct workload_option churn_keys[] = {
	WORKLOAD_OPTION_SECONDS(struct churn_options, seconds, "600"),
	{
		.key = "n",
		.type = WORKLOAD_UINT,
		.offset = offsetof(struct churn_options, n),
		.fallback = "1000",
		.min = 1,
		.max = 10000000,
		.help = "cgroups to make and remove; seconds is the limit",
	},
	CGROUP_KEYS(struct churn_options, cgroup),
	{ 0 },
};

enum churn_step {
	CREATE,
	ATTACH,
	DETACH,
	DESTROY,
	NR_STEPS,
};

static const char *const step_names[] = {
	[CREATE] = "create",
	[ATTACH] = "attach",
	[DETACH] = "detach",
	[DESTROY] = "destroy",
};

/* Rounds between two looks at where the process is, which take no time. */
#define CHECK_EVERY 16
/* How long a cgroup may stay busy. */
#define BUSY_LIMIT_NS 5000000000u

/* What a slot's count[] holds; of a step the switches, of the first the rest. */
enum {
	SLEEPS,
	PREEMPTIONS,
	DONE,
	REAL_NS,
	USER_NS,
	SYS_NS,
	BUSY,
	CHECKED,
};

struct churn {
	const struct churn_options *options;
	struct workload_env *env;
	struct cgroup_phases phases;
	size_t phase; /* that runs */
	char path[4096]; /* of the cgroup that is made and removed */
	int home_fd; /* cgroup.procs of the one around it */
	struct rwsemlab_histogram latency[NR_STEPS];
	struct rusage unmeasured; /* used by checks */
	uint64_t unmeasured_ns;
};

/* One slot a step. */
static struct workload_slot *slot_of(const struct churn *c,
				     enum churn_step step)
{
	return &c->env->shared->slot[c->phase * NR_STEPS + step];
}

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static int attach(struct churn *c)
{
	int fd = cgroup_open(c->path, "cgroup.procs");
	int ret = fd < 0 ? -1 : cgroup_write_id(fd, 0);
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return ret;
}

static int destroy(struct churn *c)
{
	uint64_t limit = workload_now_ns() + BUSY_LIMIT_NS;
	struct timespec pause = { .tv_nsec = 100000 };

	while (rmdir(c->path)) {
		if (errno != EBUSY || workload_now_ns() >= limit)
			return -1;
		slot_of(c, CREATE)->count[BUSY]++;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int do_step(struct churn *c, enum churn_step step)
{
	switch (step) {
	case CREATE:
		return mkdir(c->path, 0755);
	case ATTACH:
		return attach(c);
	case DETACH:
		return cgroup_write_id(c->home_fd, 0);
	case DESTROY:
		return destroy(c);
	case NR_STEPS:
		break;
	}
	return -1;
}

/*
 * The process must be where it went.  That a cgroup can be removed, and made
 * again under the same name, proves the other steps, each time.
 */
static int check(struct churn *c, enum churn_step step)
{
	const struct cgroup_own *own = c->phases.phase[c->phase].own;
	struct workload_slot *slot = slot_of(c, CREATE);
	struct rusage before, after;
	uint64_t from = workload_now_ns();

	getrusage(RUSAGE_THREAD, &before);
	slot->count[CHECKED]++;
	if (!cgroup_contains(own, "self", step == ATTACH ? c->path : own->path))
		workload_slot_failure(slot, "after %s the process is not in %s",
				      step_names[step],
				      step == ATTACH ? c->path : own->path);
	getrusage(RUSAGE_THREAD, &after);
	timersub(&after.ru_utime, &before.ru_utime, &after.ru_utime);
	timersub(&after.ru_stime, &before.ru_stime, &after.ru_stime);
	timeradd(&c->unmeasured.ru_utime, &after.ru_utime,
		 &c->unmeasured.ru_utime);
	timeradd(&c->unmeasured.ru_stime, &after.ru_stime,
		 &c->unmeasured.ru_stime);
	c->unmeasured_ns += workload_now_ns() - from;
	return 0;
}

static int timed_step(struct churn *c, enum churn_step step, bool checks)
{
	struct workload_slot *slot = slot_of(c, step);
	struct rusage before, after;
	uint64_t from, to;

	getrusage(RUSAGE_THREAD, &before);
	from = workload_now_ns();
	if (do_step(c, step)) {
		workload_trouble(c->env, "cannot %s the cgroup %s: %s",
				 step_names[step], c->path, strerror(errno));
		return -1;
	}
	to = workload_now_ns();
	getrusage(RUSAGE_THREAD, &after);
	slot->count[SLEEPS] += (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
	slot->count[PREEMPTIONS] +=
		(uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
	if (rwsemlab_histogram_add(&c->latency[step], to - from)) {
		workload_trouble(c->env, "out of memory");
		return -1;
	}
	return checks && (step == ATTACH || step == DETACH) ? check(c, step) :
							      0;
}

static int loop(struct churn *c)
{
	struct workload_slot *slot = slot_of(c, CREATE);
	enum churn_step step;
	unsigned long i;

	for (i = 0; i < c->options->n; i++) {
		if (workload_over(c->env, workload_now_ns()))
			break;
		for (step = CREATE; step < NR_STEPS; step++)
			if (timed_step(c, step, i % CHECK_EVERY == 0))
				return -1;
		slot->count[DONE]++;
		slot->work++;
	}
	return 0;
}

static void end_phase(struct churn *c, const struct rusage *before,
		      uint64_t real_ns)
{
	struct workload_slot *slot = slot_of(c, CREATE);
	enum churn_step step;
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	timersub(&used.ru_utime, &before->ru_utime, &used.ru_utime);
	timersub(&used.ru_stime, &before->ru_stime, &used.ru_stime);
	timersub(&used.ru_utime, &c->unmeasured.ru_utime, &used.ru_utime);
	timersub(&used.ru_stime, &c->unmeasured.ru_stime, &used.ru_stime);
	slot->count[REAL_NS] = real_ns - c->unmeasured_ns;
	/* The kernel splits user from system by ticks: one may go down. */
	if (used.ru_utime.tv_sec >= 0)
		slot->count[USER_NS] = time_ns(&used.ru_utime);
	if (used.ru_stime.tv_sec >= 0)
		slot->count[SYS_NS] = time_ns(&used.ru_stime);
	for (step = CREATE; step < NR_STEPS; step++) {
		workload_slot_latency(slot_of(c, step), &c->latency[step]);
		rwsemlab_histogram_free(&c->latency[step]);
	}
}

static int run_phase(struct churn *c)
{
	const struct cgroup_own *own = c->phases.phase[c->phase].own;
	struct rusage before;
	struct error err = { 0 };
	uint64_t from;
	int ret;

	if (cgroup_begin_phase(&c->phases, c->phase, &err)) {
		workload_trouble(c->env, "%s", err.text);
		return -1;
	}
	c->home_fd = cgroup_open(own->path, "cgroup.procs");
	if (c->home_fd < 0 || snprintf(c->path, sizeof(c->path), "%s/churn",
				       own->path) >= (int)sizeof(c->path)) {
		workload_trouble(c->env, "cannot open %s/cgroup.procs: %s",
				 own->path, strerror(errno));
		return -1;
	}
	memset(&c->unmeasured, 0, sizeof(c->unmeasured));
	c->unmeasured_ns = 0;
	getrusage(RUSAGE_THREAD, &before);
	from = workload_now_ns();
	ret = loop(c);
	end_phase(c, &before, workload_now_ns() - from);
	close(c->home_fd);
	return ret;
}

static int worker(struct workload_env *env, void *arg)
{
	struct churn *c = arg;

	if (workload_worker_gate(env))
		return 1;
	for (c->phase = 0; c->phase < c->phases.nr; c->phase++) {
		if (workload_over(env, workload_now_ns()))
			break;
		if (run_phase(c))
			return 1;
	}
	return 0;
}

static int take_phase(const struct churn *c, struct workload_phase *phase,
		      struct error *err)
{
	struct workload_slot *first = slot_of(c, CREATE);
	enum churn_step step;

	phase->work = first->count[DONE];
	phase->real_s = (double)first->count[REAL_NS] / 1e9;
	phase->user_s = (double)first->count[USER_NS] / 1e9;
	phase->sys_s = (double)first->count[SYS_NS] / 1e9;
	for (step = CREATE; step < NR_STEPS; step++) {
		struct workload_step *to =
			workload_phase_step(phase, step_names[step]);

		if (workload_slot_histogram(c->env, slot_of(c, step),
					    &to->latency, err))
			return -1;
		to->sleeps = slot_of(c, step)->count[SLEEPS];
		to->preemptions = slot_of(c, step)->count[PREEMPTIONS];
	}
	return 0;
}

/* Nothing of the rounds may be left, and each step was done as often. */
static void verify(struct churn *c, struct workload_result *result)
{
	const struct cgroup_place *place = c->phases.place;
	uint64_t want = c->options->n * c->phases.nr;
	size_t i, j;

	for (i = 0; i < result->nr_phases; i++)
		for (j = 0; j < NR_STEPS; j++)
			if (result->phase[i].step[j].latency.count !=
			    result->phase[i].work)
				workload_result_failure(
					result, "%s: not as many %s as rounds",
					result->phase[i].name, step_names[j]);
	for (i = 0; i < place->nr; i++)
		if (cgroup_count_below(place->own[i].path))
			workload_result_failure(result,
						"a cgroup is left in %s",
						place->own[i].path);
	result->verification.checked = result->work;
	if (result->work < want && !result->stopped)
		error_set(&result->problem, EXIT_USAGE,
			  "%llu of %llu rounds were done in %g s; raise"
			  " seconds=, or lower n=",
			  (unsigned long long)result->work,
			  (unsigned long long)want, c->options->seconds);
}

static int take_results(struct churn *c, struct workload_result *result,
			struct error *err)
{
	uint64_t busy = 0, checks = 0;

	if (workload_collect(c->env, result, err))
		return -1;
	for (c->phase = 0; c->phase < c->phases.nr; c->phase++) {
		if (take_phase(c, &result->phase[c->phase], err))
			return -1;
		busy += slot_of(c, CREATE)->count[BUSY];
		checks += slot_of(c, CREATE)->count[CHECKED];
	}
	workload_result_metric(result, "busy_retries", (double)busy);
	workload_result_metric(result, "places_looked_up", (double)checks);
	workload_result_metric(result, "leftover_cgroups_removed",
			       (double)c->phases.place->leftovers);
	snprintf(result->note, sizeof(result->note), "%s",
		 cgroup_note(c->phases.place));
	verify(c, result);
	return 0;
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	struct churn c = { .options = options, .env = env };

	if (cgroup_move_in(env->place, err) ||
	    cgroup_phases(env->place, &c.phases, result, err) ||
	    cgroup_begin_phase(&c.phases, 0, err) ||
	    workload_slots(env, c.phases.nr * NR_STEPS, err))
		return -1;
	env->finishes = true;
	if (workload_spawn(env, "worker", worker, &c, err) < 0 ||
	    workload_gate(env, err) || workload_supervise(env, err))
		return -1;
	workload_measured(env, result);
	if (workload_join(env, NULL, err))
		return -1;
	return take_results(&c, result, err);
}

const struct workload workload_cgroup_churn = {
	.name = "cgroup-churn",
	.summary = "create a cgroup, attach, detach, destroy it:"
		   " who waits for grace periods",
	.unit = "cgroup",
	.units = "cgroups",
	.latency_of = "a step",
	.verifies = "cgroups made, entered, left and removed",
	.times_work = true,
	.options = churn_keys,
	.options_size = sizeof(struct churn_options),
	.supported = cgroup_supported,
	.prepare = cgroup_prepare,
	.cleanup = cgroup_cleanup,
	.sweep = cgroup_sweep,
	.run = run,
};

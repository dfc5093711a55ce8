// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/locks/cgroup-model/churn.h"

#include <string.h>
#include <sys/resource.h>

#include "workloads/phases.h"

enum churn_step {
	CHURN_CREATE,
	CHURN_ATTACH,
	CHURN_DETACH,
	CHURN_DESTROY,
};

static const char *const step_names[CHURN_STEPS] = {
	[CHURN_CREATE] = "create",
	[CHURN_ATTACH] = "attach",
	[CHURN_DETACH] = "detach",
	[CHURN_DESTROY] = "destroy",
};

/* A step that was shorter was in no context switch. */
#define SWITCH_NS 10000u

/* The task's context switches until now, and since when the step lasts. */
struct stopwatch {
	uint64_t since;
	long sleeps, preemptions;
};

static void count_switches(struct stopwatch *watch,
			   struct churn_step_done *step)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	if (step) {
		step->sleeps += (uint64_t)(usage.ru_nvcsw - watch->sleeps);
		step->preemptions +=
			(uint64_t)(usage.ru_nivcsw - watch->preemptions);
	}
	watch->sleeps = usage.ru_nvcsw;
	watch->preemptions = usage.ru_nivcsw;
}

static int step_done(struct churn_done *done, enum churn_step step,
		     struct stopwatch *watch)
{
	uint64_t now = team_clock();
	uint64_t ns = now - watch->since;
	int ret = rwsemlab_histogram_add(&done->step[step].latency, ns);

	watch->since = now;
	if (ns >= SWITCH_NS) {
		count_switches(watch, &done->step[step]);
		watch->since = team_clock();
	}
	return ret;
}

static void move(struct churn *churn, const struct churn_phase *phase,
		 struct cgroup *to)
{
	__cgroup_procs_write(churn->model, churn->self, to);
	if (phase->attach_waits)
		rwsemlab_synchronize_rcu(churn->machine);
}

static int loop(struct churn *churn, const struct churn_phase *phase,
		struct churn_done *done, struct cgroup_reaper *reaper,
		struct stopwatch *watch)
{
	struct cgroup *cgroup;
	int ret;

	watch->since = team_clock();
	cgroup = cgroup_model_create();
	if (!cgroup)
		return -1;
	ret = step_done(done, CHURN_CREATE, watch);
	move(churn, phase, cgroup);
	ret |= step_done(done, CHURN_ATTACH, watch);
	move(churn, phase, churn->home);
	ret |= step_done(done, CHURN_DETACH, watch);
	if (atomic_load(&cgroup->nr_tasks))
		cgroup_model_wrong(churn->model,
				   "a cgroup that is removed has tasks");
	cgroup_model_remove(reaper, cgroup);
	ret |= step_done(done, CHURN_DESTROY, watch);
	done->loops++;
	return ret;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void add_cpu(struct churn_done *done, double sign)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	done->user_s += sign * seconds(usage.ru_utime);
	done->sys_s += sign * seconds(usage.ru_stime);
}

static const char *work_phase(struct churn *churn, size_t i, uint64_t until,
			      struct team_member *member)
{
	const struct churn_phase *phase = &churn->phase[i];
	struct churn_done *done = &churn->done[i];
	struct cgroup_reaper reaper;
	uint64_t start = team_clock();
	const char *wrong = NULL;
	struct stopwatch watch;

	if (cgroup_reaper_start(&reaper, churn->machine, phase->destroy,
				churn->free_ns))
		return "no thread to free cgroups";
	add_cpu(done, -1);
	count_switches(&watch, NULL);
	do {
		if (loop(churn, phase, done, &reaper, &watch))
			wrong = "out of memory";
		team_did(member);
	} while (!wrong && !team_stopping(member) && team_clock() < until);
	add_cpu(done, 1);
	done->real_s = (double)(team_clock() - start) / 1e9;
	cgroup_reaper_end(&reaper);
	done->freed_after = reaper.freed_after;
	done->pending_max = atomic_load(&reaper.pending_max);
	return wrong;
}

const char *churn_work(struct churn *churn, struct team_member *member)
{
	uint64_t end = team_clock() + churn->run_ns;
	const char *wrong = NULL;
	size_t i;

	for (i = 0; i < churn->nr_phases && !wrong; i++) {
		uint64_t now = team_clock();
		uint64_t left = now < end ? end - now : 0;

		/* The last one goes on until the team stops. */
		wrong = work_phase(churn, i,
				   i + 1 < churn->nr_phases ?
					   now + left / (churn->nr_phases - i) :
					   UINT64_MAX,
				   member);
	}
	return wrong;
}

static int add_step(struct churn *churn, size_t nr, size_t i, size_t step,
		    struct workload_phase *phase)
{
	struct workload_step *to = workload_phase_step(phase, step_names[step]);
	size_t j;

	for (j = 0; j < nr; j++) {
		struct churn_step_done *from = &churn[j].done[i].step[step];

		if (!to ||
		    rwsemlab_histogram_merge(&to->latency, &from->latency))
			return -1;
		to->sleeps += from->sleeps;
		to->preemptions += from->preemptions;
	}
	return 0;
}

/* Metrics: how long a removed cgroup stays, and how many do. */
static int add_freed(struct churn *churn, size_t nr, size_t i,
		     struct workload_result *result)
{
	const char *name = churn->phase[i].name;
	struct rwsemlab_histogram all = { 0 };
	int64_t pending = 0;
	char text[48];
	size_t j;

	for (j = 0; j < nr; j++) {
		if (churn[j].done[i].pending_max > pending)
			pending = churn[j].done[i].pending_max;
		if (rwsemlab_histogram_merge(&all,
					     &churn[j].done[i].freed_after))
			return -1;
	}
	snprintf(text, sizeof(text), "%s_freed_after_p50_us", name);
	workload_result_metric(result, text,
			       (double)rwsemlab_histogram_quantile(&all, 0.5) /
				       1000);
	snprintf(text, sizeof(text), "%s_not_yet_freed_max", name);
	workload_result_metric(result, text, (double)pending);
	rwsemlab_histogram_free(&all);
	return 0;
}

static int add_phase(struct churn *churn, size_t nr, size_t i,
		     struct workload_result *result)
{
	struct workload_phase *phase = &result->phase[i];
	size_t j;

	snprintf(phase->name, sizeof(phase->name), "%s", churn->phase[i].name);
	for (j = 0; j < nr; j++) {
		const struct churn_done *done = &churn[j].done[i];

		phase->work += done->loops;
		/* Several at once: the mean. */
		phase->real_s += done->real_s / (double)nr;
		phase->user_s += done->user_s;
		phase->sys_s += done->sys_s;
	}
	for (j = 0; j < CHURN_STEPS; j++)
		if (add_step(churn, nr, i, j, phase))
			return -1;
	return add_freed(churn, nr, i, result);
}

int churn_result(struct churn *churn, size_t nr, struct workload_result *result,
		 struct error *err)
{
	size_t i, j, k;
	int ret = 0;

	if (workload_phases_new(result, churn->nr_phases, err))
		return -1;
	for (i = 0; i < churn->nr_phases && !ret; i++)
		ret = add_phase(churn, nr, i, result);
	for (i = 0; i < nr; i++)
		for (j = 0; j < CHURN_MAX_PHASES; j++) {
			for (k = 0; k < CHURN_STEPS; k++)
				rwsemlab_histogram_free(
					&churn[i].done[j].step[k].latency);
			rwsemlab_histogram_free(&churn[i].done[j].freed_after);
		}
	return ret ? error_set(err, EXIT_USAGE, "out of memory") : 0;
}

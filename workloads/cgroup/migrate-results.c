// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/migrate.h"

#include "workloads/cgroup/member.h"

static const char *const step_names[] = {
	[MIGRATE_FIRST] = "first write",
	[MIGRATE_LATER] = "later writes",
};

static uint64_t sum_of(const struct migrate *m, size_t phase,
		       enum migrate_step step, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < m->options->writers; i++)
		sum += migrate_slot(m, phase, i, step)->count[count];
	return sum;
}

static int take_step(const struct migrate *m, size_t phase,
		     enum migrate_step step, struct workload_phase *to,
		     struct error *err)
{
	struct workload_step *s = workload_phase_step(to, step_names[step]);
	size_t i;

	for (i = 0; i < m->options->writers; i++) {
		struct workload_slot *slot = migrate_slot(m, phase, i, step);

		to->work += slot->work;
		if (workload_slot_histogram(m->env, slot, &s->latency, err))
			return -1;
	}
	s->sleeps = sum_of(m, phase, step, MIGRATE_SLEEPS);
	s->preemptions = sum_of(m, phase, step, MIGRATE_PREEMPTIONS);
	return 0;
}

static int take_phase(const struct migrate *m, size_t phase,
		      struct workload_phase *to, struct error *err)
{
	size_t i;

	if (take_step(m, phase, MIGRATE_FIRST, to, err) ||
	    (m->options->writes_per_transaction > 1 &&
	     take_step(m, phase, MIGRATE_LATER, to, err)))
		return -1;
	to->real_s = (double)m->phase_ns[phase] / 1e9;
	to->user_s =
		(double)sum_of(m, phase, MIGRATE_FIRST, MIGRATE_USER_NS) / 1e9;
	to->sys_s =
		(double)sum_of(m, phase, MIGRATE_FIRST, MIGRATE_SYS_NS) / 1e9;
	for (i = 0; i < m->options->fork_tasks; i++)
		to->forks += migrate_fork_slot(m, i)->count[phase];
	return 0;
}

/* Where a thread of a victim may be now. */
static bool is_placed(const struct migrate *m, const struct cgroup_own *own,
		      const char *proc)
{
	char path[4096];
	int i;

	for (i = 0; i < 2; i++)
		if (!migrate_path(own, i, path, sizeof(path)) &&
		    cgroup_contains(own, proc, path))
			return true;
	/* Of version 2 threads begin in the domain, and may not have left. */
	return m->options->move == MIGRATE_THREAD && own->v2 &&
	       cgroup_contains(own, proc, own->path);
}

/* A victim's threads are all there, and all in the run's cgroups. */
static void verify_threads(const struct migrate *m, size_t victim,
			   struct workload_result *result)
{
	const struct cgroup_place *place = m->phases.place;
	const pid_t *tid = migrate_tids(m, victim);
	char proc[64];
	size_t i, j;

	for (i = 0; i < m->options->threads; i++) {
		snprintf(proc, sizeof(proc), "%d/task/%d",
			 (int)m->victim[victim], (int)tid[i]);
		for (j = 0; j < place->nr; j++)
			if (!is_placed(m, &place->own[j], proc))
				workload_result_failure(
					result, "thread %s is not in %s", proc,
					place->own[j].path);
	}
}

/* Each write that was counted has moved someone, and no other was. */
static void verify(const struct migrate *m, struct workload_result *result)
{
	uint64_t moves = 0, writes = 0, forked = 0, waited = 0;
	size_t i, j;

	for (i = 0; i < m->phases.nr; i++)
		for (j = 0; j < MIGRATE_NR_STEPS; j++)
			moves += sum_of(m, i, (enum migrate_step)j,
					MIGRATE_MOVES);
	for (i = 0; i < result->nr_phases; i++)
		for (j = 0; j < result->phase[i].nr_steps; j++)
			writes += result->phase[i].step[j].latency.count;
	for (i = 0; i < m->options->fork_tasks; i++) {
		forked += migrate_fork_slot(m, i)->count[MIGRATE_FORKED];
		waited += migrate_fork_slot(m, i)->count[MIGRATE_WAITED];
	}
	if (moves != writes || writes != result->work)
		workload_result_failure(result,
					"%llu writes, %llu migrations, %llu"
					" units of work",
					(unsigned long long)writes,
					(unsigned long long)moves,
					(unsigned long long)result->work);
	if (forked != waited)
		workload_result_failure(result,
					"%llu forks but %llu children waited"
					" for",
					(unsigned long long)forked,
					(unsigned long long)waited);
	for (i = 0; i < m->options->writers; i++)
		verify_threads(m, i, result);
	result->verification.checked = moves;
}

int migrate_results(struct migrate *m, struct workload_result *result,
		    struct error *err)
{
	uint64_t transactions = 0;
	size_t i;

	if (workload_collect(m->env, result, err))
		return -1;
	for (i = 0; i < m->phases.nr; i++) {
		if (take_phase(m, i, &result->phase[i], err))
			return -1;
		transactions +=
			sum_of(m, i, MIGRATE_FIRST, MIGRATE_TRANSACTIONS);
	}
	workload_result_metric(result, "transactions", (double)transactions);
	/* Each child makes one. */
	workload_result_metric(result, "threads_created",
			       (double)result->forks);
	workload_result_metric(result, "leftover_cgroups_removed",
			       (double)m->phases.place->leftovers);
	snprintf(result->note, sizeof(result->note), "%s",
		 cgroup_note(m->phases.place));
	verify(m, result);
	return 0;
}

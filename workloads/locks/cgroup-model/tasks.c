// SPDX-License-Identifier: GPL-2.0-only
/* What takes the lock. */
#include "workloads/locks/cgroup-model/cgroup-model.h"

#define noinline __attribute__((noinline))

void cgroup_model_wrong(struct cgroup_model *model, const char *what)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&model->wrong, &none, what);
}

/* With the lock for reading: its cgroup, which must stay. */
static struct cgroup *change_begin(struct thread_group *group)
{
	atomic_fetch_add_explicit(&group->forking, 1, memory_order_relaxed);
	return atomic_load_explicit(&group->cgroup, memory_order_relaxed);
}

static void change_end(struct cgroup_model *model, struct thread_group *group,
		       struct cgroup *cgroup, int64_t tasks)
{
	if (atomic_load_explicit(&group->cgroup, memory_order_relaxed) !=
	    cgroup)
		cgroup_model_wrong(model, "a group moved during a fork");
	atomic_fetch_add_explicit(&cgroup->nr_tasks, tasks,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&group->nr_tasks, tasks,
				  memory_order_relaxed);
	atomic_fetch_sub_explicit(&group->forking, 1, memory_order_relaxed);
}

/* They return a value, so that none ends in a jump to the release. */
noinline int copy_process(struct cgroup_model *model,
			  struct thread_group *group)
{
	struct cgroup *cgroup;

	rwsemlab_down_read(group->lock);
	cgroup = change_begin(group);
	team_work_for(model->fork_ns);
	change_end(model, group, cgroup, 1);
	rwsemlab_up_read(group->lock);
	return 1;
}

noinline int exit_signals(struct cgroup_model *model,
			  struct thread_group *group)
{
	struct cgroup *cgroup;

	rwsemlab_down_read(group->lock);
	cgroup = change_begin(group);
	team_work_for(model->exit_ns);
	change_end(model, group, cgroup, -1);
	rwsemlab_up_read(group->lock);
	return -1;
}

void cgroup_model_look(struct cgroup_model *model, struct thread_group *group)
{
	struct cgroup *cgroup;

	rwsemlab_rcu_read_lock();
	cgroup = atomic_load_explicit(&group->cgroup, memory_order_acquire);
	if (!atomic_load_explicit(&cgroup->alive, memory_order_relaxed))
		cgroup_model_wrong(model, "a reader saw a freed cgroup");
	rwsemlab_rcu_read_unlock();
}

/* With the lock for writing. */
static void none_forks(struct cgroup_model *model, struct thread_group *group)
{
	if (atomic_load_explicit(&group->forking, memory_order_relaxed))
		cgroup_model_wrong(model, "a writer met a fork");
}

static void none_forks_at_all(struct cgroup_model *model)
{
	unsigned long i;

	for (i = 0; i < model->nr_groups; i++)
		none_forks(model, &model->group[i]);
}

noinline uint64_t __cgroup_procs_write(struct cgroup_model *model,
				       struct thread_group *group,
				       struct cgroup *to)
{
	uint64_t start = team_clock();
	struct cgroup *from;
	int64_t tasks;

	rwsemlab_down_write(group->lock);
	if (model->grouped)
		none_forks(model, group);
	else
		none_forks_at_all(model);
	from = atomic_load_explicit(&group->cgroup, memory_order_relaxed);
	tasks = atomic_load_explicit(&group->nr_tasks, memory_order_relaxed);
	atomic_fetch_sub_explicit(&from->nr_tasks, tasks, memory_order_relaxed);
	atomic_fetch_add_explicit(&to->nr_tasks, tasks, memory_order_relaxed);
	atomic_store_explicit(&group->cgroup, to, memory_order_release);
	team_work_for(model->move_ns);
	none_forks(model, group);
	rwsemlab_up_write(group->lock);
	return team_clock() - start;
}

noinline uint64_t cgroup_update_dfl_csses(struct cgroup_model *model)
{
	uint64_t start = team_clock();

	rwsemlab_down_write(model->all);
	none_forks_at_all(model);
	team_work_for(model->move_ns);
	none_forks_at_all(model);
	rwsemlab_up_write(model->all);
	return team_clock() - start;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Cgroups come and go: who waits for the grace period before one is freed? */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "workloads/locks/cgroup-model/cgroup-model.h"

struct cgroup *cgroup_model_create(void)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));

	if (cgroup)
		atomic_store(&cgroup->alive, true);
	return cgroup;
}

void cgroup_model_free(struct cgroup *cgroup)
{
	if (!cgroup)
		return;
	atomic_store(&cgroup->alive, false);
	free(cgroup);
}

/* From whichever thread it is; the histogram is one. */
static void freed(struct cgroup_reaper *reaper, struct cgroup *cgroup)
{
	uint64_t removed = cgroup->removed_ns;

	team_work_for(reaper->free_ns);
	cgroup_model_free(cgroup);
	pthread_mutex_lock(&reaper->lock);
	/* Without memory the value is missing, nothing else. */
	(void)rwsemlab_histogram_add(&reaper->freed_after,
				     team_clock() - removed);
	pthread_mutex_unlock(&reaper->lock);
	atomic_fetch_sub(&reaper->pending, 1);
}

static void free_rcu(struct rwsemlab_rcu_head *head)
{
	struct cgroup *cgroup = (struct cgroup *)(void *)head;

	freed(cgroup->reaper, cgroup);
}

/* A callback must not sleep; what frees a cgroup may have to. */
static void queue_free_work(struct rwsemlab_rcu_head *head)
{
	struct cgroup *cgroup = (struct cgroup *)(void *)head;
	struct cgroup_reaper *reaper = cgroup->reaper;

	pthread_mutex_lock(&reaper->lock);
	cgroup->next = reaper->queue;
	reaper->queue = cgroup;
	pthread_cond_signal(&reaper->wanted);
	pthread_mutex_unlock(&reaper->lock);
}

static void *worker_main(void *arg)
{
	struct cgroup_reaper *reaper = arg;
	struct cgroup *list, *next;

	pthread_mutex_lock(&reaper->lock);
	for (;;) {
		list = reaper->queue;
		reaper->queue = NULL;
		if (!list && reaper->stop)
			break;
		if (!list) {
			pthread_cond_wait(&reaper->wanted, &reaper->lock);
			continue;
		}
		pthread_mutex_unlock(&reaper->lock);
		for (; list; list = next) {
			next = list->next;
			freed(reaper, list);
		}
		pthread_mutex_lock(&reaper->lock);
	}
	pthread_mutex_unlock(&reaper->lock);
	return NULL;
}

int cgroup_reaper_start(struct cgroup_reaper *reaper,
			struct rwsemlab_machine *machine,
			enum cgroup_destroy mode, uint64_t free_ns)
{
	int ret;

	memset(reaper, 0, sizeof(*reaper));
	reaper->machine = machine;
	reaper->mode = mode;
	reaper->free_ns = free_ns;
	pthread_mutex_init(&reaper->lock, NULL);
	pthread_cond_init(&reaper->wanted, NULL);
	ret = rwsemlab_rcu_start(machine);
	if (ret || mode != CGROUP_WORK)
		return ret;
	ret = pthread_create(&reaper->worker, NULL, worker_main, reaper);
	if (ret)
		return -ret;
	reaper->started = true;
	return 0;
}

void cgroup_reaper_end(struct cgroup_reaper *reaper)
{
	rwsemlab_rcu_barrier(reaper->machine);
	if (!reaper->started)
		return;
	pthread_mutex_lock(&reaper->lock);
	reaper->stop = true;
	pthread_cond_signal(&reaper->wanted);
	pthread_mutex_unlock(&reaper->lock);
	pthread_join(reaper->worker, NULL);
}

void cgroup_model_remove(struct cgroup_reaper *reaper, struct cgroup *cgroup)
{
	int64_t now = atomic_fetch_add(&reaper->pending, 1) + 1;
	int64_t max = atomic_load(&reaper->pending_max);

	while (now > max &&
	       !atomic_compare_exchange_weak(&reaper->pending_max, &max, now))
		;
	while (atomic_load(&reaper->pending) > CGROUP_MAX_PENDING)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	cgroup->reaper = reaper;
	cgroup->removed_ns = team_clock();
	switch (reaper->mode) {
	case CGROUP_SYNC:
		rwsemlab_synchronize_rcu(reaper->machine);
		freed(reaper, cgroup);
		break;
	case CGROUP_CALL_RCU:
		rwsemlab_call_rcu(reaper->machine, &cgroup->rcu, free_rcu);
		break;
	case CGROUP_WORK:
		rwsemlab_call_rcu(reaper->machine, &cgroup->rcu,
				  queue_free_work);
		break;
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of what forks, exits and migrations do to the lock of cgroup
 * membership.  Functions have the names of the kernel's that take it.
 *
 * A thread group is in one cgroup.  Forks and exits of its tasks hold the lock
 * for reading and must not see it move; who moves it holds the lock for
 * writing.  Anybody may look at the cgroup of a group inside a read section of
 * RCU; so a removed one is freed a grace period later.
 */
#ifndef WORKLOADS_CGROUP_MODEL_H
#define WORKLOADS_CGROUP_MODEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/rwsemlab.h"
#include "workloads/locks/team.h"

/* How a removed cgroup is freed. */
enum cgroup_destroy {
	CGROUP_SYNC, /* the remover waits for a grace period */
	CGROUP_CALL_RCU, /* RCU's callback frees it */
	CGROUP_WORK, /* that queues it for a thread, which frees it */
};

struct cgroup_reaper;

struct cgroup {
	struct rwsemlab_rcu_head rcu;
	struct cgroup_reaper *reaper;
	struct cgroup *next; /* in the reaper's queue */
	atomic_bool alive; /* until it is freed */
	_Atomic int64_t nr_tasks;
	uint64_t removed_ns;
};

/* Frees cgroups, and knows how long that took. */
struct cgroup_reaper {
	struct rwsemlab_machine *machine;
	enum cgroup_destroy mode;
	uint64_t free_ns; /* what it costs to free one */
	_Atomic int64_t pending, pending_max;
	pthread_mutex_t lock; /* the fields below */
	pthread_cond_t wanted;
	struct cgroup *queue;
	bool stop, started;
	pthread_t worker;
	struct rwsemlab_histogram freed_after; /* from removed to freed, ns */
};

/**
 * cgroup_reaper_start() - for one way to free them
 *
 * Return: 0 or -errno.
 */
int cgroup_reaper_start(struct cgroup_reaper *reaper,
			struct rwsemlab_machine *machine,
			enum cgroup_destroy mode, uint64_t free_ns);

/**
 * cgroup_reaper_end() - wait until all are freed; freed_after stays
 */
void cgroup_reaper_end(struct cgroup_reaper *reaper);

/**
 * cgroup_model_create() - Return: a cgroup without tasks, NULL without memory
 */
struct cgroup *cgroup_model_create(void);

/* With so many that are not yet freed, whoever removes one more waits. */
#define CGROUP_MAX_PENDING 20000

/**
 * cgroup_model_remove() - remove one that no group is in
 *
 * Returns after it was freed with CGROUP_SYNC, else at once.  Not inside a
 * read section.
 */
void cgroup_model_remove(struct cgroup_reaper *reaper, struct cgroup *cgroup);

/**
 * cgroup_model_free() - at once: nobody can see it
 */
void cgroup_model_free(struct cgroup *cgroup);

/* Writers that move it, or tasks of it, change it with the lock. */
struct thread_group {
	_Alignas(64) struct rwsemlab_lock own_lock; /* where each has one */
	struct rwsemlab_lock *lock; /* which one it uses */
	_Atomic(struct cgroup *) cgroup;
	_Atomic int64_t nr_tasks;
	atomic_uint forking; /* inside fork or exit right now */
};

struct cgroup_model {
	struct thread_group *group;
	unsigned long nr_groups;
	struct rwsemlab_lock *all; /* keeps out all; NULL: there is none */
	bool grouped; /* each group has a lock of its own */
	uint64_t fork_ns, exit_ns, move_ns; /* work with the lock */
	_Atomic(const char *) wrong; /* the first one found */
};

/* Count a failure of the model's rules. */
void cgroup_model_wrong(struct cgroup_model *model, const char *what);

/**
 * copy_process() - a fork: one more task in the group and its cgroup
 *
 * Return: how many more: 1.
 */
int copy_process(struct cgroup_model *model, struct thread_group *group);

/**
 * exit_signals() - an exit: one less
 *
 * Return: how many more: -1.
 */
int exit_signals(struct cgroup_model *model, struct thread_group *group);

/**
 * cgroup_model_look() - what a reader without the lock sees of a group
 */
void cgroup_model_look(struct cgroup_model *model, struct thread_group *group);

/**
 * __cgroup_procs_write() - move a group to another cgroup
 *
 * Return: how long it took, in nanoseconds.
 */
uint64_t __cgroup_procs_write(struct cgroup_model *model,
			      struct thread_group *group, struct cgroup *to);

/**
 * cgroup_update_dfl_csses() - change what concerns all groups
 *
 * Return: how long it took, in nanoseconds.
 */
uint64_t cgroup_update_dfl_csses(struct cgroup_model *model);

#endif

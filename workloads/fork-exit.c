// SPDX-License-Identifier: GPL-2.0-only
/*
 * A storm of fork() and exit() below one parent that has many mappings.
 *
 *	root			makes the mappings
 *	  `- generation ...	depth of them; each unmaps its copy
 *	      `- forker		one a task: fork, wait, again
 *	          `- child	exits at once
 *
 * Every fork takes the lock of the root anon_vma once or twice for each
 * mapping (anon_vma_clone, anon_vma_fork), and every exit once
 * (unlink_anon_vmas).  A generation that has unmapped its copy leaves an
 * anon_vma that no mapping uses but that its descendants still hang on.  Such
 * a one makes an exit hold the lock for longer, and anon_vma_clone() lets a
 * child reuse it, so that there is no anon_vma of the child's own to make and
 * free (mm/rmap.c, since Linux 4.0).
 */
#include "workloads/env.h"
#include "workloads/vmas.h"
#include "workloads/workload.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct fork_exit_options {
	double seconds;
	unsigned long tasks, vmas, roots, depth, alive, touch;
	bool pages;
};

#define KEY_UINT(name_, fallback_, min_, max_, help_)                  \
	{                                                              \
		.key = #name_, .type = WORKLOAD_UINT,                  \
		.offset = offsetof(struct fork_exit_options, name_),   \
		.fallback = (fallback_), .min = (min_), .max = (max_), \
		.help = (help_),                                       \
	}

static const struct workload_option fork_exit_keys[] = {
	WORKLOAD_OPTION_SECONDS(struct fork_exit_options, seconds, "5"),
	KEY_UINT(tasks, NULL, 1, 4096,
		 "processes that fork; default: one a CPU, at least 2"),
	KEY_UINT(vmas, "1024", 1, VMAS_MAX,
		 "anonymous mappings that a fork copies"),
	KEY_UINT(roots, "1", 1, VMAS_MAX,
		 "root anon_vmas, hence locks, that they hang on"),
	KEY_UINT(depth, "4", 0, 32,
		 "generations between root and a forker that left an anon_vma"),
	KEY_UINT(alive, "0", 0, 1024,
		 "idle children that each forker has all the time"),
	KEY_UINT(touch, "0", 0, VMAS_MAX,
		 "mappings that a child writes to before it exits"),
	{
		.key = "pages",
		.type = WORKLOAD_FLAG,
		.offset = offsetof(struct fork_exit_options, pages),
		.fallback = "0",
		.help = "1: the mappings keep their page, which forks share",
	},
	{ 0 },
};

/* What a task knows; each process has a copy of its own. */
struct task {
	const struct fork_exit_options *options;
	const struct vmas *vmas;
	size_t number;
	pid_t *idle; /* alive of them */
};

#define CANNOT_FORK                                                    \
	"a forker cannot fork: %s; the limit of processes (ulimit -u," \
	" pids cgroup) or of memory is reached"

/* What a slot's count[] holds. */
enum {
	FORKED,
	WAITED
};

static void defaults(void *options)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	((struct fork_exit_options *)options)->tasks =
		cpus < 2    ? 2 :
		cpus > 4096 ? 4096 :
			      (unsigned long)cpus;
}

/* Seven bits for a child to exit with, different from its neighbours'. */
static int status_of(uint64_t fork_nr)
{
	return (int)((fork_nr * UINT64_C(0x9e3779b97f4a7c15)) >> 57);
}

static pid_t wait_for(pid_t pid, int *status)
{
	pid_t waited;

	do
		waited = waitpid(pid, status, 0);
	while (waited < 0 && errno == EINTR);
	return waited;
}

/* One fork, exit and wait.  The child can't see the slot. */
static int fork_once(struct workload_env *env, const struct task *task,
		     struct workload_slot *slot)
{
	int want = status_of(slot->count[FORKED]);
	char how[128];
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		vmas_touch(task->vmas, task->options->touch);
		_exit(want);
	}
	if (pid < 0) {
		workload_trouble(env, CANNOT_FORK, strerror(errno));
		return -1;
	}
	slot->count[FORKED]++;
	if (wait_for(pid, &status) != pid) {
		workload_slot_failure(slot, "cannot wait for child %d: %s",
				      (int)pid, strerror(errno));
		return -1;
	}
	slot->count[WAITED]++;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != want) {
		workload_describe_status(status, how, sizeof(how));
		workload_slot_failure(slot, "child %d %s, not with status %d",
				      (int)pid, how, want);
	}
	return 0;
}

static int fork_until_over(struct workload_env *env, const struct task *task,
			   struct workload_slot *slot,
			   struct rwsemlab_histogram *latency)
{
	uint64_t now = workload_now_ns();
	uint64_t before;

	while (!workload_over(env, now)) {
		before = now;
		if (fork_once(env, task, slot))
			return -1;
		now = workload_now_ns();
		if (workload_over(env, now))
			break;
		slot->work++;
		if (rwsemlab_histogram_add(latency, now - before)) {
			workload_trouble(env, "a forker is out of memory");
			return -1;
		}
	}
	return 0;
}

static int start_idle(struct workload_env *env, struct task *task)
{
	unsigned long i;

	task->idle = calloc(task->options->alive + 1, sizeof(*task->idle));
	if (!task->idle)
		return -1;
	for (i = 0; i < task->options->alive; i++) {
		pid_t pid = fork();

		if (!pid)
			for (;;)
				pause();
		if (pid < 0) {
			workload_trouble(env, CANNOT_FORK, strerror(errno));
			return -1;
		}
		task->idle[i] = pid;
	}
	return 0;
}

static void end_idle(struct task *task, struct workload_slot *slot)
{
	unsigned long i;
	int status;

	for (i = 0; i < task->options->alive; i++)
		kill(task->idle[i], SIGKILL);
	for (i = 0; i < task->options->alive; i++)
		if (wait_for(task->idle[i], &status) != task->idle[i] ||
		    !WIFSIGNALED(status))
			workload_slot_failure(slot, "idle child %d was gone",
					      (int)task->idle[i]);
	free(task->idle);
	/* The sum of all this is that no child is left. */
	if (waitpid(-1, &status, WNOHANG) >= 0 || errno != ECHILD)
		workload_slot_failure(slot, "a forker has a child too many");
}

static int forker(struct workload_env *env, struct task *task)
{
	struct workload_slot *slot = &env->shared->slot[task->number];
	struct rwsemlab_histogram latency = { 0 };
	int ret;

	workload_hide_slots(env);
	if (start_idle(env, task) || workload_worker_gate(env))
		return 1;
	ret = fork_until_over(env, task, slot, &latency);
	slot->forks = slot->work;
	end_idle(task, slot);
	workload_slot_latency(slot, &latency);
	rwsemlab_histogram_free(&latency);
	return ret ? 1 : 0;
}

/* The generation above: it only leaves its anon_vmas, and waits. */
static int wait_as_ancestor(struct workload_env *env, const struct task *task,
			    pid_t pid)
{
	char how[128];
	int status;

	vmas_unmap(task->vmas);
	if (wait_for(pid, &status) != pid)
		return 1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	workload_describe_status(status, how, sizeof(how));
	workload_trouble(env, "a forker (pid %d) %s", (int)pid, how);
	return 1;
}

static int descend(struct workload_env *env, void *arg)
{
	struct task *task = arg;
	unsigned long i;

	for (i = 0; i < task->options->depth; i++) {
		pid_t parent = getpid();
		pid_t pid = fork();

		if (pid < 0) {
			workload_trouble(env, CANNOT_FORK, strerror(errno));
			return 1;
		}
		if (pid)
			return wait_as_ancestor(env, task, pid);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			return 1;
	}
	return forker(env, task);
}

static int start_tasks(const struct fork_exit_options *o,
		       const struct vmas *vmas, struct workload_env *env,
		       struct error *err)
{
	struct task task = { .options = o, .vmas = vmas };

	for (; task.number < o->tasks; task.number++)
		if (workload_spawn(env, "forker", descend, &task, err) < 0)
			return -1;
	return 0;
}

static void verify(const struct workload_env *env,
		   struct workload_result *result)
{
	uint64_t forked = 0, waited = 0;
	size_t i;

	for (i = 0; i < env->nr_slots; i++) {
		forked += env->shared->slot[i].count[FORKED];
		waited += env->shared->slot[i].count[WAITED];
	}
	result->verification.checked = forked;
	if (forked != waited)
		workload_result_failure(result,
					"%llu forks but %llu children waited"
					" for",
					(unsigned long long)forked,
					(unsigned long long)waited);
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct fork_exit_options *o = options;
	struct vmas vmas;

	if (o->roots > o->vmas)
		return error_set(err, EXIT_USAGE,
				 "fork-exit: roots=%lu is more than vmas=%lu",
				 o->roots, o->vmas);
	if (workload_slots(env, o->tasks, err) ||
	    vmas_map(&vmas, "fork-exit", o->vmas, o->roots, err))
		return -1;
	if (!o->pages)
		vmas_drop_pages(&vmas);
	if (start_tasks(o, &vmas, env, err) || workload_gate(env, err) ||
	    workload_supervise(env, err))
		return -1;
	workload_measured(env, result);
	if (workload_join(env, NULL, err) || workload_collect(env, result, err))
		return -1;
	verify(env, result);
	return 0;
}

const struct workload workload_fork_exit = {
	.name = "fork-exit",
	.summary = "fork and exit with many mappings:"
		   " press the anon_vma root lock",
	.unit = "fork",
	.units = "forks",
	.latency_of = "fork to waited for",
	.verifies = "children forked, waited for, exit status as told",
	.options = fork_exit_keys,
	.options_size = sizeof(struct fork_exit_options),
	.defaults = defaults,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of cgroup-migrate: it moves its victim, and looks where it is.
 */
#include "workloads/cgroup/migrate.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "workloads/cgroup/member.h"

struct writer {
	struct migrate *m;
	struct workload_env *env;
	size_t phase;
	const struct cgroup_own *own; /* the hierarchy of this phase */
	char path[2][4096]; /* background, foreground */
	int fd[2];
	const pid_t *tid; /* of the victim's threads, the first its own */
	size_t nr_tids, next; /* of those that are moved */
	struct rwsemlab_histogram latency[MIGRATE_NR_STEPS];
};

static int open_phase(struct writer *w)
{
	const char *file = w->m->options->move == MIGRATE_PROCESS ?
				   "cgroup.procs" :
			   w->own->v2 ? "cgroup.threads" :
					"tasks";
	int i;

	for (i = 0; i < 2; i++) {
		w->fd[i] = migrate_path(w->own, i, w->path[i],
					sizeof(w->path[i])) ?
				   -1 :
				   cgroup_open(w->path[i], file);
		if (w->fd[i] < 0) {
			workload_trouble(w->env, "cannot open %s/%s: %s",
					 w->path[i], file, strerror(errno));
			return -1;
		}
	}
	return 0;
}

static bool is_in(const struct writer *w, pid_t tid, int foreground)
{
	char proc[64];

	snprintf(proc, sizeof(proc), "%d/task/%d",
		 (int)w->m->victim[w->m->number], (int)tid);
	return cgroup_contains(w->own, proc, w->path[foreground]);
}

/* May a write that ends now be counted? */
static bool is_over(const struct writer *w)
{
	uint64_t now = workload_now_ns();

	return workload_over(w->env, now) ||
	       now >= __atomic_load_n(&w->m->shared->phase_end_ns,
				      __ATOMIC_RELAXED);
}

static void count_switches(struct workload_slot *slot,
			   const struct rusage *before,
			   const struct rusage *after)
{
	slot->count[MIGRATE_SLEEPS] +=
		(uint64_t)(after->ru_nvcsw - before->ru_nvcsw);
	slot->count[MIGRATE_PREEMPTIONS] +=
		(uint64_t)(after->ru_nivcsw - before->ru_nivcsw);
}

static int write_once(struct writer *w, pid_t tid, int foreground,
		      enum migrate_step step)
{
	struct workload_slot *slot =
		migrate_slot(w->m, w->phase, w->m->number, step);
	struct rusage before, after;
	uint64_t from, to;

	getrusage(RUSAGE_THREAD, &before);
	from = workload_now_ns();
	if (cgroup_write_id(w->fd[foreground], tid)) {
		workload_trouble(w->env, "cannot move %d to %s: %s", (int)tid,
				 w->path[foreground], strerror(errno));
		return -1;
	}
	to = workload_now_ns();
	getrusage(RUSAGE_THREAD, &after);
	if (!is_in(w, tid, foreground))
		workload_slot_failure(slot, "%d is not in %s after the write",
				      (int)tid, w->path[foreground]);
	else if (is_in(w, tid, !foreground))
		workload_slot_failure(slot, "%d is in two cgroups", (int)tid);
	/* A last one, after the time, is checked but not counted. */
	if (is_over(w))
		return 0;
	count_switches(slot, &before, &after);
	slot->count[MIGRATE_MOVES]++;
	slot->work++;
	if (!rwsemlab_histogram_add(&w->latency[step], to - from))
		return 0;
	workload_trouble(w->env, "a writer is out of memory");
	return -1;
}

/* To the foreground and back, or as many writes as there are to be. */
static int transaction(struct writer *w)
{
	pid_t tid = w->tid[w->next++ % w->nr_tids];
	int foreground = !is_in(w, tid, 1);
	unsigned long i;

	for (i = 0; i < w->m->options->writes_per_transaction; i++) {
		if (write_once(w, tid, foreground,
			       i ? MIGRATE_LATER : MIGRATE_FIRST))
			return -1;
		foreground = !foreground;
		if (is_over(w))
			return 0;
	}
	migrate_slot(w->m, w->phase, w->m->number, MIGRATE_FIRST)
		->count[MIGRATE_TRANSACTIONS]++;
	return 0;
}

static void pause_between(const struct writer *w)
{
	uint64_t ns = w->m->options->pause_us * 1000;
	struct timespec time = {
		.tv_sec = (time_t)(ns / 1000000000u),
		.tv_nsec = (long)(ns % 1000000000u),
	};

	if (ns)
		nanosleep(&time, NULL);
}

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static void end_phase(struct writer *w, const struct rusage *before)
{
	struct workload_slot *first =
		migrate_slot(w->m, w->phase, w->m->number, MIGRATE_FIRST);
	struct rusage after;
	int i;

	getrusage(RUSAGE_THREAD, &after);
	timersub(&after.ru_utime, &before->ru_utime, &after.ru_utime);
	timersub(&after.ru_stime, &before->ru_stime, &after.ru_stime);
	first->count[MIGRATE_USER_NS] = time_ns(&after.ru_utime);
	first->count[MIGRATE_SYS_NS] = time_ns(&after.ru_stime);
	for (i = 0; i < MIGRATE_NR_STEPS; i++) {
		workload_slot_latency(migrate_slot(w->m, w->phase, w->m->number,
						   (enum migrate_step)i),
				      &w->latency[i]);
		rwsemlab_histogram_free(&w->latency[i]);
	}
	close(w->fd[0]);
	close(w->fd[1]);
}

static int run_phase(struct writer *w)
{
	struct rusage before;
	int ret = 0;

	w->own = w->m->phases.phase[w->phase].own;
	if (open_phase(w))
		return -1;
	getrusage(RUSAGE_THREAD, &before);
	while (!ret && !is_over(w)) {
		ret = transaction(w);
		pause_between(w);
	}
	end_phase(w, &before);
	return ret;
}

/* Root changes the mount option once no writer is in a write any more. */
static bool wait_for_phase(struct writer *w)
{
	struct migrate_shared *shared = w->m->shared;

	__atomic_add_fetch(&shared->parked, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&shared->phase, __ATOMIC_ACQUIRE) != w->phase) {
		if (workload_over(w->env, workload_now_ns()))
			return false;
		poll(NULL, 0, 1);
	}
	return true;
}

int migrate_writer(struct workload_env *env, void *arg)
{
	/* Not on the stack: it is large. */
	static struct writer w;

	w.m = arg;
	w.env = env;
	prctl(PR_SET_NAME, "writer");
	if (workload_worker_gate(env))
		return 1;
	w.tid = migrate_tids(w.m, w.m->number);
	w.nr_tids = 1;
	if (w.m->options->move == MIGRATE_THREAD)
		w.nr_tids = w.m->options->threads;
	for (w.phase = 0; w.phase < w.m->phases.nr; w.phase++)
		if (wait_for_phase(&w) && run_phase(&w))
			return 1;
	return 0;
}

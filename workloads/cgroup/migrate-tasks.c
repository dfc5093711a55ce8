// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processes around the writers: those that are moved, and those that fork.
 */
#include "workloads/cgroup/migrate.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Small, so that the cost is the kernel's. */
#define STACK_SIZE (64 * 1024)

static void end_well(int sig)
{
	(void)sig;
	_exit(0);
}

/* A thread that stays, and says who it is. */
static void *sleep_for_ever(void *arg)
{
	__atomic_store_n((pid_t *)arg, gettid(), __ATOMIC_RELEASE);
	for (;;)
		pause();
	return arg;
}

static void *do_nothing(void *arg)
{
	return arg;
}

static int start_thread(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	pthread_attr_t attributes;
	int ret;

	if (pthread_attr_init(&attributes))
		return -1;
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	ret = pthread_create(thread, &attributes, run, arg);
	pthread_attr_destroy(&attributes);
	errno = ret;
	return ret ? -1 : 0;
}

static int start_threads(const struct migrate *m, pid_t *tid)
{
	pthread_t thread;
	unsigned long i;

	for (i = 1; i < m->options->threads; i++)
		if (start_thread(&thread, sleep_for_ever, &tid[i]))
			return -1;
	for (i = 1; i < m->options->threads; i++)
		while (!__atomic_load_n(&tid[i], __ATOMIC_ACQUIRE))
			poll(NULL, 0, 1);
	return 0;
}

int migrate_victim(struct workload_env *env, void *arg)
{
	const struct migrate *m = arg;
	pid_t *tid = migrate_tids(m, m->number);
	pthread_t thread;

	prctl(PR_SET_NAME, "victim");
	signal(SIGTERM, end_well);
	if (start_threads(m, tid)) {
		workload_trouble(env, "a victim cannot make a thread: %s",
				 strerror(errno));
		return 1;
	}
	tid[0] = getpid();
	if (workload_worker_gate(env))
		return 1;
	while (m->options->victim_forks)
		if (!start_thread(&thread, do_nothing, NULL))
			pthread_join(thread, NULL);
	sleep_for_ever(&tid[0]);
	return 0;
}

/* Seven bits for a child to exit with, different from its neighbours'. */
static int status_of(uint64_t fork_nr)
{
	return (int)((fork_nr * UINT64_C(0x9e3779b97f4a7c15)) >> 57);
}

/* A process and a thread: two entries and two exits of the kernel's lock. */
static void live(int status)
{
	pthread_t thread;

	if (start_thread(&thread, do_nothing, NULL) ||
	    pthread_join(thread, NULL))
		_exit(128);
	_exit(status);
}

static int fork_once(struct workload_env *env, struct workload_slot *slot)
{
	int want = status_of(slot->count[MIGRATE_FORKED]);
	char how[128];
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		live(want);
	if (pid < 0) {
		workload_trouble(env,
				 "a forker cannot fork: %s; the limit of"
				 " processes (ulimit -u, pids cgroup) or of"
				 " memory is reached",
				 strerror(errno));
		return -1;
	}
	slot->count[MIGRATE_FORKED]++;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	slot->count[MIGRATE_WAITED]++;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != want) {
		workload_describe_status(status, how, sizeof(how));
		workload_slot_failure(slot, "child %d %s, not with status %d",
				      (int)pid, how, want);
	}
	return 0;
}

int migrate_forker(struct workload_env *env, void *arg)
{
	const struct migrate *m = arg;
	struct workload_slot *slot = migrate_fork_slot(m, m->number);
	uint32_t phase;

	prctl(PR_SET_NAME, "forker");
	workload_hide_slots(env);
	if (workload_worker_gate(env))
		return 1;
	while (!workload_over(env, workload_now_ns())) {
		if (fork_once(env, slot))
			return 1;
		phase = __atomic_load_n(&m->shared->phase, __ATOMIC_RELAXED);
		if (workload_over(env, workload_now_ns()))
			break;
		slot->forks++;
		if (phase < m->phases.nr)
			slot->count[phase]++;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/locks/team.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct team {
	struct team_config config;
	struct team_member *members;
	pthread_t *threads;
	unsigned int started; /* threads */
	atomic_uint ready, left;
	atomic_int error;
	atomic_bool go, stop;
};

uint64_t team_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void nap(long ns)
{
	struct timespec ts = { .tv_nsec = ns };

	nanosleep(&ts, NULL);
}

bool team_stopping(const struct team_member *member)
{
	return atomic_load_explicit(&member->team->stop, memory_order_relaxed);
}

struct rwsemlab_task *team_task(const struct team_member *member,
				unsigned int number)
{
	return member->team->members[number].task;
}

unsigned int team_size(const struct team_member *member)
{
	return member->team->config.members;
}

/* xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled", 2016. */
uint64_t team_random(struct team_member *member)
{
	uint64_t x = member->seed;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	member->seed = x;
	return x * 0x2545f4914f6cdd1dull;
}

void team_work_for(uint64_t ns)
{
	uint64_t end;

	if (!ns)
		return;
	end = team_clock() + ns;
	while (team_clock() < end)
		;
}

static void *member_main(void *arg)
{
	struct team_member *member = arg;
	struct team *team = member->team;
	int ret = rwsemlab_task_enter(team->config.machine);

	if (ret)
		atomic_store(&team->error, ret);
	member->task = rwsemlab_task_current();
	atomic_fetch_add(&team->ready, 1);
	while (!atomic_load(&team->go))
		nap(100000);
	if (!atomic_load(&team->error))
		team->config.work(member);
	if (!ret)
		rwsemlab_task_leave();
	atomic_fetch_add(&team->left, 1);
	return NULL;
}

static int start_all(struct team *team)
{
	unsigned int i;
	int ret;

	for (i = 0; i < team->config.members; i++) {
		struct team_member *member = &team->members[i];

		member->team = team;
		member->number = i;
		member->data = team->config.data;
		member->seed =
			(team->config.seed + i + 1) * 0x9e3779b97f4a7c15ull;
		ret = pthread_create(&team->threads[i], NULL, member_main,
				     member);
		if (ret)
			return -ret;
		team->started++;
	}
	return 0;
}

uint64_t team_done(const struct team *team)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < team->started; i++)
		sum += atomic_load_explicit(&team->members[i].done,
					    memory_order_relaxed);
	return sum;
}

static void free_team(struct team *team)
{
	free(team->members);
	free(team->threads);
	free(team);
}

int team_start(const struct team_config *config, struct team **result)
{
	struct team *team = calloc(1, sizeof(*team));
	uint64_t done;
	int ret = -ENOMEM;

	if (!team)
		return -ENOMEM;
	team->config = *config;
	team->members =
		aligned_alloc(64, config->members * sizeof(*team->members));
	team->threads = calloc(config->members, sizeof(*team->threads));
	if (!team->members || !team->threads) {
		free_team(team);
		return ret;
	}
	memset(team->members, 0, config->members * sizeof(*team->members));
	ret = start_all(team);
	if (ret)
		atomic_store(&team->error, ret);
	while (atomic_load(&team->ready) < team->started)
		nap(100000);
	ret = atomic_load(&team->error);
	if (ret) {
		team_go(team);
		team_join(team, &done);
		return ret;
	}
	*result = team;
	return 0;
}

void team_go(struct team *team)
{
	atomic_store(&team->go, true);
}

void team_stop(struct team *team)
{
	atomic_store(&team->stop, true);
}

/* Is all of it over, or stuck?  One look, with what the last one saw. */
struct watch {
	uint64_t seen, since;
};

static bool stuck(const struct team *team, struct watch *watch)
{
	uint64_t now = team_clock();
	uint64_t done = team_done(team) + atomic_load(&team->left);

	if (done != watch->seen || !watch->since) {
		watch->seen = done;
		watch->since = now;
	}
	return now - watch->since > team->config.hang_ns;
}

int team_join(struct team *team, uint64_t *done)
{
	struct watch watch = { 0 };
	unsigned int i;

	while (atomic_load(&team->left) < team->started) {
		if (stuck(team, &watch))
			return -EDEADLK;
		nap(200000);
	}
	for (i = 0; i < team->started; i++)
		pthread_join(team->threads[i], NULL);
	*done = team_done(team);
	free_team(team);
	return 0;
}

int team_run(const struct team_config *config, uint64_t *done, uint64_t *ns)
{
	struct watch watch = { 0 };
	struct team *team;
	uint64_t start, now;
	int ret = team_start(config, &team);

	if (ret)
		return ret;
	start = team_clock();
	team_go(team);
	/* Where others use the CPUs, at least until something was done. */
	while ((now = team_clock()) < start + config->run_ns ||
	       !team_done(team)) {
		if (stuck(team, &watch))
			return -EDEADLK;
		now = start + config->run_ns - now;
		nap(now < 1000000 ? (long)now : 1000000);
	}
	team_stop(team);
	ret = team_join(team, done);
	*ns = team_clock() - start;
	return ret;
}

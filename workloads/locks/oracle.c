// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/locks/oracle.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/locks/team.h"

struct oracle {
	struct rwsemlab_lock lock;
	const struct oracle_config *config;
	/* who is inside */
	atomic_int readers, writers;
	/* written by writers, with nothing but the lock to protect them */
	uint64_t left, right;
	_Atomic uint64_t reads, writes, downgrades, failed, cancelled,
		timed_out, failures;
	_Atomic(const char *) failure;
};

static void fail(struct oracle *o, const char *text)
{
	const char *none = NULL;

	atomic_fetch_add(&o->failures, 1);
	atomic_compare_exchange_strong(&o->failure, &none, text);
}

/* Stay a little, so that others come meanwhile. */
static void stay(struct team_member *member)
{
	uint64_t r = team_random(member) % 64;

	if (r == 0)
		sched_yield();
	else if (r < 8)
		team_work_for(r * 500);
}

static void be_reader(struct oracle *o, struct team_member *member)
{
	uint64_t left = o->left;

	atomic_fetch_add_explicit(&o->readers, 1, memory_order_relaxed);
	if (atomic_load_explicit(&o->writers, memory_order_relaxed))
		fail(o, "a reader found a writer inside");
	stay(member);
	if (o->left != left || o->right != left)
		fail(o, "data changed under a reader");
	if (atomic_load_explicit(&o->writers, memory_order_relaxed))
		fail(o, "a writer came to a reader");
	atomic_fetch_sub_explicit(&o->readers, 1, memory_order_relaxed);
}

static void be_writer(struct oracle *o, struct team_member *member)
{
	if (atomic_fetch_add_explicit(&o->writers, 1, memory_order_relaxed))
		fail(o, "a writer found a writer inside");
	if (atomic_load_explicit(&o->readers, memory_order_relaxed))
		fail(o, "a writer found a reader inside");
	o->left++;
	stay(member);
	o->right++;
	if (o->left != o->right)
		fail(o, "data changed under a writer");
	if (atomic_load_explicit(&o->readers, memory_order_relaxed))
		fail(o, "a reader came to a writer");
	atomic_fetch_sub_explicit(&o->writers, 1, memory_order_relaxed);
}

static void count(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* How to take it: returns 0 with the lock. */
static int take(struct oracle *o, struct team_member *member, bool write)
{
	struct rwsemlab_lock *lock = &o->lock;
	unsigned int abilities = o->config->abilities;
	uint64_t how = team_random(member) % 16;
	uint64_t ns = team_random(member) % 300000 + 1;
	enum rwsemlab_wait wait = RWSEMLAB_UNINTERRUPTIBLE;

	if (how < 2) {
		if (write ? rwsemlab_down_write_trylock(lock) :
			    rwsemlab_down_read_trylock(lock))
			return 0;
		count(&o->failed);
		return -EBUSY;
	}
	if (how < 4 && (abilities & RWSEMLAB_TIMES_OUT))
		return write ? rwsemlab_down_write_wait(lock, wait, ns) :
			       rwsemlab_down_read_wait(lock, wait, ns);
	if (how < 7 && (abilities & RWSEMLAB_CANCELS)) {
		wait = how == 4 ? RWSEMLAB_KILLABLE : RWSEMLAB_INTERRUPTIBLE;
		return write ? rwsemlab_down_write_wait(lock, wait, 0) :
			       rwsemlab_down_read_wait(lock, wait, 0);
	}
	if (write)
		rwsemlab_down_write(lock);
	else
		rwsemlab_down_read(lock);
	return 0;
}

static void write_once(struct oracle *o, struct team_member *member)
{
	be_writer(o, member);
	count(&o->writes);
	if ((o->config->abilities & RWSEMLAB_DOWNGRADES) &&
	    team_random(member) % 4 == 0) {
		rwsemlab_downgrade_write(&o->lock);
		be_reader(o, member);
		count(&o->downgrades);
		rwsemlab_up_read(&o->lock);
		return;
	}
	rwsemlab_up_write(&o->lock);
}

static void signal_someone(struct team_member *member)
{
	unsigned int whom =
		(unsigned int)(team_random(member) % team_size(member));

	rwsemlab_task_signal(team_task(member, whom), team_random(member) % 2 ?
							      RWSEMLAB_SIGNAL :
							      RWSEMLAB_KILL);
}

static void work(struct team_member *member)
{
	struct oracle *o = member->data;
	bool exclusive = !(o->config->abilities & RWSEMLAB_SHARES);
	bool write;
	int ret;

	while (!team_stopping(member)) {
		write = team_random(member) % 100 >= o->config->read_percent;
		ret = take(o, member, write);
		if (!ret && (write || exclusive)) {
			write_once(o, member);
		} else if (!ret) {
			be_reader(o, member);
			count(&o->reads);
			rwsemlab_up_read(&o->lock);
		} else if (ret == -EINTR) {
			count(&o->cancelled);
			rwsemlab_task_clear_signals();
		} else if (ret == -ETIMEDOUT) {
			count(&o->timed_out);
		} else if (ret != -EBUSY) {
			fail(o, "a wait ended with an unknown error");
		}
		if ((o->config->abilities & RWSEMLAB_CANCELS) &&
		    team_random(member) % 8 == 0)
			signal_someone(member);
		team_did(member);
	}
}

struct oracle *oracle_new(const struct oracle_config *config,
			  struct team_config *team)
{
	struct oracle *o = aligned_alloc(64, sizeof(*o));

	if (!o)
		return NULL;
	memset(o, 0, sizeof(*o));
	o->config = config;
	if (rwsemlab_lock_init(&o->lock, config->class_)) {
		free(o);
		return NULL;
	}
	*team = (struct team_config){
		.machine = config->machine,
		.members = config->tasks,
		.run_ns = config->run_ns,
		.hang_ns = config->hang_ns,
		.seed = config->seed,
		.work = work,
		.data = o,
	};
	return o;
}

void oracle_end(struct oracle *o, struct oracle_result *result)
{
	const char *wrong = rwsemlab_lock_at_rest(&o->lock);

	if (wrong)
		fail(o, wrong);
	result->reads = o->reads;
	result->writes = o->writes;
	result->downgrades = o->downgrades;
	result->failed_trylocks = o->failed;
	result->cancelled = o->cancelled;
	result->timed_out = o->timed_out;
	if (o->left != result->writes || o->right != result->writes)
		fail(o, "writers' work was lost");
	result->failures = o->failures;
	result->failure = o->failure;
	rwsemlab_lock_destroy(&o->lock);
	free(o);
}

int oracle_run(const struct oracle_config *config, struct oracle_result *result)
{
	struct team_config team;
	struct oracle *o;
	uint64_t done;
	int ret;

	memset(result, 0, sizeof(*result));
	o = oracle_new(config, &team);
	if (!o)
		return -ENOMEM;
	ret = team_run(&team, &done, &result->ns);
	if (ret == -EDEADLK) {
		result->failures = 1;
		result->failure = "it hangs: a wake-up was lost";
		return ret;
	}
	oracle_end(o, result);
	return ret;
}

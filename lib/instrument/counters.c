// SPDX-License-Identifier: GPL-2.0-only
#include "lib/instrument/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/locks/lock.h"

static const char *const event_names[] = {
	[RWSEMLAB_FAST] = "fast",
	[RWSEMLAB_SLOW] = "slow",
	[RWSEMLAB_STOLEN] = "stolen",
	[RWSEMLAB_PASSED_OVER] = "passed_over",
	[RWSEMLAB_SPUN_GOT] = "spun_got",
	[RWSEMLAB_SPIN_OFF_CPU] = "spin_owner_off_cpu",
	[RWSEMLAB_SPIN_OWNER_CHANGED] = "spin_owner_changed",
	[RWSEMLAB_SPIN_YIELD] = "spin_should_yield",
	[RWSEMLAB_SPIN_READERS_TIMEOUT] = "spin_readers_timeout",
	[RWSEMLAB_SPIN_NOT_TRIED] = "spin_not_tried",
	[RWSEMLAB_SLEPT_0] = "slept_0",
	[RWSEMLAB_SLEPT_1] = "slept_1",
	[RWSEMLAB_SLEPT_2] = "slept_2",
	[RWSEMLAB_SLEPT_3] = "slept_3_or_more",
	[RWSEMLAB_SLEEPS] = "sleeps",
	[RWSEMLAB_BLOCKED_BY_READERS] = "blocked_by_readers",
	[RWSEMLAB_BLOCKED_BY_WRITER] = "blocked_by_writer",
	[RWSEMLAB_HANDOFF_SET] = "handoff_set",
	[RWSEMLAB_HANDOFF_TAKEN] = "handoff_taken",
	[RWSEMLAB_WAKEUPS] = "wakeups",
	[RWSEMLAB_TRY_FAILED] = "trylock_failed",
	[RWSEMLAB_CANCELLED] = "cancelled",
	[RWSEMLAB_READER_FAST_PATH] = "reader_fast_path",
	[RWSEMLAB_READER_SLOW_PATH] = "reader_slow_path",
	[RWSEMLAB_GRACE_PERIODS] = "grace_periods",
};

static const char *const time_names[] = {
	[RWSEMLAB_WAIT_NS] = "wait_ns",
	[RWSEMLAB_HOLD_NS] = "hold_ns",
	[RWSEMLAB_WAKE_TO_RUN_NS] = "wake_to_run_ns",
	[RWSEMLAB_HANDOFF_NS] = "handoff_ns",
	[RWSEMLAB_OVERTAKEN] = "overtaken",
	[RWSEMLAB_GRACE_PERIOD_NS] = "grace_period_ns",
	[RWSEMLAB_DRAIN_NS] = "drain_ns",
};

const char *rwsemlab_event_name(enum rwsemlab_event event)
{
	return event < RWSEMLAB_NR_EVENTS ? event_names[event] : NULL;
}

const char *rwsemlab_time_name(enum rwsemlab_time time)
{
	return time < RWSEMLAB_NR_TIMES ? time_names[time] : NULL;
}

struct task_counters *task_counters_new(void)
{
	return calloc(1, sizeof(struct task_counters));
}

static void free_times(struct rwsemlab_histogram *time)
{
	size_t i;

	for (i = 0; i < RWSEMLAB_NR_TIMES; i++)
		rwsemlab_histogram_free(&time[i]);
}

static void flush(struct site_fast *fast)
{
	if (fast->counters)
		fast->counters->event[RWSEMLAB_FAST] += fast->fast;
	fast->fast = 0;
}

void task_counters_forget(struct task_common *task,
			  const struct rwsemlab_class *class_)
{
	struct task_counters *counters = task->counters;
	struct site_counters *site, *next;
	size_t i;

	for (i = 0; i < SITES_FAST; i++) {
		if (class_ && task->fast[i].class_ != class_)
			continue;
		memset(&task->fast[i], 0, sizeof(task->fast[i]));
	}
	counters->waker = NULL;
	for (site = counters->sites; site; site = next) {
		next = site->hh.next;
		if (class_ && site->key.class_ != class_)
			continue;
		HASH_DEL(counters->sites, site);
		free_times(site->time);
		free(site);
	}
}

void task_counters_free(struct task_common *task)
{
	if (!task->counters)
		return;
	task_counters_forget(task, NULL);
	free_times(task->counters->lost.time);
	free(task->counters);
}

/* Never NULL: without memory the task's common rest. */
static struct site_counters *find(struct task_counters *counters,
				  const struct site_key *key)
{
	struct site_counters *found;

	HASH_FIND(hh, counters->sites, key, sizeof(*key), found);
	if (found)
		return found;
	found = calloc(1, sizeof(*found));
	if (!found)
		return &counters->lost;
	found->key = *key;
	HASH_ADD(hh, counters->sites, key, sizeof(found->key), found);
	return found;
}

void site_fast_fill(struct task_common *task, struct site_fast *fast,
		    const struct rwsemlab_class *class_, const void *site,
		    enum rwsemlab_mode mode)
{
	struct site_key key = {
		.class_ = class_,
		.site = site,
		.mode = mode,
	};

	flush(fast);
	fast->site = site;
	fast->class_ = class_;
	fast->mode = mode;
	fast->counters = find(task->counters, &key);
}

struct collection {
	const struct rwsemlab_class *class_;
	struct rwsemlab_counts *counts;
	size_t nr;
	int error;
};

static void add_counts(struct rwsemlab_counts *to,
		       const struct site_counters *from, int *error)
{
	size_t i;

	for (i = 0; i < RWSEMLAB_NR_EVENTS; i++)
		to->event[i] += from->event[i];
	for (i = 0; i < RWSEMLAB_NR_TIMES; i++)
		if (rwsemlab_histogram_merge(&to->time[i], &from->time[i]))
			*error = -ENOMEM;
}

static struct rwsemlab_counts *counts_of(struct collection *all,
					 const struct site_key *key)
{
	struct rwsemlab_counts *grown;
	size_t i;

	for (i = 2; i < all->nr; i++)
		if (all->counts[i].site == key->site &&
		    all->counts[i].mode == key->mode)
			return &all->counts[i];
	grown = realloc(all->counts, (all->nr + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	all->counts = grown;
	grown += all->nr++;
	memset(grown, 0, sizeof(*grown));
	grown->site = key->site;
	grown->mode = (enum rwsemlab_mode)key->mode;
	return grown;
}

static void collect_task(struct task_common *task, void *arg)
{
	struct collection *all = arg;
	struct site_counters *site;
	struct rwsemlab_counts *to;
	size_t i;

	for (i = 0; i < SITES_FAST; i++)
		flush(&task->fast[i]);
	for (site = task->counters->sites; site; site = site->hh.next) {
		if (site->key.class_ != all->class_)
			continue;
		to = counts_of(all, &site->key);
		if (!to) {
			all->error = -ENOMEM;
			return;
		}
		add_counts(to, site, &all->error);
		add_counts(&all->counts[0], site, &all->error);
		if (site->key.mode == RWSEMLAB_READ)
			add_counts(&all->counts[1], site, &all->error);
	}
}

/*
 * Nothing is added to the reads that only count: they are those that are left.
 * One taken when its site had no memory is in none.
 */
static void count_fast_readers(struct collection *all)
{
	size_t i;

	for (i = 1; i < all->nr; i++) {
		uint64_t *event = all->counts[i].event;
		uint64_t taken = event[RWSEMLAB_FAST] + event[RWSEMLAB_SLOW] -
				 event[RWSEMLAB_CANCELLED];

		if (all->counts[i].mode == RWSEMLAB_READ)
			event[RWSEMLAB_READER_FAST_PATH] =
				taken - event[RWSEMLAB_READER_SLOW_PATH];
	}
	all->counts[0].event[RWSEMLAB_READER_FAST_PATH] =
		all->counts[1].event[RWSEMLAB_READER_FAST_PATH];
}

static int by_slow(const void *a, const void *b)
{
	const struct rwsemlab_counts *x = a;
	const struct rwsemlab_counts *y = b;

	if (x->event[RWSEMLAB_SLOW] != y->event[RWSEMLAB_SLOW])
		return x->event[RWSEMLAB_SLOW] < y->event[RWSEMLAB_SLOW] ? 1 :
									   -1;
	if (x->site != y->site)
		return (uintptr_t)x->site < (uintptr_t)y->site ? -1 : 1;
	return (int)x->mode - (int)y->mode;
}

int rwsemlab_class_counts(struct rwsemlab_class *class_,
			  struct rwsemlab_counts **counts, size_t *nr)
{
	struct collection all = {
		.class_ = class_,
		.counts = calloc(2, sizeof(*all.counts)),
		.nr = 2,
	};

	if (!all.counts)
		return -ENOMEM;
	all.counts[0].mode = RWSEMLAB_WRITE;
	machine_for_each_counters(class_->machine, collect_task, &all);
	if (all.error) {
		rwsemlab_counts_free(all.counts, all.nr);
		return all.error;
	}
	if (class_->percpu)
		count_fast_readers(&all);
	qsort(all.counts + 2, all.nr - 2, sizeof(*all.counts), by_slow);
	*counts = all.counts;
	*nr = all.nr;
	return 0;
}

void rwsemlab_counts_free(struct rwsemlab_counts *counts, size_t nr)
{
	size_t i;

	for (i = 0; counts && i < nr; i++)
		free_times(counts[i].time);
	free(counts);
}

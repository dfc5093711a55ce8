// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/account-private.h"

#include <string.h>

struct account *account_new(struct profile *p)
{
	struct account *a = calloc(1, sizeof(*a));

	if (a) {
		a->p = p;
		a->epoch = 1;
	}
	return a;
}

uint64_t account_advance(struct account *a, uint64_t time)
{
	if (!a->any) {
		a->any = true;
		a->first = time;
		a->last = time;
	}
	if (time < a->last)
		return a->last;
	a->last = time;
	return time;
}

/*
 * One idle task per CPU: they share tid 0.  A task that was released has no
 * tid any more, but goes on until its last switch.
 */
static int64_t key_of(int32_t tid, uint32_t cpu)
{
	if (tid > 0)
		return tid;
	return tid ? -2 - (int64_t)MAX_CPUS - cpu : -2 - (int64_t)cpu;
}

static unsigned int hash_of(int64_t key)
{
	return (unsigned int)(((uint64_t)key * 0x9e3779b97f4a7c15u) >> 32);
}

static struct acct_task *find_task(struct account *a, int64_t key)
{
	struct acct_task *t;

	HASH_FIND_BYHASHVALUE(hh, a->tasks, &key, sizeof(key), hash_of(key), t);
	return t;
}

static struct acct_task *get_task(struct account *a, int32_t tid, uint32_t cpu)
{
	int64_t key = key_of(tid, cpu);
	struct acct_task *t;

	if (tid < 0 && cpu >= MAX_CPUS)
		return NULL;
	t = find_task(a, key);
	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t) {
		profile_fail(a->p);
		return NULL;
	}
	t->key = key;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, a->tasks, &t->key, sizeof(t->key),
				    hash_of(key), t);
	if (!t->hh.tbl) {
		free(t);
		profile_fail(a->p);
		return NULL;
	}
	return t;
}

static struct acct_cpu *get_cpu(struct account *a, uint32_t cpu)
{
	struct acct_cpu *grown;
	uint32_t nr;

	if (cpu < a->nr_cpus)
		return &a->cpus[cpu];
	if (cpu >= MAX_CPUS)
		return NULL;
	for (nr = a->nr_cpus ? a->nr_cpus : 16; nr <= cpu; nr *= 2)
		;
	grown = realloc(a->cpus, nr * sizeof(*grown));
	if (!grown) {
		profile_fail(a->p);
		return NULL;
	}
	memset(grown + a->nr_cpus, 0, (nr - a->nr_cpus) * sizeof(*grown));
	a->cpus = grown;
	a->nr_cpus = nr;
	return &a->cpus[cpu];
}

static void set_comm(struct account *a, struct acct_task *t, const char *comm)
{
	if (!comm || !memcmp(t->comm, comm, COMM_SIZE))
		return;
	memcpy(t->comm, comm, COMM_SIZE);
	t->comm_string = profile_string(a->p, comm, COMM_SIZE);
}

uint64_t account_group(const struct account *a, const struct acct_task *t,
		       uint32_t cpu, uint64_t lock)
{
	switch (a->p->split) {
	case SPLIT_NONE:
	case SPLIT_STACK:
	case SPLIT_WAKER:
		return 0;
	case SPLIT_COMM:
		return t->comm_string;
	case SPLIT_TASK:
		return (uint64_t)(t->key > 0 ? t->key : 0) << 32 |
		       t->comm_string;
	case SPLIT_CPU:
		return (uint64_t)cpu + 1;
	case SPLIT_LOCK:
		return lock;
	case SPLIT_CGROUP:
		return t->cgroup;
	}
	return 0;
}

static uint64_t innermost_lock(const struct acct_task *t)
{
	return t->nr_open ? t->open[t->nr_open - 1].lock : 0;
}

struct acct_task *account_current(struct account *a, int32_t tid, uint32_t cpu)
{
	struct acct_cpu *c = get_cpu(a, cpu);

	/* Who was released is still the one that the CPU was given to. */
	if (c && c->current && tid < 0 && c->epoch == a->epoch)
		return c->current;
	if (c && c->current && c->current->key == key_of(tid, cpu))
		return c->current;
	return get_task(a, tid, cpu);
}

static void close_sleep(struct account *a, struct acct_task *t, uint64_t now)
{
	struct sleep_row *row = t->row;

	t->out = false;
	t->row = NULL;
	if (!t->slept || !row)
		return;
	if (t->out_epoch != a->epoch) {
		a->p->unpaired.sleep_dropped++;
		return;
	}
	row->off_ns += now - t->out_time;
	if (rwsemlab_histogram_add(&row->off, now - t->out_time))
		profile_fail(a->p);
	if (!t->wake_time)
		return;
	row->woken++;
	row->runnable_ns += now - t->wake_time;
	if (!t->waker)
		return;
	t->waker->count++;
	if (rwsemlab_histogram_add(&t->waker->delay, now - t->wake_time))
		profile_fail(a->p);
}

static void count_switch(struct account *a, struct acct_task *t,
			 const struct switch_event *e)
{
	struct profile *p = a->p;
	struct sleep_row *row;
	uint64_t group;
	uint32_t i;

	group = account_group(a, t, e->cpu, innermost_lock(t));
	row = profile_sleep_row(p, e->stack, group);
	t->row = row;
	if (row)
		row->by_state[e->prev_state]++;
	if (e->prev_state == STATE_RUNNING) {
		p->preemptions++;
		return;
	}
	p->sleeps++;
	t->last_sleep = e->stack;
	if (row)
		row->sleeps++;
	for (i = 0; i < t->nr_open; i++)
		t->open[i].sleeps++;
}

/* Make @t, which may be NULL, the task that is on @cpu. */
static void set_current(struct account *a, uint32_t cpu, struct acct_task *t)
{
	struct acct_cpu *c = get_cpu(a, cpu);

	if (!c)
		return;
	if (c->current)
		c->current->cpu = 0;
	c->current = t;
	c->epoch = a->epoch;
	if (!t)
		return;
	if (t->cpu)
		a->cpus[t->cpu - 1].current = NULL;
	t->cpu = cpu + 1;
}

static void free_task(struct account *a, struct acct_task *t)
{
	if (t->cpu)
		a->cpus[t->cpu - 1].current = NULL;
	HASH_DEL(a->tasks, t);
	free(t);
}

static void switch_out(struct account *a, const struct switch_event *e,
		       uint64_t now)
{
	struct acct_task *t = account_current(a, e->prev_tid, e->cpu);

	if (!t)
		return;
	set_comm(a, t, e->prev_comm);
	t->cgroup = e->cgroup;
	if (t->out && t->slept)
		a->p->unpaired.sleep_dropped++;
	count_switch(a, t, e);
	t->out = true;
	t->slept = e->prev_state != STATE_RUNNING;
	t->out_epoch = a->epoch;
	t->out_time = now;
	t->wake_time = 0;
	t->waker = NULL;
	if (e->prev_state != STATE_DEAD)
		return;
	a->p->unpaired.begin_exited += t->nr_open;
	free_task(a, t);
}

static void switch_in(struct account *a, const struct switch_event *e,
		      uint64_t now)
{
	struct acct_task *t =
		e->next_tid < 0 ? NULL : get_task(a, e->next_tid, e->cpu);

	set_current(a, e->cpu, t);
	if (!t)
		return;
	set_comm(a, t, e->next_comm);
	/* The idle task's own time off the CPU is nobody's sleep. */
	if (t->out)
		close_sleep(a, t, now);
}

static bool gap_before(const struct account *a, const struct switch_event *e)
{
	const struct acct_cpu *c;

	if (e->cpu >= a->nr_cpus)
		return false;
	c = &a->cpus[e->cpu];
	if (c->epoch != a->epoch)
		return false;
	return !c->current || c->current->key != key_of(e->prev_tid, e->cpu);
}

static void note_time(struct account *a, const struct switch_event *e,
		      uint64_t now)
{
	enum timeline_kind kind = TIMELINE_SLEEP;

	if (e->prev_tid == 0)
		kind = TIMELINE_FROM_IDLE;
	else if (e->prev_state == STATE_RUNNING)
		kind = TIMELINE_PREEMPTION;
	timeline_add(&a->p->timeline, a->p->window_ns + (now - a->first), kind);
}

void account_switch(struct account *a, const struct switch_event *e)
{
	uint64_t now = account_advance(a, e->time);

	a->p->has_switches = true;
	a->p->switches++;
	note_time(a, e, now);
	if (gap_before(a, e))
		a->p->switch_gaps++;
	if (e->prev_tid == 0)
		a->p->from_idle++;
	else
		switch_out(a, e, now);
	switch_in(a, e, now);
}

void account_switch_in(struct account *a, uint64_t time, uint32_t cpu,
		       int32_t tid)
{
	struct acct_task *t = tid > 0 ? find_task(a, tid) : NULL;
	uint64_t now;

	if (!t)
		return;
	now = account_advance(a, time);
	set_current(a, cpu, t);
	if (t->out)
		close_sleep(a, t, now);
}

/* Who woke @t; a wake-up from an interrupt has no task to name. */
static struct waker_row *find_waker(struct account *a,
				    const struct acct_task *t,
				    const struct wakeup_event *e)
{
	const struct acct_task *waker =
		account_current(a, e->waker_tid, e->cpu);
	const struct waker_row key = {
		.stack = t->row->stack,
		.waker_stack = e->stack,
		.waker_comm = waker ? waker->comm_string : 0,
		.waker_sleep = waker ? waker->last_sleep : 0,
	};

	return profile_waker_row(a->p, &key);
}

void account_wakeup(struct account *a, const struct wakeup_event *e)
{
	uint64_t now = account_advance(a, e->time);
	struct acct_task *t;

	a->p->has_wakeups = true;
	if (e->tid <= 0)
		return;
	t = find_task(a, e->tid);
	/* The first wake-up ends the sleep; later ones find it runnable. */
	if (!t || !t->out || !t->slept || t->wake_time)
		return;
	t->wake_time = now;
	if (t->row && e->stack)
		t->waker = find_waker(a, t, e);
}

void account_fork(struct account *a, uint64_t time, int32_t tid)
{
	struct acct_task *t;

	(void)time;
	if (tid <= 0)
		return;
	t = find_task(a, tid);
	if (!t)
		return;
	a->p->unpaired.begin_exited += t->nr_open;
	if (t->out && t->slept)
		a->p->unpaired.sleep_dropped++;
	free_task(a, t);
}

void account_lost(struct account *a, uint64_t time)
{
	(void)time;
	a->epoch++;
}

void account_finish(struct account *a)
{
	struct profile *p = a->p;
	struct acct_task *t, *next;

	HASH_ITER(hh, a->tasks, t, next) {
		p->unpaired.begin_open += t->nr_open;
		if (t->out && t->slept && t->row)
			p->unpaired.sleep_open++;
		HASH_DEL(a->tasks, t);
		free(t);
	}
	if (a->any) {
		p->first_ns = a->first;
		p->last_ns = a->last;
		p->window_ns += a->last - a->first;
	}
	p->has_all_switches = p->switches && p->switch_gaps * 20 <= p->switches;
	p->files++;
	free(a->cpus);
	free(a);
}

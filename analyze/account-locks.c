// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/account-private.h"

#include <string.h>

static struct acquisition *find_open(struct acct_task *t, uint64_t lock)
{
	uint32_t i;

	for (i = t->nr_open; i-- > 0;)
		if (t->open[i].lock == lock)
			return &t->open[i];
	return NULL;
}

static void remove_open(struct acct_task *t, struct acquisition *acq)
{
	struct acquisition *last = &t->open[t->nr_open - 1];

	memmove(acq, acq + 1, (size_t)((char *)last - (char *)acq));
	t->nr_open--;
}

void account_begin(struct account *a, const struct contention_event *e)
{
	uint64_t now = account_advance(a, e->time);
	struct acct_task *t = account_current(a, e->tid, e->cpu);
	struct acquisition *acq;

	a->p->has_contention = true;
	if (!t)
		return;
	acq = find_open(t, e->lock);
	/*
	 * A mutex begins anew each time it goes from spinning to sleeping or
	 * back, all within one acquisition; no other lock does.
	 */
	if (acq && acq->epoch == a->epoch &&
	    (acq->flags & e->flags & CONTENTION_MUTEX)) {
		acq->flags |= e->flags;
		return;
	}
	if (acq) {
		a->p->unpaired.begin_dropped++;
		remove_open(t, acq);
	} else if (t->nr_open == MAX_OPEN) {
		a->p->unpaired.begin_dropped++;
		remove_open(t, &t->open[0]);
	}
	t->cgroup = e->cgroup;
	t->open[t->nr_open++] = (struct acquisition){
		.lock = e->lock,
		.begin = now,
		.stack = e->stack,
		.flags = e->flags,
		.epoch = a->epoch,
	};
}

static enum acquisition_end end_of(const struct acquisition *acq, int32_t ret)
{
	if (ret)
		return ACQUISITION_FAILED;
	if (!acq->sleeps)
		return ACQUIRED_NO_SLEEP;
	return acq->sleeps == 1 ? ACQUIRED_ONE_SLEEP : ACQUIRED_MORE_SLEEPS;
}

void account_end(struct account *a, const struct contention_event *e)
{
	uint64_t now = account_advance(a, e->time);
	struct acct_task *t = account_current(a, e->tid, e->cpu);
	struct acquisition *acq = t ? find_open(t, e->lock) : NULL;
	struct acquisition_row *row;
	struct lock_row *lock;

	a->p->has_contention = true;
	if (!acq) {
		a->p->unpaired.end_alone++;
		return;
	}
	if (acq->epoch != a->epoch) {
		a->p->unpaired.begin_dropped++;
		remove_open(t, acq);
		return;
	}
	row = profile_acquisition_row(a->p, acq->stack,
				      account_group(a, t, e->cpu, e->lock));
	if (row) {
		row->flags |= acq->flags;
		row->count++;
		row->ended[end_of(acq, e->ret)]++;
		row->sleeps += acq->sleeps;
		row->wait_ns += now - acq->begin;
		if (rwsemlab_histogram_add(&row->wait, now - acq->begin))
			profile_fail(a->p);
	}
	lock = profile_lock_row(a->p, acq->stack, acq->lock);
	if (lock)
		lock->count++;
	remove_open(t, acq);
}

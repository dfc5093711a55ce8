// SPDX-License-Identifier: GPL-2.0-only
/*
 * Items in time order → counts, address spaces.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-private.h"

#define MAX_CPUS 65536

/* Two events record a switch one right after the other. */
#define DOUBLED_NS 1000000

static struct pd_last_switch *last_switch(struct pd_reader *d, uint32_t cpu)
{
	struct pd_last_switch *grown;
	uint32_t nr = d->nr_last_switch ? d->nr_last_switch : 16;

	if (cpu < d->nr_last_switch)
		return &d->last_switch[cpu];
	if (cpu >= MAX_CPUS)
		return NULL;
	while (nr <= cpu)
		nr *= 2;
	grown = realloc(d->last_switch, nr * sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + d->nr_last_switch, 0,
	       (nr - d->nr_last_switch) * sizeof(*grown));
	d->last_switch = grown;
	d->nr_last_switch = nr;
	return &grown[cpu];
}

bool pd_is_doubled(const struct pd_item *a, const struct pd_item *b)
{
	return a->attr != b->attr && a->cpu == b->cpu && a->state == b->state &&
	       a->sw.prev_tid == b->sw.prev_tid &&
	       a->sw.next_tid == b->sw.next_tid &&
	       b->time - a->time < DOUBLED_NS;
}

/* The pairs that perf-rounds.c did not see side by side. */
static bool is_doubled(struct pd_reader *d, const struct pd_item *item)
{
	struct pd_last_switch *last = last_switch(d, item->cpu);
	struct pd_item before;

	if (!last)
		return false;
	before = (struct pd_item){
		.time = last->time,
		.attr = last->attr,
		.state = last->state,
		.cpu = item->cpu,
		.sw = { last->prev_tid, last->next_tid, "", "" },
	};
	if (last->any && pd_is_doubled(&before, item))
		return true;
	*last = (struct pd_last_switch){
		.time = item->time,
		.prev_tid = item->sw.prev_tid,
		.next_tid = item->sw.next_tid,
		.attr = item->attr,
		.state = item->state,
		.any = true,
	};
	return false;
}

static void deliver_switch(struct pd_reader *d, const struct pd_item *item)
{
	if (d->attrs.nr_switches > 1 && is_doubled(d, item)) {
		d->counts.doubled++;
		return;
	}
	account_switch(d->account,
		       &(struct switch_event){
			       .time = item->time,
			       .cpu = item->cpu,
			       .cgroup = item->cgroup,
			       .prev_tid = item->sw.prev_tid,
			       .next_tid = item->sw.next_tid,
			       .prev_state = (enum task_state)(item->state &
							       ~PD_STATE_ZERO),
			       .stack = pd_chain_stack(d, item),
			       .prev_comm = item->sw.prev_comm,
			       .next_comm = item->sw.next_comm,
		       });
}

static void deliver_contention(struct pd_reader *d, const struct pd_item *item)
{
	const struct contention_event e = {
		.time = item->time,
		.cpu = item->cpu,
		.cgroup = item->cgroup,
		.tid = item->tid,
		.lock = item->contention.lock,
		.flags = item->contention.flags,
		.ret = item->contention.ret,
		.stack = pd_chain_stack(d, item),
	};

	if (item->kind == PD_ITEM_BEGIN)
		account_begin(d->account, &e);
	else
		account_end(d->account, &e);
}

static void deliver_wakeup(struct pd_reader *d, const struct pd_item *item)
{
	account_wakeup(d->account, &(struct wakeup_event){
					   .time = item->time,
					   .cpu = item->cpu,
					   .tid = item->wakeup.tid,
					   .waker_tid = item->tid,
					   .stack = pd_chain_stack(d, item),
				   });
}

static struct mapping mapping_of(const struct pd_item *item)
{
	uint64_t start = item->map.start, length = item->map.length;

	return (struct mapping){
		.start = start,
		.end = length > UINT64_MAX - start ? UINT64_MAX :
						     start + length,
		.offset = item->map.offset,
		.image = item->map.image,
		.pid = item->kind == PD_ITEM_MAP ? (uint32_t)item->pid : 0,
	};
}

static void deliver_task(struct pd_reader *d, const struct pd_item *item)
{
	const struct mapping m = mapping_of(item);

	switch (item->kind) {
	case PD_ITEM_SWITCH_IN:
		account_switch_in(d->account, item->time, item->cpu, item->tid);
		break;
	case PD_ITEM_FORK:
		tasks_fork(d->tasks, item->pid, item->fork.parent_pid);
		account_fork(d->account, item->time, item->tid);
		break;
	case PD_ITEM_EXIT:
		tasks_exit(d->tasks, item->pid, item->tid);
		break;
	case PD_ITEM_EXEC:
		tasks_exec(d->tasks, item->pid);
		break;
	case PD_ITEM_MAP:
		tasks_map(d->tasks, item->pid, &m);
		break;
	case PD_ITEM_KERNEL_MAP:
		tasks_map_kernel(d->tasks, &m);
		break;
	case PD_ITEM_KERNEL_UNMAP:
		tasks_unmap_kernel(d->tasks, m.start, m.end);
		break;
	case PD_ITEM_LOST:
		account_lost(d->account, item->time);
		break;
	default:
		break;
	}
}

void pd_deliver(struct pd_reader *d, const struct pd_item *item)
{
	switch (item->kind) {
	case PD_ITEM_SWITCH:
		deliver_switch(d, item);
		break;
	case PD_ITEM_BEGIN:
	case PD_ITEM_END:
		deliver_contention(d, item);
		break;
	case PD_ITEM_WAKEUP:
		deliver_wakeup(d, item);
		break;
	default:
		deliver_task(d, item);
		return;
	}
	pd_chain_put(item->chain);
}

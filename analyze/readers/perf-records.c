// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each type of record is for.  Types that are not here are skipped by
 * their size.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-private.h"

void pd_note_problem(struct pd_reader *d, uint64_t offset, const char *what)
{
	if (!d->problem[0])
		snprintf(d->problem, sizeof(d->problem), "offset %llu: %s",
			 (unsigned long long)offset, what);
}

void pd_malformed(struct pd_reader *d, const struct pd_record *r,
		  const char *what)
{
	pd_note_problem(d, r->offset, what);
	if (!d->counts.malformed++)
		profile_warn(d->p,
			     "%s: offset %llu: %s; it is not used, nor are "
			     "further ones like it",
			     d->in->name, (unsigned long long)r->offset, what);
}

/* The event whose layout the end of this record has. */
static const struct pd_attr *trailer_attr(struct pd_reader *d,
					  const struct pd_record *r)
{
	struct pd_attrs *all = &d->attrs;
	size_t slot;

	if (all->nr <= 1)
		return all->nr ? all->attr : NULL;
	if (!all->back_id || !all->ids.nr || r->size < 8 + all->back_id)
		return NULL;
	slot = pd_id_slot(&all->ids,
			  pd_u64(r->data + r->size - all->back_id, d->swap));
	if (!all->ids.slot[slot].attr)
		return NULL;
	return &all->attr[all->ids.slot[slot].attr - 1];
}

/* Fill in what the end of the record says. */
static void read_end(struct pd_reader *d, const struct pd_record *r,
		     struct pd_item *item)
{
	const struct pd_attr *a = d->attrs.same_end ? d->attrs.attr :
						      trailer_attr(d, r);
	const unsigned char *end = r->data + r->size;

	if (!a || r->size < 8 + a->back_tid || r->size < 8 + a->back_time ||
	    r->size < 8 + a->back_cpu)
		return;
	if (a->back_time)
		item->time = pd_u64(end - a->back_time, d->swap);
	if (item->time == UINT64_MAX)
		item->time = 0;
	if (a->back_tid)
		item->tid = pd_s32(end - a->back_tid + 4, d->swap);
	if (a->back_cpu)
		item->cpu = pd_u32(end - a->back_cpu, d->swap);
}

static bool makes_item(struct pd_reader *d, const struct pd_record *r)
{
	const struct pd_attr *a;

	switch (r->type) {
	case PD_SAMPLE:
		a = pd_sample_attr(d, r);
		return a && a->role && r->size >= a->fixed;
	case PD_MMAP:
	case PD_MMAP2:
	case PD_COMM:
	case PD_FORK:
	case PD_EXIT:
	case PD_LOST:
	case PD_KSYMBOL:
	case PD_SWITCH:
	case PD_SWITCH_CPU_WIDE:
		return true;
	default:
		return false;
	}
}

uint64_t pd_record_time(struct pd_reader *d, const struct pd_record *r,
			bool *wanted)
{
	struct pd_item item = { 0 };
	const struct pd_attr *a;

	*wanted = makes_item(d, r);
	if (!*wanted)
		return 0;
	if (r->type != PD_SAMPLE) {
		read_end(d, r, &item);
		return item.time;
	}
	a = pd_sample_attr(d, r);
	return a->at_time ? pd_u64(r->data + a->at_time, d->swap) : 0;
}

static int too_short(struct pd_reader *d, const struct pd_record *r)
{
	pd_malformed(d, r, "a record is shorter than its type needs");
	return 0;
}

static int decode_task(struct pd_reader *d, const struct pd_record *r,
		       struct pd_item *item)
{
	if (r->size < 24)
		return too_short(d, r);
	item->kind = r->type == PD_FORK ? PD_ITEM_FORK : PD_ITEM_EXIT;
	item->pid = pd_s32(r->data + 8, d->swap);
	item->fork.parent_pid = pd_s32(r->data + 12, d->swap);
	item->tid = pd_s32(r->data + 16, d->swap);
	/* Before sample_id_all these were the only ones with a time. */
	if (!item->time && r->size >= 32 && d->attrs.nr &&
	    d->attrs.attr->at_time)
		item->time = pd_u64(r->data + 24, d->swap);
	return 1;
}

static int read_cgroup(struct pd_reader *d, const struct pd_record *r)
{
	if (r->size < 24)
		return too_short(d, r);
	profile_name_cgroup(d->p, pd_u64(r->data + 8, d->swap),
			    (const char *)r->data + 16, r->size - 16u);
	return 0;
}

static int decode_comm(struct pd_reader *d, const struct pd_record *r,
		       struct pd_item *item)
{
	if (!(r->misc & PD_MISC_COMM_EXEC))
		return 0;
	if (r->size < 16)
		return too_short(d, r);
	item->kind = PD_ITEM_EXEC;
	item->pid = pd_s32(r->data + 8, d->swap);
	item->tid = pd_s32(r->data + 12, d->swap);
	return 1;
}

static int decode_lost(struct pd_reader *d, const struct pd_record *r,
		       struct pd_item *item)
{
	if (r->size < 24)
		return too_short(d, r);
	d->counts.lost += pd_u64(r->data + 16, d->swap);
	item->kind = PD_ITEM_LOST;
	return 1;
}

/* Whether what is said of an event concerns us; if in doubt it does. */
static bool concerns(const struct pd_attr *a)
{
	return !a || a->role != PD_ROLE_NONE;
}

/*
 * The kernel writes LOST_SAMPLES when hardware dropped some.  perf record
 * writes some at its end, without a time: counters that it read then, which
 * include what LOST records have told already.
 */
static int decode_lost_samples(struct pd_reader *d, const struct pd_record *r,
			       struct pd_item *item)
{
	const struct pd_attr *a = trailer_attr(d, r);
	uint64_t lost;

	if (r->size < 16)
		return too_short(d, r);
	/* Dropped by a filter of the user's own: that's no loss. */
	if ((r->misc & PD_MISC_LOST_BY_BPF) || !concerns(a))
		return 0;
	lost = pd_u64(r->data + 8, d->swap);
	if (a && !item->time && (a->read_format & PD_FORMAT_LOST)) {
		d->counts.lost_read += lost;
		return 0;
	}
	d->counts.lost_samples += lost;
	item->kind = PD_ITEM_LOST;
	return 1;
}

static int decode_throttle(struct pd_reader *d, const struct pd_record *r,
			   struct pd_item *item)
{
	struct pd_ids *ids = &d->attrs.ids;
	const struct pd_attr *a = NULL;
	size_t slot;

	if (r->size < 32)
		return too_short(d, r);
	if (d->attrs.nr == 1)
		a = d->attrs.attr;
	if (!a && ids->nr) {
		slot = pd_id_slot(ids, pd_u64(r->data + 16, d->swap));
		if (ids->slot[slot].attr)
			a = &d->attrs.attr[ids->slot[slot].attr - 1];
	}
	if (!concerns(a))
		return 0;
	d->counts.throttled++;
	item->kind = PD_ITEM_LOST;
	return 1;
}

/* At a task's exit: its counters, the lost events among them. */
static int decode_read(struct pd_reader *d, const struct pd_record *r)
{
	const struct pd_attr *a = trailer_attr(d, r);
	size_t at = 16 + 8;

	if (!a || !a->role || !(a->read_format & PD_FORMAT_LOST) ||
	    (a->read_format & PD_FORMAT_GROUP))
		return 0;
	at += 8 * !!(a->read_format & PD_FORMAT_ENABLED);
	at += 8 * !!(a->read_format & PD_FORMAT_RUNNING);
	at += 8 * !!(a->read_format & PD_FORMAT_ID);
	if (r->size < at + 8)
		return too_short(d, r);
	d->counts.lost_read += pd_u64(r->data + at, d->swap);
	return 0;
}

static int read_tracing_data(struct pd_reader *d, struct pd_stream *s,
			     const struct pd_record *r, bool seen)
{
	uint64_t size;
	unsigned char *data;

	if (r->size < 12)
		return too_short(d, r);
	size = pd_u32(r->data + 8, d->swap);
	if (seen)
		return pd_stream_skip(s, (size + 7) & ~7ull, d->err);
	data = pd_stream_payload(s, (size + 7) & ~7ull, d->err);
	if (!data)
		return -1;
	pd_tracing_read(d, data, size);
	free(data);
	return 0;
}

static int read_attr_record(struct pd_reader *d, const struct pd_record *r)
{
	size_t size;

	if (r->size < 8 + 64)
		return too_short(d, r);
	size = pd_u32(r->data + 12, d->swap);
	if (!size)
		size = 64;
	if (size > r->size - 8u)
		return too_short(d, r);
	return pd_attrs_add(d, r->data + 8, size, r->data + 8 + size,
			    (r->size - 8 - size) / 8);
}

static int read_feature(struct pd_reader *d, const struct pd_record *r)
{
	if (r->size < 16)
		return too_short(d, r);
	pd_feature_read(d, pd_u64(r->data + 8, d->swap), r->data + 16,
			r->size - 16u);
	return 0;
}

static int decode_user(struct pd_reader *d, struct pd_stream *s,
		       const struct pd_record *r)
{
	bool seen = r->offset < d->user_seen;

	if (r->type == PD_TRACING_DATA)
		return read_tracing_data(d, s, r, seen);
	if (r->type == PD_AUXTRACE)
		return r->size < 16 ?
			       too_short(d, r) :
			       pd_stream_skip(s, pd_u64(r->data + 8, d->swap),
					      d->err);
	if (seen)
		return 0;
	switch (r->type) {
	case PD_ATTR:
		return read_attr_record(d, r);
	case PD_BUILD_ID:
		pd_build_ids_read(d, r->data, r->size);
		return 0;
	case PD_EVENT_UPDATE:
		pd_event_update(d, r);
		return 0;
	case PD_FEATURE:
		return read_feature(d, r);
	default:
		return 0;
	}
}

int pd_record_decode(struct pd_reader *d, struct pd_stream *s,
		     const struct pd_record *r, struct pd_item *item)
{
	if (r->type == PD_SAMPLE)
		return pd_sample_decode(d, r, item);
	if (r->type >= PD_KERNEL_TYPES)
		return decode_user(d, s, r);
	*item = (struct pd_item){ .tid = -1 };
	read_end(d, r, item);
	switch (r->type) {
	case PD_FORK:
	case PD_EXIT:
		return decode_task(d, r, item);
	case PD_COMM:
		return decode_comm(d, r, item);
	case PD_MMAP:
	case PD_MMAP2:
		return pd_mmap_decode(d, r, item);
	case PD_KSYMBOL:
		return pd_ksymbol_decode(d, r, item);
	case PD_LOST:
		return decode_lost(d, r, item);
	case PD_LOST_SAMPLES:
		return decode_lost_samples(d, r, item);
	case PD_THROTTLE:
		return decode_throttle(d, r, item);
	case PD_SWITCH:
	case PD_SWITCH_CPU_WIDE:
		item->kind = PD_ITEM_SWITCH_IN;
		return !(r->misc & PD_MISC_SWITCH_OUT);
	case PD_READ:
		return decode_read(d, r);
	case PD_CGROUP:
		return read_cgroup(d, r);
	default:
		return 0;
	}
}

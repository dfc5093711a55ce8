// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAMPLE records of the tracepoints that we use → items.
 *
 * Everything here runs once for each sample of a file, so what depends on the
 * event is worked out before (perf-attrs.c, perf-tracing.c).
 */
#include <string.h>

#include "analyze/readers/perf-private.h"

struct pd_attr *pd_sample_attr(struct pd_reader *d, const struct pd_record *r)
{
	struct pd_attrs *all = &d->attrs;
	size_t slot;

	if (all->nr == 1)
		return all->attr;
	if (!all->at_id || !all->ids.nr || r->size < all->at_id + 8)
		return NULL;
	slot = pd_id_slot(&all->ids, pd_u64(r->data + all->at_id, d->swap));
	if (!all->ids.slot[slot].attr)
		return NULL;
	return &all->attr[all->ids.slot[slot].attr - 1];
}

/* The bytes of a PERF_SAMPLE_READ at @at, 0 when they don't fit. */
static size_t read_size(const struct pd_attr *a, const struct pd_record *r,
			size_t at, bool swap)
{
	uint64_t format = a->read_format, nr = 1, entry = 8, size = 0;

	if (r->size < at + 8)
		return 0;
	if (format & PD_FORMAT_GROUP) {
		nr = pd_u64(r->data + at, swap);
		size += 8;
	}
	size += 8 * !!(format & PD_FORMAT_ENABLED);
	size += 8 * !!(format & PD_FORMAT_RUNNING);
	entry += 8 * !!(format & PD_FORMAT_ID);
	entry += 8 * !!(format & PD_FORMAT_LOST);
	if (nr > r->size / entry)
		return 0;
	return size + nr * entry;
}

static uint64_t number(const struct pd_field *f, const unsigned char *raw,
		       bool swap)
{
	const unsigned char *from = raw + f->offset;
	uint64_t v;

	switch (f->size) {
	case 8:
		return pd_u64(from, swap);
	case 4:
		v = pd_u32(from, swap);
		return f->is_signed ? (uint64_t)(int32_t)v : v;
	case 2:
		v = pd_u16(from, swap);
		return f->is_signed ? (uint64_t)(int16_t)v : v;
	case 1:
		return f->is_signed ? (uint64_t)(int8_t)*from : *from;
	default:
		return 0;
	}
}

static void read_comm(char comm[16], const struct pd_field *f,
		      const unsigned char *raw)
{
	size_t size = f->size < 16 ? f->size : 16;

	if (size == 16) {
		memcpy(comm, raw + f->offset, 16);
		return;
	}
	memset(comm, 0, 16);
	memcpy(comm, raw + f->offset, size);
}

static void read_switch(const struct pd_attr *a, const unsigned char *raw,
			struct pd_item *item, bool swap)
{
	const struct pd_field *f = a->field;
	uint64_t state = number(&f[PD_PREV_STATE], raw, swap);

	item->kind = PD_ITEM_SWITCH;
	item->state = (uint8_t)pd_state(a->states, state);
	if (!state)
		item->state |= PD_STATE_ZERO;
	item->sw.prev_tid = (int32_t)number(&f[PD_PREV_PID], raw, swap);
	item->sw.next_tid = (int32_t)number(&f[PD_NEXT_PID], raw, swap);
	read_comm(item->sw.prev_comm, &f[PD_PREV_COMM], raw);
	read_comm(item->sw.next_comm, &f[PD_NEXT_COMM], raw);
}

/* Whether the item is one that counts, and whether its chain matters. */
static bool read_raw(struct pd_reader *d, const struct pd_attr *a,
		     const unsigned char *raw, struct pd_item *item,
		     bool *chain, bool swap)
{
	const struct pd_field *f = a->field;

	switch (a->role) {
	case PD_ROLE_SWITCH:
		read_switch(a, raw, item, swap);
		*chain = item->sw.prev_tid != 0;
		return true;
	case PD_ROLE_BEGIN:
	case PD_ROLE_END:
		item->kind = a->role == PD_ROLE_BEGIN ? PD_ITEM_BEGIN :
							PD_ITEM_END;
		item->contention.lock = number(&f[PD_LOCK], raw, swap);
		item->contention.flags =
			(uint32_t)number(&f[PD_FLAGS], raw, swap);
		item->contention.ret = (int32_t)number(&f[PD_RET], raw, swap);
		*chain = a->role == PD_ROLE_BEGIN;
		return true;
	case PD_ROLE_WAKEUP:
		if (d->attrs.has_waking)
			return false;
		/* fall through */
	case PD_ROLE_WAKING:
	case PD_ROLE_WAKEUP_NEW:
		item->kind = PD_ITEM_WAKEUP;
		item->wakeup.tid = (int32_t)number(&f[PD_PID], raw, swap);
		*chain = true;
		return true;
	case PD_ROLE_NONE:
		break;
	}
	return false;
}

/* The members of fixed size. */
static void read_fixed(const struct pd_reader *d, const struct pd_attr *a,
		       const unsigned char *data, struct pd_item *item,
		       bool swap)
{
	item->attr = (uint16_t)(a - d->attrs.attr);
	item->time = a->at_time ? pd_u64(data + a->at_time, swap) : 0;
	item->cpu = a->at_cpu ? pd_u32(data + a->at_cpu, swap) : 0;
	item->pid = a->at_tid ? pd_s32(data + a->at_tid, swap) : -1;
	item->tid = a->at_tid ? pd_s32(data + a->at_tid + 4, swap) : -1;
	item->chain = NULL;
}

static int keep_chain(struct pd_reader *d, const struct pd_attr *a,
		      const unsigned char *ips, uint64_t nr,
		      struct pd_item *item, bool swap)
{
	bool deferred = a->flags & PD_FLAG_DEFER_CHAIN;
	uint64_t i, joined;

	if (swap || deferred) {
		for (i = 0; i < nr; i++)
			d->swapped[i] = pd_u64(ips + 8 * i, swap);
		ips = (const unsigned char *)d->swapped;
	}
	if (deferred) {
		joined = pd_deferred_join(d, d->swapped, (uint32_t)nr,
					  d->joined);
		nr = joined ? joined : nr;
		ips = (const unsigned char *)(joined ? d->joined : d->swapped);
	}
	item->chain = pd_chain_get(&d->chains, ips, (uint32_t)nr, a->max_stack);
	if (item->kind == PD_ITEM_SWITCH)
		d->p->has_chains = true;
	return item->chain ? 1 : -1;
}

static int malformed(struct pd_reader *d, const struct pd_record *r)
{
	pd_malformed(d, r, "a sample is shorter than what it holds");
	return 0;
}

static inline __attribute__((always_inline)) int
decode(struct pd_reader *d, const struct pd_attr *a, const struct pd_record *r,
       struct pd_item *item, const bool swap)
{
	const unsigned char *ips = NULL, *raw;
	size_t at = a->fixed, left;
	bool chain = false;
	uint64_t nr = 0;

	if (r->size < at)
		return malformed(d, r);
	read_fixed(d, a, r->data, item, swap);
	if (a->sample_type & PD_SAMPLE_READ) {
		left = read_size(a, r, at, swap);
		if (!left || left > r->size - at)
			return malformed(d, r);
		at += left;
	}
	if (a->sample_type & PD_SAMPLE_CALLCHAIN) {
		if (r->size - at < 8)
			return malformed(d, r);
		nr = pd_u64(r->data + at, swap);
		at += 8;
		if (nr > (r->size - at) / 8)
			return malformed(d, r);
		ips = r->data + at;
		at += nr * 8;
	}
	left = r->size - at;
	if (left < 4 || pd_u32(r->data + at, swap) > left - 4 ||
	    pd_u32(r->data + at, swap) < a->raw_size)
		return malformed(d, r);
	raw = r->data + at + 4;
	item->cgroup = 0;
	if (a->back_cgroup) {
		if (a->back_cgroup > left - 4 - pd_u32(r->data + at, swap))
			return malformed(d, r);
		if (d->p->split == SPLIT_CGROUP)
			item->cgroup = profile_cgroup(
				d->p, pd_u64(r->data + r->size - a->back_cgroup,
					     swap));
	}
	if (!read_raw(d, a, raw, item, &chain, swap))
		return 0;
	return chain && nr ? keep_chain(d, a, ips, nr, item, swap) : 1;
}

int pd_sample_decode(struct pd_reader *d, const struct pd_record *r,
		     struct pd_item *item)
{
	const struct pd_attr *a = pd_sample_attr(d, r);

	d->counts.events++;
	if (!a) {
		pd_malformed(d, r, "a sample belongs to no event of the file");
		return 0;
	}
	if (a->role == PD_ROLE_NONE)
		return 0;
	return d->swap ? decode(d, a, r, item, true) :
			 decode(d, a, r, item, false);
}

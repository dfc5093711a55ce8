// SPDX-License-Identifier: GPL-2.0-only
/*
 * One stream of records in the order that its rounds give.
 */
#include "analyze/readers/perf-private.h"

/* Items that may be queued; with rounds in what can't be read twice. */
#define WINDOW		 (384u << 10)
#define WINDOW_OF_ROUNDS (4u << 20)

/* Where a round began. */
struct mark {
	uint64_t offset, last_time;
	struct pd_counts counts;
};

int pd_no_memory(struct pd_reader *d)
{
	return error_set(d->err, EXIT_USAGE, "%s: out of memory", d->in->name);
}

void pd_note_truncated(struct pd_reader *d, const struct pd_stream *s)
{
	if (!s->missing)
		return;
	pd_note_problem(d, s->read_at, "the file ends within a record");
	d->p->losses.truncated_bytes += s->missing;
	profile_warn(d->p,
		     "%s: offset %llu: the file ends, %llu bytes early, within "
		     "a record; what came before is used",
		     s->name, (unsigned long long)s->read_at,
		     (unsigned long long)s->missing);
}

/* A switch that another event has recorded just before: keep one of them. */
static bool join_doubled(struct pd_reader *d, struct pd_item *item)
{
	struct pd_item *latest = pd_order_latest(&d->order);

	if (!latest || latest->kind != PD_ITEM_SWITCH ||
	    !pd_is_doubled(latest, item))
		return false;
	d->counts.doubled++;
	if (latest->chain) {
		pd_chain_put(item->chain);
		return true;
	}
	latest->chain = item->chain;
	latest->attr = item->attr;
	return true;
}

int pd_queue_record(struct pd_reader *d, struct pd_stream *s,
		    const struct pd_record *r)
{
	struct pd_item *item = pd_order_slot(&d->order);
	int ret = item ? pd_record_decode(d, s, r, item) : -1;

	if (ret < 0)
		return pd_no_memory(d);
	if (!ret)
		return 0;
	if (!item->time)
		item->time = s->last_time;
	else if (item->time < d->order.delivered_time &&
		 r->offset >= d->skip_offset)
		d->counts.out_of_order++;
	s->last_time = item->time;
	if (r->offset < d->skip_offset && item->time <= d->skip_time) {
		pd_chain_put(item->chain);
		return 0;
	}
	if (item->kind == PD_ITEM_SWITCH && d->attrs.nr_switches > 1 &&
	    join_doubled(d, item))
		return 0;
	pd_order_commit(&d->order, item);
	return 0;
}

/*
 * The buffers of this recording were so large that a round does not fit into
 * the queue.  Merge from the round before this one on.
 */
static int merge_rest(struct pd_reader *d, const struct mark *before,
		      const struct mark *now, const struct pd_record *r)
{
	pd_order_clear(&d->order);
	d->counts = before->counts;
	d->user_seen = r->offset + 1;
	d->skip_offset = now->offset;
	d->skip_time = d->order.flushed;
	return pd_read_runs(d, before->offset, before->last_time);
}

int pd_read_rounds(struct pd_reader *d, struct pd_stream *s)
{
	struct mark before = { .offset = d->data_begin }, now = before;
	struct pd_order *o = &d->order;
	struct pd_record r;
	uint32_t window;
	int ret;

	while ((ret = pd_stream_next(s, &r, d->err)) > 0) {
		if (r.type == PD_FINISHED_ROUND) {
			pd_order_round(d);
			d->nr_rounds++;
			before = now;
			now = (struct mark){ r.offset, s->last_time,
					     d->counts };
			continue;
		}
		if (pd_queue_record(d, s, &r))
			return -1;
		if (o->nr_queued < WINDOW)
			continue;
		if (s->can_seek && !s->inflate && !d->is_compressed)
			return merge_rest(d, &before, &now, &r);
		window = d->nr_rounds ? WINDOW_OF_ROUNDS : WINDOW;
		if (o->nr_queued >= window)
			pd_order_flush_half(d);
	}
	if (ret < 0)
		return -1;
	pd_note_truncated(d, s);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many streams of ascending times at once: the files of a perf.data
 * directory, one for each buffer, or the runs of one file.  The stream that
 * lags behind most is read next, so that the queue stays short.
 */
#include <stdlib.h>

#include "analyze/readers/perf-private.h"

#define BATCH	 64 /* records of one stream in a row */
#define FLUSH_AT 8192 /* items */

static void sift_down(struct pd_lags *l, size_t at)
{
	const struct pd_lag moved = l->heap[at];
	size_t child;

	while ((child = 2 * at + 1) < l->nr) {
		if (child + 1 < l->nr &&
		    l->heap[child + 1].time < l->heap[child].time)
			child++;
		if (l->heap[child].time >= moved.time)
			break;
		l->heap[at] = l->heap[child];
		at = child;
	}
	l->heap[at] = moved;
}

void pd_lags_add(struct pd_lags *l, struct pd_stream *s, uint64_t time)
{
	size_t at = l->nr++;

	while (at && l->heap[(at - 1) / 2].time > time) {
		l->heap[at] = l->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	l->heap[at] = (struct pd_lag){ time, s };
}

/* The next records of one stream.  1; 0: it ended; -1. */
static int read_batch(struct pd_reader *d, struct pd_stream *s)
{
	struct pd_record r;
	int i, ret = 1;

	for (i = 0; i < BATCH && ret > 0; i++) {
		ret = pd_stream_next(s, &r, d->err);
		if (ret > 0 && pd_queue_record(d, s, &r))
			return -1;
	}
	if (!ret)
		pd_note_truncated(d, s);
	return ret;
}

int pd_lags_step(struct pd_reader *d, struct pd_lags *l,
		 struct pd_stream **ended)
{
	struct pd_order *o = &d->order;
	struct pd_lag *top = &l->heap[0];
	int ret = read_batch(d, top->stream);

	if (ret < 0)
		return -1;
	if (top->time < top->stream->last_time)
		top->time = top->stream->last_time;
	*ended = top->stream;
	if (!ret)
		*top = l->heap[--l->nr];
	if (l->nr)
		sift_down(l, 0);
	/* One step late, for streams whose times are slightly out of order. */
	if (l->nr && o->nr_queued >= FLUSH_AT + 2 * BATCH * l->nr) {
		pd_order_flush(d, o->round_limit);
		o->round_limit = top->time;
	}
	return ret;
}

int pd_read_streams(struct pd_reader *d, struct pd_stream *streams, size_t nr)
{
	struct pd_lags l = { .heap = calloc(nr, sizeof(*l.heap)) };
	struct pd_stream *ended;
	int ret = 0;
	size_t i;

	if (!l.heap)
		return pd_no_memory(d);
	for (i = 0; i < nr; i++)
		pd_lags_add(&l, &streams[i], 0);
	while (l.nr && ret >= 0)
		ret = pd_lags_step(d, &l, &ended);
	free(l.heap);
	return ret < 0 ? -1 : 0;
}

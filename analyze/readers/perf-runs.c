// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file whose records can't be ordered in a queue: it has no rounds, or very
 * large ones.  A first pass finds where times stop ascending; the runs
 * between are streams to merge, few of which overlap at any time.
 */
#include <stdlib.h>

#include "analyze/readers/perf-private.h"

#define MAX_RUNS  (1u << 18)
#define MAX_OPEN  1024
#define READ_SIZE 16384

struct run {
	uint64_t first_time, begin, end;
};

struct runs {
	struct run *run;
	size_t nr, room;
};

static int add_run(struct runs *runs, uint64_t time, uint64_t begin)
{
	size_t room = runs->room ? 2 * runs->room : 256;
	struct run *grown;

	if (runs->nr == runs->room) {
		grown = realloc(runs->run, room * sizeof(*grown));
		if (!grown)
			return -1;
		runs->run = grown;
		runs->room = room;
	}
	runs->run[runs->nr++] = (struct run){ time, begin, UINT64_MAX };
	return 0;
}

static struct pd_stream *open_stream(struct pd_reader *d, uint64_t begin,
				     uint64_t end)
{
	struct pd_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->name = d->in->name;
	s->fd = d->in->fd;
	s->swap = d->swap;
	s->can_seek = true;
	s->is_plain = true;
	s->read_size = READ_SIZE;
	if (!pd_stream_open(s, begin, end, 2 * PD_MAX_RECORD))
		return s;
	free(s);
	return NULL;
}

static void close_stream(struct pd_stream *s)
{
	pd_stream_close(s);
	free(s);
}

/* Add what the record begins: a run, when its time is before the last one. */
static int split(struct pd_reader *d, const struct pd_record *r,
		 struct runs *runs, uint64_t *last)
{
	uint64_t time;
	bool wanted;

	time = pd_record_time(d, r, &wanted);
	if (!wanted || !time)
		return 0;
	if (time < *last) {
		runs->run[runs->nr - 1].end = r->offset;
		if (add_run(runs, time, r->offset))
			return pd_no_memory(d);
	}
	*last = time;
	return 0;
}

static int find_runs(struct pd_reader *d, uint64_t from, struct runs *runs)
{
	struct pd_stream *s = open_stream(d, from, d->data_end);
	struct pd_item unused;
	struct pd_record r;
	uint64_t last = 0;
	int ret = 0;

	if (!s || add_run(runs, 0, from)) {
		ret = pd_no_memory(d);
		goto out;
	}
	s->read_size = 0;
	while (runs->nr < MAX_RUNS &&
	       (ret = pd_stream_next(s, &r, d->err)) > 0) {
		if (r.type >= PD_KERNEL_TYPES)
			ret = pd_record_decode(d, s, &r, &unused);
		else
			ret = split(d, &r, runs, &last);
		if (ret < 0)
			break;
	}
	if (runs->nr == MAX_RUNS) {
		runs->run[runs->nr - 1].end = UINT64_MAX;
		profile_warn(d->p,
			     "%s: the times of its records go back too "
			     "often to be put in order",
			     d->in->name);
		ret = 0;
	}
	d->user_seen = UINT64_MAX;
out:
	if (s)
		close_stream(s);
	return ret;
}

static int by_time(const void *va, const void *vb)
{
	const struct run *a = va, *b = vb;

	if (a->first_time != b->first_time)
		return a->first_time < b->first_time ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Begin those runs that the others have come up to. */
static int open_runs(struct pd_reader *d, struct pd_lags *l,
		     const struct runs *runs, size_t *next)
{
	const struct run *run;
	struct pd_stream *s;

	while (*next < runs->nr && l->nr < MAX_OPEN) {
		run = &runs->run[*next];
		if (l->nr && run->first_time > l->heap[0].time)
			break;
		s = open_stream(d, run->begin,
				run->end < d->data_end ? run->end :
							 d->data_end);
		if (!s)
			return pd_no_memory(d);
		s->last_time = run->first_time;
		pd_lags_add(l, s, run->first_time);
		++*next;
	}
	return 0;
}

static int merge_runs(struct pd_reader *d, const struct runs *runs)
{
	struct pd_lags l = { .heap = calloc(MAX_OPEN, sizeof(*l.heap)) };
	struct pd_stream *s;
	size_t next = 0;
	int ret;

	if (!l.heap)
		return pd_no_memory(d);
	do {
		ret = open_runs(d, &l, runs, &next);
		if (ret)
			break;
		ret = pd_lags_step(d, &l, &s);
		if (!ret)
			close_stream(s);
	} while (ret >= 0 && (l.nr || next < runs->nr));
	while (l.nr)
		close_stream(l.heap[--l.nr].stream);
	free(l.heap);
	return ret < 0 ? -1 : 0;
}

int pd_read_runs(struct pd_reader *d, uint64_t from, uint64_t time)
{
	struct runs runs = { 0 };
	int ret = find_runs(d, from, &runs);

	if (!ret) {
		runs.run[0].first_time = time;
		qsort(runs.run, runs.nr, sizeof(*runs.run), by_time);
		d->order.round_limit = 0;
		ret = merge_runs(d, &runs);
	}
	free(runs.run);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-order.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-private.h"

#define CHUNK 1024

/*
 * A nested interrupt's record lies before the one it interrupted, although
 * its time is later: put such a pair right instead of starting a new run.
 */
#define MAX_STEPS_BACK 4

static int grow(void **array, size_t *room, size_t need, size_t item)
{
	size_t size = *room ? *room : 64;
	void *grown;

	if (need <= *room)
		return 0;
	while (size < need)
		size *= 2;
	grown = realloc(*array, size * item);
	if (!grown)
		return -1;
	*array = grown;
	*room = size;
	return 0;
}

static struct pd_item *item_at(const struct pd_order *o, uint64_t number)
{
	return &o->chunk[number / CHUNK - o->first_chunk][number % CHUNK];
}

static int add_chunk(struct pd_order *o)
{
	size_t room = o->room_chunks;
	struct pd_item *chunk;

	if (grow((void **)&o->live, &room, o->nr_chunks + 1,
		 sizeof(*o->live)) ||
	    grow((void **)&o->chunk, &o->room_chunks, o->nr_chunks + 1,
		 sizeof(*o->chunk)))
		return -1;
	if (o->nr_spare)
		chunk = o->spare[--o->nr_spare];
	else
		chunk = malloc(CHUNK * sizeof(*chunk));
	if (!chunk)
		return -1;
	o->live[o->nr_chunks] = 0;
	o->chunk[o->nr_chunks++] = chunk;
	return 0;
}

/* Take away the chunks in front that hold nothing any more. */
static void drop_chunks(struct pd_order *o)
{
	uint64_t full = o->nr_added / CHUNK - o->first_chunk;
	size_t gone = 0;

	while (gone < o->nr_chunks && gone < full && !o->live[gone])
		gone++;
	if (!gone)
		return;
	if (grow((void **)&o->spare, &o->room_spare, o->nr_spare + gone,
		 sizeof(*o->spare))) {
		o->failed = true;
		return;
	}
	memcpy(o->spare + o->nr_spare, o->chunk, gone * sizeof(*o->chunk));
	o->nr_spare += gone;
	o->nr_chunks -= gone;
	o->first_chunk += gone;
	memmove(o->chunk, o->chunk + gone, o->nr_chunks * sizeof(*o->chunk));
	memmove(o->live, o->live + gone, o->nr_chunks * sizeof(*o->live));
}

struct pd_item *pd_order_slot(struct pd_order *o)
{
	if (o->nr_added / CHUNK - o->first_chunk == o->nr_chunks &&
	    add_chunk(o)) {
		o->failed = true;
		return NULL;
	}
	return item_at(o, o->nr_added);
}

struct pd_item *pd_order_latest(const struct pd_order *o)
{
	const struct pd_run *run = o->nr_runs ? &o->run[o->nr_runs - 1] : NULL;

	return run && run->next < run->end ? item_at(o, o->nr_added - 1) : NULL;
}

static int begin_run(struct pd_order *o)
{
	if (grow((void **)&o->run, &o->room_runs, o->nr_runs + 1,
		 sizeof(*o->run)))
		return -1;
	o->run[o->nr_runs].next = o->nr_added;
	o->run[o->nr_runs].end = o->nr_added;
	o->nr_runs++;
	return 0;
}

/* Whether the newest item could be moved back to where its time belongs. */
static bool move_back(struct pd_order *o, struct pd_run *run)
{
	struct pd_item moved = *item_at(o, o->nr_added);
	uint64_t to = o->nr_added;
	int steps;

	for (steps = 0; steps < MAX_STEPS_BACK && to > run->next; steps++) {
		if (item_at(o, to - 1)->time <= moved.time)
			break;
		to--;
	}
	if (to > run->next && item_at(o, to - 1)->time > moved.time)
		return false;
	for (uint64_t i = o->nr_added; i > to; i--)
		*item_at(o, i) = *item_at(o, i - 1);
	*item_at(o, to) = moved;
	return true;
}

/* The run that the newest item belongs to. */
static struct pd_run *run_for(struct pd_order *o, uint64_t time)
{
	struct pd_run *run = o->nr_runs ? &o->run[o->nr_runs - 1] : NULL;

	if (run && run->next == run->end) {
		run->next = run->end = o->nr_added;
		o->last_time = time;
		return run;
	}
	if (run && (time >= o->last_time || move_back(o, run)))
		return run;
	if (begin_run(o))
		return NULL;
	o->last_time = time;
	return &o->run[o->nr_runs - 1];
}

void pd_order_commit(struct pd_order *o, const struct pd_item *slot)
{
	uint64_t time = slot->time;
	struct pd_run *run = run_for(o, time);

	if (!run) {
		o->failed = true;
		return;
	}
	if (time > o->last_time)
		o->last_time = time;
	if (time > o->max_time)
		o->max_time = time;
	o->live[o->nr_chunks - 1]++;
	o->nr_added++;
	o->nr_queued++;
	run->end = o->nr_added;
}

static bool before(const struct pd_heap_entry *a, const struct pd_heap_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->run < b->run;
}

static void sift_down(struct pd_heap_entry *heap, size_t nr, size_t at)
{
	const struct pd_heap_entry moved = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < nr) {
		if (child + 1 < nr && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

/* The first item of each run, as a heap.  Drops runs that are empty. */
static size_t build_heap(struct pd_order *o)
{
	size_t i, kept = 0;

	if (grow((void **)&o->heap, &o->room_heap, o->nr_runs,
		 sizeof(*o->heap))) {
		o->failed = true;
		return 0;
	}
	for (i = 0; i < o->nr_runs; i++) {
		if (o->run[i].next == o->run[i].end)
			continue;
		o->run[kept] = o->run[i];
		o->heap[kept].time = item_at(o, o->run[i].next)->time;
		o->heap[kept].run = kept;
		kept++;
	}
	o->nr_runs = kept;
	for (i = kept / 2; i-- > 0;)
		sift_down(o->heap, kept, i);
	return kept;
}

static void deliver(struct pd_reader *d, struct pd_order *o, uint64_t number)
{
	struct pd_item *item = item_at(o, number);

	if (item->time > o->delivered_time)
		o->delivered_time = item->time;
	pd_deliver(d, item);
	o->live[number / CHUNK - o->first_chunk]--;
	o->nr_queued--;
}

static void merge(struct pd_reader *d, uint64_t limit, uint64_t count)
{
	struct pd_order *o = &d->order;
	size_t nr = o->nr_queued ? build_heap(o) : 0;
	struct pd_heap_entry *heap = o->heap;

	while (nr && heap[0].time <= limit && count--) {
		struct pd_run *run = &o->run[heap[0].run];

		deliver(d, o, run->next++);
		if (run->next == run->end)
			heap[0] = heap[--nr];
		else
			heap[0].time = item_at(o, run->next)->time;
		if (nr)
			sift_down(heap, nr, 0);
	}
	drop_chunks(o);
}

void pd_order_flush(struct pd_reader *d, uint64_t limit)
{
	merge(d, limit, UINT64_MAX);
	d->order.flushed = limit;
}

void pd_order_flush_half(struct pd_reader *d)
{
	merge(d, UINT64_MAX, d->order.nr_queued / 2 + 1);
}

void pd_order_round(struct pd_reader *d)
{
	pd_order_flush(d, d->order.round_limit);
	d->order.round_limit = d->order.max_time;
}

void pd_order_clear(struct pd_order *o)
{
	size_t i;
	uint64_t n;

	for (i = 0; i < o->nr_runs; i++)
		for (n = o->run[i].next; n < o->run[i].end; n++) {
			pd_chain_put(item_at(o, n)->chain);
			o->live[n / CHUNK - o->first_chunk]--;
		}
	o->nr_runs = 0;
	o->nr_queued = 0;
	o->max_time = o->delivered_time;
	drop_chunks(o);
}

void pd_order_free(struct pd_order *o)
{
	size_t i;

	for (i = 0; i < o->nr_chunks; i++)
		free(o->chunk[i]);
	for (i = 0; i < o->nr_spare; i++)
		free(o->spare[i]);
	free(o->chunk);
	free(o->live);
	free(o->spare);
	free(o->run);
	free(o->heap);
}

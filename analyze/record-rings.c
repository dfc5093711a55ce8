// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the kernel's ring buffers into the file, in bulk.  Records are walked
 * over once, to count them by event and to know where they end.
 */
#include "config.h"

#include <errno.h>
#include <internal/evsel.h>
#include <internal/mmap.h>
#include <perf/event.h>
#include <perf/mmap.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/record-private.h"

/*
 * The start of every record that is looked into; all our samples begin with
 * these members.
 */
struct record_start {
	struct perf_event_header header;
	uint64_t identifier;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
};

static int compare_ids(const void *a, const void *b)
{
	const struct record_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int ring_open(struct recording *rec, struct record_ring *ring)
{
	size_t i;
	int thread;

	ring->id = calloc(rec->nr_events * (size_t)rec->nr_threads,
			  sizeof(*ring->id));
	if (!ring->id)
		return -1;
	for (i = 0; i < rec->nr_events; i++)
		for (thread = 0; thread < rec->nr_threads; thread++)
			ring->id[ring->nr_ids++] = (struct record_id){
				.id = record_event_id(rec, i, ring->cpu_index,
						      thread),
				.event = (unsigned int)i,
			};
	qsort(ring->id, ring->nr_ids, sizeof(*ring->id), compare_ids);
	return 0;
}

int record_rings_open(struct recording *rec, struct error *err)
{
	struct perf_mmap *map = NULL;
	unsigned int cpu;

	rec->ring = calloc(rec->nr_cpus, sizeof(*rec->ring));
	rec->pollfd = calloc(rec->nr_cpus + 1, sizeof(*rec->pollfd));
	if (!rec->ring || !rec->pollfd)
		return error_set(err, EXIT_USAGE, "record: out of memory");
	for (cpu = 0; cpu < rec->nr_cpus; cpu++) {
		struct record_ring *ring = &rec->ring[cpu];

		map = perf_evlist__next_mmap(rec->evlist, map, false);
		if (!map)
			return error_set(err, EXIT_IMPOSSIBLE,
					 "record: libperf mapped %u ring"
					 " buffers for %u CPUs",
					 cpu, rec->nr_cpus);
		ring->map = map;
		ring->cpu_index = cpu;
		if (ring_open(rec, ring))
			return error_set(err, EXIT_USAGE,
					 "record: out of memory");
		rec->pollfd[cpu].fd = record_event_fd(rec, 0, cpu, 0);
		rec->pollfd[cpu].events = POLLIN;
	}
	return 0;
}

void record_rings_free(struct recording *rec)
{
	unsigned int cpu;

	for (cpu = 0; rec->ring && cpu < rec->nr_cpus; cpu++)
		free(rec->ring[cpu].id);
	free(rec->ring);
	free(rec->pollfd);
}

static void count_sample(struct recording *rec, const struct record_ring *ring,
			 const struct record_start *r)
{
	const struct record_id key = { .id = r->identifier };
	const struct record_id *id = bsearch(&key, ring->id, ring->nr_ids,
					     sizeof(*ring->id), compare_ids);

	if (!id || id->event >= rec->stats.nr_events)
		return;
	rec->stats.event[id->event].samples++;
	rec->stats.samples++;
	if (!rec->first_time || r->time < rec->first_time)
		rec->first_time = r->time;
	if (r->time > rec->last_time)
		rec->last_time = r->time;
}

static void count_record(struct recording *rec, struct record_ring *ring,
			 const struct record_start *r)
{
	/* For PERF_RECORD_LOST the second word is how many. */
	if (r->header.type == PERF_RECORD_LOST) {
		ring->lost += r->ip;
		rec->stats.lost += r->ip;
	} else if (r->header.type == PERF_RECORD_SAMPLE) {
		count_sample(rec, ring, r);
	}
}

/*
 * Copies the start of the record at @position, which may wrap around the end
 * of the buffer.  Returns its size, 0 for a record that can't be.
 */
static size_t peek(const unsigned char *data, uint64_t mask, uint64_t position,
		   uint64_t head, struct record_start *r)
{
	uint64_t left = head - position;
	size_t want = left < sizeof(*r) ? left : sizeof(*r);
	uint64_t at = position & mask;
	size_t first = mask + 1 - at < want ? mask + 1 - at : want;

	if (want < sizeof(*r))
		memset(r, 0, sizeof(*r));
	memcpy(r, data + at, first);
	memcpy((unsigned char *)r + first, data, want - first);
	if (r->header.size < sizeof(r->header) || r->header.size > left ||
	    r->header.size % 8)
		return 0;
	if (r->header.type == PERF_RECORD_SAMPLE && r->header.size < sizeof(*r))
		return 0;
	return r->header.size;
}

/* Counts the records from @tail on; returns where the last whole one ends. */
static uint64_t walk(struct recording *rec, struct record_ring *ring,
		     const unsigned char *data, uint64_t tail, uint64_t head)
{
	struct record_start r;
	size_t size;

	for (; tail < head; tail += size) {
		size = peek(data, (uint64_t)ring->map->mask, tail, head, &r);
		if (!size)
			break;
		count_record(rec, ring, &r);
	}
	return tail;
}

/* Takes what one ring holds; *any becomes true when that was something. */
static int drain_ring(struct recording *rec, struct record_ring *ring,
		      bool *any, struct error *err)
{
	struct perf_mmap *map = ring->map;
	struct perf_event_mmap_page *page = map->base;
	uint64_t head, end, tail = map->prev, mask = (uint64_t)map->mask;
	unsigned char *data;
	struct iovec iov[2];
	size_t size;

	if (!page)
		return 0;
	data = (unsigned char *)page + sysconf(_SC_PAGESIZE);
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	if (head == tail)
		return 0;
	end = walk(rec, ring, data, tail, head);
	size = mask + 1 - (tail & mask);
	if (size > end - tail)
		size = end - tail;
	iov[0] = (struct iovec){ data + (tail & mask), size };
	iov[1] = (struct iovec){ data, end - tail - size };
	if (record_file_append(&rec->file, iov, iov[1].iov_len ? 2 : 1))
		return -1;
	map->prev = head;
	perf_mmap__consume(map);
	*any = true;
	if (end < head)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "record: the ring buffer of CPU %d is"
				 " inconsistent; recording ended there",
				 map->cpu.cpu);
	return 0;
}

/*
 * A full disk took only part of what was appended: keep its whole records.
 * They are counted anew; which ring they are from no longer matters much,
 * since ids differ between rings.
 */
static void keep_whole_records(struct recording *rec)
{
	uint64_t limit = record_file_limit(&rec->file);
	uint64_t position = rec->file.end;
	struct record_start r;
	unsigned int cpu;
	size_t i;

	rec->stats.samples = 0;
	for (i = 0; i < rec->stats.nr_events; i++) {
		rec->stats.event[i].samples = rec->committed[i];
		rec->stats.samples += rec->committed[i];
	}
	while (!record_file_read(&rec->file, position, &r, sizeof(r.header))) {
		if (r.header.size < sizeof(r.header) ||
		    r.header.size > limit - position)
			break;
		if (r.header.type == PERF_RECORD_SAMPLE &&
		    !record_file_read(&rec->file, position, &r, sizeof(r)))
			for (cpu = 0; cpu < rec->nr_cpus; cpu++)
				count_sample(rec, &rec->ring[cpu], &r);
		position += r.header.size;
	}
	record_file_cut(&rec->file, position);
}

static int output_failed(struct recording *rec, struct error *err)
{
	const char *name = record_file_name(&rec->file);

	rec->stats.incomplete = true;
	errno = rec->file.error;
	if (rec->file.stream && errno == EPIPE)
		return error_set(err, EXIT_USAGE,
				 "record: the reader of %s went away", name);
	if (rec->file.stream || !rec->started)
		return error_errno(err, EXIT_USAGE, "record: can't write to %s",
				   name);
	return error_errno(err, EXIT_USAGE,
			   "record: can't write more to %s, which is kept with"
			   " the %llu events up to here",
			   name, (unsigned long long)rec->stats.samples);
}

int record_commit(struct recording *rec, struct error *err)
{
	size_t i;

	if (record_file_commit(&rec->file)) {
		keep_whole_records(rec);
		return output_failed(rec, err);
	}
	for (i = 0; i < rec->stats.nr_events; i++)
		rec->committed[i] = rec->stats.event[i].samples;
	record_header_times(rec);
	rec->stats.bytes = record_file_bytes(&rec->file);
	return 0;
}

int record_rings_drain(struct recording *rec, struct error *err)
{
	struct perf_event_header round = {
		.type = PERF_RECORD_FINISHED_ROUND,
		.size = sizeof(round),
	};
	struct iovec iov = { &round, sizeof(round) };
	bool any = false;
	unsigned int cpu;

	for (cpu = 0; cpu < rec->nr_cpus; cpu++)
		if (drain_ring(rec, &rec->ring[cpu], &any, err))
			break;
	/* Commit, or after a failure keep, what was appended. */
	if (cpu == rec->nr_cpus && any)
		record_file_append(&rec->file, &iov, 1);
	if (record_commit(rec, err))
		return -1;
	return cpu < rec->nr_cpus ? -1 : 0;
}

/* Reads what the kernel counted for one ring: the sum of lost records. */
static uint64_t ring_lost(struct recording *rec, const struct record_ring *ring,
			  uint64_t *most_id)
{
	uint64_t value[3] = { 0 }; /* count, id, lost: our read_format */
	ssize_t size = rec->has_lost ? 24 : 16;
	uint64_t total = 0, most = 0;
	size_t i;
	int thread, fd;

	for (i = 0; i < rec->nr_events; i++) {
		for (thread = 0; thread < rec->nr_threads; thread++) {
			fd = record_event_fd(rec, i, ring->cpu_index, thread);
			if (read(fd, value, sizeof(value)) != size)
				continue;
			total += value[2];
			if (value[2] > most) {
				most = value[2];
				*most_id = value[1];
			}
			if (i == rec->stats.nr_events)
				continue; /* the dummy */
			rec->stats.event[i].lost += value[2];
			rec->stats.event[i].counted += value[0];
		}
	}
	return total;
}

int record_rings_lost(struct recording *rec, struct error *err)
{
	struct record_buffer b = { 0 };
	struct iovec iov;
	unsigned int cpu;

	for (cpu = 0; cpu < rec->nr_cpus; cpu++) {
		struct record_ring *ring = &rec->ring[cpu];
		uint64_t id = 0;
		uint64_t lost = ring_lost(rec, ring, &id);
		size_t start;

		/*
		 * A PERF_RECORD_LOST comes with the next record that fits, so
		 * the file has all but those after the last such record.
		 */
		if (lost <= ring->lost)
			continue;
		rec->stats.lost += lost - ring->lost;
		start = record_begin(&b, PERF_RECORD_LOST_SAMPLES, 0);
		record_buffer_u64(&b, lost - ring->lost);
		record_buffer_u64(&b, 0); /* pid, tid */
		record_buffer_u64(&b, rec->last_time);
		record_buffer_u64(&b, (uint64_t)ring->map->cpu.cpu);
		record_buffer_u64(&b, id);
		record_end(&b, start, false);
	}
	iov = (struct iovec){ b.data, b.size };
	if (b.size)
		record_file_append(&rec->file, &iov, 1);
	record_buffer_free(&b);
	return record_commit(rec, err);
}

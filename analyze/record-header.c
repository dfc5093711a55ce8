// SPDX-License-Identifier: GPL-2.0-only
/*
 * What comes before the data of a perf.data: the header, the events with
 * their ids, and the features' payloads; or the same as records of a stream.
 */
#include "config.h"

#include <internal/evsel.h>
#include <perf/event.h>
#include <string.h>

#include "analyze/record-private.h"

#define PERF_MAGIC 0x32454c4946524550ULL /* "PERFILE2" */

/* Numbers of features in perf.data. */
enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCKID = 23,
	FEATURE_CLOCK_DATA = 29,
	/* What ends a stream's features for perf 6.1, and is skipped by all. */
	FEATURE_LAST = 32,
};

struct file_header {
	uint64_t magic;
	uint64_t size;
	uint64_t attr_size;
	struct record_section attrs;
	struct record_section data;
	struct record_section event_types;
	uint64_t features[4];
};

struct file_attr {
	unsigned char attr[RECORD_ATTR_SIZE];
	struct record_section ids;
};

/* A feature tells about the computer, or about this recording. */
struct feature_writer {
	enum feature id;
	bool in_stream;
	void (*fact)(struct record_buffer *b);
	void (*own)(const struct recording *rec, struct record_buffer *b);
};

static void add_cmdline(const struct recording *rec, struct record_buffer *b)
{
	int i;

	if (!rec->options.argv || rec->options.argc <= 0)
		return;
	record_buffer_u32(b, (uint32_t)rec->options.argc);
	for (i = 0; i < rec->options.argc; i++)
		record_feature_string(b, rec->options.argv[i]);
}

static void add_event_desc(const struct recording *rec, struct record_buffer *b)
{
	size_t i;

	record_buffer_u32(b, (uint32_t)rec->nr_events);
	record_buffer_u32(b, RECORD_ATTR_SIZE);
	for (i = 0; i < rec->nr_events; i++) {
		const struct perf_evsel *evsel = rec->evsel[i];

		record_buffer_add(b, &evsel->attr, RECORD_ATTR_SIZE);
		record_buffer_u32(b, evsel->ids);
		record_feature_string(b, rec->event_name[i]);
		record_buffer_add(b, evsel->id, evsel->ids * sizeof(uint64_t));
	}
}

static void add_sample_time(const struct recording *rec,
			    struct record_buffer *b)
{
	record_buffer_u64(b, rec->first_time);
	record_buffer_u64(b, rec->last_time);
}

static const struct feature_writer writers[] = {
	{ FEATURE_BUILD_ID, false, record_feature_build_ids, NULL },
	{ FEATURE_HOSTNAME, true, record_feature_hostname, NULL },
	{ FEATURE_OSRELEASE, true, record_feature_osrelease, NULL },
	{ FEATURE_VERSION, true, record_feature_version, NULL },
	{ FEATURE_ARCH, true, record_feature_arch, NULL },
	{ FEATURE_NRCPUS, true, record_feature_nrcpus, NULL },
	{ FEATURE_CPUDESC, true, record_feature_cpudesc, NULL },
	{ FEATURE_CPUID, true, record_feature_cpuid, NULL },
	{ FEATURE_TOTAL_MEM, true, record_feature_total_mem, NULL },
	{ FEATURE_CMDLINE, true, NULL, add_cmdline },
	{ FEATURE_EVENT_DESC, true, NULL, add_event_desc },
	{ FEATURE_CPU_TOPOLOGY, false, record_feature_topology, NULL },
	{ FEATURE_SAMPLE_TIME, false, NULL, add_sample_time },
	{ FEATURE_CLOCKID, false, record_feature_clockid, NULL },
	{ FEATURE_CLOCK_DATA, false, record_feature_clock_data, NULL },
};

#define NR_WRITERS (sizeof(writers) / sizeof(writers[0]))

static void add_feature(const struct recording *rec,
			const struct feature_writer *w, struct record_buffer *b)
{
	if (w->fact)
		w->fact(b);
	else
		w->own(rec, b);
}

/* Notes where a payload lies that has just been added to the front. */
static void note_feature(struct recording *rec, struct file_header *header,
			 enum feature id, size_t start,
			 const struct record_buffer *b)
{
	struct record_file *file = &rec->file;

	if (b->size == start)
		return;
	header->features[0] |= 1ULL << id;
	file->table[file->table_size / sizeof(file->table[0])] =
		(struct record_section){ start, b->size - start };
	file->table_size += sizeof(file->table[0]);
	if (id == FEATURE_SAMPLE_TIME)
		rec->sample_time_offset = start;
}

static void add_attrs(const struct recording *rec, struct file_header *header,
		      struct record_buffer *b)
{
	uint64_t ids = b->size;
	size_t i;

	for (i = 0; i < rec->nr_events; i++)
		record_buffer_add(b, rec->evsel[i]->id,
				  rec->evsel[i]->ids * sizeof(uint64_t));
	header->attrs.offset = b->size;
	for (i = 0; i < rec->nr_events; i++) {
		struct file_attr a;

		memcpy(a.attr, &rec->evsel[i]->attr, sizeof(a.attr));
		a.ids.offset = ids;
		a.ids.size = rec->evsel[i]->ids * sizeof(uint64_t);
		ids += a.ids.size;
		record_buffer_add(b, &a, sizeof(a));
	}
	header->attrs.size = b->size - header->attrs.offset;
}

static int write_front(struct recording *rec, const struct record_buffer *b,
		       struct error *err)
{
	if (b->failed)
		return error_set(err, EXIT_USAGE, "record: out of memory");
	return record_file_front(&rec->file, b, err);
}

static int write_file(struct recording *rec,
		      const struct record_buffer *tracing, struct error *err)
{
	struct file_header header = {
		.magic = PERF_MAGIC,
		.size = sizeof(header),
		.attr_size = sizeof(struct file_attr),
	};
	struct record_buffer b = { 0 };
	size_t i, start;
	int failed;

	record_buffer_add(&b, &header, sizeof(header)); /* see below */
	add_attrs(rec, &header, &b);
	start = b.size;
	record_buffer_add(&b, tracing->data, tracing->size);
	note_feature(rec, &header, FEATURE_TRACING_DATA, start, &b);
	for (i = 0; i < NR_WRITERS; i++) {
		record_buffer_align(&b, 8);
		start = b.size;
		add_feature(rec, &writers[i], &b);
		note_feature(rec, &header, writers[i].id, start, &b);
	}
	record_buffer_align(&b, 8);
	header.data.offset = b.size;
	rec->file.size_offset = offsetof(struct file_header, data.size);
	if (!b.failed)
		memcpy(b.data, &header, sizeof(header));
	failed = write_front(rec, &b, err);
	record_buffer_free(&b);
	return failed;
}

size_t record_begin(struct record_buffer *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { .type = type, .misc = misc };
	size_t start = b->size;

	record_buffer_add(b, &header, sizeof(header));
	return start;
}

void record_end(struct record_buffer *b, size_t start, bool trailer)
{
	static const unsigned char zeros[RECORD_TRAILER_SIZE];
	struct perf_event_header *header;

	record_buffer_align(b, 8);
	if (trailer)
		record_buffer_add(b, zeros, sizeof(zeros));
	if (b->failed)
		return;
	if (b->size - start > UINT16_MAX) {
		b->size = start; /* a path of 64 KiB: no record can hold it */
		return;
	}
	header = (struct perf_event_header *)(b->data + start);
	header->size = (uint16_t)(b->size - start);
}

static void stream_attrs(const struct recording *rec, struct record_buffer *b)
{
	size_t i, start;

	for (i = 0; i < rec->nr_events; i++) {
		const struct perf_evsel *evsel = rec->evsel[i];

		start = record_begin(b, PERF_RECORD_HEADER_ATTR, 0);
		record_buffer_add(b, &evsel->attr, RECORD_ATTR_SIZE);
		record_buffer_add(b, evsel->id, evsel->ids * sizeof(uint64_t));
		record_end(b, start, false);
	}
	for (i = 0; i < rec->nr_events; i++) {
		start = record_begin(b, PERF_RECORD_EVENT_UPDATE, 0);
		record_buffer_u64(b, PERF_EVENT_UPDATE__NAME);
		record_buffer_u64(b, rec->evsel[i]->ids ? rec->evsel[i]->id[0] :
							  0);
		record_buffer_string(b, rec->event_name[i], 8);
		record_end(b, start, false);
	}
}

static void stream_features(const struct recording *rec,
			    struct record_buffer *b)
{
	size_t i, start, empty;

	for (i = 0; i < NR_WRITERS; i++) {
		if (!writers[i].in_stream)
			continue;
		start = record_begin(b, PERF_RECORD_HEADER_FEATURE, 0);
		record_buffer_u64(b, writers[i].id);
		empty = b->size;
		add_feature(rec, &writers[i], b);
		if (b->size == empty)
			b->size = start;
		else
			record_end(b, start, false);
	}
	start = record_begin(b, PERF_RECORD_HEADER_FEATURE, 0);
	record_buffer_u64(b, FEATURE_LAST);
	record_end(b, start, false);
}

static int write_stream(struct recording *rec,
			const struct record_buffer *tracing, struct error *err)
{
	struct record_buffer b = { 0 };
	size_t start;
	int failed;

	record_buffer_u64(&b, PERF_MAGIC);
	record_buffer_u64(&b, 16); /* the size that says: a stream */
	stream_attrs(rec, &b);
	stream_features(rec, &b);
	start = record_begin(&b, PERF_RECORD_HEADER_TRACING_DATA, 0);
	record_buffer_u32(&b, (uint32_t)((tracing->size + 7) & ~(size_t)7));
	record_buffer_u32(&b, 0);
	record_end(&b, start, false);
	record_buffer_add(&b, tracing->data, tracing->size);
	record_buffer_align(&b, 8);
	failed = write_front(rec, &b, err);
	record_buffer_free(&b);
	return failed;
}

int record_header_write(struct recording *rec, struct error *err)
{
	struct record_buffer tracing = { 0 };
	int failed;

	failed = record_tracing_data(rec, &tracing, err);
	if (!failed)
		failed = rec->file.stream ? write_stream(rec, &tracing, err) :
					    write_file(rec, &tracing, err);
	record_buffer_free(&tracing);
	return failed;
}

int record_header_times(struct recording *rec)
{
	uint64_t times[2] = { rec->first_time, rec->last_time };

	if (!rec->sample_time_offset)
		return 0;
	return record_file_update(&rec->file, rec->sample_time_offset, times,
				  sizeof(times));
}

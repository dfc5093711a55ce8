/* SPDX-License-Identifier: GPL-2.0-only */
/* What the record*.c files share; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_RECORD_PRIVATE_H
#define RWSEMLAB_ANALYZE_RECORD_PRIVATE_H

#include <linux/perf_event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <poll.h>
#include <sys/uio.h>

#include "analyze/record.h"
#include "analyze/record-buffer.h"

/* The size of perf_event_attr that perf has written since Linux 5.15. */
#define RECORD_ATTR_SIZE PERF_ATTR_SIZE_VER7

/* ------------------------------------------------- output: record-file.c */

/* Part of a file: perf.data's struct perf_file_section. */
struct record_section {
	uint64_t offset;
	uint64_t size;
};

#define RECORD_MAX_FEATURES 32

/*
 * The output.  A file is at every moment a complete perf.data: behind the
 * data lies the table of features, and what is appended goes behind that
 * table; only record_file_commit() puts the table of the longer file in place
 * and then, last of all, overwrites the old one.
 */
struct record_file {
	int fd;
	bool stream; /* perf's pipe format: never seek */
	bool created; /* there is something to remove on failure */
	int error; /* errno of the first failure; nothing is appended then */
	char *path; /* NULL for standard output */
	char *backup; /* what an existing file was renamed to */

	uint64_t size_offset; /* where the header has the data's size */
	uint64_t data; /* where the data begin */
	uint64_t end; /* where the committed data end and the table is */
	uint64_t next; /* where the next appended byte goes */
	uint64_t written; /* as far as the file has its space */
	struct record_section table[RECORD_MAX_FEATURES];
	size_t table_size; /* bytes */
	/* Appended bytes whose place is still taken by the table. */
	unsigned char head[sizeof(struct record_section) * RECORD_MAX_FEATURES];
	size_t head_size;
};

/**
 * record_file_open() - create the output; an existing file becomes PATH.old
 */
int record_file_open(struct record_file *file, const char *path,
		     struct error *err);

/**
 * record_file_front() - write what comes before the data, and the table
 * @front: the header with size 0 for the data, ids, attributes, features
 */
int record_file_front(struct record_file *file,
		      const struct record_buffer *front, struct error *err);

/**
 * record_file_append() - append whole records; they count once committed
 * @iov: changed while writing
 *
 * Return: 0, or -1 with file->error set.
 */
int record_file_append(struct record_file *file, struct iovec *iov, int nr);

/**
 * record_file_commit() - make everything appended part of the file
 *
 * Return: 0, or -1 with file->error set.
 */
int record_file_commit(struct record_file *file);

/**
 * record_file_read() - read back what was appended since the last commit
 * @position: from file->end on
 *
 * Return: 0, or -1 where that much was not written.
 */
int record_file_read(struct record_file *file, uint64_t position, void *buffer,
		     size_t size);

/**
 * record_file_limit() - the last place where data can end on a full disk
 *
 * The table behind it fits into what the file has already.
 */
uint64_t record_file_limit(const struct record_file *file);

/**
 * record_file_cut() - commit what was appended up to @end, forget the rest
 */
int record_file_cut(struct record_file *file, uint64_t end);

/**
 * record_file_update() - overwrite bytes of the front
 */
int record_file_update(struct record_file *file, uint64_t position,
		       const void *bytes, size_t size);

/**
 * record_file_close() - trim and close; what the system could not write by
 * then is reported
 */
int record_file_close(struct record_file *file);
void record_file_remove(struct record_file *file);
void record_file_free(struct record_file *file);
uint64_t record_file_bytes(const struct record_file *file);
const char *record_file_name(const struct record_file *file);

/* ------------------------------------------------ events: record-events.c */

#define RECORD_NR_EVENTS (RECORD_MAX_EVENTS + 1) /* the dummy is the last */

struct record_event {
	const char *system; /* of the tracepoint */
	const char *name;
	const char *filter; /* NULL: none */
	unsigned int flags; /* enum record_event_flags */
};

/* ------------------------------------------------ rings: record-rings.c */

/* From the id that the kernel gave an event on a CPU to our event. */
struct record_id {
	uint64_t id;
	unsigned int event; /* index of recording.event[] */
};

struct record_ring {
	struct perf_mmap *map;
	unsigned int cpu_index;
	int thread; /* whose descriptor is polled; the earlier have ended */
	struct record_id *id; /* sorted */
	size_t nr_ids;
	uint64_t lost; /* in PERF_RECORD_LOST of this ring */
};

struct recording {
	struct record_options options;
	char *tracefs; /* where it is mounted */

	struct perf_evlist *evlist;
	const struct record_event *event[RECORD_NR_EVENTS];
	char event_name[RECORD_NR_EVENTS][64];
	struct perf_evsel *evsel[RECORD_NR_EVENTS];
	size_t nr_events; /* the dummy included */
	unsigned int nr_cpus;
	int nr_threads;
	bool has_lost; /* PERF_FORMAT_LOST */
	bool has_build_id; /* in MMAP2 */

	struct record_ring *ring; /* one a CPU */
	struct pollfd *pollfd; /* one a ring, and one */

	struct record_file file;
	uint64_t sample_time_offset; /* in the file; 0: none */
	uint64_t first_time, last_time; /* of samples */
	uint64_t committed[RECORD_NR_EVENTS]; /* samples at the last commit */

	bool started, stopped;
	uint64_t start_ns;
	struct record_stats stats;
};

/**
 * record_events_open() - open all events, set filters, map the ring buffers
 */
int record_events_open(struct recording *rec, struct error *err);
void record_events_close(struct recording *rec);

/**
 * record_event_fd() - the descriptor of an event on a CPU for a thread
 * record_event_id() - the id that its records carry
 */
int record_event_fd(const struct recording *rec, size_t event,
		    unsigned int cpu_index, int thread);
uint64_t record_event_id(const struct recording *rec, size_t event,
			 unsigned int cpu_index, int thread);

/**
 * record_refused() - say why perf_event_open() failed and what helps
 * @number: its errno
 */
int record_refused(const struct recording *rec, int number, struct error *err);

/**
 * record_tracefs() - find tracefs
 *
 * Return: its path, to be freed; NULL with @err set.
 */
char *record_tracefs(struct error *err);

/**
 * record_tracepoint_id() - the number of a tracepoint
 *
 * Return: the number; 0 where the kernel has no such tracepoint; -1 with
 * @err set.
 */
int record_tracepoint_id(const struct recording *rec,
			 const struct record_event *event, struct error *err);

int record_rings_open(struct recording *rec, struct error *err);
void record_rings_free(struct recording *rec);

/**
 * record_rings_drain() - move what is in the ring buffers into the file
 *
 * Return: 0, or -1 with file.error set and the file cut to whole records.
 */
int record_rings_drain(struct recording *rec, struct error *err);

/**
 * record_rings_lost() - compare with the kernel's own count of lost records
 *
 * Appends PERF_RECORD_LOST_SAMPLES for those that no PERF_RECORD_LOST told.
 */
int record_rings_lost(struct recording *rec, struct error *err);

/**
 * record_commit() - record_file_commit(), or keep what a full disk could take
 */
int record_commit(struct recording *rec, struct error *err);

/* -------------------------------------------- file contents: record-*.c */

/**
 * record_header_write() - header and features, or their records for a stream
 */
int record_header_write(struct recording *rec, struct error *err);

/**
 * record_header_times() - fill in the times of the first and last sample
 */
int record_header_times(struct recording *rec);

/* One feature each: add its payload; add nothing where it is not known. */
void record_feature_hostname(struct record_buffer *b);
void record_feature_osrelease(struct record_buffer *b);
void record_feature_version(struct record_buffer *b);
void record_feature_arch(struct record_buffer *b);
void record_feature_nrcpus(struct record_buffer *b);
void record_feature_cpudesc(struct record_buffer *b);
void record_feature_cpuid(struct record_buffer *b);
void record_feature_total_mem(struct record_buffer *b);
void record_feature_topology(struct record_buffer *b);
void record_feature_clockid(struct record_buffer *b);
void record_feature_clock_data(struct record_buffer *b);
void record_feature_build_ids(struct record_buffer *b);

/**
 * record_feature_string() - a string as features have them
 */
void record_feature_string(struct record_buffer *b, const char *text);

/**
 * record_tracing_data() - the tracepoints' formats, as perf stores them
 */
int record_tracing_data(const struct recording *rec, struct record_buffer *b,
			struct error *err);

/* Bytes of sample_id_all's trailer: pid and tid, time, cpu, identifier. */
#define RECORD_TRAILER_SIZE 32

/**
 * record_begin() - start a record in a buffer
 * record_end()   - add the trailer, if any, and set the record's size
 */
size_t record_begin(struct record_buffer *b, uint32_t type, uint16_t misc);
void record_end(struct record_buffer *b, size_t start, bool trailer);

/**
 * record_synth_kernel() - where the kernel and its modules are
 * @hidden: set to whether the kernel hides its addresses from us
 */
void record_synth_kernel(struct record_buffer *b, bool *hidden);

/**
 * record_synth_tasks() - names, parents and mappings of tasks that exist
 * @pid: of this process only; 0 for all
 */
void record_synth_tasks(struct record_buffer *b, pid_t pid, bool build_ids);

/**
 * record_synth_cgroups() - paths of the control groups that exist
 */
void record_synth_cgroups(struct record_buffer *b);

#endif

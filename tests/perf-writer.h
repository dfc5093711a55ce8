/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes perf.data of any kind, for tests of its reader: files, pipes and
 * directories, either byte order, old and new sizes of everything.  It knows
 * the format from the kernel's documentation, not from our reader.  Memory
 * that runs out ends the test.  Not thread-safe.
 */
#ifndef RWSEMLAB_TESTS_PERF_WRITER_H
#define RWSEMLAB_TESTS_PERF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pw_bytes {
	unsigned char *data;
	size_t size, room;
};

#define PW_MAX_ATTRS   8
#define PW_MAX_FORMATS 8
#define PW_MAX_STREAMS 8

/* Zero is the plain case of each: a little-endian file of a 64-bit kernel. */
struct pw_options {
	bool big_endian;
	bool is_32bit; /* long has 4 bytes, the feature bitmap 32-bit words */
	bool pipe;
	unsigned int compressed; /* 81 or 83: the type of the records */
	size_t cut; /* compressed records hold so many bytes, 0: 4096 */
	uint32_t attr_size; /* 0: 112 */
	bool no_size; /* the recorder was killed: no sizes, no features */
	bool tracing_in_data; /* as a record, and no such feature */
	bool no_tracing;
	const char *release; /* NULL: "6.1.0" */
};

struct pw_attr {
	uint32_t type;
	uint64_t config, period, sample_type, read_format;
	uint64_t flags; /* as of a little-endian file */
	uint64_t id[4];
	unsigned int nr_ids;
	const char *name; /* NULL: "event" */
};

/* What any record can say of its origin. */
struct pw_stamp {
	unsigned int attr; /* its number; of a sample, and of a trailer */
	uint64_t id;
	int32_t pid, tid;
	uint64_t time;
	uint32_t cpu;
};

struct pw_sample {
	struct pw_stamp at;
	const uint64_t *chain;
	uint64_t nr;
	const void *raw;
	uint32_t raw_size;
	const void *rest; /* what follows the raw data */
	uint32_t rest_size;
};

struct pw {
	struct pw_options o;
	struct pw_attr attr[PW_MAX_ATTRS];
	unsigned int nr_attrs;
	struct {
		const char *system;
		char *text;
	} format[PW_MAX_FORMATS];
	unsigned int nr_formats;
	struct pw_bytes stream[PW_MAX_STREAMS];
	unsigned int to; /* the stream that records go to */
	struct pw_bytes pending; /* to be compressed */
	void *zstd;
	struct pw_bytes build_ids;
	const char *kallsyms;
	bool begun;
};

void pw_init(struct pw *w, const struct pw_options *o);
void pw_free(struct pw *w);

/* Before the first record.  Return: the number of the attr. */
unsigned int pw_add_attr(struct pw *w, const struct pw_attr *a);

/**
 * pw_add_format() - a tracepoint's format
 * @system: "sched"
 * @text:   the file "format" of it; copied
 */
void pw_add_format(struct pw *w, const char *system, const char *text);
void pw_add_build_id(struct pw *w, uint16_t misc, const char *path,
		     const unsigned char id[20]);

/* Bytes in the byte order of the file. */
void pw_put(struct pw_bytes *b, const void *from, size_t size);
void pw_u16(const struct pw *w, struct pw_bytes *b, uint16_t v);
void pw_u32(const struct pw *w, struct pw_bytes *b, uint32_t v);
void pw_u64(const struct pw *w, struct pw_bytes *b, uint64_t v);
void pw_text(struct pw_bytes *b, const char *text, size_t size); /* padded */

/**
 * pw_record() - any record
 * @stamp: for what sample_id_all appends; NULL: nothing is appended
 */
void pw_record(struct pw *w, uint32_t type, uint16_t misc,
	       const struct pw_bytes *body, const struct pw_stamp *stamp);
void pw_sample(struct pw *w, const struct pw_sample *s);
void pw_round(struct pw *w);

/**
 * pw_stream() - records go to this stream from now on
 *
 * Stream 0 is the file, the others are data.0, data.1, … of a directory.
 */
void pw_stream(struct pw *w, unsigned int number);

void pw_mmap(struct pw *w, int32_t pid, uint64_t start, uint64_t length,
	     uint64_t offset, const char *path, const struct pw_stamp *stamp);
void pw_comm(struct pw *w, int32_t pid, const char *comm, bool exec,
	     const struct pw_stamp *stamp);
void pw_task(struct pw *w, uint32_t type, int32_t pid, int32_t parent,
	     int32_t tid, const struct pw_stamp *stamp); /* FORK, EXIT */
void pw_lost(struct pw *w, uint64_t id, uint64_t lost,
	     const struct pw_stamp *stamp);

/**
 * pw_finish() - everything as the bytes of one file
 */
struct pw_bytes pw_finish(struct pw *w);

/**
 * pw_write() - write bytes to a new temporary file
 *
 * Return: its descriptor, at its start.
 */
int pw_write(const struct pw_bytes *b);
void pw_write_directory(struct pw *w, const char *path);

#endif

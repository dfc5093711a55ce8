/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the perf.data reader share; nobody else includes it.
 *
 *   bytes ─ perf-stream ─▶ records ─ perf-records, perf-sample ─▶ items
 *         ─ perf-order ─▶ items in time order ─ perf-deliver ─▶ account.c
 *
 * A record is decoded once, where it stands in the file; what waits for its
 * turn is an item of fixed size, and each distinct call chain is kept once.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_PRIVATE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_PRIVATE_H

#include "analyze/account.h"
#include "analyze/input.h"
#include "analyze/maps.h"
#include "analyze/readers/perf-bytes.h"
#include "analyze/readers/perf-chains.h"
#include "analyze/readers/perf-deferred.h"
#include "analyze/readers/perf-format.h"
#include "analyze/readers/perf-images.h"
#include "analyze/readers/perf-order.h"
#include "analyze/readers/perf-stacks.h"
#include "analyze/readers/perf-state.h"
#include "analyze/readers/perf-stream.h"
#include "analyze/tasks.h"

enum pd_role {
	PD_ROLE_NONE, /* an event that we don't use */
	PD_ROLE_SWITCH,
	PD_ROLE_BEGIN,
	PD_ROLE_END,
	PD_ROLE_WAKING,
	PD_ROLE_WAKEUP, /* sched_wakeup, not used where there is a waking */
	PD_ROLE_WAKEUP_NEW,
};

/* Where a value lies in a tracepoint's raw data, as its format says. */
struct pd_field {
	uint32_t offset;
	uint32_t size; /* 0: there is none */
	bool is_signed;
};

enum pd_field_name {
	PD_PREV_PID,
	PD_NEXT_PID,
	PD_PREV_STATE,
	PD_PREV_COMM,
	PD_NEXT_COMM,
	PD_LOCK = 0,
	PD_FLAGS,
	PD_RET,
	PD_PID = 0,
	PD_NR_FIELDS = 5,
};

/* One event of the recording, and where its records have what. */
struct pd_attr {
	uint32_t type;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t max_stack; /* 0: the kernel's default */
	char *name; /* NULL: not recorded */

	/* Offsets in a sample; 0: not there. */
	uint16_t at_id, at_tid, at_time, at_cpu;
	uint16_t fixed; /* size of what always has the same size */
	uint16_t
		back_cgroup; /* offset in a sample from its end; 0: not there */
	/* Offsets in other records, from their end; 0: not there. */
	uint16_t back_tid, back_time, back_id, back_cpu;

	enum pd_role role;
	uint32_t raw_size; /* bytes of raw data that the fields need */
	struct pd_field field[PD_NR_FIELDS];
	struct pd_states *states; /* PD_ROLE_SWITCH */
};

/* Sample ids → number of an attr. */
struct pd_ids {
	struct pd_id {
		uint64_t id;
		uint32_t attr; /* number + 1; 0: free */
	} * slot;
	size_t nr, size; /* size: 0 or a power of two */
};

/*
 * Where an id is, or where it would go.  Needs a free slot.  The address
 * makes places differ from run to run, so that no file can make all collide.
 */
static inline size_t pd_id_slot(const struct pd_ids *ids, uint64_t id)
{
	uint64_t hash = (id ^ (uintptr_t)ids->slot) * 0x9e3779b97f4a7c15u;
	size_t at;

	hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u;
	at = (hash >> 32) & (ids->size - 1);
	while (ids->slot[at].attr && ids->slot[at].id != id)
		at = (at + 1) & (ids->size - 1);
	return at;
}

struct pd_attrs {
	struct pd_attr *attr;
	uint32_t nr, room;
	struct pd_ids ids;
	uint16_t at_id, back_id; /* as all attrs have it, else 0 */
	bool same_end; /* all append the same to other records */
	bool has_waking;
	uint32_t nr_switches; /* attrs of PD_ROLE_SWITCH */
};

struct pd_tracing; /* perf-tracing.c */
struct pd_build_ids; /* perf-build-ids.c */

/* A CPU's latest switch, to find one that two events recorded. */
struct pd_last_switch {
	uint64_t time;
	int32_t prev_tid, next_tid;
	uint16_t attr;
	uint8_t state;
	bool any;
};

/* What decoding counts; part of the file may have to be read twice. */
struct pd_counts {
	uint64_t events, malformed, throttled, out_of_order;
	/* In LOST records; read from counters; in LOST_SAMPLES records. */
	uint64_t lost, lost_read, lost_samples;
	uint64_t doubled; /* switches that two events recorded */
	uint64_t no_user_part; /* chains whose deferred part is not known */
};

struct pd_reader {
	const struct input *in;
	struct profile *p;
	struct error *err;
	bool swap, is_compressed;
	uint64_t data_begin, data_end; /* UINT64_MAX: to the end of the file */
	uint64_t features[PD_NR_FEATURES / 64];
	uint64_t ids_size; /* bytes of event ids read so far */

	struct pd_attrs attrs;
	struct pd_tracing *tracing;
	struct pd_build_ids *build_ids;
	struct pd_order order;
	struct pd_chains chains;
	struct pd_images *images;
	struct pd_stacks *stacks;
	struct tasks *tasks;
	struct account *account;
	/* A chain in our byte order, PD_MAX_RECORD bytes; one made of two. */
	uint64_t *swapped, *joined;
	struct pd_deferred *deferred;
	struct pd_place place, *places; /* all that can be read twice */
	size_t nr_places;

	struct pd_counts counts;
	char problem[160]; /* the first one that did not end reading */
	uint64_t nr_rounds;
	/* Records of perf's own type before this offset were used already. */
	uint64_t user_seen;
	/* Items before this offset that are not later were delivered. */
	uint64_t skip_offset, skip_time;
	struct pd_last_switch *last_switch;
	uint32_t nr_last_switch;
};

/* perf-header.c: file and pipe header, attr section, feature sections. */
int pd_header_read(struct pd_reader *d);

/* perf-attrs.c */
int pd_attrs_add(struct pd_reader *d, const unsigned char *attr, size_t size,
		 const unsigned char *ids, size_t nr_ids);
void pd_attr_set_name(struct pd_attr *a, const char *name, size_t length);
const char *pd_attr_name(const struct pd_attr *a);
void pd_attrs_free(struct pd_attrs *attrs);

/* perf-features.c: one feature's data, from a section or a record. */
void pd_feature_read(struct pd_reader *d, uint64_t feature,
		     const unsigned char *data, size_t size);
void pd_event_update(struct pd_reader *d, const struct pd_record *r);

/* perf-build-ids.c */
void pd_build_ids_read(struct pd_reader *d, const unsigned char *data,
		       size_t size);
void pd_build_ids_free(struct pd_build_ids *b);
const unsigned char *pd_build_id_of(const struct pd_reader *d, const char *path,
				    uint8_t *size);

/* perf-tracing.c */
void pd_tracing_read(struct pd_reader *d, const unsigned char *data,
		     size_t size);
void pd_tracing_bind(struct pd_reader *d, struct pd_attr *a);
void pd_tracing_free(struct pd_tracing *t);

/*
 * perf-records.c, perf-sample.c: one record → at most one item.
 * 1: *item is set; 0: nothing for the queue; -1: d->err is set, or memory ran
 * out.
 */
int pd_record_decode(struct pd_reader *d, struct pd_stream *s,
		     const struct pd_record *r, struct pd_item *item);
int pd_sample_decode(struct pd_reader *d, const struct pd_record *r,
		     struct pd_item *item);
/* perf-mmap.c */
bool pd_is_kernel_image(const char *name, size_t length);
int pd_mmap_decode(struct pd_reader *d, const struct pd_record *r,
		   struct pd_item *item);
int pd_ksymbol_decode(struct pd_reader *d, const struct pd_record *r,
		      struct pd_item *item);

/* The event of a record, NULL when it can't be told. */
struct pd_attr *pd_sample_attr(struct pd_reader *d, const struct pd_record *r);
/* When, 0: not recorded; *wanted: pd_record_decode() would make an item. */
uint64_t pd_record_time(struct pd_reader *d, const struct pd_record *r,
			bool *wanted);
void pd_malformed(struct pd_reader *d, const struct pd_record *r,
		  const char *what);
void pd_note_problem(struct pd_reader *d, uint64_t offset, const char *what);

/* perf-deliver.c */
bool pd_is_doubled(const struct pd_item *a, const struct pd_item *b);
void pd_deliver(struct pd_reader *d, const struct pd_item *item);

/*
 * perf-rounds.c: one stream, in the order that its rounds give.
 * perf-merge.c: many streams; perf-runs.c: one file as many.
 * Each returns 0, or -1 with d->err set.
 */
int pd_queue_record(struct pd_reader *d, struct pd_stream *s,
		    const struct pd_record *r);
void pd_note_truncated(struct pd_reader *d, const struct pd_stream *s);
int pd_no_memory(struct pd_reader *d);
int pd_read_rounds(struct pd_reader *d, struct pd_stream *s);
int pd_read_streams(struct pd_reader *d, struct pd_stream *streams, size_t nr);
int pd_read_runs(struct pd_reader *d, uint64_t from, uint64_t time);

/*
 * perf-directory.c: the header's file as an input of its own, whose fd the
 * caller closes; then all files.
 */
int pd_directory_open(const struct input *in, struct input *file,
		      unsigned char *head, size_t size, struct error *err);
int pd_directory_read(struct pd_reader *d, const struct input *in);

/* Streams of ascending times, the one that lags most behind on top. */
struct pd_lags {
	struct pd_lag {
		uint64_t time; /* up to which it was read */
		struct pd_stream *stream;
	} * heap;
	size_t nr;
};

void pd_lags_add(struct pd_lags *l, struct pd_stream *s, uint64_t time);
/* Read on in the top one.  1; 0: *ended is at its end, off the heap; -1. */
int pd_lags_step(struct pd_reader *d, struct pd_lags *l,
		 struct pd_stream **ended);

#endif

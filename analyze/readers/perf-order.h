/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue that brings decoded records into the order of their times.
 *
 * perf record copies one CPU's buffer after the other, so records come as
 * ascending runs; a flush merges them.  Memory: an item is 72 bytes, and what
 * is queued is what the file's own rounds or the caller's limit make it.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_ORDER_H
#define RWSEMLAB_ANALYZE_READERS_PERF_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_chain;

enum pd_item_kind {
	PD_ITEM_SWITCH,
	PD_ITEM_BEGIN,
	PD_ITEM_END,
	PD_ITEM_WAKEUP,
	PD_ITEM_SWITCH_IN, /* the task @tid has the CPU again */
	PD_ITEM_FORK,
	PD_ITEM_EXIT,
	PD_ITEM_EXEC,
	PD_ITEM_MAP,
	PD_ITEM_KERNEL_MAP,
	PD_ITEM_KERNEL_UNMAP,
	PD_ITEM_LOST,
};

/* The recorded number was 0: R, where another of STATE_RUNNING is R+. */
#define PD_STATE_ZERO 0x80

struct pd_item {
	uint64_t time; /* ns */
	uint8_t kind;
	uint8_t state; /* SWITCH: enum task_state of the task it leaves, and
			  PD_STATE_ZERO */
	uint16_t attr;
	uint32_t cpu;
	int32_t pid, tid; /* as perf numbers them, in its own namespace */
	struct pd_chain *chain; /* NULL: none recorded */
	uint32_t cgroup; /* profile_cgroup(); 0: not recorded */
	union {
		struct {
			int32_t prev_tid, next_tid;
			char prev_comm[16], next_comm[16];
		} sw;
		struct {
			uint64_t lock;
			uint32_t flags;
			int32_t ret;
		} contention;
		struct {
			int32_t tid;
		} wakeup;
		struct {
			int32_t parent_pid;
		} fork;
		struct {
			uint64_t start, length, offset;
			uint32_t image;
		} map;
	};
};

struct pd_run {
	uint64_t next, end; /* numbers of items */
};

struct pd_heap_entry {
	uint64_t time;
	size_t run;
};

struct pd_reader;

struct pd_order {
	struct pd_item **chunk; /* of CHUNK items each */
	size_t nr_chunks, room_chunks;
	uint64_t first_chunk; /* number of chunk[0], counted from the start */
	uint32_t *live; /* items of a chunk that are not delivered yet */
	struct pd_item **spare; /* chunks without items */
	size_t nr_spare, room_spare;

	struct pd_run *run;
	size_t nr_runs, room_runs;
	struct pd_heap_entry *heap;
	size_t room_heap;

	uint64_t nr_added; /* items so far: the number of the next one */
	uint64_t nr_queued;
	uint64_t last_time; /* of the item added last */
	uint64_t max_time, round_limit;
	uint64_t flushed; /* all up to it is delivered */
	uint64_t delivered_time;
	bool failed; /* out of memory */
};

/**
 * pd_order_slot() - where to put the next item
 *
 * Return: NULL when memory ran out.  The item counts once it is committed.
 */
struct pd_item *pd_order_slot(struct pd_order *o);
void pd_order_commit(struct pd_order *o, const struct pd_item *slot);

/**
 * pd_order_latest() - the item that was committed last
 *
 * Return: NULL when it is delivered already.
 */
struct pd_item *pd_order_latest(const struct pd_order *o);

/**
 * pd_order_round() - a FINISHED_ROUND: deliver what can't be overtaken
 *
 * That is all up to the latest time seen before this round began, as perf's
 * own ordered-events.c has it: a round reads every buffer once, so a later
 * round can't bring anything older.
 */
void pd_order_round(struct pd_reader *d);

/* Deliver all items up to a time; then the same for the older half; all. */
void pd_order_flush(struct pd_reader *d, uint64_t limit);
void pd_order_flush_half(struct pd_reader *d);
void pd_order_clear(struct pd_order *o); /* forget what is queued */
void pd_order_free(struct pd_order *o);

#endif

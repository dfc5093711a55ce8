// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events other than one sched_switch: two that record the same switch, locks,
 * wake-ups; and what was lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define ID	    10
#define OTHER_ID    20
#define FORMAT_ID   4
#define FORMAT_LOST 16
#define NO_CHAIN    (PC_USUAL & ~(unsigned int)PC_CHAIN)

static struct pw w;
static struct profile *p;
static struct error err;

static void begin(uint64_t sample_type)
{
	pw_init(&w, &(struct pw_options){ 0 });
	pc_add_switch(&w, sample_type | PC_IDENTIFIER, PC_ID_ALL, ID);
}

static void end(void)
{
	struct pw_bytes b = pw_finish(&w);

	profile_free(p);
	p = pc_read(&b, &err);
	if (err.code != EXIT_OK)
		tap_diag("%s", err.text);
	free(b.data);
	pw_free(&w);
}

static bool warned(const char *part)
{
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++)
		if (strstr(profile_warning(p, i, &(uint64_t){ 0 }), part))
			return true;
	return false;
}

static void put(unsigned int attr, uint64_t time, int32_t prev, int32_t next,
		uint64_t state)
{
	static const uint64_t chain[] = { PC_KERNEL, 0xffffffff81001000 };
	bool chains = w.attr[attr].sample_type & PC_CHAIN;

	pc_put_switch(&w,
		      &(struct pc_switch){ .time = time,
					   .prev = prev,
					   .next = next,
					   .state = state,
					   .pid = prev ? prev : 1,
					   .attr = attr,
					   .id = attr ? OTHER_ID : ID },
		      chain, chains ? 2 : 0);
}

/* perf record -e sched:sched_switch -e sched:sched_switch -g */
static void check_doubled(bool chain_first)
{
	uint64_t i;

	begin(chain_first ? PC_USUAL : NO_CHAIN);
	pc_add_switch(&w, (chain_first ? NO_CHAIN : PC_USUAL) | PC_IDENTIFIER,
		      PC_ID_ALL, OTHER_ID);
	for (i = 0; i < 10; i++) {
		put(0, 10000 * i + 10, 5, 6, 1);
		put(1, 10000 * i + 12, 5, 6, 1);
		put(0, 10000 * i + 1000, 6, 5, 1);
		put(1, 10000 * i + 1001, 6, 5, 1);
		if (i % 2)
			pw_round(&w);
	}
	end();
	tap_is_u64(p->switches, 20, "recorded by two events, counted once");
	tap_is_u64(p->events, 40, "all samples were read");
	tap_is_u64(profile_get_sleep_row(p, 0)->sleeps, 20,
		   "the one with a call chain is kept");
	tap_ok(profile_get_sleep_row(p, 0)->stack != 0, "so it has a stack");
	tap_ok(warned("counted once"), "and it is said");
}

/* Filters that exclude each other: nothing is recorded twice. */
static void check_complement(void)
{
	begin(PC_USUAL);
	pc_add_switch(&w, NO_CHAIN | PC_IDENTIFIER, PC_ID_ALL, OTHER_ID);
	put(0, 1000, 5, 0, 1);
	put(1, 2000, 0, 5, 0);
	put(0, 3000, 5, 0, 1);
	put(1, 4000, 0, 5, 0);
	/* The same pair from another event, but another state. */
	put(0, 5000, 5, 6, 1);
	put(1, 5500, 5, 6, 0);
	end();
	tap_is_u64(p->switches, 6, "two events with filters: all are counted");
	tap_ok(!warned("counted once"), "nothing is said of doubled ones");
	tap_is_u64(p->sleeps, 3, "sleeps of the one");
	tap_is_u64(p->preemptions, 1, "a preemption of the other");
}

static void put_raw(unsigned int attr, uint64_t id, uint64_t time, int32_t tid,
		    const struct pw_bytes *raw)
{
	static const uint64_t chain[] = { PC_KERNEL, 0xffffffff81005000 };

	pw_sample(&w, &(struct pw_sample){
			      .at = { attr, id, tid, tid, time, 0 },
			      .chain = chain,
			      .nr = 2,
			      .raw = raw->data,
			      .raw_size = (uint32_t)raw->size,
		      });
}

static void put_lock(unsigned int attr, uint64_t time, int32_t tid,
		     uint64_t lock, uint32_t value)
{
	struct pw_bytes raw = { 0 };

	pw_u64(&w, &raw, 0);
	pw_u64(&w, &raw, lock);
	pw_u32(&w, &raw, value);
	put_raw(attr, attr == 1 ? 30 : 40, time, tid, &raw);
	free(raw.data);
}

static void check_locks(void)
{
	const struct acquisition_row *row;

	begin(PC_USUAL);
	pc_add_tracepoint(&w, "lock", "contention_begin", 50, pc_begin_fields,
			  30);
	pc_add_tracepoint(&w, "lock", "contention_end", 51, pc_end_fields, 40);
	put_lock(1, 1000, 5, 0xffff888012345678, 4);
	put(0, 1100, 5, 0, 2);
	put(0, 2100, 0, 5, 0);
	put_lock(2, 2200, 5, 0xffff888012345678, 0);
	put_lock(1, 3000, 5, 0xffff888012345678, 2);
	put_lock(2, 3300, 5, 0xffff888012345678, (uint32_t)-4);
	end();
	tap_ok(p->has_contention, "locks were recorded");
	if (!tap_is_u64(profile_nr_acquisition_rows(p), 1, "one stack"))
		return;
	row = profile_get_acquisition_row(p, 0);
	tap_is_u64(row->count, 2, "two acquisitions");
	tap_is_u64(row->ended[ACQUIRED_ONE_SLEEP], 1, "one with one sleep");
	tap_is_u64(row->ended[ACQUISITION_FAILED], 1, "one was interrupted");
	tap_is_u64(row->wait_ns, 1500, "their time");
	tap_is_u64(row->flags, CONTENTION_READ | CONTENTION_WRITE, "flags");
	tap_ok(row->stack != 0, "a call chain");
}

static void put_wake(unsigned int attr, uint64_t id, uint64_t time, int32_t tid)
{
	struct pw_bytes raw = { 0 };

	pw_u64(&w, &raw, 0);
	pw_text(&raw, "task", 16);
	pw_u32(&w, &raw, (uint32_t)tid);
	pw_u32(&w, &raw, 120);
	put_raw(attr, id, time, 99, &raw);
	free(raw.data);
}

/* sched_waking is when it was asked for; sched_wakeup may come much later. */
static void check_wakeups(bool both)
{
	const struct sleep_row *row;

	begin(PC_USUAL);
	pc_add_tracepoint(&w, "sched", "sched_wakeup", 60, pc_wake_fields, 30);
	if (both)
		pc_add_tracepoint(&w, "sched", "sched_waking", 61,
				  pc_wake_fields, 40);
	put(0, 1000, 5, 0, 1);
	if (both)
		put_wake(2, 40, 1300, 5);
	put_wake(1, 30, 1500, 5);
	put(0, 2000, 0, 5, 0);
	end();
	row = profile_get_sleep_row(p, 0);
	tap_is_u64(row->off_ns, 1000, "off the CPU");
	tap_is_u64(row->runnable_ns, both ? 700 : 500,
		   both ? "runnable since sched_waking, where there are both" :
			  "runnable since sched_wakeup");
}

static void put_lost_samples(uint16_t misc, uint64_t lost, uint64_t time)
{
	const struct pw_stamp s = { .id = ID, .time = time };
	struct pw_bytes b = { 0 };

	pw_u64(&w, &b, lost);
	pw_record(&w, 13, misc, &b, &s);
	free(b.data);
}

static void put_throttle(uint64_t id, uint64_t time)
{
	const struct pw_stamp s = { .id = id, .time = time };
	struct pw_bytes b = { 0 };

	pw_u64(&w, &b, time);
	pw_u64(&w, &b, id);
	pw_u64(&w, &b, id);
	pw_record(&w, 5, 0, &b, &s);
	free(b.data);
}

static void check_lost(void)
{
	const struct pw_stamp s = { .id = ID, .time = 1500 };

	begin(PC_USUAL);
	pw_add_attr(&w, &(struct pw_attr){
				.type = 0,
				.sample_type = PC_USUAL | PC_IDENTIFIER,
				.flags = PC_ID_ALL,
				.id = { 70 },
				.nr_ids = 1,
			});
	put(0, 1000, 5, 0, 1);
	pw_lost(&w, ID, 42, &s);
	put(0, 2000, 0, 5, 0);
	put_lost_samples(0, 8, 2100);
	put_lost_samples(1 << 15, 1000, 2200);
	put_throttle(ID, 2300);
	put_throttle(70, 2400);
	end();
	tap_is_u64(p->losses.lost, 42, "LOST");
	tap_is_u64(p->losses.lost_samples, 8,
		   "LOST_SAMPLES, but not those that a BPF filter dropped");
	tap_is_u64(p->losses.throttled, 1, "throttling, of our event only");
	tap_is_u64(p->unpaired.sleep_dropped, 1,
		   "a sleep during which events were lost has no length");
	tap_is_u64(profile_get_sleep_row(p, 0)->off_ns, 0, "so none counts");
}

/* perf record reads lost counts at its end: the same events once more. */
static void check_lost_counters(uint64_t read, uint64_t want)
{
	const struct pw_stamp s = { .id = ID, .time = 1500 };

	begin(PC_USUAL);
	w.attr[0].read_format = FORMAT_ID | FORMAT_LOST;
	put(0, 1000, 5, 0, 1);
	pw_lost(&w, ID, 42, &s);
	put(0, 2000, 0, 5, 0);
	put_lost_samples(0, read, 0);
	end();
	tap_is_u64(p->losses.lost, 42, "LOST");
	tap_is_u64(p->losses.lost_samples, want,
		   "of %llu in counters, what LOST does not cover",
		   (unsigned long long)read);
}

/* PERF_RECORD_READ at a task's exit. */
static void check_lost_read(void)
{
	const struct pw_stamp s = { .id = ID, .time = 1500 };
	struct pw_bytes b = { 0 };

	begin(PC_USUAL);
	w.attr[0].read_format = FORMAT_ID | FORMAT_LOST;
	put(0, 1000, 5, 0, 1);
	pw_u64(&w, &b, 5);
	pw_u64(&w, &b, 1000); /* the count */
	pw_u64(&w, &b, ID);
	pw_u64(&w, &b, 3); /* lost */
	pw_record(&w, 8, 0, &b, &s);
	free(b.data);
	end();
	tap_is_u64(p->losses.lost_samples, 3, "a lost count of a READ record");
}

static void put_switch_record(uint64_t time, int32_t tid, bool out)
{
	const struct pw_stamp s = { .id = ID, .tid = tid, .time = time };

	pw_record(&w, 14, out ? 1 << 13 : 0, NULL, &s);
}

/* perf record without -a: a switch is seen by the task that it leaves. */
static void check_switch_records(void)
{
	const struct sleep_row *row;

	begin(PC_USUAL);
	put(0, 1000, 5, 0, 1);
	put_switch_record(1001, 5, true);
	put_switch_record(3000, 5, false);
	put(0, 4000, 5, 0, 1);
	put_switch_record(4001, 5, true);
	put_switch_record(4500, 5, false);
	put(0, 5000, 5, 0, 0);
	end();
	row = profile_get_sleep_row(p, 0);
	tap_is_u64(p->switches, 3, "SWITCH records count no switch again");
	tap_is_u64(row->off_ns, 2500, "they tell when a task is back");
	tap_is_u64(p->switch_gaps, 0, "so nothing is missing");
}

static void check_period(void)
{
	begin(PC_USUAL);
	w.attr[0].period = 10;
	put(0, 1000, 5, 0, 1);
	end();
	tap_is_u64(p->sample_period, 10, "one in ten");
	begin(PC_USUAL);
	put(0, 1000, 5, 0, 1);
	end();
	tap_is_u64(p->sample_period, 1, "every one");
	begin(PC_USUAL);
	w.attr[0].flags |= PC_FLAG_FREQUENCY;
	put(0, 1000, 5, 0, 1);
	end();
	tap_ok(warned("frequency"), "sampling by frequency is said");
}

int main(void)
{
	check_doubled(true);
	check_doubled(false);
	check_complement();
	check_locks();
	check_wakeups(false);
	check_wakeups(true);
	check_lost();
	check_lost_counters(50, 8);
	check_lost_counters(40, 0);
	check_lost_read();
	check_switch_records();
	check_period();
	profile_free(p);
	return tap_done();
}

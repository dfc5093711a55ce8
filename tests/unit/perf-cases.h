/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One small recording, for tests of perf.data in all its forms: whatever the
 * form, the same must be counted.
 *
 *   time  CPU
 *   1000  0    a (100) goes to sleep, D; kernel and user call chain
 *   1500  1    b (200) is preempted by c (300); kernel call chain
 *   2500  1    c goes to sleep, S; no call chain
 *   4000  0    the idle task gives way to a
 *   6000  1    the idle task gives way to c
 *
 * So 5 switches, 2 sleeps of 3000 and 3500 ns, 1 preemption, 1 gap: b was
 * never switched to again.
 */
#ifndef RWSEMLAB_TESTS_PERF_CASES_H
#define RWSEMLAB_TESTS_PERF_CASES_H

#include "analyze/input.h"
#include "tests/perf-writer.h"

#define PC_SWITCH_ID  314 /* of sched_switch, among tracepoints */
#define PC_TRACEPOINT 2

/* attr.sample_type */
enum pc_sample_bits {
	PC_IP = 1 << 0,
	PC_TID = 1 << 1,
	PC_TIME = 1 << 2,
	PC_ADDR = 1 << 3,
	PC_READ = 1 << 4,
	PC_CHAIN = 1 << 5,
	PC_ID = 1 << 6,
	PC_CPU = 1 << 7,
	PC_PERIOD = 1 << 8,
	PC_STREAM_ID = 1 << 9,
	PC_RAW = 1 << 10,
	PC_IDENTIFIER = 1 << 16,
	PC_USUAL = PC_IP | PC_TID | PC_TIME | PC_CHAIN | PC_CPU | PC_PERIOD |
		   PC_RAW,
};

#define PC_FLAG_FREQUENCY (1ull << 10)
#define PC_ID_ALL	  (1ull << 18)
#define PC_KERNEL	  ((uint64_t)-128)
#define PC_USER		  ((uint64_t)-512)

/* A switch as sched_switch records it. */
struct pc_switch {
	uint64_t time;
	uint32_t cpu;
	int32_t prev, next;
	uint64_t state;
	const char *prev_comm, *next_comm; /* NULL: "task" */
	int32_t pid; /* of the record; 0: @prev */
	unsigned int attr;
	uint64_t id;
	const struct pw_bytes *rest; /* behind the raw data; NULL: nothing */
};

/**
 * pc_format() - the file "format" of sched_switch
 * @print: its print fmt, NULL: that of Linux 6.1
 *
 * Return: a string for free()
 */
char *pc_format(const struct pw *w, const char *print);

/* An attr of sched_switch, and its format when it is the first. */
unsigned int pc_add_switch(struct pw *w, uint64_t sample_type, uint64_t flags,
			   uint64_t id);

/* An attr of another tracepoint, and its format. */
unsigned int pc_add_tracepoint(struct pw *w, const char *system,
			       const char *name, unsigned int number,
			       const char *fields, uint64_t id);
extern const char pc_begin_fields[], pc_end_fields[], pc_wake_fields[];

void pc_put_switch(struct pw *w, const struct pc_switch *s,
		   const uint64_t *chain, uint64_t nr);

/* The events above; @rounds: in the order of buffers, each a round. */
void pc_put_events(struct pw *w, uint64_t id, bool rounds);

/**
 * pc_read() - read a recording as a file; through a pipe
 *
 * Return: the profile, for profile_free()
 */
struct profile *pc_read(const struct pw_bytes *b, struct error *err);
struct profile *pc_read_pipe(const struct pw_bytes *b, struct error *err);

/**
 * pc_check() - one check: the events above were counted, all of them
 * @chains: with their call chains
 */
void pc_check(struct profile *p, const struct error *err, bool chains,
	      const char *name);

/* The row of sleeps whose time off the CPU is this; NULL: none. */
const struct sleep_row *pc_row(struct profile *p, uint64_t off_ns);

/* "KERNEL@81001000 /bin/a@1000": the frames of a stack. */
char *pc_stack(struct profile *p, uint32_t stack);

#endif

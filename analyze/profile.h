/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The profile: the one in-memory model of what was recorded.
 *
 * Readers fill it (readers/), account.c counts into it, symbols.c names its
 * frames, sites.c finds the sleep sites of its stacks; reports and diff
 * consume it.  Its size follows the number of distinct stacks and of live
 * tasks, never the number of events.
 *
 * Everything is referred to by a small number, an index into a table of the
 * profile; 0 is always "none" or "empty".  Indices stay valid for the life of
 * the profile, pointers into tables only until the next call that adds to it.
 * A profile belongs to one thread at a time.
 */
#ifndef RWSEMLAB_ANALYZE_PROFILE_H
#define RWSEMLAB_ANALYZE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/timeline.h"
#include "error.h"
#include "lib/rwsemlab.h"

struct profile;

/* ------------------------------------------------------------- strings */

/**
 * profile_string() - the number of a string, added when new
 * @length: bytes of @text, which needs no terminating zero; a zero byte ends
 *          it early
 *
 * Return: the number, 0 for the empty string or when memory ran out (then
 * profile_failed() is true).
 */
uint32_t profile_string(struct profile *p, const char *text, size_t length);

/**
 * profile_text() - the string behind a number; "" for 0
 */
const char *profile_text(const struct profile *p, uint32_t string);
uint32_t profile_nr_strings(const struct profile *p);

/* ------------------------------------------------------------- cgroups */

/**
 * profile_cgroup() - the number of a control group of the file being read
 * @id: the kernel's
 *
 * Return: from 1 on, or 0 when memory ran out (then profile_failed() is true).
 */
uint32_t profile_cgroup(struct profile *p, uint64_t id);

/**
 * profile_name_cgroup() - tell its path, before or after its first use
 */
void profile_name_cgroup(struct profile *p, uint64_t id, const char *path,
			 size_t length);

/**
 * profile_cgroup_path() - the path, or its id where no path was told
 *
 * Return: a string, that of the empty one for 0.
 */
uint32_t profile_cgroup_path(struct profile *p, uint32_t cgroup);

/* ---------------------------------------------------------------- dsos */

enum dso_kind {
	DSO_UNKNOWN, /* an address that no mapping covers */
	DSO_KERNEL, /* the kernel image, and what is inside it: BPF, ftrace */
	DSO_MODULE,
	DSO_USER, /* a file, or memory that looks like one */
	DSO_VDSO,
	DSO_PERF_MAP, /* generated code: /tmp/perf-PID.map may name it */
};

struct dso {
	enum dso_kind kind;
	uint32_t
		path; /* string: a file's path, "[kernel]", "[ext4]", "[vdso]" */
	uint32_t pid; /* DSO_PERF_MAP: whose memory */
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0 when not known */
};

/**
 * profile_dso() - the number of a dso, added when new
 *
 * Two dsos are the same when kind, path, pid and build-id are.
 */
uint32_t profile_dso(struct profile *p, const struct dso *dso);
const struct dso *profile_get_dso(const struct profile *p, uint32_t dso);
uint32_t profile_nr_dsos(const struct profile *p); /* numbers 0 … nr - 1 */

/* -------------------------------------------------------------- frames */

enum frame_flags {
	FRAME_KERNEL = 1, /* kernel mode, modules included */
	FRAME_EXACT = 2, /* @address is the instruction itself, not a return
			    address: look it up as it is, others one byte back */
	FRAME_INLINE = 4, /* reserved: an inlined function's own frame */
	/* Set by symbols.c, from the kernel's section marks. */
	FRAME_LOCK_TEXT = 8, /* in __lock_text_start … __lock_text_end */
	FRAME_SCHED_TEXT = 16, /* in __sched_text_start … __sched_text_end */
	FRAME_LOOKED_UP = 32, /* symbols.c has tried; no symbol: none found */
};

struct frame {
	/*
	 * Kernel and modules: the address as recorded.  Others: the offset in
	 * the dso's file (address - mapping start + mapping's file offset);
	 * DSO_UNKNOWN and DSO_PERF_MAP: the address as recorded.  Named by
	 * its input (text formats): 0.
	 */
	uint64_t address;
	uint32_t dso;
	uint32_t symbol; /* string: the name as recorded, suffixes and all */
	uint32_t flags;
	uint32_t offset; /* from the symbol's start, filled with symbol */
};

/**
 * profile_frame() - the number of a frame, added when new
 *
 * Same frame: same address, dso, symbol (0 before symbols are looked up) and
 * FRAME_KERNEL, FRAME_EXACT.
 */
uint32_t profile_frame(struct profile *p, const struct frame *frame);
struct frame *profile_get_frame(struct profile *p, uint32_t frame);
uint32_t profile_nr_frames(const struct profile *p);

/* -------------------------------------------------------------- stacks */

enum stack_flags {
	STACK_CUT = 1, /* callers beyond the last frame were not recorded or
			  not shown ("+ 65.71% lock_anon_vma_root") */
};

struct stack {
	uint32_t flags;
	uint32_t nr;
	uint32_t frame[]; /* numbers, the sleeping end (leaf) first */
};

/**
 * profile_stack() - the number of a stack, added when new
 * @nr: number of frames; 0 gives a stack of its own, "no call chain"
 *
 * Same stack: same frames and flags.
 */
uint32_t profile_stack(struct profile *p, const uint32_t *frames, uint32_t nr,
		       uint32_t flags);
const struct stack *profile_get_stack(const struct profile *p, uint32_t stack);
uint32_t profile_nr_stacks(const struct profile *p);

/* --------------------------------------------------------------- counts */

/* A task's state at a switch, as the recorded format's letters say it. */
enum task_state {
	STATE_RUNNING, /* R, and R+: it was preempted or it yielded */
	STATE_INTERRUPTIBLE, /* S */
	STATE_UNINTERRUPTIBLE, /* D, also K (killable) of old kernels */
	STATE_STOPPED, /* T */
	STATE_TRACED, /* t */
	STATE_DEAD, /* X, x, Z: its last switch */
	STATE_PARKED, /* P */
	STATE_IDLE, /* I: a kernel thread that does not count as load */
	STATE_OTHER, /* a letter this list does not know: W, N … */
	NR_TASK_STATES,
};

/* What the rows of a profile are split by, besides the stack. */
enum split_by {
	SPLIT_NONE,
	SPLIT_COMM, /* group: string */
	SPLIT_TASK, /* group: tid << 32 | comm string */
	SPLIT_CPU, /* group: cpu + 1 */
	SPLIT_LOCK, /* group: address of the contended lock, 0 none */
	SPLIT_CGROUP, /* group: profile_cgroup(), 0 not recorded */
	/* These two split in the summary: rows here have the group 0. */
	SPLIT_STACK, /* group: string, the stack's names */
	SPLIT_WAKER, /* group: string, who woke; 0 not recorded */
};

/* Switches away from a task, per stack and group. */
struct sleep_row {
	uint32_t stack;
	uint64_t group;
	uint64_t by_state[NR_TASK_STATES]; /* STATE_RUNNING: preemptions */
	uint64_t sleeps; /* all states but STATE_RUNNING */
	uint64_t off_ns; /* switch-out to switch-in, of sleeps that ended */
	uint64_t woken; /* of those, how many had their wake-up recorded */
	uint64_t runnable_ns; /* of those: wake-up to switch-in */
	struct rwsemlab_histogram off; /* ns */
};

enum acquisition_end {
	ACQUIRED_NO_SLEEP, /* stolen or spun */
	ACQUIRED_ONE_SLEEP,
	ACQUIRED_MORE_SLEEPS,
	ACQUISITION_FAILED, /* contention_end said so: a signal, a timeout */
	NR_ACQUISITION_ENDS,
};

/* The kernel's LCB_F_* flags of lock:contention_begin. */
enum contention_flags {
	CONTENTION_SPIN = 1,
	CONTENTION_READ = 2,
	CONTENTION_WRITE = 4,
	CONTENTION_RT = 8,
	CONTENTION_PERCPU = 16,
	CONTENTION_MUTEX = 32,
};

/* Contended acquisitions, per stack of their first begin and group. */
struct acquisition_row {
	uint32_t stack;
	uint64_t group;
	uint32_t flags; /* contention_flags of all begins, or-ed */
	uint64_t count; /* the sum of ended[] */
	uint64_t ended[NR_ACQUISITION_ENDS];
	uint64_t sleeps; /* switches out between begin and end */
	uint64_t wait_ns; /* begin to end */
	struct rwsemlab_histogram wait; /* ns */
};

/* Contended acquisitions of one lock, per stack of their first begin. */
struct lock_row {
	uint32_t stack;
	uint64_t lock; /* address; a new lock may have an old one's */
	uint64_t count;
};

/*
 * Wake-ups that ended a sleep.  The waker of a task that sleeps for a lock is
 * who released it.
 */
struct waker_row {
	uint32_t stack; /* the sleeper's */
	uint32_t waker_stack; /* of the wake-up */
	uint32_t waker_comm; /* string */
	uint32_t waker_sleep; /* stack of the waker's own last sleep, 0 none */
	uint64_t count;
	struct rwsemlab_histogram delay; /* ns, wake-up to switch-in */
};

/* No more rows than these are kept; profile.rows_dropped counts the rest. */
#define PROFILE_MAX_LOCK_ROWS  65536
#define PROFILE_MAX_WAKER_ROWS 65536

/**
 * profile_sleep_row() - the row of a stack and group, added when new
 * profile_acquisition_row() - likewise
 *
 * Return: NULL when memory ran out.  The pointer stays valid for the life of
 * the profile.
 */
struct sleep_row *profile_sleep_row(struct profile *p, uint32_t stack,
				    uint64_t group);
struct acquisition_row *profile_acquisition_row(struct profile *p,
						uint32_t stack, uint64_t group);

/**
 * profile_lock_row() - the row of a stack and a lock, added when new
 * profile_waker_row() - the row of the first four members of @key, likewise
 *
 * Return: NULL when memory ran out, and where there are too many rows
 * already.  The pointer stays valid for the life of the profile.
 */
struct lock_row *profile_lock_row(struct profile *p, uint32_t stack,
				  uint64_t lock);
struct waker_row *profile_waker_row(struct profile *p,
				    const struct waker_row *key);

/* Rows in the order in which they were added, i = 0 … nr - 1. */
size_t profile_nr_sleep_rows(const struct profile *p);
struct sleep_row *profile_get_sleep_row(const struct profile *p, size_t i);
size_t profile_nr_acquisition_rows(const struct profile *p);
struct acquisition_row *profile_get_acquisition_row(const struct profile *p,
						    size_t i);
size_t profile_nr_lock_rows(const struct profile *p);
struct lock_row *profile_get_lock_row(const struct profile *p, size_t i);
size_t profile_nr_waker_rows(const struct profile *p);
struct waker_row *profile_get_waker_row(const struct profile *p, size_t i);

/* ---------------------------------------------------- the profile itself */

enum profile_unit {
	UNIT_EVENTS, /* counts are events */
	UNIT_SHARE, /* counts are shares of all recorded switches, 10^-9 each;
		       the input (perf report text) knew no more */
};

/* What could not be counted, and why; each is shown when it is not 0. */
struct profile_losses {
	uint64_t lost; /* events lost by the recorder's buffers (LOST) */
	uint64_t lost_samples; /* LOST_SAMPLES, and lost counts read at the end
				  that no other record covers */
	uint64_t throttled; /* times an event was throttled */
	uint64_t
		out_of_order; /* events older than what was already handed on */
	uint64_t malformed; /* records that could not be used */
	uint64_t truncated_bytes; /* the file ends this much early */
};

/* Ends that are no ends; acquisitions are never guessed. */
struct profile_unpaired {
	uint64_t begin_open; /* begun, not ended when the window ended */
	uint64_t begin_exited; /* its task exited */
	uint64_t begin_dropped; /* begun again or lost events between */
	uint64_t end_alone; /* ended, begun before the window or lost */
	uint64_t sleep_open; /* asleep when the window ended */
	uint64_t sleep_dropped; /* its switch-in was not recorded */
};

/* Where kernel addresses lie and what can name them. */
struct profile_kernel {
	uint8_t build_id[20];
	uint8_t build_id_size;
	uint32_t map_name; /* string: "[kernel.kallsyms]_text" or …_stext */
	uint64_t map_start, map_length; /* of that record, 0 when not known */
	uint64_t reloc_address; /* its pgoff: the run-time address of _text */
	uint32_t kallsyms; /* string: a recorded /proc/kallsyms, else 0 */
};

struct profile {
	/* Of the machine and the recording; strings, 0 when not recorded. */
	uint32_t hostname, os_release, arch, cpu_model, perf_version, cmdline;
	uint32_t cpus_online, cpus_available;
	uint32_t source; /* string: the path or "standard input" */
	uint32_t format; /* string: "perf.data", "folded stacks" … */
	enum profile_unit unit;
	enum split_by split;
	struct profile_kernel kernel;

	/* The window: of the events this profile counts. */
	uint64_t first_ns, last_ns; /* of the file read last */
	uint64_t window_ns; /* the sum over all files read */
	uint32_t files; /* how many */
	struct timeline timeline; /* all files, one behind the other */

	bool has_switches; /* a sched_switch event was recorded */
	bool has_all_switches; /* also of tasks that stay runnable, so that each
				  switch-in is known and time off the CPU too;
				  false while @switch_gaps are above 5 %: a
				  filter leaves out more, and kernels give no
				  event of some switches from idle */
	bool has_contention; /* lock:contention_begin and _end were */
	bool has_wakeups; /* sched_waking or sched_wakeup was */
	bool has_chains; /* some switch had a call chain */
	uint32_t sample_period; /* 1, or one in N switches was recorded */

	uint64_t switches; /* all switches recorded: the next four */
	uint64_t sleeps;
	uint64_t preemptions; /* of a task that stayed runnable */
	uint64_t from_idle; /* the idle task gave way */
	uint64_t switch_gaps; /* a CPU switched away from another task than the
				 one it had switched to: one was not recorded */
	uint64_t events; /* every sample in the file */

	struct profile_losses losses;
	struct profile_unpaired unpaired;
	uint64_t lock_rows_dropped, waker_rows_dropped; /* counts not kept */

	struct profile_tables *tables; /* profile.c's own */
};

/**
 * profile_new() - an empty profile
 *
 * Return: NULL when memory ran out.
 */
struct profile *profile_new(void);
void profile_free(struct profile *p);

/**
 * profile_failed() - whether memory ran out in some call before
 *
 * Lets readers check once per file, not once per call.
 */
bool profile_failed(const struct profile *p);

void profile_fail(struct profile *p); /* make profile_failed() true */

/**
 * profile_warn() - note something that the user should know
 *
 * One line without a newline; the same line again is only counted.  Reports
 * print them; at most 100 different ones are kept.
 */
void profile_warn(struct profile *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
size_t profile_nr_warnings(const struct profile *p);
const char *profile_warning(const struct profile *p, size_t i, uint64_t *times);

/**
 * profile_add_share() - count a stack by its share only (text inputs)
 * @billionths: share of all recorded switches in 10^-9, or a count of events
 */
void profile_add_share(struct profile *p, uint32_t stack, uint32_t comm,
		       uint64_t billionths);

#endif

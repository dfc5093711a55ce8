// SPDX-License-Identifier: GPL-2.0-only
/* perf script text: its lines one by one, and whole inputs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-script-chain.h"
#include "analyze/readers/perf-script-line.h"
#include "analyze/readers/perf-script-trace.h"
#include "tests/import.h"
#include "tests/tap.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static struct text text(const char *s)
{
	return text_of(s, strlen(s));
}

static bool is(const struct text *t, const char *want)
{
	return text_equals(t, want);
}

/* ------------------------------------------------------------ first lines */

static const struct {
	const char *line;
	const char *comm;
	int32_t tid;
	uint32_t cpu;
	uint64_t time;
	uint64_t period;
	const char *event;
	const char *fields;
} lines[] = {
	/* 3.x: without and with a call chain */
	{ "            exim  4711 [012]  5184.093861: sched:sched_switch: f",
	  "exim", 4711, 12, 5184093861000, 0, "sched:sched_switch", "f" },
	{ "exim  4711 [012]  5184.093861: sched:sched_switch: f", "exim", 4711,
	  12, 5184093861000, 0, "sched:sched_switch", "f" },
	/* 6.x: wider pids and names, pid/tid, misc flags, ns, a period */
	{ "dir worker   13615 [000]  1317.257213:     lock:contention_begin: "
	  "0xff (flags=SPIN)",
	  "dir worker", 13615, 0, 1317257213000, 0, "lock:contention_begin",
	  "0xff (flags=SPIN)" },
	{ "      dir worker 13260/13269 [001]  1315.858422: "
	  "sched:sched_switch: "
	  "f",
	  "dir worker", 13269, 1, 1315858422000, 0, "sched:sched_switch", "f" },
	{ " ksoftirqd/1    22/22    [001]  1315.862440: sched:sched_switch: f",
	  "ksoftirqd/1", 22, 1, 1315862440000, 0, "sched:sched_switch", "f" },
	{ "a 7 [001] K      1315.862440: sched:sched_switch: f", "a", 7, 1,
	  1315862440000, 0, "sched:sched_switch", "f" },
	{ "a 7 [001] 1315.060474950: sched:sched_switch: f", "a", 7, 1,
	  1315060474950, 0, "sched:sched_switch", "f" },
	{ "a 7 [001]  1315.862440:         10 sched:sched_switch: f", "a", 7, 1,
	  1315862440000, 10, "sched:sched_switch", "f" },
	{ "a 7  1315.862440: sched:sched_switch: f", "a", 7, 0, 1315862440000,
	  0, "sched:sched_switch", "f" },
	{ "a 7 [000] 0.000001: cycles:u: ", "a", 7, 0, 1000, 0, "cycles:u",
	  "" },
	{ "a 7 [000] 0.000001: cycles:", "a", 7, 0, 1000, 0, "cycles", "" },
	{ "xz  7890 [001]   885.047804: PERF_RECORD_LOST lost 48", "xz", 7890,
	  1, 885047804000, 0, "PERF_RECORD_LOST", "lost 48" },
	/* comms */
	{ "mm [2]: (x) 13611 [000]  1.5: e: f", "mm [2]: (x)", 13611, 0,
	  1500000000, 0, "e", "f" },
	{ "7 7 7 7 [007] 7.7: e: f", "7 7 7", 7, 7, 7700000000, 0, "e", "f" },
	{ "x 1 [0] 1.1: a:    42 [003]  2.5: e: f", "x 1 [0] 1.1: a:", 42, 3,
	  2500000000, 0, "e", "f" },
	{ "            a 7 [001] 1.5: e: b 8 [002] 2.5: e: f", "a", 7, 1,
	  1500000000, 0, "e", "b 8 [002] 2.5: e: f" },
	{ "kworker/u8:1-events_unbound   171 [001] 1.5: e: f",
	  "kworker/u8:1-events_unbound", 171, 1, 1500000000, 0, "e", "f" },
	{ ":-1    -1 [001] 1.5: e: f", ":-1", -1, 1, 1500000000, 0, "e", "f" },
	{ ":1234  1234 [001] 1.5: e: f", ":1234", 1234, 1, 1500000000, 0, "e",
	  "f" },
	/* not of a sample */
	{ "" },
	{ "\tffffffff821fb643 schedule+0x23 ([kernel.kallsyms])" },
	{ "# captured on    : Mon Nov 30 14:16:34 2026" },
	{ "a 7 [000] 1: e: f" }, /* a time has a point */
	{ "a 7 [000] 1.: e: f" },
	{ "a 7 [000] 1.5 e: f" },
	{ "a 7 [000] 1.5: e f" }, /* an event ends in a colon */
	{ "a 7 [000] 1.5: " },
	{ "a 7 [x] 1.5: e: f" },
	{ "a 7 [000 1.5: e: f" },
	{ "a 7/ [000] 1.5: e: f" },
	{ "a 99999999999 [000] 1.5: e: f" },
	{ "a 7 [000] 99999999999999999999.5: e: f" },
	{ "a 7 [000] 18446744074.0: e: f" }, /* 2^64 ns are less */
	{ "a;b;c 7" },
};

static void check_lines(void)
{
	struct script_line l;
	size_t i;

	for (i = 0; i < LENGTH(lines); i++) {
		bool known = script_line_parse(text(lines[i].line), &l);

		if (!lines[i].comm) {
			tap_ok(!known, "no sample: '%s'", lines[i].line);
			continue;
		}
		tap_ok(known && is(&l.comm, lines[i].comm) &&
			       is(&l.event, lines[i].event) &&
			       is(&l.fields, lines[i].fields),
		       "words of '%s'", lines[i].line);
		tap_ok(l.tid == lines[i].tid && l.cpu == lines[i].cpu &&
			       l.time == lines[i].time &&
			       l.period == lines[i].period,
		       "numbers of '%s'", lines[i].line);
	}
}

/* ---------------------------------------------------------- sched_switch */

#define KV(comm, state)                                                 \
	"prev_comm=" comm " prev_pid=7 prev_prio=120 prev_state=" state \
	" ==> next_comm=b next_pid=8 next_prio=98"
#define PLUGIN(comm, state) comm ":7 [120] " state " ==> b:8 [98]"

static const struct {
	const char *fields;
	const char *prev_comm; /* NULL: not known as a switch */
	enum task_state state;
	enum task_state state_old; /* of a kernel before 4.14 */
} switches[] = {
	{ KV("a", "R"), "a", STATE_RUNNING, STATE_RUNNING },
	{ KV("a", "R+"), "a", STATE_RUNNING, STATE_RUNNING },
	{ KV("a", "S"), "a", STATE_INTERRUPTIBLE, STATE_INTERRUPTIBLE },
	{ KV("a", "D"), "a", STATE_UNINTERRUPTIBLE, STATE_UNINTERRUPTIBLE },
	{ KV("a", "T"), "a", STATE_STOPPED, STATE_STOPPED },
	{ KV("a", "t"), "a", STATE_TRACED, STATE_TRACED },
	{ KV("a", "X"), "a", STATE_DEAD, STATE_DEAD },
	{ KV("a", "x"), "a", STATE_DEAD, STATE_DEAD },
	{ KV("a", "Z"), "a", STATE_DEAD, STATE_DEAD },
	{ KV("a", "P"), "a", STATE_PARKED, STATE_PARKED },
	{ KV("a", "I"), "a", STATE_IDLE, STATE_IDLE },
	{ KV("a", "K"), "a", STATE_UNINTERRUPTIBLE, STATE_UNINTERRUPTIBLE },
	{ KV("a", "W"), "a", STATE_OTHER, STATE_OTHER },
	{ KV("a", "N"), "a", STATE_OTHER, STATE_OTHER },
	{ KV("a", "D|K"), "a", STATE_UNINTERRUPTIBLE, STATE_UNINTERRUPTIBLE },
	{ KV("a", "D|W"), "a", STATE_UNINTERRUPTIBLE, STATE_UNINTERRUPTIBLE },
	{ KV("a", "D|N"), "a", STATE_IDLE, STATE_IDLE },
	{ KV("a", "S+"), "a", STATE_RUNNING, STATE_RUNNING },
	{ KV("a", "t|x"), "a", STATE_DEAD, STATE_DEAD },
	{ KV("a b [1]: (c)", "S"), "a b [1]: (c)", STATE_INTERRUPTIBLE,
	  STATE_INTERRUPTIBLE },
	{ KV("x prev_pid=1 p", "S"), "x prev_pid=1 p", STATE_INTERRUPTIBLE,
	  STATE_INTERRUPTIBLE },
	{ KV("==> next_comm=", "S"), "==> next_comm=", STATE_INTERRUPTIBLE,
	  STATE_INTERRUPTIBLE },
	{ KV("", "S"), "", STATE_INTERRUPTIBLE, STATE_INTERRUPTIBLE },
	{ PLUGIN("a", "S"), "a", STATE_INTERRUPTIBLE, STATE_INTERRUPTIBLE },
	{ PLUGIN("a", "R"), "a", STATE_RUNNING, STATE_RUNNING },
	{ PLUGIN("a", "D|W"), "a", STATE_UNINTERRUPTIBLE,
	  STATE_UNINTERRUPTIBLE },
	{ PLUGIN("a", "x"), "a", STATE_PARKED, STATE_DEAD },
	{ PLUGIN("a", "W"), "a", STATE_IDLE, STATE_OTHER },
	{ PLUGIN("a b:1 [c]", "D"), "a b:1 [c]", STATE_UNINTERRUPTIBLE,
	  STATE_UNINTERRUPTIBLE },
	{ "" },
	{ KV("a", "") },
	{ KV("a", "|S") },
	{ KV("a", "S|") },
	{ KV("a", "S S") },
	{ KV("a", "1") },
	{ "prev_comm=a prev_pid=7 prev_prio=120 prev_state=S" },
	{ "prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> " },
	{ "prev_comm=a prev_pid=x prev_prio=120 prev_state=S ==> next_comm=b "
	  "next_pid=8 next_prio=98" },
	{ "prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b "
	  "next_pid=8x" },
	{ "a:7 [120] S ==> b:8" },
	{ "a:7 [120] S b:8 [98]" },
};

static void check_switches(void)
{
	struct trace_switch s;
	size_t i;

	for (i = 0; i < LENGTH(switches); i++) {
		const char *fields = switches[i].fields;
		bool known = trace_switch(text(fields), true, &s);

		if (!switches[i].prev_comm) {
			tap_ok(!known, "no switch: '%s'", fields);
			continue;
		}
		tap_ok(known && s.prev_tid == 7 && s.next_tid == 8,
		       "pids of '%s'", fields);
		tap_is_str(s.prev_comm, switches[i].prev_comm, "its comm");
		tap_is_str(s.next_comm, "b", "the next one's");
		tap_is_u64(s.prev_state, switches[i].state, "its state");
		trace_switch(text(fields), false, &s);
		tap_is_u64(s.prev_state, switches[i].state_old, "before 4.14");
	}
}

/* ---------------------------------------------------------- other events */

static const struct {
	const char *fields;
	uint64_t lock; /* 0: not known as a begin */
	uint32_t flags;
} begins[] = {
	{ "0xffff8881104f7898 (flags=SPIN)", 0xffff8881104f7898,
	  CONTENTION_SPIN },
	{ "0xffff8881104f7898 (flags=SPIN|MUTEX)", 0xffff8881104f7898,
	  CONTENTION_SPIN | CONTENTION_MUTEX },
	{ "0xff (flags=RT|PERCPU|READ|WRITE)", 0xff,
	  CONTENTION_RT | CONTENTION_PERCPU | CONTENTION_READ |
		  CONTENTION_WRITE },
	{ "0xff (flags=)", 0xff, 0 },
	{ "ffff8881104f7898 (flags=WRITE)", 0xffff8881104f7898,
	  CONTENTION_WRITE },
	{ "0xff (flags=READ|0x40)", 0xff, CONTENTION_READ | 0x40 },
	{ "lock_addr=0xff flags=WRITE", 0xff, CONTENTION_WRITE },
	{ "lock_addr=0xff flags=0x4", 0xff, CONTENTION_WRITE },
	{ "lock_addr: 0xff, flags: 36", 0xff,
	  CONTENTION_WRITE | CONTENTION_MUTEX },
	{ "" },
	{ "0xff" },
	{ "0xff (ret=0)" },
	{ "0xff (flags=HELLO)" },
	{ "0xff (flags=SPIN|)" },
	{ "0x11112222333344445 (flags=SPIN)" },
	{ "zz (flags=SPIN)" },
};

static const struct {
	const char *fields;
	bool known;
	uint64_t lock;
	int32_t ret;
} ends[] = {
	{ "0xff (ret=0)", true, 0xff, 0 },
	{ "0xff (ret=-4)", true, 0xff, -4 },
	{ "lock_addr=0xff ret=-512", true, 0xff, -512 },
	{ "lock_addr: 0xff, ret: 0", true, 0xff, 0 },
	{ "0xff (ret=)" },
	{ "0xff (flags=SPIN)" },
	{ "0xff (ret=0x0)" },
};

static const struct {
	const char *fields;
	int32_t tid; /* 0: not known */
} wakeups[] = {
	{ "comm=a pid=7 prio=120 target_cpu=001", 7 },
	{ "comm=a b pid=7 prio=120 success=1 target_cpu=001", 7 },
	{ "comm=x pid=1 prio pid=7 prio=120 target_cpu=001", 7 },
	{ "a b:7 [120] success=1 CPU:001", 7 },
	{ "a:7 [120] CPU:001", 7 },
	{ "comm=a pid=7" },
	{ "" },
};

static void check_others(void)
{
	uint32_t flags = 0;
	uint64_t lock = 0;
	int32_t n = 0;
	size_t i;

	for (i = 0; i < LENGTH(begins); i++) {
		bool known = trace_begin(text(begins[i].fields), &lock, &flags);

		tap_ok(known == !!begins[i].lock &&
			       (!known || (lock == begins[i].lock &&
					   flags == begins[i].flags)),
		       "begin '%s'", begins[i].fields);
	}
	for (i = 0; i < LENGTH(ends); i++) {
		bool known = trace_end(text(ends[i].fields), &lock, &n);

		tap_ok(known == ends[i].known &&
			       (!known ||
				(lock == ends[i].lock && n == ends[i].ret)),
		       "end '%s'", ends[i].fields);
	}
	for (i = 0; i < LENGTH(wakeups); i++) {
		bool known = trace_wakeup(text(wakeups[i].fields), &n);

		tap_ok(known == !!wakeups[i].tid &&
			       (!known || n == wakeups[i].tid),
		       "wake-up '%s'", wakeups[i].fields);
	}
	tap_ok(trace_fork(text("comm=x child_pid=1 pid=7 child_comm=y "
			       "child_pid=8"),
			  &n) &&
		       n == 8,
	       "the child of a fork");
	tap_ok(!trace_fork(text("comm=x pid=7"), &n), "no child");
}

/* ---------------------------------------------------------------- chains */

#define K FRAME_KERNEL

static const struct {
	const char *line;
	const char *symbol; /* "": not known */
	const char *dso;
	enum dso_kind kind;
	uint32_t flags;
	uint64_t address;
} frames[] = {
	{ "\tffffffff821fb643 schedule+0x23 ([kernel.kallsyms])", "schedule",
	  "[kernel]", DSO_KERNEL, K, 0 },
	{ "\tffffffff821fb643 schedule ([kernel.kallsyms])", "schedule",
	  "[kernel]", DSO_KERNEL, K, 0 },
	{ "        ffffffff8106d9c7 schedule ([kernel.kallsyms]_text)",
	  "schedule", "[kernel]", DSO_KERNEL, K, 0 },
	{ "\tffffffff821fb643 schedule+0x23 "
	  "(/usr/lib/debug/boot/vmlinux-6.1.0-9-amd64)",
	  "schedule", "[kernel]", DSO_KERNEL, K, 0 },
	{ "\tffffffffc0401234 ext4_sync_fs+0x1f ([ext4])", "ext4_sync_fs",
	  "[ext4]", DSO_MODULE, K, 0 },
	{ "\tffffffffc0401234 nf_hook+0x1f "
	  "(/lib/modules/6.1.0/kernel/net/nf-tables.ko.xz)",
	  "nf_hook", "[nf_tables]", DSO_MODULE, K, 0 },
	{ "\tffffffffc0001234 bpf_prog_6deef7357e7b4530_f+0x5 "
	  "(bpf_prog_6deef7357e7b4530_f)",
	  "bpf_prog_6deef7357e7b4530_f", "[kernel]", DSO_KERNEL, K, 0 },
	{ "\tffffffff821fb643 do_one (inlined)", "do_one", "", DSO_UNKNOWN,
	  K | FRAME_INLINE, 0 },
	{ "\t           1149 do_two (inlined)", "do_two", "", DSO_UNKNOWN,
	  FRAME_INLINE, 0 },
	{ "\t           d4353 _Fork+0x23 (/usr/lib/libc.so.6)", "_Fork",
	  "/usr/lib/libc.so.6", DSO_USER, 0, 0 },
	{ "\t           d4353 _Fork+0x23 (/usr/lib/libc.so.6+0xd4353)", "_Fork",
	  "/usr/lib/libc.so.6", DSO_USER, 0, 0 },
	{ "\t            1234 std::foo<int, char>(long (*)(int))+0x1c "
	  "(/opt/my app (x)/bin)",
	  "std::foo<int, char>(long (*)(int))", "/opt/my app (x)/bin", DSO_USER,
	  0, 0 },
	{ "\t            1234 operator new(unsigned long) (/lib/libstdc++.so)",
	  "operator new(unsigned long)", "/lib/libstdc++.so", DSO_USER, 0, 0 },
	{ "\t            1234 f+0x1c (/tmp/a.out (deleted))", "f", "/tmp/a.out",
	  DSO_USER, 0, 0 },
	{ "\t    7ffe5a5f0a3d clock_gettime+0x1d ([vdso])", "clock_gettime",
	  "[vdso]", DSO_VDSO, 0, 0 },
	{ "\t    7f0000001000 Foo.bar+0x10 (/tmp/perf-1234.map)", "Foo.bar",
	  "/tmp/perf-1234.map", DSO_PERF_MAP, 0, 0 },
	{ "\t    7f0000001000 [unknown] ([heap])", "", "[heap]", DSO_USER, 0,
	  0x7f0000001000 },
	{ "\t          146f2c [unknown] (/usr/bin/perf)", "", "/usr/bin/perf",
	  DSO_USER, 0, 0x146f2c },
	{ "\tffffffff821fb643 [unknown] ([kernel.kallsyms])", "", "[kernel]",
	  DSO_KERNEL, K, 0xffffffff821fb643 },
	{ "\t               0 [unknown] ([unknown])", "", "", DSO_UNKNOWN, 0,
	  0 },
	{ "\tffffffff821fb643 ([kernel.kallsyms])", "", "[kernel]", DSO_KERNEL,
	  K, 0xffffffff821fb643 },
	{ "\tffffffff821fb643", "", "", DSO_UNKNOWN, K, 0xffffffff821fb643 },
	{ "\tffffffff821fb643 f", "f", "", DSO_UNKNOWN, K, 0 },
	{ "\t        c04a1234 schedule+0x1f ([kernel.kallsyms])", "schedule",
	  "[kernel]", DSO_KERNEL, K, 0 },
	{ "\t            1234 a)b (c (/x)", "a)b (c", "/x", DSO_USER, 0, 0 },
	/* no frames */
	{ "  rwsem.c:1234" },
	{ "  [kernel.kallsyms][ffffffff821facd8]" },
	{ "\t" },
	{ "\t11112222333344445555 f (/x)" },
};

static void check_frames(void)
{
	struct profile *p = profile_new();
	struct chain_cache *c = chain_cache_new(p);
	uint32_t number = 0, again = 0;
	size_t i;

	for (i = 0; i < LENGTH(frames); i++) {
		const char *line = frames[i].line;
		bool known = chain_frame(c, text(line), false, &number);
		const struct frame *f;
		const struct dso *d;

		if (!frames[i].symbol) {
			tap_ok(!known, "no frame: '%s'", line);
			continue;
		}
		tap_ok(known, "a frame: '%s'", line);
		f = profile_get_frame(p, number);
		d = profile_get_dso(p, f->dso);
		tap_is_str(profile_text(p, f->symbol), frames[i].symbol,
			   "its symbol");
		tap_is_str(profile_text(p, d->path), frames[i].dso, "its dso");
		tap_is_u64(d->kind, frames[i].kind, "the dso's kind");
		tap_is_u64(f->address, frames[i].address, "its address");
		tap_is_u64(f->flags & ~(uint32_t)FRAME_LOOKED_UP,
			   frames[i].flags, "its flags");
		chain_frame(c, text(line), false, &again);
		tap_is_u64(again, number, "the same again");
	}
	chain_frame(c, text("\tff [unknown] (/x)"), true, &number);
	tap_ok(profile_get_frame(p, number)->flags & FRAME_EXACT,
	       "an unnamed leaf is no return address");
	chain_frame(c, text("\tff [unknown] (/x)"), false, &again);
	tap_ok(again != number, "but its caller is");
	chain_cache_free(c);
	profile_free(p);
}

int main(void)
{
	check_lines();
	check_switches();
	check_others();
	check_frames();
	return tap_done();
}

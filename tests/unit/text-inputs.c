// SPDX-License-Identifier: GPL-2.0-only
/* Whole texts of perf script and of folded stacks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/import.h"
#include "tests/tap.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define SWITCH(time, from, from_pid, state, to, to_pid)                     \
	from "  " #from_pid " [000]  " time                                 \
	     ": sched:sched_switch: prev_comm=" from " prev_pid=" #from_pid \
	     " prev_prio=120 prev_state=" state " ==> next_comm=" to        \
	     " next_pid=" #to_pid " next_prio=120\n"
#define SCHEDULE                                                    \
	"\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])\n" \
	"\tffffffff821fb643 schedule+0x23 ([kernel.kallsyms])\n"
#define WAIT4                                                            \
	SCHEDULE "\tffffffff81360643 do_wait+0x53 ([kernel.kallsyms])\n" \
		 "\tffffffff81000130 entry_SYSCALL_64+0x76 "             \
		 "([kernel.kallsyms])\n"                                 \
		 "\t           d4353 wait4+0x23 (/usr/lib/libc.so.6)\n"

static const struct {
	const char *name;
	const char *text;
	const char *rows;
	uint64_t malformed;
	const char *warning;
} cases[] = {
	{ "perf script, with call chains",
	  SWITCH("1.000000", "a b", 7, "S", "swapper/0", 0) WAIT4
	  "\n" SWITCH("1.000100", "c", 8, "R+", "a b", 7) SCHEDULE
	  "\n" SWITCH("1.000200", "a b", 7, "D", "c", 8) WAIT4 "\n",
	  "2 a_b __schedule schedule do_wait entry_SYSCALL_64 u:wait4\n"
	  "0+1 c __schedule schedule\n" },
	{ "no empty lines between, none at the end",
	  SWITCH("1.0", "a", 7, "S", "b", 8)
		  SCHEDULE SWITCH("1.1", "b", 8, "S", "a", 7) WAIT4,
	  "1 a __schedule schedule\n"
	  "1 b __schedule schedule do_wait entry_SYSCALL_64 u:wait4\n" },
	{ "without call chains",
	  "       " SWITCH("1.0", "a", 7, "S", "b",
			   8) "       " SWITCH("1.1", "b", 8, "D", "a", 7),
	  "1 a\n1 b\n" },
	{ "source lines, inlined and unnamed frames",
	  SWITCH("1.0", "a", 7, "S", "b",
		 8) "\tffffffff821facd8 __schedule ([kernel.kallsyms])\n"
		    "  core.c:6742\n"
		    "\tffffffff821facd9 down_write (inlined)\n"
		    "  rwsem.c:1579\n"
		    "\t          146f2c [unknown] (/usr/bin/perf)\n\n",
	  "1 a __schedule down_write(inlined) u:146f2c@/usr/bin/perf\n" },
	{ "chains indented by blanks",
	  SWITCH("1.0", "a", 7, "S", "b",
		 8) "        ffffffff821facd8 __schedule ([kernel.kallsyms])\n"
		    "        ffffffff821fb643 schedule ([kernel.kallsyms])\n\n",
	  "1 a __schedule schedule\n" },
	{ "libtraceevent's plugin",
	  "a 7 [000] 1.0: sched:sched_switch: a b:7 [120] D|W ==> c:8 "
	  "[120]\n" SCHEDULE "\n",
	  "1 a_b __schedule schedule\n" },
	{ "other events between",
	  "a 7 [000] 1.0:     250000 cpu-clock:pppH: \n" WAIT4
	  "\n" SWITCH("1.1", "a", 7, "S", "b", 8) SCHEDULE
	  "\n"
	  "a 7 [000] 1.2: sched:sched_switchx: prev_comm=a\n" SCHEDULE "\n",
	  "1 a __schedule schedule\n" },
	{ "damaged lines",
	  SWITCH("1.0", "a", 7, "S", "b", 8) SCHEDULE
	  "\n"
	  "what is this?\n"
	  "a 7 [000] 1.1: sched:sched_switch: prev_comm=a prev_pid\n" WAIT4 "\n"
	  "\tffffffff821facd8 __schedule ([kernel.kallsyms])\n" SWITCH(
		  "1.2", "a", 7, "S", "b", 8) SCHEDULE "\n",
	  "2 a __schedule schedule\n", 3,
	  "2 lines not used, the first is line 5: neither a sample" },
	{ "damaged fields are named apart",
	  SWITCH("1.0", "a", 7, "S", "b",
		 8) "a 7 [000] 1.1: sched:sched_switch: prev_comm=a prev_pid\n",
	  "1 a\n", 1, "1 line not used, the first is line 2: the event's" },
	{ "folded",
	  "a b;main;read;entry_SYSCALL_64;do_wait;schedule;__schedule 12\n"
	  "kthread/0;ret_from_fork;kthread;schedule;__schedule 3\n"
	  "a b;main;read;entry_SYSCALL_64;do_wait;schedule;__schedule 1\n"
	  "swapper 5\n",
	  "13 a_b __schedule schedule do_wait entry_SYSCALL_64 u:read u:main\n"
	  "3 kthread/0 __schedule schedule kthread ret_from_fork\n"
	  "5 swapper\n" },
	{ "folded, ids behind the comm",
	  "a-7/8;f 1\na-?/9;f 1\nThread-12;f 1\na/1;f 1\na-b/1;f 1\n",
	  "2 a u:f\n1 Thread-12 u:f\n1 a/1 u:f\n1 a-b/1 u:f\n" },
	{ "folded, annotated",
	  "a;main;f_[j];g_[i];sys_read_[k];__schedule_[k] 2\n"
	  "a;system_call;h 1\n",
	  "2 a __schedule sys_read u:g(inlined) u:f u:main\n"
	  "1 a u:h u:system_call\n" },
	{ "folded, wakers behind the sleeper",
	  "a;main;-;sys_read;__schedule;--;wake_up;main;b 2\n"
	  "a;read_[k];__schedule_[k];wake_up_[w];b_[w] 1\n",
	  "2 a __schedule sys_read u:main\n1 a __schedule read\n" },
	{ "folded, no comm",
	  "entry_SYSCALL_64;sys_read;__schedule 2\n0x7f00;main;f 1\n",
	  "2 - __schedule sys_read entry_SYSCALL_64\n1 - u:f u:main "
	  "u:7f00@\n" },
	{ "folded, odd spacing",
	  "  a;f  2 \n\na; g ;;h\t3\r\n# comment\na;f 0\n",
	  "2 a u:f\n3 a u:h u:g\n" },
	{ "folded, names with blanks and colons",
	  "a b;operator new(unsigned long);ns::f<int, char> 2\n",
	  "2 a_b u:ns::f<int,_char> u:operator_new(unsigned_long)\n" },
	{ "folded, fractions", "a;f 0.5\na;g 1.25\nb;f 0.25\na;f 0.5\n",
	  "40.0000 a u:f\n50.0000 a u:g\n10.0000 b u:f\n" },
	{ "folded, a fraction comes late", "a;f 1\na;f 1\nb;g 0.5\nb;g 1.5\n",
	  "50.0000 a u:f\n50.0000 b u:g\n" },
	{ "folded, damaged lines",
	  "a;f 1\na;f\na;f -1\na;f 1e3\na;f 1.\n 7\na;f 99999999999999999999\n"
	  "a;f 2\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\n"
	  "a;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\na;f 1\n"
	  "a;f 1\na;f 1\n",
	  "21 a u:f\n", 6, "6 lines not used, the first is line 2: no folded" },
	{ "folded, more than 64 bits hold",
	  "a;f 9000000000000000000\na;f 9000000000000000000\n",
	  "9000000000000000000 a u:f\n", 1, "the first is line 2" },
};

static void check_cases(void)
{
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		struct error err;
		struct profile *p = import_text(cases[i].text, &err);
		char *rows = import_rows(p);

		tap_is_str(err.text, "", "%s: read", cases[i].name);
		tap_is_str(rows, cases[i].rows, "%s: rows", cases[i].name);
		tap_is_u64(p->losses.malformed, cases[i].malformed,
			   "%s: malformed lines", cases[i].name);
		if (cases[i].warning)
			tap_ok(import_warning(p, cases[i].warning),
			       "%s: warns '%s'", cases[i].name,
			       cases[i].warning);
		free(rows);
		profile_free(p);
	}
}

/* ------------------------------------------------ what else a script says */

static const char full[] =
	"# ========\n# captured on    : Mon Nov 30 14:16:34 2026\n"
	"# hostname : box\n# os release : 6.18.44\n# perf version : 6.1.1\n"
	"# arch : x86_64\n# nrcpus online : 2\n# nrcpus avail : 4\n"
	"# cpudesc : a CPU\n# cmdline : /usr/bin/perf record -a \n"
	"# ========\n#\n"
	"x 1 [000] 0.000000: PERF_RECORD_FORK(7:7):(1:1)\n" SWITCH(
		"1.0", "swapper/0", 0, "R", "a",
		7) "\n"
		   "a 7 [000] 1.1: lock:contention_begin: 0xff10 "
		   "(flags=WRITE)\n" SCHEDULE
		   "\n" SWITCH("1.2", "a", 7, "D", "b", 8) WAIT4
	"\n"
	"b 8 [000] 1.3: sched:sched_waking: comm=a pid=7 prio=120 "
	"target_cpu=000\n"
	"b 8 [000] 1.35: sched:sched_wakeup: comm=a pid=7 prio=120 "
	"target_cpu=000\n" SWITCH("1.4", "b", 8, "S", "a",
				  7) "\n"
				     "a 7 [000] 1.5: lock:contention_end: "
				     "0xff10 (ret=0)\n\n" SWITCH("1.6", "a", 7,
								 "R+", "b", 8)
					     WAIT4
	"\n"
	"b 8 [000] 1.7: PERF_RECORD_LOST lost 48\n" SWITCH("1.55", "b", 8, "S",
							   "swapper/0", 0) "\n";

static void check_full(void)
{
	struct error err;
	struct profile *p = import_text(full, &err);
	const struct sleep_row *row = profile_get_sleep_row(p, 0);
	const struct acquisition_row *acq;

	tap_is_str(err.text, "", "read");
	tap_is_str(profile_text(p, p->hostname), "box", "host");
	tap_is_str(profile_text(p, p->os_release), "6.18.44", "kernel");
	tap_is_str(profile_text(p, p->perf_version), "6.1.1", "perf");
	tap_is_str(profile_text(p, p->arch), "x86_64", "architecture");
	tap_is_str(profile_text(p, p->cpu_model), "a CPU", "CPU");
	tap_is_str(profile_text(p, p->cmdline), "/usr/bin/perf record -a",
		   "command");
	tap_is_u64(p->cpus_online, 2, "CPUs online");
	tap_is_u64(p->cpus_available, 4, "CPUs available");
	tap_is_u64(p->switches, 5, "switches");
	tap_is_u64(p->sleeps, 3, "sleeps");
	tap_is_u64(p->preemptions, 1, "preemptions");
	tap_is_u64(p->from_idle, 1, "from idle");
	tap_is_u64(p->events, 9, "samples");
	tap_is_u64(p->losses.lost, 48, "lost events");
	tap_is_u64(p->losses.out_of_order, 1, "events out of order");
	tap_is_u64(p->losses.malformed, 0, "malformed lines");
	tap_ok(p->has_chains && p->has_contention && p->has_wakeups,
	       "chains, contention and wake-ups were there");
	tap_is_u64(row->off_ns, 200000000, "time off the CPU");
	tap_is_u64(row->woken, 1, "woken once");
	tap_is_u64(row->runnable_ns, 100000000,
		   "from sched_waking on, not sched_wakeup");
	if (!tap_is_u64(profile_nr_acquisition_rows(p), 1, "an acquisition"))
		return;
	acq = profile_get_acquisition_row(p, 0);
	tap_is_u64(acq->ended[ACQUIRED_ONE_SLEEP], 1, "with one sleep");
	tap_is_u64(acq->wait_ns, 400000000, "its wait");
	tap_is_u64(acq->flags, CONTENTION_WRITE, "its flags");
	tap_is_u64(profile_get_stack(p, acq->stack)->nr, 2, "its call chain");
	profile_free(p);
}

static void check_period(void)
{
	struct error err;
	struct profile *p = import_text(
		"a 7 [000] 1.0:   10 sched:sched_switch: prev_comm=a "
		"prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b "
		"next_pid=8 next_prio=120\n",
		&err);

	tap_is_u64(p->sample_period, 10, "one in ten switches was recorded");
	profile_free(p);
}

/* ----------------------------------------------------------------- limits */

static void check_deep(void)
{
	char *text = NULL, *rows;
	struct profile *p;
	struct error err;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		tap_bail("out of memory");
	fputs("a", f);
	for (i = 0; i < 3000; i++)
		fprintf(f, ";f%zu", i);
	fputs(" 2\n", f);
	fclose(f);
	p = import_bytes(text, size, &err);
	rows = import_rows(p);
	tap_ok(strstr(rows, "2 a u:f2999 u:f2998 ") &&
		       strstr(rows, " u:f1976 cut\n"),
	       "of a deep folded stack the 1024 frames near the leaf");
	free(rows);
	free(text);
	profile_free(p);
}

static const struct {
	const char *name;
	const char *text;
	const char *message;
} errors[] = {
	{ "no fields that are known",
	  "a 7 [000] 1.0: sched:sched_switch: hello\n",
	  "line 1: no usable sample; expected" },
	{ "only records", "a 7 [000] 0.0: PERF_RECORD_COMM: a:7/7\n",
	  "without any sample" },
	{ "folded, only counts of nothing", "a;f 0\n",
	  "no folded stack; expected" },
};

static void check_errors(void)
{
	size_t i;

	for (i = 0; i < LENGTH(errors); i++) {
		struct error err;
		struct profile *p = import_text(errors[i].text, &err);

		tap_is_i64(err.code, EXIT_USAGE, "%s: refused", errors[i].name);
		if (!tap_ok(strstr(err.text, errors[i].message),
			    "%s: says '%s'", errors[i].name, errors[i].message))
			tap_diag("%s", err.text);
		profile_free(p);
	}
}

int main(void)
{
	check_cases();
	check_full();
	check_period();
	check_deep();
	check_errors();
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf report text, as perf writes it and as mails carry it.  The wanted
 * shares are worked out by hand from the percentages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/input.h"
#include "tests/import.h"
#include "tests/tap.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define EVENT	  "# Samples: 1K of event 'sched:sched_switch'\n"

static const struct {
	const char *name;
	const char *text;
	const char *rows;
	const char *warning; /* NULL: none at all */
} reports[] = {
	{ "an entry that is not expanded",
	  "+  60.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  "60.0000 a __schedule cut\n40.0000 - cut\n", NULL },
	{ "an entry without a graph",
	  "   100.00%  a b  [kernel.kallsyms]  [k] __schedule\n",
	  "100.0000 a_b __schedule cut\n", NULL },
	{ "the browser, of the parent",
	  "-  60.00%  a  [kernel.kallsyms]  [k] perf_trace_sched_switch\n"
	  "   - perf_trace_sched_switch\n"
	  "   - __schedule\n"
	  "      - 99.00% schedule\n"
	  "         + 80.00% schedule_timeout\n"
	  "         - 20.00% rwsem_down_write_failed\n"
	  "              call_rwsem_down_write_failed\n"
	  "            - down_write\n"
	  "               + 70.00% unlink_anon_vmas\n"
	  "               + 29.00% anon_vma_clone.clone.2\n"
	  "+  40.00%  b  [kernel.kallsyms]  [k] perf_trace_sched_switch\n",
	  "0.6000 a perf_trace_sched_switch __schedule cut\n"
	  "47.5200 a perf_trace_sched_switch __schedule schedule "
	  "schedule_timeout cut\n"
	  "0.1188 a perf_trace_sched_switch __schedule schedule "
	  "rwsem_down_write_failed call_rwsem_down_write_failed down_write "
	  "cut\n"
	  "8.3160 a perf_trace_sched_switch __schedule schedule "
	  "rwsem_down_write_failed call_rwsem_down_write_failed down_write "
	  "unlink_anon_vmas cut\n"
	  "3.4452 a perf_trace_sched_switch __schedule schedule "
	  "rwsem_down_write_failed call_rwsem_down_write_failed down_write "
	  "anon_vma_clone.clone.2 cut\n"
	  "40.0000 b perf_trace_sched_switch cut\n",
	  NULL },
	{ "the browser, of all, a leaf without a mark",
	  "-   60.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "   - __schedule\n"
	  "      - 60.00% schedule\n"
	  "         - 45.00% do_wait\n"
	  "              entry_SYSCALL_64_after_hwframe\n"
	  "              wait4\n"
	  "           15.00% pipe_read\n",
	  "45.0000 a __schedule schedule do_wait "
	  "entry_SYSCALL_64_after_hwframe u:wait4\n"
	  "15.0000 a __schedule schedule pipe_read\n"
	  "40.0000 - cut\n",
	  NULL },
	{ "stdio, of all, sleeping function first",
	  EVENT "# Event count (approx.): 1000\n#\n"
		"# Overhead  Command  Shared Object      Symbol\n"
		"# ........  .......  .................  ..............\n#\n"
		"    80.00%  a        [kernel.kallsyms]  [k] __schedule\n"
		"            |\n"
		"            ---__schedule\n"
		"               |          \n"
		"               |--70.00%--schedule\n"
		"               |          |          \n"
		"               |          |--50.00%--do_wait\n"
		"               |          |          system_call_fastpath\n"
		"               |          |          waitpid\n"
		"               |          |          \n"
		"               |           --15.00%--pipe_wait\n"
		"               |                     pipe_read\n"
		"               |          \n"
		"                --10.00%--preempt_schedule\n"
		"\n"
		"    20.00%  b        [kernel.kallsyms]  [k] __schedule\n"
		"            |\n"
		"            ---__schedule\n"
		"               schedule\n"
		"               worker_thread\n"
		"               ret_from_fork\n",
	  "5.0000 a __schedule schedule cut\n"
	  "50.0000 a __schedule schedule do_wait system_call_fastpath "
	  "u:waitpid\n"
	  "15.0000 a __schedule schedule pipe_wait pipe_read\n"
	  "10.0000 a __schedule preempt_schedule\n"
	  "20.0000 b __schedule schedule worker_thread ret_from_fork\n",
	  NULL },
	{ "stdio of old kernels, of the parent, blanks in the marks",
	  "    96.00%          process 1  [kernel.kallsyms]  [k] "
	  "perf_trace_sched_switch\n"
	  "                    |\n"
	  "                    --- perf_trace_sched_switch\n"
	  "                        __schedule\n"
	  "                        mutex_lock\n"
	  "                       |          \n"
	  "                       |--50.00%-- rmap_walk\n"
	  "                       |          move_to_new_page\n"
	  "                       |          \n"
	  "                        --50.00%-- page_lock_anon_vma\n"
	  "                                  try_to_unmap\n",
	  "48.0000 process_1 perf_trace_sched_switch __schedule mutex_lock "
	  "rmap_walk move_to_new_page\n"
	  "48.0000 process_1 perf_trace_sched_switch __schedule mutex_lock "
	  "page_lock_anon_vma try_to_unmap\n"
	  "4.0000 - cut\n",
	  NULL },
	{ "stdio, sleeping function last, with children",
	  EVENT
	  "# Children      Self  Command  Shared Object      Symbol\n"
	  "    80.00%    80.00%  a        [kernel.kallsyms]  [k] __schedule\n"
	  "            |          \n"
	  "            |--50.00%--wait4\n"
	  "            |          entry_SYSCALL_64_after_hwframe\n"
	  "            |          do_wait\n"
	  "            |          schedule\n"
	  "            |          __schedule\n"
	  "            |          \n"
	  "             --29.00%--entry_SYSCALL_64_after_hwframe\n"
	  "                       |          \n"
	  "                        --28.00%--read\n"
	  "                                  __schedule\n"
	  "\n"
	  "    80.00%     0.00%  a        [kernel.kallsyms]  [k] schedule\n"
	  "            |\n"
	  "            ---schedule\n"
	  "               __schedule\n",
	  "2.0000 a __schedule cut\n"
	  "50.0000 a __schedule schedule do_wait "
	  "entry_SYSCALL_64_after_hwframe u:wait4\n"
	  "28.0000 a __schedule read entry_SYSCALL_64_after_hwframe\n"
	  "20.0000 - cut\n",
	  NULL },
	{ "fractal with a rest",
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "            |          \n"
	  "            |--80.00%--schedule\n"
	  "            |          do_wait\n"
	  "            |--15.00%--schedule_timeout\n"
	  "             --5.00%--[...]\n",
	  "2.5000 a __schedule cut\n"
	  "40.0000 a __schedule schedule do_wait\n"
	  "7.5000 a __schedule schedule_timeout\n"
	  "50.0000 - cut\n",
	  NULL },
	{ "-g folded",
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "30.00% read;entry_SYSCALL_64;schedule;__schedule\n"
	  "20.00% kthread;__schedule\n",
	  "30.0000 a __schedule schedule entry_SYSCALL_64 u:read\n"
	  "20.0000 a __schedule kthread\n"
	  "50.0000 - cut\n",
	  NULL },
	{ "-g flat",
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "           30.00%\n"
	  "                __schedule\n"
	  "                schedule\n"
	  "                do_wait\n"
	  "\n"
	  "           20.00%\n"
	  "                __schedule\n"
	  "                kthread\n"
	  "\n",
	  "30.0000 a __schedule schedule do_wait\n"
	  "20.0000 a __schedule kthread\n"
	  "50.0000 - cut\n",
	  NULL },
	{ "-g count",
	  EVENT "# Event count (approx.): 1000\n"
		"    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
		"            |\n"
		"            ---__schedule\n"
		"               |          \n"
		"               |--300--do_wait\n"
		"               |          \n"
		"                --125--pipe_wait\n",
	  "7.5000 a __schedule cut\n"
	  "30.0000 a __schedule do_wait\n"
	  "12.5000 a __schedule pipe_wait\n"
	  "50.0000 - cut\n",
	  NULL },
	{ "a samples column, another order of columns",
	  "    70.00%           700  [k] __schedule  [kernel.kallsyms]  a b\n"
	  "    30.00%           300  [k] __schedule  [kernel.kallsyms]  c\n",
	  "70.0000 a_b __schedule cut\n30.0000 c __schedule cut\n", NULL },
	{ "columns that a mailer moved together",
	  "+ 70.00% exim [kernel.kallsyms] [k] __schedule\n"
	  "+ 30.00% 1234:a b [kernel.kallsyms] [k] __schedule\n",
	  "70.0000 exim __schedule cut\n30.0000 a_b __schedule cut\n", NULL },
	{ "sorted by comm alone",
	  EVENT "   100.00%  dir worker\n"
		"            |\n"
		"            ---__schedule\n"
		"               |          \n"
		"               |--60.00%--schedule\n"
		"               |          \n"
		"                --40.00%--preempt_schedule\n",
	  "60.0000 dir_worker __schedule schedule\n"
	  "40.0000 dir_worker __schedule preempt_schedule\n",
	  NULL },
	{ "sorted by what the event printed",
	  EVENT
	  "# Overhead  Trace output\n#\n"
	  "    60.00%  prev_comm=a b prev_pid=7 prev_prio=120 prev_state=D ==> "
	  "next_comm=c next_pid=8 next_prio=120\n"
	  "            |\n"
	  "            ---__schedule\n"
	  "               schedule\n"
	  "\n"
	  "    40.00%  prev_comm=c prev_pid=8 prev_prio=120 prev_state=R+ ==> "
	  "next_comm=a b next_pid=7 next_prio=120\n"
	  "            |\n"
	  "            ---__schedule\n",
	  "60.0000 a_b __schedule schedule\n0.0000+400000000 c __schedule "
	  "cut\n",
	  NULL },
	{ "several events",
	  "# Samples: 9K of event 'cycles'\n"
	  "    90.00%  a  [kernel.kallsyms]  [k] clear_page\n"
	  "            ---clear_page\n"
	  "\n" EVENT "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "\n"
	  "# Samples: 9K of event 'sched:sched_wakeup'\n"
	  "    70.00%  a  [kernel.kallsyms]  [k] ttwu_do_wakeup\n",
	  "50.0000 a __schedule cut\n50.0000 - cut\n", "line 1: an event" },
	{ "two reports of switches",
	  EVENT "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n" EVENT
		"    70.00%  b  [kernel.kallsyms]  [k] __schedule\n",
	  "50.0000 a __schedule cut\n50.0000 - cut\n",
	  "line 3: another report" },
	{ "another event without a header",
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "    30.00%  a  [kernel.kallsyms]  [k] clear_page\n"
	  "            ---clear_page\n",
	  "50.0000 a __schedule cut\n50.0000 - cut\n",
	  "line 2: not used, its call graph" },
	{ "a whole report of another event without a header",
	  "    70.00%  a  [kernel.kallsyms]  [k] clear_page\n"
	  "    20.00%  a  [kernel.kallsyms]  [k] copy_page\n\n"
	  "    80.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  "80.0000 a __schedule cut\n20.0000 - cut\n",
	  "line 2: not used, its call graph" },
	{ "of all or of the parent, nothing shows which",
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "            |--30.00%--schedule\n",
	  "20.0000 a __schedule cut\n30.0000 a __schedule schedule\n"
	  "50.0000 - cut\n",
	  "nothing shows whether the call graph's percentages" },
	{ "a graph of more than its own samples",
	  "    50.00%    20.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "            |--50.00%--schedule\n",
	  "20.0000 a __schedule cut\n80.0000 - cut\n",
	  "line 1: its call graph is not used" },
	{ "nothing shows the order",
	  EVENT "    50.00%  a\n            |--50.00%--f\n"
		"                       g\n",
	  "50.0000 a u:f u:g\n50.0000 - cut\n",
	  "line 2: nothing shows whether the call graph begins" },
	{ "prose around and between, and remarks",
	  "Hello,\nhere it is:\n\n"
	  "-  50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "   - __schedule\n"
	  "      - 90.00% schedule     <------ most of it\n"
	  "So much for that.\n"
	  "      + 10.00% io_schedule <- disk\n"
	  "\nThanks\n",
	  "45.0000 a __schedule schedule cut\n"
	  "5.0000 a __schedule io_schedule cut\n50.0000 - cut\n",
	  "4 lines not used, the first is line 1: no part" },
	{ "rounded up: the parent counts",
	  "    10.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "            |--5.01%--schedule\n"
	  "            |--5.01%--io_schedule\n",
	  "5.0000 a __schedule schedule\n5.0000 a __schedule io_schedule\n"
	  "90.0000 - cut\n",
	  NULL },
	{ "an inlined function, C++ names, a module",
	  "    50.00%  a  [ext4]  [k] __schedule\n"
	  "            ---__schedule\n"
	  "               ns::f(int, char) (inlined)\n"
	  "               operator new(unsigned long)\n",
	  "50.0000 a __schedule ns::f(int,_char)(inlined) "
	  "operator_new(unsigned_long)\n50.0000 - cut\n",
	  NULL },
};

static void check(const char *name, const char *text, const char *want,
		  const char *warning)
{
	struct error err;
	struct profile *p = import_text(text, &err);
	char *rows = import_rows(p);

	tap_is_str(err.text, "", "%s: read", name);
	tap_is_str(rows, want, "%s: rows", name);
	if (warning)
		tap_ok(import_warning(p, warning), "%s: warns '%s'", name,
		       warning);
	else
		tap_is_u64(profile_nr_warnings(p), 0, "%s: no warning", name);
	free(rows);
	profile_free(p);
}

static void check_header(void)
{
	struct error err;
	struct profile *p = import_text(
		"# ========\n# hostname : box\n# os release : 6.18.44\n"
		"# nrcpus online : 2\n# ========\n#\n"
		"# Total Lost Samples: 43\n#\n" EVENT
		"# Event count (approx.): 1234\n"
		"    50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
		"            ---__schedule\n               schedule\n",
		&err);

	tap_is_str(profile_text(p, p->hostname), "box", "host");
	tap_is_str(profile_text(p, p->os_release), "6.18.44", "kernel");
	tap_is_u64(p->cpus_online, 2, "CPUs online");
	tap_is_u64(p->losses.lost_samples, 43, "lost samples");
	tap_is_u64(p->events, 1234, "samples");
	tap_is_u64(p->switches, 1000000000, "the base is all switches");
	tap_ok(p->unit == UNIT_SHARE && p->has_chains && p->has_switches,
	       "shares, with call chains");
	profile_free(p);
}

/* Shares and counts have no common base. */
static void check_mix(void)
{
	struct error err;
	struct profile *p = import_text("a;__schedule 3\n", &err);
	char path[] = "/tmp/rwsemlab-test.XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");

	if (!f)
		tap_bail("no temporary file");
	fputs("    50.00%  a  [kernel.kallsyms]  [k] __schedule\n", f);
	fclose(f);
	tap_is_i64(input_read(path, p, &err), -1,
		   "a report is not added to counts");
	tap_ok(strstr(err.text, "shares and counts can't be added"),
	       "and says why");
	unlink(path);
	profile_free(p);
}

int main(void)
{
	size_t i;

	for (i = 0; i < LENGTH(reports); i++)
		check(reports[i].name, reports[i].text, reports[i].rows,
		      reports[i].warning);
	check_header();
	check_mix();
	return tap_done();
}

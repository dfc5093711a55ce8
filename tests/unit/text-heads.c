// SPDX-License-Identifier: GPL-2.0-only
/* Which reader takes which text, by its first bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/import.h"
#include "tests/tap.h"

#define SCRIPT "perf script text"
#define REPORT "perf report text"
#define FOLDED "folded stacks"
#define NONE   ""

#define SWITCH                                                      \
	"sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 " \
	"prev_state=S "                                             \
	"==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
#define HEADER                                                             \
	"# ========\n# captured on    : Mon Nov 30 14:16:34 2026\n"        \
	"# os release : 6.18.44\n# cmdline : /usr/bin/perf record -a -g\n" \
	"# ========\n#\n"

static const struct {
	const char *name;
	const char *text;
	const char *reader;
} cases[] = {
	{ "a sample", "a 7 [000] 1.5: " SWITCH, SCRIPT },
	{ "a sample, aligned",
	  "               a     7 [000]     1.500000: " SWITCH, SCRIPT },
	{ "pid/tid", "a    7/7     [000]  1.500000: " SWITCH, SCRIPT },
	{ "a sample of another event",
	  "a 7 [000] 1.5:     250000 cpu-clock:pppH: \n\tffff x ([ext4])\n\n",
	  SCRIPT },
	{ "a record before the first sample",
	  "swapper 0 [000] 0.000000: PERF_RECORD_FORK(1:1):(0:0)\n"
	  "a 7 [000] 1.5: " SWITCH,
	  SCRIPT },
	{ "a warning before the first sample",
	  "Warning:\nProcessed 7 events and lost 1 chunks!\n\n"
	  "a 7 [000] 1.5: " SWITCH,
	  SCRIPT },
	{ "the tail of a chain first",
	  "\tffffffff821fb643 schedule+0x23 ([kernel.kallsyms])\n\n"
	  "a 7 [000] 1.5: " SWITCH,
	  SCRIPT },
	{ "a comm that looks like folded", "a;b;c 7 [000] 1.5: " SWITCH,
	  SCRIPT },
	{ "perf script --header", HEADER "a 7 [000] 1.5: " SWITCH, SCRIPT },
	{ "perf report --header",
	  HEADER "#\n# Samples: 1K of event 'sched:sched_switch'\n"
		 "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "perf report, the header only",
	  "# To display the perf.data header info, please use --header\n#\n"
	  "# Samples: 1K of event 'sched:sched_switch'\n#\n"
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "an old header",
	  "# Events: 1K sched:sched_switch\n#\n"
	  "# Overhead  Command  Shared Object  Symbol\n"
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "an entry of the browser",
	  "-   50.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "   - __schedule\n      + 99.00% schedule\n",
	  REPORT },
	{ "an entry with what the event printed",
	  "  2.08%  prev_comm=a prev_pid=7 prev_prio=120 prev_state=D ==> "
	  "next_comm=b next_pid=8 next_prio=120\n            ---__schedule\n",
	  REPORT },
	{ "a quoted entry",
	  "> >  50.00%  a  [kernel.kallsyms]  [k] __schedule\n", REPORT },
	{ "the browser's first line",
	  "Samples: 1K of event 'sched:sched_switch', Event count (approx.): "
	  "1000\n  Children      Self  Command  Shared Object      Symbol\n"
	  "+   50.00%    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "prose before the entry",
	  "Hello,\n\nthis is what I see:\n\n"
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "a mail",
	  "From: A <a@example.org>\nSubject: exim\n\nHello,\n\n"
	  "    50.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  REPORT },
	{ "a graph without its entry",
	  "- 99.98% schedule\n   + 33.07% schedule_timeout\n"
	  "   + 23.84% pipe_wait\n",
	  REPORT },
	{ "folded", "a;b;c 7\n", FOLDED },
	{ "folded, no line end", "a;b;c 7", FOLDED },
	{ "folded, a comm alone first", "swapper 3\na;b;c 7\n", FOLDED },
	{ "folded, names with blanks", "a b;operator new(unsigned long);c 7\n",
	  FOLDED },
	{ "folded, fractions", "a;b;c 7.25\n", FOLDED },
	{ "folded, annotated", "a;b;c_[k] 7\n", FOLDED },
	{ "folded, damaged in places",
	  "a;b;c 7\na;b;d 7\na;b;e 7\na;b;f 7\nx\n", FOLDED },
	{ "folded, C++ names with colons", "a;ns::f;sched:x 7\n", FOLDED },
	/* Nobody's. */
	{ "prose", "Hello, this is a text with 7\nlines; or so.\n", NONE },
	{ "vmstat",
	  "procs -----------memory----------\n r  b   swpd   free  cs us\n"
	  "38  0      0 130957920 476975 14\n",
	  NONE },
	{ "a C file", "int a;\nint b;\nint main(void) { return 0; }\n", NONE },
	{ "CSV", "a;b;c\n1;2;3\n", NONE },
	{ "numbers", "1 2 3\n4 5 6\n", NONE },
	{ "JSON", "{\n \"format\": \"rwsemlab-session-1\"\n}\n", NONE },
	{ "dmesg", "[    1.234567] rcu: Hierarchical RCU implementation.\n",
	  NONE },
	{ "perf stat",
	  " Performance counter stats for 'ls':\n\n"
	  "     1.23 msec task-clock    #    0.812 CPUs utilized\n",
	  NONE },
	{ "perf diff",
	  "# Event 'cycles'\n#\n# Baseline  Delta Abs  Shared Object\n", NONE },
	{ "percentages in prose", "It is 50% of all, and 20% of those.\n",
	  NONE },
	{ "zero bytes", "\1\2\3\4", NONE },
	{ "nothing but a line end", "\n", NONE },
	{ "a lone comment", "# ========\n", NONE },
};

/* A header that goes on behind all that matches() may see. */
static char *long_header(const char *behind)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	if (!f)
		tap_bail("out of memory");
	fputs("# ========\n# captured on    : Mon Nov 30 14:16:34 2026\n", f);
	for (i = 0; i < 200; i++)
		fprintf(f, "# event : name = e%d, , type = 2, size = 128\n", i);
	fputs("# ========\n#\n", f);
	fputs(behind, f);
	fclose(f);
	return text;
}

static void check(const char *name, const char *text, const char *want)
{
	struct error err;
	struct profile *p = import_text(text, &err);

	tap_is_str(profile_text(p, p->format), want, "%s", name);
	if (*want)
		tap_is_str(err.text, "", "%s: read", name);
	else
		tap_ok(err.code == EXIT_USAGE && *err.text,
		       "%s: refused with a reason", name);
	profile_free(p);
}

static void check_deep_stack(void)
{
	char text[8200];
	size_t at = 0, i;

	for (i = 0; i < 1300; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "f%04zu;",
				       i);
	snprintf(text + at, sizeof(text) - at, "leaf 7\n");
	check("folded, one line longer than can be seen", text, FOLDED);
}

int main(void)
{
	char *text;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(cases[i].name, cases[i].text, cases[i].reader);
	text = long_header("a 7 [000] 1.5: " SWITCH);
	check("perf script, a long header", text, SCRIPT);
	free(text);
	text = long_header(
		"# Samples: 1K of event 'sched:sched_switch'\n#\n"
		"    50.00%  a  [kernel.kallsyms]  [k] __schedule\n");
	check("perf report, a long header", text, REPORT);
	free(text);
	check_deep_stack();
	return tap_done();
}

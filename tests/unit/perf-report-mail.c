// SPDX-License-Identifier: GPL-2.0-only
/* What mails do to a perf report, and reports that can't be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/import.h"
#include "tests/tap.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define EVENT	  "# Samples: 1K of event 'sched:sched_switch'\n"

static const struct {
	const char *name;
	const char *text;
	const char *rows;
} reports[] = {
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
	  "40.0000 b perf_trace_sched_switch cut\n" },
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
	  "20.0000 b __schedule schedule worker_thread ret_from_fork\n" },
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
	  "20.0000 - cut\n" },
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
	  "50.0000 - cut\n" },
	{ "a samples column, another order of columns",
	  "    70.00%           700  [k] __schedule  [kernel.kallsyms]  a b\n"
	  "    30.00%           300  [k] __schedule  [kernel.kallsyms]  c\n",
	  "70.0000 a_b __schedule cut\n30.0000 c __schedule cut\n" },
};

typedef void change(FILE *to, const char *line, size_t length);

static void put(FILE *to, const char *line, size_t length)
{
	fwrite(line, 1, length, to);
	fputc('\n', to);
}

static void quote(FILE *to, const char *line, size_t length)
{
	fputs("> ", to);
	put(to, line, length);
}

static void quote_deep(FILE *to, const char *line, size_t length)
{
	fputs(">> > ", to);
	put(to, line, length);
}

static void carriage_return(FILE *to, const char *line, size_t length)
{
	fwrite(line, 1, length, to);
	fputs("\r\n", to);
}

static void trailing_blanks(FILE *to, const char *line, size_t length)
{
	fwrite(line, 1, length, to);
	fputs("  \t\n", to);
}

static size_t leading_blanks(const char *line, size_t length)
{
	size_t n = 0;

	while (n < length && line[n] == ' ')
		n++;
	return n;
}

static void tabs(FILE *to, const char *line, size_t length)
{
	size_t n = leading_blanks(line, length), i;

	for (i = 0; i < n / 8; i++)
		fputc('\t', to);
	put(to, line + i * 8, length - i * 8);
}

static void no_break(FILE *to, const char *line, size_t length)
{
	size_t n = leading_blanks(line, length), i;

	for (i = 0; i < n; i++)
		fputs(i % 2 ? " " : "\xc2\xa0", to);
	put(to, line + n, length - n);
}

static void indent(FILE *to, const char *line, size_t length)
{
	fputs("    ", to);
	put(to, line, length);
}

static void remark(FILE *to, const char *line, size_t length)
{
	fwrite(line, 1, length, to);
	fputs(memchr(line, '[', length) || !length ? "\n" :
						     "   <--- look here\n",
	      to);
}

static const struct {
	const char *name;
	change *change;
} changes[] = {
	{ "quoted", quote },
	{ "quoted three times", quote_deep },
	{ "carriage returns", carriage_return },
	{ "trailing blanks", trailing_blanks },
	{ "tabs", tabs },
	{ "no-break spaces", no_break },
	{ "indented", indent },
	{ "with remarks", remark },
};

static char *changed(const char *text, change *f)
{
	char *to = NULL;
	size_t size;
	FILE *file = open_memstream(&to, &size);

	if (!file)
		tap_bail("out of memory");
	while (*text) {
		size_t length = strcspn(text, "\n");

		f(file, text, length);
		text += length + 1;
	}
	fclose(file);
	return to;
}

static void check_change(const char *report, const char *text,
			 const char *change_name, const char *want)
{
	struct error err;
	struct profile *p = import_text(text, &err);
	char *rows = import_rows(p);

	tap_is_str(rows, want, "%s, %s", report, change_name);
	free(rows);
	profile_free(p);
}

static void check_changes(void)
{
	size_t i, j;

	for (i = 0; i < LENGTH(reports); i++)
		for (j = 0; j < LENGTH(changes); j++) {
			char *text =
				changed(reports[i].text, changes[j].change);

			check_change(reports[i].name, text, changes[j].name,
				     reports[i].rows);
			free(text);
		}
}

/* ----------------------------------------------------------------- errors */

static const struct {
	const char *name;
	const char *text;
	const char *message;
} errors[] = {
	{ "no entry", "# Samples: 0 of event 'sched:sched_switch'\n#\n",
	  "lines 1 to 2 hold no entry" },
	{ "another event",
	  "# Samples: 9 of event 'cycles'\n 9.00%  a  [kernel]  [k] f\n",
	  "a report of cycles; expected" },
	{ "more than all",
	  "    90.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "    20.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  "line 1 on add up to 110.00 %" },
	{ "two reports",
	  "    60.00%  a  [kernel.kallsyms]  [k] __schedule\n"
	  "    20.00%  b  [kernel.kallsyms]  [k] __schedule\n\nrwsem:\n\n"
	  "    90.00%  a  [kernel.kallsyms]  [k] __schedule\n",
	  "170.00 % of all samples; at line 6 seems to begin another" },
	{ "no switches", "    90.00%  a  [kernel.kallsyms]  [k] clear_page\n",
	  "line 1: no entry of this report is about context switches" },
	{ "a hierarchy",
	  EVENT "# Overhead  Command / Shared Object / Symbol\n"
		"    90.00%  a\n       90.00%  [kernel.kallsyms]\n"
		"          90.00%  [k] __schedule\n",
	  "--hierarchy" },
	{ "a mail without a report",
	  "From: a@example.org\nTo: b@example.org\nSubject: x\n\nHello\n",
	  "expected '59.51%  comm" },
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
	check_changes();
	check_errors();
	return tap_done();
}

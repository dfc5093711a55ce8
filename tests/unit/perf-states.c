// SPDX-License-Identifier: GPL-2.0-only
/*
 * What prev_state means, by the print fmt of many kernels.  The expected
 * letters are those that the kernels' own TASK_STATE_TO_CHAR_STR and
 * include/trace/events/sched.h of that version give.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/tap.h"
#include "tests/unit/perf-cases.h"

#define START                                                          \
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> " \
	"next_comm=%s next_pid=%d next_prio=%d\", REC->prev_comm, "    \
	"REC->prev_pid, REC->prev_prio, "
#define END	  ", REC->next_comm, REC->next_pid, REC->next_prio"
#define PLUS(bit) ", REC->prev_state & " bit " ? \"+\" : \"\""

/* Linux 2.6.32: no "+" yet. */
static const char print_2_6_32[] =
	"\"task %s:%d [%d] (%s) ==> %s:%d [%d]\", REC->prev_comm, "
	"REC->prev_pid, REC->prev_prio, REC->prev_state ? "
	"__print_flags(REC->prev_state, \"|\", { 1, \"S\"} , { 2, \"D\" }, "
	"{ 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, "
	"{ 64, \"x\" }, { 128, \"W\" }) : \"R\"" END;

static const char print_3_10[] = START
	"REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & "
	"(1024-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, "
	"\"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, "
	"{ 256, \"W\" }, { 512, \"P\" }) : \"R\"" PLUS("1024") END;

static const char print_4_4[] = START
	"REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & "
	"(2048-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, "
	"\"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, "
	"{ 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }) : \"R\"" PLUS("2048")
		END;

static const char print_4_9[] = START
	"REC->prev_state & (4096-1) ? __print_flags(REC->prev_state & "
	"(4096-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, "
	"\"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, "
	"{ 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }, { 2048, \"n\" }) : "
	"\"R\"" PLUS("4096") END;

/* Linux 4.14 to 5.1 */
#define REPORT                                                                \
	"((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | " \
	"0x0040) + 1) << 1) - 1)"
static const char print_4_14[] = START
	"(REC->prev_state & " REPORT
	") ? __print_flags(REC->prev_state & " REPORT
	", \"|\", { 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, "
	"\"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" }, { 0x0020, \"Z\" }, "
	"{ 0x0040, \"P\" }, { 0x0080, \"I\" }) : \"R\", REC->prev_state & "
	"(((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | "
	"0x0040) + 1) << 1) ? \"+\" : \"\"" END;

#define R      STATE_RUNNING
#define S      STATE_INTERRUPTIBLE
#define D      STATE_UNINTERRUPTIBLE
#define T      STATE_STOPPED
#define TRACED STATE_TRACED
#define DEAD   STATE_DEAD
#define P      STATE_PARKED
#define I      STATE_IDLE
#define O      STATE_OTHER

static const struct kernel {
	const char *name, *print, *release;
	struct {
		uint64_t value;
		enum task_state state;
	} want[20];
} kernels[] = {
	{ "2.6.32",
	  print_2_6_32,
	  "2.6.32",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 4, T },
	    { 8, TRACED },
	    { 16, DEAD },
	    { 32, DEAD },
	    { 64, DEAD },
	    { 128, O } } },
	{ "3.10",
	  print_3_10,
	  "3.10.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 4, T },
	    { 8, TRACED },
	    { 16, DEAD },
	    { 32, DEAD },
	    { 64, DEAD },
	    { 130, D },
	    { 129, S },
	    { 132, T },
	    { 256, O },
	    { 512, P },
	    { 1024, R },
	    { 1025, R } } },
	{ "4.4",
	  print_4_4,
	  "4.4.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 130, D },
	    { 512, P },
	    { 1026, I },
	    { 2048, R },
	    { 64, DEAD } } },
	{ "4.9",
	  print_4_9,
	  "4.9.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 1026, I },
	    { 4096, R },
	    { 2048, O },
	    { 64, DEAD } } },
	{ "4.14",
	  print_4_14,
	  "4.14.100",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 4, T },
	    { 8, TRACED },
	    { 16, DEAD },
	    { 32, DEAD },
	    { 64, P },
	    { 128, I },
	    { 256, R } } },
	/* It recorded the number of the letter in "RSDTtXZPI". */
	{ "4.14.0, unpatched",
	  print_4_14,
	  "4.14.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 3, T },
	    { 5, DEAD },
	    { 6, DEAD },
	    { 7, P } } },
	{ "6.1",
	  NULL,
	  "6.1.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 4, T },
	    { 8, TRACED },
	    { 16, DEAD },
	    { 32, DEAD },
	    { 64, P },
	    { 128, I },
	    { 256, R },
	    { 0x10000000000, R } } },
	{ "no usable print fmt, 3.10",
	  "\"%d\", REC->prev_pid",
	  "3.10.0-1160.el7",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 16, DEAD },
	    { 130, D },
	    { 512, P },
	    { 1024, R } } },
	{ "no usable print fmt, 4.4",
	  "\"%d\", REC->prev_pid",
	  "4.4.0",
	  { { 0, R }, { 2, D }, { 2048, R }, { 1026, I } } },
	{ "no usable print fmt, 4.10",
	  "\"%d\", REC->prev_pid",
	  "4.10.0",
	  { { 0, R }, { 2, D }, { 4096, R } } },
	{ "no usable print fmt, 5.15",
	  "\"%d\", REC->prev_pid",
	  "5.15.0",
	  { { 0, R },
	    { 1, S },
	    { 2, D },
	    { 16, DEAD },
	    { 64, P },
	    { 128, I },
	    { 256, R } } },
};

static const char *const names[] = {
	"R", "S", "D", "T", "t", "X", "P", "I", "another",
};

/* The state in which the one switch of the profile left. */
static const char *state_of(const struct profile *p)
{
	const struct sleep_row *row = profile_get_sleep_row(p, 0);
	int i;

	for (i = 0; i < NR_TASK_STATES; i++)
		if (row->by_state[i])
			return names[i];
	return "none";
}

static void check_value(const struct kernel *k, const struct pw_options *o,
			uint64_t value, enum task_state want)
{
	const struct pc_switch s = {
		1000, 0, 100, 200, value, "a", "b", 0, 0, 7
	};
	struct pw w;
	struct pw_bytes b;
	struct profile *p;
	struct error err;
	char *format;

	pw_init(&w, o);
	w.o.release = k->release;
	format = pc_format(&w, k->print);
	pw_add_format(&w, "sched", format);
	free(format);
	pc_add_switch(&w, PC_USUAL, PC_ID_ALL, 7);
	pc_put_switch(&w, &s, NULL, 0);
	b = pw_finish(&w);
	p = pc_read(&b, &err);
	if (profile_nr_sleep_rows(p) != 1)
		tap_ok(false, "%s: %llu: %s", k->name,
		       (unsigned long long)value, err.text);
	else
		tap_is_str(state_of(p), names[want],
			   "Linux %s%s%s: a prev_state of %llu is %s", k->name,
			   o->is_32bit ? ", 32 bits" : "",
			   o->big_endian ? ", big-endian" : "",
			   (unsigned long long)value, names[want]);
	profile_free(p);
	free(b.data);
	pw_free(&w);
}

int main(void)
{
	static const struct pw_options machines[] = {
		{ 0 },
		{ .big_endian = true },
		{ .is_32bit = true },
		{ .is_32bit = true, .big_endian = true },
	};
	size_t k, m, v;

	for (k = 0; k < sizeof(kernels) / sizeof(*kernels); k++)
		for (m = 0; m < sizeof(machines) / sizeof(*machines); m++)
			for (v = 0; !v || kernels[k].want[v].value; v++)
				if (!machines[m].is_32bit ||
				    kernels[k].want[v].value < UINT32_MAX)
					check_value(&kernels[k], &machines[m],
						    kernels[k].want[v].value,
						    kernels[k].want[v].state);
	return tap_done();
}

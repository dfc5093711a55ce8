// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-script-trace.h"

#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * A comm may hold whatever separates it from the next field, so every place
 * where that stands is tried.  It can't be farther away than this.
 */
#define MAX_COMM_DISTANCE 64

struct task_text {
	struct text comm;
	int32_t tid;
};

static void copy_comm(char *to, const struct text *comm)
{
	size_t n = text_length(comm);

	if (n > COMM_SIZE - 1)
		n = COMM_SIZE - 1;
	memset(to, 0, COMM_SIZE);
	memcpy(to, comm->at, n);
}

/*
 * The places where a comm may end: those where @separator stands.  Moves
 * @comm's end to the next one and sets @rest behind it.
 */
static bool next_comm_end(struct text *comm, const struct text *fields,
			  const char *separator, struct text *rest)
{
	const char *from = comm->end ? comm->end + 1 : fields->at;
	size_t within = MAX_COMM_DISTANCE + strlen(separator);
	struct text window = { from, fields->end };
	const char *found;

	if (text_length(fields) > within)
		window.end = fields->at + within;
	if (from >= window.end)
		return false;
	found = text_find(&window, separator);
	if (!found)
		return false;
	*comm = (struct text){ fields->at, found };
	*rest = (struct text){ found + strlen(separator), fields->end };
	return true;
}

static bool at_word_end(const struct text *t)
{
	return t->at == t->end || text_is_blank(*t->at);
}

/* ---------------------------------------------------------------- states */

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* "S", "D|K", "R+": letters between bars, and '+' for a preempted task. */
static bool parse_letters(const struct text *t, char *letters, size_t size,
			  bool *preempted)
{
	const char *at = t->at;
	size_t n = 0;

	do {
		if (at == t->end || !is_letter(*at) || n == size - 1)
			return false;
		letters[n++] = *at++;
	} while (at < t->end && *at == '|' && at++);
	letters[n] = '\0';
	*preempted = at < t->end && *at == '+';
	return at + *preempted == t->end;
}

static bool parse_state(const struct text *t, enum task_state *state)
{
	bool preempted;
	char letters[16];

	if (!parse_letters(t, letters, sizeof(letters), &preempted))
		return false;
	if (preempted || strchr(letters, 'R'))
		*state = STATE_RUNNING;
	else if (strpbrk(letters, "XxZ"))
		*state = STATE_DEAD;
	else if (strchr(letters, 'D'))
		/* 'N', 4.2 to 4.13: does not count as load, so it is idle. */
		*state = strchr(letters, 'N') ? STATE_IDLE :
						STATE_UNINTERRUPTIBLE;
	else if (strchr(letters, 'S'))
		*state = STATE_INTERRUPTIBLE;
	else if (strchr(letters, 'T'))
		*state = STATE_STOPPED;
	else if (strchr(letters, 't'))
		*state = STATE_TRACED;
	else if (strchr(letters, 'P'))
		*state = STATE_PARKED;
	else if (strchr(letters, 'I'))
		*state = STATE_IDLE;
	else if (strchr(letters, 'K'))
		*state = STATE_UNINTERRUPTIBLE;
	else
		*state = STATE_OTHER;
	return true;
}

/*
 * libtraceevent's plugin prints "SDTtZXxW" for bits 0 to 7 and nothing for
 * higher ones.  Since 4.14 bit 6 is a parked task and bit 7 an idle one.
 */
static bool parse_plugin_state(const struct text *t, bool since_4_14,
			       enum task_state *state)
{
	if (!parse_state(t, state))
		return false;
	if (since_4_14 && text_equals(t, "x"))
		*state = STATE_PARKED;
	if (since_4_14 && text_equals(t, "W"))
		*state = STATE_IDLE;
	return true;
}

/* ---------------------------------------------------------- sched_switch */

/* "comm pid=1 prio=120", each name with a prefix */
struct task_format {
	const char *comm, *pid, *prio;
};

static const struct task_format prev_format = { "prev_comm=", " prev_pid=",
						" prev_prio=" };
static const struct task_format next_format = { "next_comm=", " next_pid=",
						" next_prio=" };

static bool take_pid_prio(struct text *t, const struct task_format *f,
			  int32_t *tid)
{
	int32_t prio;

	return text_take_i32(t, tid) && text_take(t, f->prio) &&
	       text_take_i32(t, &prio);
}

static bool parse_next(struct text fields, struct task_text *next)
{
	struct text rest, comm = { 0 };

	if (!text_take(&fields, next_format.comm))
		return false;
	while (next_comm_end(&comm, &fields, next_format.pid, &rest)) {
		if (!take_pid_prio(&rest, &next_format, &next->tid) ||
		    !at_word_end(&rest))
			continue;
		next->comm = comm;
		return true;
	}
	return false;
}

static bool parse_switch(struct text fields, struct trace_switch *s,
			 struct task_text *prev, struct task_text *next)
{
	struct text rest, state, comm = { 0 };

	if (!text_take(&fields, prev_format.comm))
		return false;
	while (next_comm_end(&comm, &fields, prev_format.pid, &rest)) {
		if (!take_pid_prio(&rest, &prev_format, &prev->tid) ||
		    !text_take(&rest, " prev_state=") ||
		    !text_take_word(&rest, &state) ||
		    !parse_state(&state, &s->prev_state) ||
		    !text_take(&rest, " ==> ") || !parse_next(rest, next))
			continue;
		prev->comm = comm;
		return true;
	}
	return false;
}

/* "exim:1234 [120]"; @rest is what follows */
static bool parse_plugin_task(struct text *comm, const struct text *fields,
			      struct text *rest, int32_t *tid)
{
	int32_t prio;

	while (next_comm_end(comm, fields, ":", rest))
		if (text_take_i32(rest, tid) && text_take(rest, " [") &&
		    text_take_i32(rest, &prio) && text_take(rest, "]") &&
		    at_word_end(rest))
			return true;
	return false;
}

/* "exim:1234 [120] S ==> swapper/0:0 [120]" */
static bool parse_plugin_switch(struct text fields, bool since_4_14,
				struct trace_switch *s, struct task_text *prev,
				struct task_text *next)
{
	struct text rest, state;

	prev->comm = (struct text){ 0 };
	while (parse_plugin_task(&prev->comm, &fields, &rest, &prev->tid)) {
		struct text behind;

		if (!text_take(&rest, " ") || !text_take_word(&rest, &state) ||
		    !parse_plugin_state(&state, since_4_14, &s->prev_state) ||
		    !text_take(&rest, " ==> "))
			continue;
		next->comm = (struct text){ 0 };
		return parse_plugin_task(&next->comm, &rest, &behind,
					 &next->tid);
	}
	return false;
}

bool trace_switch(struct text fields, bool since_4_14, struct trace_switch *s)
{
	struct task_text prev, next;

	if (!parse_switch(fields, s, &prev, &next) &&
	    !parse_plugin_switch(fields, since_4_14, s, &prev, &next))
		return false;
	s->prev_tid = prev.tid;
	s->next_tid = next.tid;
	copy_comm(s->prev_comm, &prev.comm);
	copy_comm(s->next_comm, &next.comm);
	return true;
}

/* ------------------------------------------------------------ contention */

static const struct {
	const char *name;
	uint32_t flag;
} flag_names[] = {
	{ "SPIN", CONTENTION_SPIN },	 { "READ", CONTENTION_READ },
	{ "WRITE", CONTENTION_WRITE },	 { "RT", CONTENTION_RT },
	{ "PERCPU", CONTENTION_PERCPU }, { "MUTEX", CONTENTION_MUTEX },
};

static bool take_flag(struct text *t, uint32_t *flags)
{
	struct text rest;
	uint64_t n;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (text_take(t, flag_names[i].name)) {
			*flags |= flag_names[i].flag;
			return true;
		}
	}
	/* A number: flags that the kernel's format has no name for. */
	rest = *t;
	if (!(text_take(&rest, "0x") ? text_take_hex(&rest, &n) :
				       text_take_u64(&rest, &n)))
		return false;
	*flags |= (uint32_t)n;
	*t = rest;
	return true;
}

static bool take_flags(struct text *t, uint32_t *flags)
{
	*flags = 0;
	if (at_word_end(t) || *t->at == ')')
		return true;
	do {
		if (!take_flag(t, flags))
			return false;
	} while (text_take(t, "|"));
	return true;
}

/* "0xffff8881104f7898 (flags=" or "lock_addr=0xffff8881104f7898 flags=" */
static bool take_lock(struct text *t, uint64_t *lock, const char *next)
{
	bool named = text_take(t, "lock_addr=") || text_take(t, "lock_addr: ");

	text_take(t, "0x");
	if (!text_take_hex(t, lock))
		return false;
	if (named)
		text_take(t, ",");
	if (!text_take(t, named ? " " : " (") || !text_take(t, next))
		return false;
	return text_take(t, "=") || (named && text_take(t, ": "));
}

bool trace_begin(struct text fields, uint64_t *lock, uint32_t *flags)
{
	if (!take_lock(&fields, lock, "flags") || !take_flags(&fields, flags))
		return false;
	text_take(&fields, ")");
	return at_word_end(&fields);
}

bool trace_end(struct text fields, uint64_t *lock, int32_t *ret)
{
	if (!take_lock(&fields, lock, "ret") || !text_take_i32(&fields, ret))
		return false;
	text_take(&fields, ")");
	return at_word_end(&fields);
}

/* -------------------------------------------------------- wake-ups, forks */

bool trace_wakeup(struct text fields, int32_t *tid)
{
	struct text rest, comm = { 0 }, named = fields;
	int32_t prio;

	if (!text_take(&named, "comm="))
		return parse_plugin_task(&comm, &fields, &rest, tid);
	while (next_comm_end(&comm, &named, " pid=", &rest))
		if (text_take_i32(&rest, tid) && text_take(&rest, " prio=") &&
		    text_take_i32(&rest, &prio) && at_word_end(&rest))
			return true;
	return false;
}

bool trace_fork(struct text fields, int32_t *tid)
{
	static const char name[] = " child_pid=";
	struct text rest = fields;
	const char *at;
	bool found = false;

	/* The parent's comm may look like it: the last one is right. */
	while ((at = text_find(&rest, name))) {
		rest.at = at + strlen(name);
		found = true;
	}
	return found && text_take_i32(&rest, tid) && at_word_end(&rest);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-script-line.h"

#define COMM_LENGTH 15 /* of a task, without its terminating zero */
/* perf takes names of worker threads from /proc, where they are longer. */
#define MAX_COMM_LENGTH 64

static bool take_tid(struct text *t, int32_t *tid)
{
	if (!text_take_i32(t, tid))
		return false;
	/* pid/tid */
	if (text_take(t, "/") && !text_take_i32(t, tid))
		return false;
	return t->at < t->end && text_is_blank(*t->at);
}

static bool take_cpu(struct text *t, uint32_t *cpu)
{
	uint64_t n;

	if (!text_take(t, "[") || !text_take_u64(t, &n) || n > UINT32_MAX ||
	    !text_take(t, "]"))
		return false;
	*cpu = (uint32_t)n;
	return true;
}

static bool take_time(struct text *t, uint64_t *time)
{
	uint32_t ns;
	uint64_t s;
	bool point;

	if (!text_take_fixed(t, &s, &ns, &point) || !point ||
	    !text_take(t, ":"))
		return false;
	return !__builtin_mul_overflow(s, 1000000000u, time) &&
	       !__builtin_add_overflow(*time, (uint64_t)ns, time);
}

/* "K", "U", "Kd": what perf script -F +misc puts before the time. */
static void skip_misc(struct text *t)
{
	struct text rest = *t, word;
	const char *c;

	if (!text_take_word(&rest, &word) || text_length(&word) > 6)
		return;
	for (c = word.at; c < word.end; c++)
		if (!(*c >= 'A' && *c <= 'Z') && !(*c >= 'a' && *c <= 'z'))
			return;
	text_skip_blanks(&rest);
	*t = rest;
}

static uint64_t take_period(struct text *t)
{
	struct text rest = *t;
	uint64_t period;

	if (!text_take_u64(&rest, &period) || rest.at == rest.end ||
	    !text_is_blank(*rest.at))
		return 0;
	text_skip_blanks(&rest);
	*t = rest;
	return period;
}

/* An event's name ends in the colon before a space. */
static bool take_event(struct text *t, struct text *event)
{
	if (!text_take_word(t, event))
		return false;
	if (text_starts(event, "PERF_RECORD_"))
		return true;
	if (text_length(event) < 2 || event->end[-1] != ':')
		return false;
	event->end--;
	return true;
}

static bool parse_from_tid(struct text t, struct script_line *l)
{
	l->cpu = 0;
	if (!take_tid(&t, &l->tid))
		return false;
	text_skip_blanks(&t);
	if (t.at < t.end && *t.at == '[') {
		if (!take_cpu(&t, &l->cpu))
			return false;
		text_skip_blanks(&t);
		skip_misc(&t);
	}
	if (!take_time(&t, &l->time))
		return false;
	text_skip_blanks(&t);
	l->period = take_period(&t);
	if (!take_event(&t, &l->event))
		return false;
	text_skip_blanks(&t);
	l->fields = t;
	return true;
}

/*
 * Where the comm ends can't be told from the left: it may hold anything, even
 * what looks like a pid and a time.  But it is short, so among the places
 * that fit, the last one within its length is right.
 */
bool script_line_parse(struct text text, struct script_line *l)
{
	struct script_line candidate;
	const char *at, *comm_end;
	bool found = false;

	text_skip_blanks(&text);
	candidate.comm.at = text.at;
	comm_end = text.at;
	for (at = text.at; at + 1 < text.end; at++) {
		if (!text_is_blank(*at)) {
			comm_end = at + 1;
			if (comm_end - text.at > MAX_COMM_LENGTH)
				break;
			continue;
		}
		if (!text_is_digit(at[1]) && at[1] != '-')
			continue;
		if (comm_end - text.at > COMM_LENGTH && found)
			break;
		if (!parse_from_tid((struct text){ at + 1, text.end },
				    &candidate))
			continue;
		candidate.comm.end = comm_end;
		*l = candidate;
		found = true;
	}
	return found;
}

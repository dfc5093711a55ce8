// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-script-sample.h"

/* --------------------------------------------------------- whole samples */

static uint32_t sample_stack(struct script_state *s)
{
	const struct script_sample *sample = &s->sample;

	return profile_stack(s->p, sample->frame, sample->nr_frames,
			     sample->stack_flags);
}

static void count_switch(struct script_state *s)
{
	const struct script_sample *sample = &s->sample;
	const struct switch_event e = {
		.time = sample->time,
		.cpu = sample->cpu,
		.prev_tid = sample->sw.prev_tid,
		.next_tid = sample->sw.next_tid,
		.prev_state = sample->sw.prev_state,
		.stack = sample_stack(s),
		.prev_comm = sample->sw.prev_comm,
		.next_comm = sample->sw.next_comm,
	};

	if (sample->nr_frames)
		s->p->has_chains = true;
	account_switch(s->account, &e);
}

static void count_begin(struct script_state *s)
{
	const struct script_sample *sample = &s->sample;
	const struct contention_event e = {
		.time = sample->time,
		.cpu = sample->cpu,
		.tid = sample->tid,
		.lock = sample->contention.lock,
		.flags = sample->contention.flags,
		.stack = sample_stack(s),
	};

	account_begin(s->account, &e);
}

static void count_end(struct script_state *s)
{
	const struct script_sample *sample = &s->sample;
	const struct contention_event e = {
		.time = sample->time,
		.cpu = sample->cpu,
		.tid = sample->tid,
		.lock = sample->contention.lock,
		.ret = sample->contention.ret,
	};

	account_end(s->account, &e);
}

static void count_wakeup(struct script_state *s)
{
	const struct script_sample *sample = &s->sample;
	const struct wakeup_event e = {
		.time = sample->time,
		.cpu = sample->cpu,
		.tid = sample->woken,
		.waker_tid = sample->tid,
		.stack = sample_stack(s),
	};

	account_wakeup(s->account, &e);
}

void script_end(struct script_state *s)
{
	if (s->in_sample && s->sample.count)
		s->sample.count(s);
	s->in_sample = false;
}

/* ------------------------------------------------------------ first lines */

static bool begin_switch(struct script_state *s, struct text fields)
{
	s->sample.count = count_switch;
	if (s->sample.period > s->p->sample_period &&
	    s->sample.period <= UINT32_MAX)
		s->p->sample_period = (uint32_t)s->sample.period;
	return trace_switch(fields, s->since_4_14, &s->sample.sw);
}

static bool begin_begin(struct script_state *s, struct text fields)
{
	s->sample.count = count_begin;
	return trace_begin(fields, &s->sample.contention.lock,
			   &s->sample.contention.flags);
}

static bool begin_end(struct script_state *s, struct text fields)
{
	s->sample.count = count_end;
	return trace_end(fields, &s->sample.contention.lock,
			 &s->sample.contention.ret);
}

static bool begin_waking(struct script_state *s, struct text fields)
{
	s->seen_waking = true;
	s->sample.count = count_wakeup;
	return trace_wakeup(fields, &s->sample.woken);
}

/* Comes second, and maybe from another CPU than the waker's. */
static bool begin_wakeup(struct script_state *s, struct text fields)
{
	s->sample.count = s->seen_waking ? NULL : count_wakeup;
	return trace_wakeup(fields, &s->sample.woken);
}

static bool begin_fork(struct script_state *s, struct text fields)
{
	int32_t tid;

	if (!trace_fork(fields, &tid))
		return false;
	account_fork(s->account, s->sample.time, tid);
	return true;
}

/* perf script --show-lost-events: "PERF_RECORD_LOST lost 48" */
static bool take_lost(struct script_state *s, struct text fields)
{
	uint64_t n;

	if (!text_take(&fields, "lost ") || !text_take_u64(&fields, &n))
		return false;
	s->p->losses.lost += n;
	account_lost(s->account, s->sample.time);
	return true;
}

/* perf script --show-task-events: "PERF_RECORD_FORK(2:2):(0:0)" */
static bool take_fork_record(struct script_state *s, struct text record)
{
	int32_t pid, tid;

	if (!text_take(&record, "PERF_RECORD_FORK(") ||
	    !text_take_i32(&record, &pid) || !text_take(&record, ":") ||
	    !text_take_i32(&record, &tid))
		return false;
	account_fork(s->account, s->sample.time, tid);
	return true;
}

static const struct {
	const char *event;
	bool (*begin)(struct script_state *s, struct text fields);
} events[] = {
	{ "sched:sched_switch", begin_switch },
	{ "lock:contention_begin", begin_begin },
	{ "lock:contention_end", begin_end },
	{ "sched:sched_waking", begin_waking },
	{ "sched:sched_wakeup", begin_wakeup },
	{ "sched:sched_wakeup_new", begin_wakeup },
	{ "sched:sched_process_fork", begin_fork },
};

/* "sched:sched_switch", also with a modifier behind it, ":u" */
static bool is_event(const struct text *name, const char *event)
{
	struct text rest = *name;

	return text_take(&rest, event) &&
	       (rest.at == rest.end || *rest.at == ':');
}

/* Records that are no samples: some tell something, none has a chain. */
static bool take_record(struct script_state *s, const struct script_line *l)
{
	if (text_equals(&l->event, "PERF_RECORD_LOST"))
		return take_lost(s, l->fields);
	if (text_starts(&l->event, "PERF_RECORD_FORK("))
		return take_fork_record(s, l->event);
	return true;
}

static void advance(struct script_state *s, uint64_t time)
{
	if (time < s->newest)
		s->p->losses.out_of_order++;
	else
		s->newest = time;
}

bool script_begin(struct script_state *s, const struct script_line *l)
{
	size_t i;

	s->sample.count = NULL;
	s->sample.time = l->time;
	s->sample.period = l->period;
	s->sample.cpu = l->cpu;
	s->sample.tid = l->tid;
	s->sample.nr_frames = 0;
	s->sample.stack_flags = 0;
	if (text_starts(&l->event, "PERF_RECORD_"))
		return take_record(s, l);
	s->in_sample = true;
	s->p->events++;
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!is_event(&l->event, events[i].event))
			continue;
		if (!events[i].begin(s, l->fields)) {
			s->sample.count = NULL;
			return false;
		}
		advance(s, l->time);
		break;
	}
	return true;
}

bool script_frame(struct script_state *s, struct text text)
{
	struct script_sample *sample = &s->sample;
	uint32_t frame;

	if (!s->in_sample)
		return false;
	/* Source lines stand between the frames: not for us. */
	if (!sample->count ||
	    !chain_frame(s->cache, text, !sample->nr_frames, &frame))
		return true;
	if (sample->nr_frames == TEXT_MAX_FRAMES)
		sample->stack_flags = STACK_CUT;
	else
		sample->frame[sample->nr_frames++] = frame;
	return true;
}

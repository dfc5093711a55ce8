// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf.data reader: files, pipes, pipes stored as files, directories.
 *
 * The format: tools/perf/Documentation/perf.data-file-format.txt and
 * include/uapi/linux/perf_event.h of Linux.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/readers/perf-private.h"

#define BUFFER_SIZE (4 * PD_MAX_RECORD)
#define PIPE_HEADER 16

static bool matches(const struct input *in)
{
	if (in->is_directory)
		return true;
	return in->peeked >= 8 && (!memcmp(in->head, "PERFILE2", 8) ||
				   !memcmp(in->head, "2ELIFREP", 8) ||
				   !memcmp(in->head, "PERFFILE", 8));
}

static void reader_free(struct pd_reader *d)
{
	pd_attrs_free(&d->attrs);
	pd_tracing_free(d->tracing);
	pd_build_ids_free(d->build_ids);
	pd_order_free(&d->order);
	pd_chains_free(&d->chains);
	pd_images_free(d->images);
	pd_stacks_free(d->stacks);
	tasks_free(d->tasks);
	if (d->account)
		account_finish(d->account);
	pd_deferred_free(d->deferred);
	free(d->swapped);
	free(d->joined);
	free(d->last_switch);
}

static int reader_init(struct pd_reader *d)
{
	d->images = pd_images_new();
	d->stacks = pd_stacks_new();
	d->tasks = tasks_new();
	d->account = account_new(d->p);
	d->swapped = malloc(PD_MAX_RECORD);
	d->joined = malloc(PD_MAX_JOINED * sizeof(*d->joined));
	if (pd_chains_init(&d->chains) || !d->images || !d->stacks ||
	    !d->tasks || !d->account || !d->swapped || !d->joined)
		return pd_no_memory(d);
	return 0;
}

/* "cycles, sched:sched_waking", for a message */
static void list_events(const struct pd_attrs *all, char *to, size_t size)
{
	size_t used = 0, length;
	const char *name;
	uint32_t i;

	*to = '\0';
	for (i = 0; i < all->nr; i++) {
		name = pd_attr_name(&all->attr[i]);
		length = strlen(name);
		if (used + length + 8 > size) {
			memcpy(to + used, ", ...", 6);
			return;
		}
		used += (size_t)snprintf(to + used, size - used, "%s%s",
					 i ? ", " : "", name);
	}
}

/* What else to say of an event that is of no use. */
static const char *why_not(const struct pd_reader *d, const struct pd_attr *a)
{
	const char *name = pd_attr_name(a);

	if (a->type == PD_TYPE_TRACEPOINT && !d->tracing)
		return "; the formats of its tracepoints are missing";
	if (!strcmp(name, "sched:sched_switch"))
		return "; the format of sched_switch can't be used";
	if (!strncmp(name, "offcpu-time", 11))
		return "; offcpu-time only sums up how long tasks were off "
		       "the CPU";
	return NULL;
}

static int no_switches(struct pd_reader *d)
{
	const char *between = d->problem[0] ? "; " : "";
	const char *why = NULL;
	char events[512];
	uint32_t i;

	if (!d->attrs.nr)
		return error_set(d->err, EXIT_USAGE,
				 "%s: no event was recorded, so there is no "
				 "sched_switch either%s%s",
				 d->in->name, between, d->problem);
	for (i = 0; i < d->attrs.nr && !why; i++)
		why = why_not(d, &d->attrs.attr[i]);
	list_events(&d->attrs, events, sizeof(events));
	return error_set(d->err, EXIT_USAGE,
			 "%s: no sched_switch event was recorded (it has: "
			 "%s%s)%s%s; record with 'rwsemlab record' or 'perf "
			 "record -a -g -e sched:sched_switch'",
			 d->in->name, events, why ? why : "", between,
			 d->problem);
}

static void note_period(struct pd_reader *d)
{
	const struct pd_attr *a;
	uint64_t period = 1;
	bool frequency = false;
	uint32_t i;

	for (i = 0; i < d->attrs.nr; i++) {
		a = &d->attrs.attr[i];
		if (a->role != PD_ROLE_SWITCH)
			continue;
		if (a->flags & PD_FLAG_FREQUENCY)
			frequency = true;
		else if (a->period > period)
			period = a->period < UINT32_MAX ? a->period :
							  UINT32_MAX;
	}
	if (period > d->p->sample_period)
		d->p->sample_period = (uint32_t)period;
	if (frequency)
		profile_warn(d->p,
			     "%s: switches were sampled by frequency: the "
			     "counts are of samples, not of switches",
			     d->in->name);
}

/*
 * From 5.8 (commit c6e7bd7afaeb) until 5.18 (fa2c3254d7cf) the state was read
 * again for the event, when a wake-up may have set it back already.
 */
static void note_kernel(struct pd_reader *d)
{
	const char *release = profile_text(d->p, d->p->os_release);
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) == 2 && major == 5 &&
	    minor >= 8 && minor < 18)
		profile_warn(d->p,
			     "Linux %s may record a task that goes to sleep "
			     "as still running (mended in 5.18): then a sleep "
			     "counts as a preemption",
			     release);
}

/* What was counted while decoding, and what there is to say about it. */
static void finish_counts(struct pd_reader *d)
{
	const struct pd_counts *c = &d->counts;
	struct profile_losses *l = &d->p->losses;

	d->p->events += c->events;
	l->malformed += c->malformed;
	l->throttled += c->throttled;
	l->out_of_order += c->out_of_order;
	l->lost += c->lost;
	l->lost_samples += c->lost_samples;
	/* Counters tell all that was lost, LOST records most of the same. */
	if (c->lost_read > c->lost)
		l->lost_samples += c->lost_read - c->lost;
	if (c->doubled)
		profile_warn(d->p,
			     "%s: %llu switches were recorded by two "
			     "sched_switch events; they are counted once",
			     d->in->name, (unsigned long long)c->doubled);
	if (c->no_user_part)
		profile_warn(d->p,
			     "%s: %llu call chains lack their user part, which "
			     "%s",
			     d->in->name, (unsigned long long)c->no_user_part,
			     d->nr_places ? "was not recorded in time" :
					    "comes too late in a pipe: store "
					    "it in a file");
	if (!d->p->has_switches)
		return;
	note_period(d);
	note_kernel(d);
}

static int check_memory(struct pd_reader *d)
{
	if (d->order.failed || d->chains.failed || tasks_failed(d->tasks) ||
	    profile_failed(d->p))
		return pd_no_memory(d);
	return 0;
}

/* What is queued still counts, also when the rest could not be read. */
static int finish(struct pd_reader *d, int ret)
{
	pd_order_flush(d, UINT64_MAX);
	if (!ret && d->attrs.nr_switches)
		d->p->has_switches = true;
	finish_counts(d);
	if (!ret)
		ret = check_memory(d);
	if (!ret && !d->attrs.nr_switches)
		ret = no_switches(d);
	return ret;
}

static struct pd_stream stream_of(const struct pd_reader *d)
{
	struct pd_stream s = {
		.name = d->in->name,
		.fd = d->in->fd,
		.swap = d->swap,
		.can_seek = d->in->is_regular,
	};

	if (!s.can_seek) {
		s.head = d->in->head + PIPE_HEADER;
		s.head_left = d->in->peeked - PIPE_HEADER;
	}
	return s;
}

static int read_stream(struct pd_reader *d)
{
	struct pd_stream s = stream_of(d);
	int ret;

	if (s.can_seek) {
		d->place =
			(struct pd_place){ s.fd, d->data_begin, d->data_end };
		d->places = &d->place;
		d->nr_places = 1;
	}
	if (pd_stream_open(&s, d->data_begin, d->data_end, BUFFER_SIZE))
		return pd_no_memory(d);
	ret = pd_read_rounds(d, &s);
	pd_stream_close(&s);
	return ret;
}

static int read_from(struct pd_reader *d, const struct input *directory)
{
	int ret = reader_init(d);

	if (!ret) {
		ret = pd_header_read(d);
		if (!ret && directory)
			ret = pd_directory_read(d, directory);
		else if (!ret)
			ret = read_stream(d);
		ret = finish(d, ret);
	}
	reader_free(d);
	return ret;
}

static int read_perf_data(const struct input *in, struct profile *p,
			  struct error *err)
{
	struct pd_reader d = { .in = in, .p = p, .err = err };
	unsigned char head[4096];
	struct input file;
	int ret;

	if (!in->is_directory)
		return read_from(&d, NULL);
	if (pd_directory_open(in, &file, head, sizeof(head), err))
		return -1;
	d.in = &file;
	if (matches(&file))
		ret = read_from(&d, in);
	else
		ret = error_set(err, EXIT_USAGE, "%s/data: no perf.data file",
				in->name);
	close(file.fd);
	return ret;
}

const struct reader reader_perf_data = {
	.name = "perf.data",
	.matches = matches,
	.read = read_perf_data,
};

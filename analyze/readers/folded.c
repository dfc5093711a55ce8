// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, as the stack collapsing scripts of flame graphs write them:
 *
 *	comm;outermost frame;...;leaf count
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/input.h"
#include "analyze/interned.h"
#include "analyze/readers/lines.h"
#include "analyze/readers/text-frames.h"
#include "analyze/readers/text-header.h"
#include "analyze/readers/text.h"

#define BILLION 1000000000u

struct sum_key {
	uint32_t stack, comm;
};

/* How often a stack of a comm was there; a sum of what may be fractions. */
struct sum {
	struct sum_key key;
	uint64_t whole;
	uint32_t billionths;
};

struct folded {
	struct profile *p;
	struct text_classes classes;
	struct interned sums; /* struct sum by struct sum_key */
	bool fractions; /* some count has a point */
	uint64_t whole; /* of all, and one more for each line */
	struct skipped malformed;
	bool says_kernel; /* kernel frames are marked in this file */
	/* Of the line at hand, leaf first: */
	uint32_t nr;
	uint32_t flags;
	struct text_frame f[TEXT_MAX_FRAMES];
};

/* ---------------------------------------------------------------- counts */

struct count {
	uint64_t whole;
	uint32_t billionths;
	bool has_point;
};

/* The count is the last word; the stack is what stands before it. */
static bool take_count(struct text *t, struct count *c)
{
	const char *at;
	struct text last;

	*t = text_trim(*t);
	for (at = t->end; at > t->at && !text_is_blank(at[-1]); at--)
		;
	if (at == t->at)
		return false;
	last = (struct text){ at, t->end };
	if (!text_take_fixed(&last, &c->whole, &c->billionths, &c->has_point) ||
	    last.at != last.end)
		return false;
	t->end = at;
	*t = text_trim(*t);
	return t->at < t->end;
}

static struct sum *get_sum(struct folded *d, uint32_t stack, uint32_t comm)
{
	const struct sum_key key = { stack, comm };
	struct interned_entry *e = interned_get(&d->sums, &key, sizeof(key),
						sizeof(struct sum), NULL);
	struct sum *s;

	if (!e) {
		profile_fail(d->p);
		return NULL;
	}
	s = interned_value(e);
	s->key = key;
	return s;
}

/* Return: false when the sum of all is too large for 64 bits */
static bool add_count(struct folded *d, uint32_t stack, uint32_t comm,
		      const struct count *c)
{
	struct sum *s;

	if (c->whole >= UINT64_MAX / 2 - d->whole)
		return false;
	s = get_sum(d, stack, comm);
	if (!s)
		return true;
	d->whole += c->whole + 1;
	d->fractions |= c->has_point;
	s->whole += c->whole;
	s->billionths += c->billionths;
	if (s->billionths >= BILLION) {
		s->billionths -= BILLION;
		s->whole++;
	}
	return true;
}

/* ---------------------------------------------------------------- frames */

/* "schedule_[k]": what collapsing with --all puts behind a name */
static char take_annotation(struct text *name)
{
	char c;

	if (text_length(name) < 5 || name->end[-4] != '_' ||
	    name->end[-3] != '[' || name->end[-1] != ']')
		return 0;
	c = name->end[-2];
	if (c != 'k' && c != 'i' && c != 'j' && c != 'w')
		return 0;
	name->end -= 4;
	return c;
}

/* The next name from the right end; they are separated by ';'. */
static bool take_last(struct text *t, struct text *name)
{
	const char *at;

	if (!t->at)
		return false;
	at = memrchr(t->at, ';', text_length(t));
	*name = text_trim((struct text){ at ? at + 1 : t->at, t->end });
	if (at)
		t->end = at;
	else
		t->at = NULL;
	return true;
}

static void push_frame(struct folded *d, const struct text *name,
		       uint32_t flags)
{
	struct text_frame *f = &d->f[d->nr++];

	f->dso = 0;
	f->flags = flags;
	f->symbol = text_string(d->p, *name);
}

/* What stands between the frames: "-" between user and kernel frames. */
static void mark_all_kernel(struct folded *d)
{
	uint32_t i;

	d->says_kernel = true;
	for (i = 0; i < d->nr; i++)
		d->f[i].flags |= FRAME_KERNEL;
}

/* @stack is root first, so it is taken from its right end. */
static void take_frames(struct folded *d, struct text stack)
{
	struct text name;

	d->nr = 0;
	d->flags = 0;
	while (take_last(&stack, &name)) {
		char annotation = take_annotation(&name);

		if (d->nr == TEXT_MAX_FRAMES) {
			d->flags = STACK_CUT;
			return;
		}
		if (annotation == 'w' || text_equals(&name, "--")) {
			/* So far it was who woke the sleeper. */
			d->nr = 0;
		} else if (text_equals(&name, "-")) {
			mark_all_kernel(d);
		} else if (!stack.at && text_equals(&name, "...")) {
			/* As our own report writes it: more callers. */
			d->flags = STACK_CUT;
		} else if (name.at < name.end) {
			d->says_kernel |= annotation == 'k';
			push_frame(d, &name,
				   annotation == 'k' ? FRAME_KERNEL :
				   annotation == 'i' ? FRAME_INLINE :
						       0);
		}
	}
}

static uint32_t stack_of(struct folded *d)
{
	uint32_t frame[TEXT_MAX_FRAMES], i;

	if (!d->says_kernel)
		text_mark_kernel(&d->classes, d->f, d->nr, false);
	for (i = 0; i < d->nr; i++)
		frame[i] = text_frame(d->p, d->f[i].symbol, d->f[i].dso,
				      d->f[i].flags);
	if (d->nr)
		d->p->has_chains = true;
	return profile_stack(d->p, frame, d->nr, d->flags);
}

/* ------------------------------------------------------------------ lines */

static bool drop_digits(struct text *t)
{
	const char *end = t->end;

	while (t->at < t->end && text_is_digit(t->end[-1]))
		t->end--;
	return t->end < end;
}

/* "exim-1234/1235", collapsed with --tid: "exim" */
static struct text drop_ids(struct text comm)
{
	struct text t = comm;

	if (!drop_digits(&t) || !text_ends(&t, "/"))
		return comm;
	t.end--;
	if (text_ends(&t, "-?"))
		return (struct text){ comm.at, t.end - 2 };
	if (!drop_digits(&t) || !text_ends(&t, "-"))
		return comm;
	return (struct text){ comm.at, t.end - 1 };
}

/* Some scripts leave the comm out. */
static bool is_frame(struct folded *d, const struct text *name)
{
	struct text t = *name;

	return take_annotation(&t) || text_starts(&t, "0x") ||
	       text_equals(&t, "[unknown]") ||
	       text_is_kernel_entry(&d->classes, text_string(d->p, t));
}

static bool take_line(struct folded *d, struct text t)
{
	const char *semicolon;
	struct count c;
	struct text comm;
	uint32_t comm_string = 0;

	if (!take_count(&t, &c))
		return false;
	if (!c.whole && !c.billionths)
		return true;
	semicolon = memchr(t.at, ';', text_length(&t));
	comm = (struct text){ t.at, semicolon ? semicolon : t.end };
	comm = text_trim(comm);
	if (!semicolon) {
		t.at = NULL;
	} else if (!is_frame(d, &comm)) {
		t.at = semicolon + 1;
	} else {
		comm.end = comm.at;
	}
	comm = drop_ids(comm);
	comm_string = text_string(d->p, comm);
	take_frames(d, t);
	return add_count(d, stack_of(d), comm_string, &c);
}

static int read_lines(struct folded *d, const struct input *in,
		      struct lines *lines, struct error *err)
{
	struct line line;
	int got;

	while ((got = lines_next(lines, &line)) > 0) {
		struct text t = text_trim(text_of(line.text, line.length));

		if (t.at == t.end || *t.at == '#')
			continue;
		if (line.cut || !take_line(d, t))
			skip_line(&d->malformed, &line);
	}
	if (got < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot read",
				   in->name);
	return 0;
}

/* ----------------------------------------------------------------- reader */

static void add_counts(struct folded *d)
{
	uint32_t i;

	for (i = 0; i < d->sums.nr; i++) {
		const struct sum *s = interned_at(&d->sums, i);

		profile_add_share(d->p, s->key.stack, s->key.comm, s->whole);
		d->p->events += s->whole;
	}
}

static long double value_of(const struct sum *s)
{
	return s->whole + (long double)s->billionths / BILLION;
}

/* Fractions are times or weights: of those only the shares mean something. */
static void add_shares(struct folded *d)
{
	long double total = 0;
	uint32_t i;

	for (i = 0; i < d->sums.nr; i++)
		total += value_of(interned_at(&d->sums, i));
	for (i = 0; i < d->sums.nr; i++) {
		const struct sum *s = interned_at(&d->sums, i);
		long double share = value_of(s) / total * BILLION;

		profile_add_share(d->p, s->key.stack, s->key.comm,
				  (uint64_t)(share + 0.5L));
	}
}

static int finish(struct folded *d, const struct input *in, struct error *err)
{
	const uint64_t first = d->malformed.lines ? d->malformed.first : 1;

	d->p->losses.malformed += d->malformed.lines;
	skipped_warn(&d->malformed, d->p, in, "no folded stack with a count");
	if (!d->sums.nr)
		return error_set(err, EXIT_USAGE,
				 "%s: line %llu: no folded stack; expected "
				 "'comm;outermost;...;leaf count'",
				 in->name, (unsigned long long)first);
	if (text_set_unit(d->p, d->fractions ? UNIT_SHARE : UNIT_EVENTS, in,
			  err))
		return -1;
	if (d->fractions)
		add_shares(d);
	else
		add_counts(d);
	return 0;
}

static int folded_read(const struct input *in, struct profile *p,
		       struct error *err)
{
	struct folded *d = calloc(1, sizeof(*d));
	struct lines *lines = lines_open(in);
	int ret;

	if (!d || !lines) {
		profile_fail(p);
		ret = error_set(err, EXIT_USAGE, "%s: out of memory", in->name);
		goto out;
	}
	d->p = p;
	d->classes.p = p;
	ret = read_lines(d, in, lines, err);
	if (!ret)
		ret = finish(d, in, err);
	p->files++;
	interned_free(&d->sums);
	text_classes_free(&d->classes);
out:
	lines_close(lines);
	free(d);
	return ret;
}

static bool folded_matches(const struct input *in)
{
	unsigned int good = 0, bad = 0, stacks = 0;
	struct line line;
	size_t at = 0;

	while (head_line(in, &at, &line)) {
		struct text t = text_trim(text_of(line.text, line.length));
		struct count c;

		if (t.at == t.end || *t.at == '#')
			continue;
		/* A stack so deep that its count is not in sight. */
		if (line.cut || take_count(&t, &c))
			good++;
		else
			bad++;
		stacks += memchr(t.at, ';', text_length(&t)) != NULL;
	}
	return stacks && good > 3 * bad;
}

const struct reader reader_folded = {
	.name = "folded stacks",
	.matches = folded_matches,
	.read = folded_read,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * TRACING_DATA: the formats of tracepoints as the recording kernel gave them.
 * libtraceevent reads those that we use; of the others the name is enough.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "analyze/readers/perf-format-text.h"
#include "analyze/readers/perf-private.h"
#include "analyze/table.h"

struct event_name {
	UT_hash_handle hh;
	uint32_t id;
	char name[]; /* "sched:sched_switch" */
};

struct pd_tracing {
	struct tep_handle *tep;
	struct event_name *names;
	bool swap; /* of the tracing data itself and of raw data */
};

/* The tracepoints that we use, and the fields they must and may have. */
static const struct role {
	const char *event;
	enum pd_role role;
	const char *field[PD_NR_FIELDS];
	uint32_t needed; /* bits: fields that have to be there */
} roles[] = {
	{ "sched:sched_switch",
	  PD_ROLE_SWITCH,
	  { "prev_pid", "next_pid", "prev_state", "prev_comm", "next_comm" },
	  1 << PD_PREV_PID | 1 << PD_NEXT_PID | 1 << PD_PREV_STATE },
	{ "lock:contention_begin",
	  PD_ROLE_BEGIN,
	  { "lock_addr", "flags" },
	  1 << PD_LOCK | 1 << PD_FLAGS },
	{ "lock:contention_end",
	  PD_ROLE_END,
	  { "lock_addr", NULL, "ret" },
	  1 << PD_LOCK | 1 << PD_RET },
	{ "sched:sched_waking", PD_ROLE_WAKING, { "pid" }, 1 << PD_PID },
	{ "sched:sched_wakeup", PD_ROLE_WAKEUP, { "pid" }, 1 << PD_PID },
	{ "sched:sched_wakeup_new",
	  PD_ROLE_WAKEUP_NEW,
	  { "pid" },
	  1 << PD_PID },
};

#define NR_ROLES (sizeof(roles) / sizeof(*roles))

static const struct role *role_of(const char *event)
{
	size_t i;

	for (i = 0; i < NR_ROLES; i++)
		if (!strcmp(event, roles[i].event))
			return &roles[i];
	return NULL;
}

/* "name: sched_switch\nID: 372\n…" */
static bool name_and_id(const char *format, char name[64], uint32_t *id)
{
	return sscanf(format, "name: %63s ID: %u", name, id) == 2;
}

static struct event_name *add_name(struct pd_tracing *t, uint32_t id,
				   const char *system, const char *event)
{
	size_t size = strlen(system) + strlen(event) + 2;
	struct event_name *n;

	HASH_FIND(hh, t->names, &id, sizeof(id), n);
	if (n)
		return NULL;
	n = malloc(sizeof(*n) + size);
	if (!n)
		return NULL;
	n->id = id;
	snprintf(n->name, size, "%s:%s", system, event);
	HASH_ADD(hh, t->names, id, sizeof(id), n);
	if (n->hh.tbl)
		return n;
	free(n);
	return NULL;
}

static void give_to_library(struct pd_reader *d, const char *system,
			    const char *text, const struct role *role)
{
	char *safe = pd_format_text(text, role->role == PD_ROLE_SWITCH);

	if (!safe ||
	    tep_parse_event(d->tracing->tep, safe, strlen(safe), system))
		profile_warn(d->p,
			     "%s: the recorded format of %s can't be read",
			     d->in->name, role->event);
	free(safe);
}

static void read_format(struct pd_reader *d, const char *system,
			const char *format, size_t size)
{
	char name[64], *copy = strndup(format, size);
	struct event_name *n;
	uint32_t id;

	if (copy && name_and_id(copy, name, &id)) {
		n = add_name(d->tracing, id, system, name);
		if (n && role_of(n->name))
			give_to_library(d, system, copy, role_of(n->name));
	}
	free(copy);
}

static void read_systems(struct pd_reader *d, struct pd_cursor *c)
{
	uint32_t nr_systems = pd_take_u32(c), nr;
	const unsigned char *format;
	const char *system;
	uint64_t size;

	while (!c->failed && nr_systems--) {
		system = pd_take_string(c);
		nr = pd_take_u32(c);
		while (!c->failed && nr--) {
			size = pd_take_u64(c);
			format = pd_take(c, size);
			if (format)
				read_format(d, system, (const char *)format,
					    size);
		}
	}
}

static void skip_section(struct pd_cursor *c, const char *name)
{
	const char *found = pd_take_string(c);

	if (!found || strcmp(found, name))
		c->failed = true;
	pd_take(c, pd_take_u64(c));
}

static void read_kallsyms(struct pd_reader *d, struct pd_cursor *c)
{
	uint32_t size = pd_take_u32(c);
	const unsigned char *text = pd_take(c, size);

	if (size && text && !d->p->kernel.kallsyms)
		d->p->kernel.kallsyms =
			profile_string(d->p, (const char *)text, size);
}

static int tracing_new(struct pd_reader *d, bool big_endian, int long_size)
{
	struct pd_tracing *t = d->tracing;

	if (!t)
		t = d->tracing = calloc(1, sizeof(*t));
	if (!t)
		return -1;
	if (!t->tep)
		t->tep = tep_alloc();
	if (!t->tep)
		return -1;
	tep_set_file_bigendian(t->tep,
			       big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(t->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN :
							     TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, long_size);
	tep_set_loglevel(TEP_LOG_NONE);
	t->swap = big_endian != !!tep_is_bigendian();
	return 0;
}

static bool read_start(struct pd_reader *d, struct pd_cursor *c)
{
	static const unsigned char magic[] = { 0x17, 0x08, 0x44, 't', 'r',
					       'a',  'c',  'i',	 'n', 'g' };
	const unsigned char *from = pd_take(c, sizeof(magic));
	const unsigned char *sizes;

	if (!from || memcmp(from, magic, sizeof(magic)))
		c->failed = true;
	pd_take_string(c); /* the version */
	sizes = pd_take(c, 6); /* byte order, size of a long, of a page */
	if (c->failed || !sizes || tracing_new(d, sizes[0] != 0, sizes[1]))
		return false;
	c->swap = d->tracing->swap;
	return true;
}

void pd_tracing_read(struct pd_reader *d, const unsigned char *data,
		     size_t size)
{
	struct pd_cursor c = { data, data + size, d->swap, false };
	uint32_t i, nr;

	if (read_start(d, &c)) {
		skip_section(&c, "header_page");
		skip_section(&c, "header_event");
		nr = pd_take_u32(&c); /* formats of ftrace's own events */
		while (!c.failed && nr--)
			pd_take(&c, pd_take_u64(&c));
		read_systems(d, &c);
		read_kallsyms(d, &c);
	}
	if (c.failed)
		profile_warn(d->p,
			     "%s: the recorded tracepoint formats break "
			     "off after %zu of %zu bytes",
			     d->in->name, (size_t)(c.at - data), size);
	for (i = 0; i < d->attrs.nr; i++)
		pd_tracing_bind(d, &d->attrs.attr[i]);
}

static bool bind_field(struct pd_attr *a, struct tep_event *event,
		       const struct role *role, size_t i)
{
	const struct tep_format_field *f =
		role->field[i] ? tep_find_field(event, role->field[i]) : NULL;
	bool is_comm = role->role == PD_ROLE_SWITCH && i >= PD_PREV_COMM;
	struct pd_field *to = &a->field[i];

	*to = (struct pd_field){ 0 };
	if (!f || f->offset < 0 || f->size <= 0 || f->offset > 65535 ||
	    f->size > 65535 || (f->flags & TEP_FIELD_IS_DYNAMIC))
		return false;
	if (!is_comm && f->size != 1 && f->size != 2 && f->size != 4 &&
	    f->size != 8)
		return false;
	to->offset = (uint32_t)f->offset;
	to->size = (uint32_t)f->size;
	to->is_signed = f->flags & TEP_FIELD_IS_SIGNED;
	if (a->raw_size < to->offset + to->size)
		a->raw_size = to->offset + to->size;
	return true;
}

static void bind_role(struct pd_reader *d, struct pd_attr *a,
		      struct tep_event *event, const struct role *role)
{
	bool complete = true;
	size_t i;

	a->raw_size = 0;
	for (i = 0; i < PD_NR_FIELDS; i++)
		if (!bind_field(a, event, role, i) && (role->needed >> i & 1))
			complete = false;
	if (!complete || !(a->sample_type & PD_SAMPLE_RAW)) {
		profile_warn(d->p,
			     "%s: %s was recorded without %s; it is not "
			     "used",
			     d->in->name, role->event,
			     complete ? "its raw data" : "all its fields");
		return;
	}
	if (role->role == PD_ROLE_SWITCH) {
		a->states = calloc(1, sizeof(*a->states));
		if (!a->states) {
			profile_fail(d->p);
			return;
		}
		pd_states_read(a->states, event,
			       profile_text(d->p, d->p->os_release));
		d->attrs.nr_switches++;
	}
	d->attrs.has_waking |= role->role == PD_ROLE_WAKING;
	a->role = role->role;
}

void pd_tracing_bind(struct pd_reader *d, struct pd_attr *a)
{
	struct pd_tracing *t = d->tracing;
	const struct role *role;
	struct tep_event *event;
	struct event_name *n;
	uint32_t id = (uint32_t)a->config;

	if (!t || a->type != PD_TYPE_TRACEPOINT || a->role || a->config != id)
		return;
	HASH_FIND(hh, t->names, &id, sizeof(id), n);
	if (!n)
		return;
	free(a->name);
	a->name = strdup(n->name);
	role = role_of(n->name);
	event = role ? tep_find_event(t->tep, (int)id) : NULL;
	if (event)
		bind_role(d, a, event, role);
}

void pd_tracing_free(struct pd_tracing *t)
{
	struct event_name *n, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->names, n, next) {
		HASH_DEL(t->names, n);
		free(n);
	}
	tep_free(t->tep);
	free(t);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the header's features and the pipe's FEATURE and EVENT_UPDATE records
 * say of the machine and of the events.
 */
#include <string.h>

#include "analyze/readers/perf-private.h"

#define EVENT_UPDATE_NAME 2

/* A length and text that is padded with zeros up to it. */
static const char *take_text(struct pd_cursor *c, size_t *length)
{
	uint32_t size = pd_take_u32(c);
	const char *text = (const char *)pd_take(c, size);

	*length = text ? strnlen(text, size) : 0;
	return text ? text : "";
}

static void read_text(struct pd_reader *d, struct pd_cursor *c, uint32_t *to)
{
	size_t length;
	const char *text = take_text(c, &length);

	if (length)
		*to = profile_string(d->p, text, length);
}

static void read_command_line(struct pd_reader *d, struct pd_cursor *c)
{
	uint32_t nr = pd_take_u32(c);
	char line[4096];
	size_t used = 0, length;

	while (!c->failed && nr--) {
		const char *text = take_text(c, &length);

		if (length + 1 >= sizeof(line) - used)
			break;
		if (used)
			line[used++] = ' ';
		memcpy(line + used, text, length);
		used += length;
	}
	d->p->cmdline = profile_string(d->p, line, used);
}

/* Each event: its attributes, the number of its ids, its name, its ids. */
static void read_event_desc(struct pd_reader *d, struct pd_cursor *c)
{
	uint32_t nr = pd_take_u32(c), size = pd_take_u32(c), i, ids;
	const unsigned char *attr;
	const char *name;
	size_t length;

	for (i = 0; !c->failed && i < nr && i < d->attrs.nr; i++) {
		struct pd_attr *a = &d->attrs.attr[i];

		attr = pd_take(c, size);
		ids = pd_take_u32(c);
		name = take_text(c, &length);
		pd_take(c, 8ull * ids);
		if (c->failed || size < 16)
			break;
		if (pd_u32(attr, d->swap) == a->type &&
		    pd_u64(attr + 8, d->swap) == a->config)
			pd_attr_set_name(a, name, length);
	}
}

/* Where the text of a feature goes; NULL: it is none, or not used. */
static uint32_t *text_of(struct profile *p, uint64_t feature)
{
	switch (feature) {
	case PD_FEATURE_HOSTNAME:
		return &p->hostname;
	case PD_FEATURE_OSRELEASE:
		return &p->os_release;
	case PD_FEATURE_VERSION:
		return &p->perf_version;
	case PD_FEATURE_ARCH:
		return &p->arch;
	case PD_FEATURE_CPUDESC:
		return &p->cpu_model;
	default:
		return NULL;
	}
}

void pd_feature_read(struct pd_reader *d, uint64_t feature,
		     const unsigned char *data, size_t size)
{
	struct pd_cursor c = { data, data + size, d->swap, false };
	struct profile *p = d->p;

	if (text_of(p, feature))
		read_text(d, &c, text_of(p, feature));
	switch (feature) {
	case PD_FEATURE_TRACING_DATA:
		pd_tracing_read(d, data, size);
		break;
	case PD_FEATURE_BUILD_ID:
		pd_build_ids_read(d, data, size);
		break;
	case PD_FEATURE_NRCPUS:
		p->cpus_available = pd_take_u32(&c);
		p->cpus_online = pd_take_u32(&c);
		break;
	case PD_FEATURE_CMDLINE:
		read_command_line(d, &c);
		break;
	case PD_FEATURE_EVENT_DESC:
		read_event_desc(d, &c);
		break;
	case PD_FEATURE_COMPRESSED:
		d->is_compressed = true;
		break;
	default:
		break;
	}
	if (c.failed)
		profile_warn(p, "%s: header feature %llu is cut short",
			     d->in->name, (unsigned long long)feature);
}

void pd_event_update(struct pd_reader *d, const struct pd_record *r)
{
	struct pd_ids *ids = &d->attrs.ids;
	const char *name = (const char *)r->data + 24;
	size_t slot;

	if (r->size < 25 || pd_u64(r->data + 8, d->swap) != EVENT_UPDATE_NAME ||
	    !ids->nr)
		return;
	slot = pd_id_slot(ids, pd_u64(r->data + 16, d->swap));
	if (ids->slot[slot].attr)
		pd_attr_set_name(&d->attrs.attr[ids->slot[slot].attr - 1], name,
				 strnlen(name, r->size - 24u));
}

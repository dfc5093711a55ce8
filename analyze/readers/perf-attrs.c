// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a recording: their attributes, ids and names, and from these
 * where in a record what can be found.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/readers/perf-private.h"

#define MAX_ATTRS     65535
#define SMALLEST_ATTR 64 /* the first version's size */

static uint64_t reverse_bits(uint64_t v)
{
	const uint64_t odd = 0x5555555555555555u, pairs = 0x3333333333333333u,
		       nibbles = 0x0f0f0f0f0f0f0f0fu;

	v = ((v >> 1) & odd) | ((v & odd) << 1);
	v = ((v >> 2) & pairs) | ((v & pairs) << 2);
	return ((v >> 4) & nibbles) | ((v & nibbles) << 4);
}

/*
 * Compilers give bit-fields the highest bit first where bytes go that way:
 * bits turn round within their byte, and the bytes stay.
 */
static uint64_t read_flags(const unsigned char *from, bool swap)
{
	uint64_t flags = pd_u64(from, false);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	flags = __builtin_bswap64(flags);
	return swap ? flags : reverse_bits(flags);
#else
	return swap ? reverse_bits(flags) : flags;
#endif
}

/* The offset of a member if there is one, else 0; counts it in *end. */
static uint16_t member(const struct pd_attr *a, uint64_t bit, uint16_t *end)
{
	uint16_t at = *end;

	if (!(a->sample_type & bit))
		return 0;
	*end = (uint16_t)(at + 8);
	return at;
}

static void lay_out_sample(struct pd_attr *a)
{
	uint16_t end = 8, identifier, id;

	identifier = member(a, PD_SAMPLE_IDENTIFIER, &end);
	member(a, PD_SAMPLE_IP, &end);
	a->at_tid = member(a, PD_SAMPLE_TID, &end);
	a->at_time = member(a, PD_SAMPLE_TIME, &end);
	member(a, PD_SAMPLE_ADDR, &end);
	id = member(a, PD_SAMPLE_ID, &end);
	member(a, PD_SAMPLE_STREAM_ID, &end);
	a->at_cpu = member(a, PD_SAMPLE_CPU, &end);
	member(a, PD_SAMPLE_PERIOD, &end);
	a->at_id = identifier ? identifier : id;
	a->fixed = end;
	/*
	 * Behind members of any size, but before few.  AUX data, which comes
	 * last, is of processor traces; tracepoints have none.
	 */
	if ((a->sample_type & PD_SAMPLE_CGROUP) &&
	    !(a->sample_type & PD_SAMPLE_AUX))
		a->back_cgroup = (uint16_t)(8 +
					    8 * !!(a->sample_type &
						   PD_SAMPLE_DATA_PAGE) +
					    8 * !!(a->sample_type &
						   PD_SAMPLE_CODE_PAGE));
}

static uint16_t member_back(const struct pd_attr *a, uint64_t bit,
			    uint16_t *size)
{
	if (a->sample_type & bit)
		*size = (uint16_t)(*size + 8);
	return a->sample_type & bit ? *size : 0;
}

/* What sample_id_all appends to all other records, from the end. */
static void lay_out_others(struct pd_attr *a)
{
	uint16_t size = 0, identifier, id;

	if (!(a->flags & PD_FLAG_SAMPLE_ID_ALL))
		return;
	identifier = member_back(a, PD_SAMPLE_IDENTIFIER, &size);
	a->back_cpu = member_back(a, PD_SAMPLE_CPU, &size);
	member_back(a, PD_SAMPLE_STREAM_ID, &size);
	id = member_back(a, PD_SAMPLE_ID, &size);
	a->back_time = member_back(a, PD_SAMPLE_TIME, &size);
	a->back_tid = member_back(a, PD_SAMPLE_TID, &size);
	a->back_id = identifier ? identifier : id;
}

static int add_id_slots(struct pd_ids *ids)
{
	struct pd_ids old = *ids;
	size_t i, at;

	ids->size = old.size ? 2 * old.size : 256;
	ids->slot = calloc(ids->size, sizeof(*ids->slot));
	if (!ids->slot) {
		*ids = old;
		return -1;
	}
	for (i = 0; i < old.size; i++) {
		if (!old.slot[i].attr)
			continue;
		at = pd_id_slot(ids, old.slot[i].id);
		ids->slot[at] = old.slot[i];
	}
	free(old.slot);
	return 0;
}

static int add_id(struct pd_ids *ids, uint64_t id, uint32_t attr)
{
	size_t at;

	if (2 * ids->nr >= ids->size && add_id_slots(ids))
		return -1;
	at = pd_id_slot(ids, id);
	ids->nr += !ids->slot[at].attr;
	ids->slot[at] = (struct pd_id){ id, attr + 1 };
	return 0;
}

static void read_attr(struct pd_attr *a, const unsigned char *from, size_t size,
		      bool swap)
{
	*a = (struct pd_attr){
		.type = pd_u32(from, swap),
		.config = pd_u64(from + 8, swap),
		.period = pd_u64(from + 16, swap),
		.sample_type = pd_u64(from + 24, swap),
		.read_format = pd_u64(from + 32, swap),
		.flags = read_flags(from + 40, swap),
	};
	if (size >= 110)
		a->max_stack = pd_u16(from + 108, swap);
	lay_out_sample(a);
	lay_out_others(a);
}

/* What holds for records of any event. */
static void agree(struct pd_attrs *all, const struct pd_attr *a)
{
	const struct pd_attr *first = all->attr;

	if (all->nr == 1) {
		all->at_id = a->at_id;
		all->back_id = a->back_id;
		all->same_end = true;
		return;
	}
	if (all->at_id != a->at_id)
		all->at_id = 0;
	if (all->back_id != a->back_id)
		all->back_id = 0;
	if (first->back_time != a->back_time ||
	    first->back_tid != a->back_tid || first->back_cpu != a->back_cpu)
		all->same_end = false;
}

static struct pd_attr *new_attr(struct pd_attrs *all)
{
	uint32_t room = all->room ? 2 * all->room : 16;
	struct pd_attr *grown;

	if (all->nr == all->room) {
		grown = realloc(all->attr, room * sizeof(*grown));
		if (!grown)
			return NULL;
		all->attr = grown;
		all->room = room;
	}
	return &all->attr[all->nr++];
}

int pd_attrs_add(struct pd_reader *d, const unsigned char *attr, size_t size,
		 const unsigned char *ids, size_t nr_ids)
{
	struct pd_attrs *all = &d->attrs;
	struct pd_attr *a;
	size_t i;

	if (size < SMALLEST_ATTR)
		return error_set(d->err, EXIT_USAGE,
				 "%s: an event's attributes take %zu bytes, "
				 "at least %d are needed; the file is damaged",
				 d->in->name, size, SMALLEST_ATTR);
	if (all->nr == MAX_ATTRS)
		return error_set(d->err, EXIT_USAGE,
				 "%s: more than %d events; this can't be read",
				 d->in->name, MAX_ATTRS);
	a = new_attr(all);
	if (!a)
		goto no_memory;
	read_attr(a, attr, size, d->swap);
	agree(all, a);
	for (i = 0; i < nr_ids; i++)
		if (add_id(&all->ids, pd_u64(ids + 8 * i, d->swap),
			   all->nr - 1))
			goto no_memory;
	pd_tracing_bind(d, a);
	return 0;

no_memory:
	return error_set(d->err, EXIT_USAGE, "%s: out of memory", d->in->name);
}

void pd_attr_set_name(struct pd_attr *a, const char *name, size_t length)
{
	if (a->name || !length)
		return;
	a->name = strndup(name, length);
}

const char *pd_attr_name(const struct pd_attr *a)
{
	static const char *const hardware[] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};
	static const char *const software[] = {
		"cpu-clock",	    "task-clock",
		"page-faults",	    "context-switches",
		"cpu-migrations",   "minor-faults",
		"major-faults",	    "alignment-faults",
		"emulation-faults", "dummy",
		"bpf-output",	    "cgroup-switches",
	};

	if (a->name)
		return a->name;
	if (a->type == PD_TYPE_HARDWARE &&
	    a->config < sizeof(hardware) / sizeof(*hardware))
		return hardware[a->config];
	if (a->type == PD_TYPE_SOFTWARE &&
	    a->config < sizeof(software) / sizeof(*software))
		return software[a->config];
	return a->type == PD_TYPE_TRACEPOINT ? "an unnamed tracepoint" :
					       "an unnamed event";
}

void pd_attrs_free(struct pd_attrs *all)
{
	uint32_t i;

	for (i = 0; i < all->nr; i++) {
		free(all->attr[i].name);
		free(all->attr[i].states);
	}
	free(all->attr);
	free(all->ids.slot);
}

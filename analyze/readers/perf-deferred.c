// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-deferred.h"

#include <stdlib.h>

#include "analyze/readers/perf-private.h"

/* Memory stays below 64 MiB; cookies beyond are not known. */
#define MAX_COOKIES	 (1u << 20)
#define MAX_CHAINS_BYTES (16u << 20)
#define FIRST_SLOTS	 1024

struct slot {
	uint64_t cookie;
	const struct pd_chain *chain; /* NULL: free */
};

struct pd_deferred {
	struct slot *slot;
	size_t nr, size;
	struct pd_chains chains;
	uint64_t bytes; /* of chains */
	bool full;
	uint64_t scratch[PD_MAX_RECORD / sizeof(uint64_t)];
};

void pd_deferred_free(struct pd_deferred *t)
{
	if (!t)
		return;
	pd_chains_free(&t->chains);
	free(t->slot);
	free(t);
}

static size_t find(const struct pd_deferred *t, uint64_t cookie)
{
	uint64_t hash = (cookie ^ (uintptr_t)t->slot) * 0x9e3779b97f4a7c15u;
	size_t i = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u >> 32;

	for (i &= t->size - 1; t->slot[i].chain; i = (i + 1) & (t->size - 1))
		if (t->slot[i].cookie == cookie)
			break;
	return i;
}

static int grow(struct pd_deferred *t)
{
	const struct slot *old = t->slot;
	size_t i, old_size = t->size;

	t->slot = calloc(2 * old_size, sizeof(*t->slot));
	if (!t->slot) {
		t->slot = (struct slot *)old;
		return -1;
	}
	t->size = 2 * old_size;
	for (i = 0; i < old_size; i++)
		if (old[i].chain)
			t->slot[find(t, old[i].cookie)] = old[i];
	free((void *)old);
	return 0;
}

static const struct pd_chain *
keep(struct pd_deferred *t, const unsigned char *ips, uint64_t nr, bool swap)
{
	const size_t before = t->chains.nr;
	const struct pd_chain *chain;
	uint64_t i;

	for (i = 0; i < nr; i++)
		t->scratch[i] = pd_u64(ips + 8 * i, swap);
	chain = pd_chain_get(&t->chains, t->scratch, (uint32_t)nr, 0);
	if (t->chains.nr > before)
		t->bytes += sizeof(*chain) + 8 * nr;
	return chain;
}

/* A CALLCHAIN_DEFERRED record: cookie, number, addresses. */
static int add(struct pd_reader *d, const struct pd_record *r)
{
	struct pd_deferred *t = d->deferred;
	uint64_t nr, cookie;
	struct slot *slot;

	if (r->size < 24)
		return 0;
	cookie = pd_u64(r->data + 8, d->swap);
	nr = pd_u64(r->data + 16, d->swap);
	if (nr > (r->size - 24u) / 8)
		return 0;
	if (t->nr == MAX_COOKIES || t->bytes > MAX_CHAINS_BYTES) {
		t->full = true;
		return 0;
	}
	if (2 * t->nr >= t->size && grow(t))
		return -1;
	slot = &t->slot[find(t, cookie)];
	if (slot->chain)
		return 0;
	slot->cookie = cookie;
	slot->chain = keep(t, r->data + 24, nr, d->swap);
	t->nr += slot->chain != NULL;
	return slot->chain ? 0 : -1;
}

static int skip_payload(struct pd_reader *d, struct pd_stream *s,
			const struct pd_record *r, struct error *err)
{
	if (r->type == PD_TRACING_DATA && r->size >= 12)
		return pd_stream_skip(
			s, (pd_u32(r->data + 8, d->swap) + 7ull) & ~7ull, err);
	if (r->type == PD_AUXTRACE && r->size >= 16)
		return pd_stream_skip(s, pd_u64(r->data + 8, d->swap), err);
	return 0;
}

/* What is wrong with the input shows again when it is read for good. */
static int search(struct pd_reader *d, const struct pd_place *place)
{
	struct pd_stream s = {
		.name = d->in->name,
		.fd = place->fd,
		.swap = d->swap,
		.can_seek = true,
	};
	struct error ignored = { 0 };
	struct pd_record r;
	int ret = 0;

	if (pd_stream_open(&s, place->begin, place->end, 4 * PD_MAX_RECORD))
		return -1;
	while (!ret && pd_stream_next(&s, &r, &ignored) > 0) {
		if (r.type == PD_DEFERRED)
			ret = add(d, &r);
		else if (skip_payload(d, &s, &r, &ignored))
			break;
	}
	pd_stream_close(&s);
	return ret;
}

static int search_all(struct pd_reader *d)
{
	struct pd_deferred *t = calloc(1, sizeof(*t));
	size_t i;

	d->deferred = t;
	if (!t)
		return -1;
	t->size = FIRST_SLOTS;
	t->slot = calloc(t->size, sizeof(*t->slot));
	if (!t->slot || pd_chains_init(&t->chains))
		return -1;
	for (i = 0; i < d->nr_places; i++)
		if (search(d, &d->places[i]))
			return -1;
	return 0;
}

static const struct pd_chain *user_part(struct pd_reader *d, uint64_t cookie)
{
	if (!d->deferred && search_all(d))
		d->chains.failed = true;
	if (d->chains.failed)
		return NULL;
	return d->deferred->slot[find(d->deferred, cookie)].chain;
}

uint32_t pd_deferred_join(struct pd_reader *d, const uint64_t *ips, uint32_t nr,
			  uint64_t *to)
{
	const struct pd_chain *user;
	uint32_t at = 0;

	while (at + 1 < nr && ips[at] != PD_CONTEXT_USER_DEFERRED)
		at++;
	if (at + 1 >= nr)
		return 0;
	memcpy(to, ips, at * sizeof(*to));
	user = user_part(d, ips[at + 1]);
	if (!user) {
		d->counts.no_user_part++;
		to[at] = PD_CONTEXT_USER_DEFERRED;
		return at + 1;
	}
	if (!user->nr || user->ip[0] != PD_CONTEXT_USER)
		to[at++] = PD_CONTEXT_USER;
	memcpy(to + at, user->ip, user->nr * sizeof(*to));
	return at + user->nr;
}

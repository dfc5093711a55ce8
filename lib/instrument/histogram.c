// SPDX-License-Identifier: GPL-2.0-only
#include "lib/rwsemlab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SUB_BITS    5
#define SUB_BUCKETS (1u << SUB_BITS)
#define EXACT	    (2u * SUB_BUCKETS)

static uint32_t bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < EXACT)
		return (uint32_t)value;
	shift = 63 - (unsigned int)__builtin_clzll(value) - SUB_BITS;
	return shift * SUB_BUCKETS + (uint32_t)(value >> shift);
}

uint64_t rwsemlab_histogram_bucket_low(uint32_t bucket)
{
	uint32_t shift;

	if (bucket < EXACT)
		return bucket;
	shift = bucket / SUB_BUCKETS - 1;
	return (uint64_t)(bucket - shift * SUB_BUCKETS) << shift;
}

/* Make room for the buckets @low to @high. */
static int cover(struct rwsemlab_histogram *h, uint32_t low, uint32_t high)
{
	uint32_t first = h->nr && h->first < low ? h->first : low;
	uint32_t last = high;
	uint64_t *grown;

	if (h->nr && h->first + h->nr - 1 > high)
		last = h->first + h->nr - 1;
	if (h->nr == last - first + 1)
		return 0;
	grown = calloc(last - first + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	if (h->nr)
		memcpy(grown + (h->first - first), h->bucket,
		       h->nr * sizeof(*grown));
	free(h->bucket);
	h->bucket = grown;
	h->first = first;
	h->nr = last - first + 1;
	return 0;
}

int rwsemlab_histogram_add(struct rwsemlab_histogram *h, uint64_t value)
{
	uint32_t bucket = bucket_of(value);

	/* One comparison finds a bucket below the first one too: it wraps. */
	if (bucket - h->first >= h->nr && cover(h, bucket, bucket))
		return -ENOMEM;
	h->bucket[bucket - h->first]++;
	if (!h->count || value < h->min)
		h->min = value;
	if (!h->count || value > h->max)
		h->max = value;
	h->count++;
	h->sum += value;
	return 0;
}

int rwsemlab_histogram_merge(struct rwsemlab_histogram *to,
			     const struct rwsemlab_histogram *from)
{
	uint32_t i;

	if (!from->count)
		return 0;
	if (cover(to, from->first, from->first + from->nr - 1))
		return -ENOMEM;
	for (i = 0; i < from->nr; i++)
		to->bucket[from->first - to->first + i] += from->bucket[i];
	if (!to->count || from->min < to->min)
		to->min = from->min;
	if (!to->count || from->max > to->max)
		to->max = from->max;
	to->count += from->count;
	to->sum += from->sum;
	return 0;
}

/* ceil(q * count), at least 1 and at most count. */
static uint64_t rank_of(double q, uint64_t count)
{
	double exact = q * (double)count;
	uint64_t rank;

	if (!(exact > 1.0))
		return 1;
	if (exact >= (double)count)
		return count;
	rank = (uint64_t)exact;
	return (double)rank < exact ? rank + 1 : rank;
}

uint64_t rwsemlab_histogram_quantile(const struct rwsemlab_histogram *h,
				     double q)
{
	uint64_t seen = 0;
	uint64_t rank, value;
	uint32_t i;

	if (!h->count)
		return 0;
	rank = rank_of(q, h->count);
	for (i = 0; i < h->nr - 1; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			break;
	}
	value = rwsemlab_histogram_bucket_low(h->first + i + 1) - 1;
	if (value > h->max)
		return h->max;
	return value < h->min ? h->min : value;
}

void rwsemlab_histogram_free(struct rwsemlab_histogram *h)
{
	free(h->bucket);
	memset(h, 0, sizeof(*h));
}

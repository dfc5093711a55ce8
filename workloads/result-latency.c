// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/result.h"

#include <stdlib.h>

/* The bucket of the largest value, 2^64 - 1, plus one. */
#define MAX_BUCKETS 1920

static json_t *buckets_json(const struct rwsemlab_histogram *h)
{
	json_t *array = json_array();
	uint32_t i;

	for (i = 0; array && i < h->nr; i++) {
		uint64_t low = rwsemlab_histogram_bucket_low(h->first + i);

		if (!h->bucket[i])
			continue;
		if (json_array_append_new(
			    array, json_pack("[I, I]", (json_int_t)low,
					     (json_int_t)h->bucket[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *workload_latency_json(const struct rwsemlab_histogram *h)
{
	double mean = h->count ? (double)h->sum / (double)h->count : 0;

	return json_pack(
		"{s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:o}", "count",
		(json_int_t)h->count, "sum_ns", (json_int_t)h->sum, "min_ns",
		(json_int_t)h->min, "mean_ns", mean, "p50_ns",
		(json_int_t)rwsemlab_histogram_quantile(h, 0.5), "p90_ns",
		(json_int_t)rwsemlab_histogram_quantile(h, 0.9), "p99_ns",
		(json_int_t)rwsemlab_histogram_quantile(h, 0.99), "p999_ns",
		(json_int_t)rwsemlab_histogram_quantile(h, 0.999), "max_ns",
		(json_int_t)h->max, "buckets", buckets_json(h));
}

/* The number of the bucket that starts at @low, or MAX_BUCKETS. */
static uint32_t bucket_at(uint64_t low)
{
	uint32_t left = 0, right = MAX_BUCKETS - 1;

	while (left < right) {
		uint32_t middle = (left + right) / 2;

		if (rwsemlab_histogram_bucket_low(middle) < low)
			left = middle + 1;
		else
			right = middle;
	}
	return rwsemlab_histogram_bucket_low(left) == low ? left : MAX_BUCKETS;
}

/* Puts one [low, count] into the histogram, which has every bucket. */
static int read_bucket(json_t *pair, struct rwsemlab_histogram *h,
		       uint64_t *seen)
{
	json_int_t low, count;
	uint32_t bucket;

	if (json_unpack(pair, "[I, I!]", &low, &count) || count <= 0)
		return -1;
	bucket = bucket_at((uint64_t)low);
	if (bucket == MAX_BUCKETS)
		return -1;
	h->bucket[bucket] += (uint64_t)count;
	*seen += (uint64_t)count;
	return 0;
}

int workload_latency_from_json(json_t *json, struct rwsemlab_histogram *h)
{
	json_int_t count, sum, min, max;
	json_t *buckets, *pair;
	uint64_t seen = 0;
	size_t i;

	if (json_unpack(json, "{s:I, s:I, s:I, s:I, s:o}", "count", &count,
			"sum_ns", &sum, "min_ns", &min, "max_ns", &max,
			"buckets", &buckets) ||
	    !json_is_array(buckets))
		return -1;
	if (!count)
		return json_array_size(buckets) ? -1 : 0;
	h->bucket = calloc(MAX_BUCKETS, sizeof(*h->bucket));
	if (!h->bucket)
		return -1;
	h->nr = MAX_BUCKETS;
	h->count = (uint64_t)count;
	h->sum = (uint64_t)sum;
	h->min = (uint64_t)min;
	h->max = (uint64_t)max;
	json_array_foreach(buckets, i, pair)
		if (read_bucket(pair, h, &seen))
			return -1;
	return count > 0 && seen == h->count && h->min <= h->max ? 0 : -1;
}

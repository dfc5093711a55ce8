// SPDX-License-Identifier: GPL-2.0-only
/*
 * The histogram against what it stands for: the sorted list of its values.
 */
#include "lib/rwsemlab.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define NR_VALUES 20000

static const double shares[] = { 0.0, 0.001, 0.25,  0.5,    0.75,
				 0.9, 0.99,  0.999, 0.9999, 1.0 };

/* Values of every magnitude, always the same ones. */
static uint64_t next_value(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> (*state % 64);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The value that a bucketed histogram may be off from, nearest rank. */
static uint64_t exact_quantile(const uint64_t *sorted, size_t nr, double q)
{
	size_t rank = (size_t)ceil(q * (double)nr);

	return sorted[rank ? rank - 1 : 0];
}

static void fill(struct rwsemlab_histogram *h, const uint64_t *values,
		 size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (rwsemlab_histogram_add(h, values[i]))
			tap_bail("out of memory");
}

static void test_empty(void)
{
	struct rwsemlab_histogram h = { 0 };
	struct rwsemlab_histogram other = { 0 };

	tap_is_u64(rwsemlab_histogram_quantile(&h, 0.5), 0,
		   "the median of no value is 0");
	tap_is_i64(rwsemlab_histogram_merge(&h, &other), 0,
		   "merging two empty histograms");
	tap_is_u64(h.count, 0, "gives an empty one");
	rwsemlab_histogram_free(&h);
}

/* Bucket bounds as the header states them. */
static void test_buckets(void)
{
	uint32_t wrong = 0;
	uint32_t bucket;

	for (bucket = 0; bucket < 64; bucket++)
		wrong += rwsemlab_histogram_bucket_low(bucket) != bucket;
	tap_is_u64(wrong, 0, "values below 64 have their own buckets");
	for (bucket = 64; bucket < 1920; bucket++) {
		uint64_t low = rwsemlab_histogram_bucket_low(bucket);
		uint64_t power = 64ull << ((bucket - 64) / 32);
		uint64_t want = power + (bucket - 64) % 32 * (power / 32);

		wrong += low != want;
	}
	tap_is_u64(wrong, 0, "32 equal buckets in each power of two above");
}

/* Every edge of every bucket, alone in its histogram. */
static void test_single_values(void)
{
	uint32_t wrong = 0;
	uint32_t bucket;
	int side;

	for (bucket = 1; bucket < 1920; bucket++) {
		for (side = 0; side < 2; side++) {
			uint64_t value =
				rwsemlab_histogram_bucket_low(bucket) - side;
			struct rwsemlab_histogram h = { 0 };

			fill(&h, &value, 1);
			wrong += rwsemlab_histogram_quantile(&h, 0.5) != value;
			wrong += h.min != value || h.max != value;
			rwsemlab_histogram_free(&h);
		}
	}
	tap_is_u64(wrong, 0, "one value is its own median, minimum, maximum");
}

static void test_extremes(void)
{
	static const uint64_t values[] = { UINT64_MAX, 0, 1, UINT64_MAX - 1 };
	struct rwsemlab_histogram h = { 0 };

	fill(&h, values, 4);
	tap_is_u64(h.min, 0, "smallest of 0 and 2^64-1");
	tap_is_u64(h.max, UINT64_MAX, "largest of 0 and 2^64-1");
	tap_is_u64(h.sum, UINT64_MAX - 1 + UINT64_MAX + 1,
		   "the sum wraps at 2^64");
	tap_is_u64(rwsemlab_histogram_quantile(&h, 0), 0, "quantile 0");
	tap_is_u64(rwsemlab_histogram_quantile(&h, 0.5), 1, "median");
	tap_is_u64(rwsemlab_histogram_quantile(&h, 1), UINT64_MAX,
		   "quantile 1");
	tap_is_u64(rwsemlab_histogram_quantile(&h, -1), 0,
		   "a share below 0 is 0");
	tap_is_u64(rwsemlab_histogram_quantile(&h, 2), UINT64_MAX,
		   "a share above 1 is 1");
	tap_is_u64(rwsemlab_histogram_quantile(&h, (double)NAN), 0,
		   "a share that is no number is 0");
	rwsemlab_histogram_free(&h);
}

static void check_quantiles(const struct rwsemlab_histogram *h,
			    const uint64_t *sorted, size_t nr, const char *what)
{
	size_t i;

	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		uint64_t want = exact_quantile(sorted, nr, shares[i]);
		uint64_t got = rwsemlab_histogram_quantile(h, shares[i]);

		/* The bucket's largest value: never below, 1/32 above. */
		if (!tap_ok(got >= want && got - want <= want / 32,
			    "%s: quantile %g", what, shares[i]))
			tap_diag("got %llu, exact %llu",
				 (unsigned long long)got,
				 (unsigned long long)want);
	}
}

static void test_many(void)
{
	static uint64_t values[NR_VALUES];
	struct rwsemlab_histogram whole = { 0 };
	struct rwsemlab_histogram part[2] = { { 0 }, { 0 } };
	uint64_t state = 88172645463325252ull;
	uint64_t sum = 0;
	size_t cut = NR_VALUES / 3;
	size_t i;

	for (i = 0; i < NR_VALUES; i++) {
		values[i] = next_value(&state);
		sum += values[i];
	}
	fill(&whole, values, NR_VALUES);
	fill(&part[0], values, cut);
	fill(&part[1], values + cut, NR_VALUES - cut);
	qsort(values, NR_VALUES, sizeof(values[0]), compare);

	tap_is_u64(whole.count, NR_VALUES, "count");
	tap_is_u64(whole.sum, sum, "sum");
	tap_is_u64(whole.min, values[0], "minimum");
	tap_is_u64(whole.max, values[NR_VALUES - 1], "maximum");
	check_quantiles(&whole, values, NR_VALUES, "added");

	if (rwsemlab_histogram_merge(&part[0], &part[1]))
		tap_bail("out of memory");
	tap_is_u64(part[0].count, NR_VALUES, "merged: count");
	tap_is_u64(part[0].sum, sum, "merged: sum");
	tap_is_u64(part[0].min, values[0], "merged: minimum");
	tap_is_u64(part[0].max, values[NR_VALUES - 1], "merged: maximum");
	check_quantiles(&part[0], values, NR_VALUES, "merged");

	rwsemlab_histogram_free(&whole);
	rwsemlab_histogram_free(&part[0]);
	rwsemlab_histogram_free(&part[1]);
	tap_ok(!whole.bucket && !whole.count, "free leaves it empty");
}

/* Merging must hold whichever of the two reaches lower or higher. */
static void test_merge_ranges(void)
{
	static const uint64_t low[] = { 3, 70 };
	static const uint64_t high[] = { 50000, 900000 };
	static const uint64_t around[] = { 1, 5000000 };
	static const uint64_t sorted[] = { 1, 3, 70, 50000, 900000, 5000000 };
	struct rwsemlab_histogram h = { 0 };
	struct rwsemlab_histogram other[3] = { { 0 }, { 0 }, { 0 } };
	int i;

	fill(&other[0], high, 2);
	fill(&other[1], low, 2);
	fill(&other[2], around, 2);
	for (i = 0; i < 3; i++) {
		if (rwsemlab_histogram_merge(&h, &other[i]))
			tap_bail("out of memory");
		rwsemlab_histogram_free(&other[i]);
	}
	tap_is_u64(h.count, 6, "ranges below, above and around: count");
	check_quantiles(&h, sorted, 6, "ranges below, above and around");
	rwsemlab_histogram_free(&h);
}

int main(void)
{
	test_empty();
	test_buckets();
	test_single_values();
	test_extremes();
	test_many();
	test_merge_ranges();
	return tap_done();
}

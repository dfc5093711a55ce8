// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS	   4000
#define FLIP_DRAWS 100000
#define MAX_EXACT  1e6
#define MAX_PICKED 64

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* qsort() takes several times as long for the few values of a bootstrap. */
static void sort_doubles(double *values, size_t n)
{
	size_t i, k;

	if (n > 32) {
		qsort(values, n, sizeof(*values), compare_doubles);
		return;
	}
	for (i = 1; i < n; i++) {
		double value = values[i];

		for (k = i; k > 0 && values[k - 1] > value; k--)
			values[k] = values[k - 1];
		values[k] = value;
	}
}

double stats_median(double *values, size_t n)
{
	if (!n)
		return NAN;
	sort_doubles(values, n);
	if (n % 2)
		return values[n / 2];
	return (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* SplitMix64, G. Steele et al., OOPSLA 2014. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double draw_ratio(const double *a, size_t na, const double *b, size_t nb,
			 int paired, double *space, uint64_t *state)
{
	double *from_a = space, *from_b = space + na;
	double base;
	size_t i;

	for (i = 0; i < na; i++) {
		size_t pick = next_random(state) % na;

		from_a[i] = a[pick];
		if (paired)
			from_b[i] = b[pick];
	}
	for (i = 0; !paired && i < nb; i++)
		from_b[i] = b[next_random(state) % nb];
	base = stats_median(from_a, na);
	return base != 0 ? stats_median(from_b, nb) / base : INFINITY;
}

int stats_ratio_interval(const double *a, size_t na, const double *b, size_t nb,
			 int paired, double confidence,
			 struct interval *interval)
{
	double tail = (1 - confidence) / 2;
	uint64_t state = 1;
	double *space;
	size_t i;

	if (na < 2 || nb < 2 || (paired && na != nb))
		return -1;
	space = malloc((DRAWS + na + nb) * sizeof(*space));
	if (!space)
		return -1;
	for (i = 0; i < DRAWS; i++)
		space[i] =
			draw_ratio(a, na, b, nb, paired, space + DRAWS, &state);
	qsort(space, DRAWS, sizeof(*space), compare_doubles);
	interval->low = space[(size_t)(tail * DRAWS)];
	interval->high = space[DRAWS - 1 - (size_t)(tail * DRAWS)];
	free(space);
	return 0;
}

/* Mid-ranks of a then b; returns the tie term, the sum of t^3 - t. */
static double mid_ranks(const double *a, size_t na, const double *b, size_t nb,
			double *ranks)
{
	size_t n = na + nb;
	double ties = 0;
	size_t i, j;

	for (i = 0; i < n; i++) {
		double x = i < na ? a[i] : b[i - na];
		double below = 0, equal = 0;

		for (j = 0; j < n; j++) {
			double y = j < na ? a[j] : b[j - na];

			below += y < x;
			equal += y == x;
		}
		ranks[i] = below + (equal + 1) / 2;
		ties += equal * equal - 1;
	}
	return ties;
}

static double ways_to_deal(size_t n, size_t k)
{
	double ways = 1;
	size_t i;

	for (i = 1; i <= k && ways <= MAX_EXACT; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/* All sets of @na ranks, one by one: how many sums lie as far from the mean. */
static double enumerated_p(const double *ranks, size_t n, size_t na)
{
	double mean = (double)na * (double)(n + 1) / 2;
	double observed = 0, far = 0, all = 0;
	size_t pick[MAX_PICKED];
	size_t i;

	for (i = 0; i < na; i++) {
		observed += ranks[i];
		pick[i] = i;
	}
	for (;;) {
		double sum = 0;

		for (i = 0; i < na; i++)
			sum += ranks[pick[i]];
		all++;
		far += fabs(sum - mean) >= fabs(observed - mean) - 1e-9;
		for (i = na; i > 0 && pick[i - 1] == n - na + i - 1; i--)
			;
		if (!i)
			break;
		pick[i - 1]++;
		for (; i < na; i++)
			pick[i] = pick[i - 1] + 1;
	}
	return far / all;
}

/*
 * The same from the number of sets of each size and sum, which grows rank by
 * rank.  Twice a mid-rank is whole.
 */
static double exact_p(const double *ranks, size_t n, size_t na)
{
	size_t sums = na * (2 * n + 1) + 1, size, sum, i;
	double *ways = calloc((na + 1) * sums, sizeof(*ways));
	double mean = (double)na * (double)(n + 1), observed = 0;
	double far = 0, all = 0;

	if (!ways)
		return NAN;
	ways[0] = 1;
	for (i = 0; i < n; i++) {
		size_t rank = (size_t)(2 * ranks[i] + 0.5);

		if (i < na)
			observed += (double)rank;
		for (size = na; size > 0; size--)
			for (sum = sums - 1; sum >= rank; sum--)
				ways[size * sums + sum] +=
					ways[(size - 1) * sums + sum - rank];
	}
	for (sum = 0; sum < sums; sum++) {
		all += ways[na * sums + sum];
		if (fabs((double)sum - mean) >= fabs(observed - mean) - 1e-9)
			far += ways[na * sums + sum];
	}
	free(ways);
	return far / all;
}

static double approximate_p(const double *ranks, size_t na, size_t nb,
			    double ties)
{
	double n = (double)(na + nb), a = (double)na, b = (double)nb;
	double mean = a * (n + 1) / 2, sum = 0, variance, off;
	size_t i;

	for (i = 0; i < na; i++)
		sum += ranks[i];
	variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
	if (variance <= 0)
		return 1;
	off = fabs(sum - mean) - 0.5;
	return off <= 0 ? 1 : erfc(off / sqrt(variance) / M_SQRT2);
}

double stats_mann_whitney(const double *a, size_t na, const double *b,
			  size_t nb)
{
	double ties, p;
	double *ranks;

	if (!na || !nb)
		return 1;
	ranks = malloc((na + nb) * sizeof(*ranks));
	if (!ranks)
		return NAN;
	ties = mid_ranks(a, na, b, nb, ranks);
	if (na <= MAX_PICKED && ways_to_deal(na + nb, na) <= MAX_EXACT)
		p = na + nb <= MAX_PICKED ? exact_p(ranks, na + nb, na) :
					    enumerated_p(ranks, na + nb, na);
	else
		p = approximate_p(ranks, na, nb, ties);
	free(ranks);
	return p;
}

static double flipped_sum(const double *a, const double *b, size_t n,
			  uint64_t flips)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += flips >> (i % 64) & 1 ? a[i] - b[i] : b[i] - a[i];
	return sum;
}

double stats_sign_flip(const double *a, const double *b, size_t n)
{
	double observed = fabs(flipped_sum(a, b, n, 0)) * (1 - 1e-12);
	uint64_t draws = n <= 20 ? UINT64_C(1) << n : FLIP_DRAWS;
	uint64_t state = 1, far = 0, i;

	if (!n)
		return 1;
	for (i = 0; i < draws; i++) {
		uint64_t flips = n <= 20 ? i : next_random(&state);

		far += fabs(flipped_sum(a, b, n, flips)) >= observed;
	}
	return (double)far / (double)draws;
}

/*
 * The regularised incomplete beta function I_x(a, b) for x below
 * (a + 1) / (a + b + 2): the continued fraction 8.17.22 of the NIST Digital
 * Library of Mathematical Functions, from the front by Lentz's method.
 */
static double incomplete_beta(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
			   b * log1p(-x)) /
		       a;
	double c = INFINITY, d = 1, f = 1, k, term;
	int i;

	for (i = 1; i < 500 && fabs(c * d - 1) > 1e-15; i++) {
		k = i / 2;
		if (i % 2)
			term = -(a + k) * (a + b + k) * x /
			       ((a + 2 * k) * (a + 2 * k + 1));
		else
			term = k * (b - k) * x /
			       ((a + 2 * k - 1) * (a + 2 * k));
		d = 1 / (1 + term * d);
		c = 1 + term / c;
		f *= c * d;
	}
	return front * f;
}

double stats_paired_t(const double *a, const double *b, size_t n)
{
	double mean = 0, ss = 0, df = (double)n - 1, x;
	size_t i;

	if (n < 2)
		return 1;
	for (i = 0; i < n; i++)
		mean += (b[i] - a[i]) / (double)n;
	for (i = 0; i < n; i++)
		ss += (b[i] - a[i] - mean) * (b[i] - a[i] - mean);
	if (mean == 0)
		return 1;
	if (!(ss > 0))
		return 0;
	/* P(|T| > t) = I_x(df / 2, 1 / 2) with x = df / (df + t^2). */
	x = df / (df + mean * mean * (double)n * df / ss);
	if (x < (df / 2 + 1) / (df / 2 + 2.5))
		return incomplete_beta(df / 2, 0.5, x);
	return 1 - incomplete_beta(0.5, df / 2, 1 - x);
}

struct ranked {
	double p;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	return compare_doubles(&((const struct ranked *)a)->p,
			       &((const struct ranked *)b)->p);
}

int stats_false_discovery(double *p, size_t n)
{
	struct ranked *order = calloc(n + 1, sizeof(*order));
	double smallest = 1;
	size_t i, m = 0;

	if (!order)
		return -1;
	for (i = 0; i < n; i++)
		if (!isnan(p[i]))
			order[m++] = (struct ranked){ p[i], i };
	qsort(order, m, sizeof(*order), compare_ranked);
	for (i = m; i > 0; i--) {
		double q = order[i - 1].p * (double)m / (double)i;

		if (q < smallest)
			smallest = q;
		p[order[i - 1].at] = smallest;
	}
	free(order);
	return 0;
}

static int log_moments(const double *x, size_t n, double *mean, double *ss)
{
	size_t i;

	*mean = 0;
	*ss = 0;
	for (i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return -1;
		*mean += log(x[i]) / (double)n;
	}
	for (i = 0; i < n; i++)
		*ss += (log(x[i]) - *mean) * (log(x[i]) - *mean);
	return 0;
}

size_t stats_repeats_needed(const double *a, size_t na, const double *b,
			    size_t nb)
{
	double mean_a, mean_b, ss_a, ss_b, variance, difference, n;

	if (na < 2 || nb < 2 || log_moments(a, na, &mean_a, &ss_a) ||
	    log_moments(b, nb, &mean_b, &ss_b))
		return 0;
	variance = (ss_a + ss_b) / (double)(na + nb - 2);
	difference = mean_b - mean_a;
	if (!(variance > 0) || fabs(difference) < 1e-6)
		return 0;
	n = ceil(2 * 2.8 * 2.8 * variance / (difference * difference));
	return n < 1e6 ? (size_t)n : 0;
}

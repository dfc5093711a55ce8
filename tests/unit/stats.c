// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics against published examples: R's manual pages, the paper of
 * Benjamini and Hochberg, Fisher's count for Darwin's plants.
 */
#include <math.h>

#include "analyze/stats.h"
#include "tests/tap.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void check_median(void)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

	tap_is_near(stats_median(odd, 3), 2, 0, "median of three");
	tap_is_near(stats_median(even, 4), 2.5, 0, "median of four");
	tap_ok(isnan(stats_median(odd, 0)), "median of none");
}

static void check_mann_whitney(void)
{
	/* R, ?wilcox.test: "Hollander & Wolfe (1973), 69f", one-sided. */
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45,
				    1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	static const double low[] = { 1, 2, 3, 4 }, high[] = { 5, 6, 7, 8 };
	static const double same[] = { 1, 1, 1, 1 };
	double many_a[60], many_b[60];
	size_t i;

	tap_is_near(stats_mann_whitney(x, N(x), y, N(y)), 2 * 0.1272, 1e-4,
		    "Mann-Whitney: R's example");
	tap_is_near(stats_mann_whitney(y, N(y), x, N(x)), 2 * 0.1272, 1e-4,
		    "Mann-Whitney: the sides may be swapped");
	tap_is_near(stats_mann_whitney(low, 4, high, 4), 2. / 70, 1e-12,
		    "Mann-Whitney: four below four");
	tap_is_near(stats_mann_whitney(same, 4, same, 4), 1, 1e-12,
		    "Mann-Whitney: all equal");
	tap_is_near(stats_mann_whitney(low, 0, high, 4), 1, 0,
		    "Mann-Whitney: nothing on a side");
	for (i = 0; i < N(many_a); i++) {
		many_a[i] = (double)(i * 37 % 60);
		many_b[i] = (double)(i * 41 % 60) + 0.5;
	}
	tap_ok(stats_mann_whitney(many_a, 60, many_b, 60) > 0.5,
	       "Mann-Whitney: many, the same");
	for (i = 0; i < N(many_b); i++)
		many_b[i] += 30;
	tap_ok(stats_mann_whitney(many_a, 60, many_b, 60) < 1e-6,
	       "Mann-Whitney: many, apart");
}

/* Every way to deal the ranks, one by one, ties as mid-ranks. */
static double all_deals(const double *all, size_t n, size_t na)
{
	double rank[16], observed = 0, mean = (double)na * (double)(n + 1) / 2;
	double far = 0, deals = 0;
	uint32_t deal;
	size_t i, j;

	for (i = 0; i < n; i++) {
		rank[i] = 0.5;
		for (j = 0; j < n; j++)
			rank[i] += all[j] < all[i]  ? 1 :
				   all[j] == all[i] ? 0.5 :
						      0;
		observed += i < na ? rank[i] : 0;
	}
	for (deal = 0; deal < 1u << n; deal++) {
		double sum = 0;

		if ((size_t)__builtin_popcount(deal) != na)
			continue;
		for (i = 0; i < n; i++)
			sum += deal >> i & 1 ? rank[i] : 0;
		deals++;
		far += fabs(sum - mean) >= fabs(observed - mean) - 1e-9;
	}
	return far / deals;
}

static void check_deals(void)
{
	double all[12];
	size_t i, na;
	unsigned int seed = 7, round;

	for (round = 0; round < 40; round++) {
		na = 2 + round % 8;
		for (i = 0; i < N(all); i++) {
			seed = seed * 1103515245 + 12345;
			/* Few values: many ties. */
			all[i] = (double)(seed >> 16 & (round < 20 ? 3 : 255));
		}
		tap_is_near(stats_mann_whitney(all, na, all + na, N(all) - na),
			    all_deals(all, N(all), na), 1e-12,
			    "Mann-Whitney: all deals, %zu of 12, %s", na,
			    round < 20 ? "ties" : "few ties");
	}
}

static void check_sign_flip(void)
{
	/* Darwin's maize, R. A. Fisher, The Design of Experiments, 21. */
	static const double differences[] = { 49, -67, 8,  16, 6,  23, 28, 41,
					      14, 29,  56, 24, 75, 60, -48 };
	static const double nothing[N(differences)];
	static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1,
					3.4, 3.7,  0.8,	 0.0,  2.0 };
	static const double second[] = { 1.9, 0.8, 1.1, 0.1, -0.1,
					 4.4, 5.5, 1.6, 4.6, 3.4 };
	/* Mean 1, deviation sqrt(2): t is 1. */
	static const double pair[] = { 0, 2 };
	double flat[10];
	size_t i;

	tap_is_near(stats_sign_flip(nothing, differences, N(differences)),
		    1726. / 32768, 1e-9, "sign flips: Fisher's count");
	tap_is_near(stats_sign_flip(nothing, nothing, 4), 1, 0,
		    "sign flips: no difference");
	/* R, ?sleep: t = -4.0621, df = 9, p-value = 0.002833. */
	tap_is_near(stats_paired_t(first, second, N(first)), 0.002833, 5e-7,
		    "paired t: Student's sleep");
	/* Tables: 2.262 and 4.781 leave 5 % and 0.1 % at 9 degrees. */
	for (i = 0; i < 10; i++)
		flat[i] =
			2.2621572 / sqrt(10) + (i % 2 ? 1 : -1) * sqrt(9. / 10);
	tap_is_near(stats_paired_t(nothing, flat, 10), 0.05, 1e-7,
		    "paired t: the 5 %% point of 9 degrees");
	for (i = 0; i < 10; i++)
		flat[i] =
			4.7809125 / sqrt(10) + (i % 2 ? 1 : -1) * sqrt(9. / 10);
	tap_is_near(stats_paired_t(nothing, flat, 10), 0.001, 1e-8,
		    "paired t: the 0.1 %% point");
	tap_is_near(stats_paired_t(nothing, pair, 2), 0.5, 1e-12,
		    "paired t: one degree is Cauchy's");
	tap_is_near(stats_paired_t(nothing, nothing, 4), 1, 0,
		    "paired t: no difference");
}

/* The binomial's own terms, added up where they are no larger than the kth. */
static double all_outcomes(unsigned int k, unsigned int n, double q)
{
	double term[64], p = 0;
	unsigned int i, j;

	for (i = 0; i <= n; i++) {
		term[i] = pow(q, i) * pow(1 - q, n - i);
		for (j = 0; j < i; j++)
			term[i] *= (double)(n - j) / (double)(j + 1);
	}
	for (i = 0; i <= n; i++)
		if (term[i] <= term[k] * (1 + 1e-9))
			p += term[i];
	return p;
}

static void check_outcomes(void)
{
	static const double shares[] = { 0.5, 0.25, 0.03, 0.9 };
	unsigned int k, n = 23, i;

	for (i = 0; i < N(shares); i++)
		for (k = 0; k <= n; k++)
			tap_is_near(stats_count_test(k, shares[i], n - k,
						     1 - shares[i]),
				    all_outcomes(k, n, shares[i]), 1e-12,
				    "counts: %u of %u at %g", k, n, shares[i]);
}

static void check_counts(void)
{
	struct interval i;

	/* R, ?binom.test: Mendel's peas, 682 of 925 at 3/4. */
	tap_is_near(stats_count_test(682, 0.75, 243, 0.25), 0.3825, 1e-4,
		    "counts: R's example of binom.test");
	tap_is_near(stats_count_test(10, 1, 10, 1), 1, 1e-9, "counts: equal");
	tap_is_near(stats_count_test(0, 1, 0, 1), 1, 0, "counts: none");
	tap_ok(stats_count_test(1000000, 1, 1010000, 1) < 1e-9,
	       "counts: large ones apart");
	/* Wilson's interval of 10 of 30 is 0.1923 to 0.5122. */
	stats_count_interval(20, 1, 10, 1, 0.95, &i);
	tap_is_near(i.low, 0.1923 / 0.8077, 2e-4, "counts: low end");
	tap_is_near(i.high, 0.5122 / 0.4878, 5e-4, "counts: high end");
	stats_count_interval(0, 1, 10, 1, 0.95, &i);
	tap_ok(isinf(i.high) && i.low > 1, "counts: nothing on the base");
	stats_count_interval(10, 1, 0, 1, 0.95, &i);
	tap_ok(i.low == 0 && i.high < 1, "counts: nothing on the new side");
}

static void check_false_discovery(void)
{
	/* The 15 p-values of their section 3.2; four are discoveries. */
	double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
		       0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
		       0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double with_gap[] = { 0.01, NAN, 0.04 };
	size_t i, found = 0;

	stats_false_discovery(p, N(p));
	for (i = 0; i < N(p); i++)
		found += p[i] <= 0.05;
	tap_is_u64(found, 4, "false discoveries: the paper's example");
	tap_is_near(p[3], 0.0095 * 15 / 4, 1e-12, "the fourth");
	tap_is_near(p[5], 0.0298 * 15 / 7, 1e-12, "the sixth, by the seventh");
	stats_false_discovery(with_gap, 3);
	tap_is_near(with_gap[0], 0.02, 1e-12, "a row without p is not counted");
	tap_ok(isnan(with_gap[1]), "and stays without");
}

static void check_intervals(void)
{
	static const double a[] = { 100, 101, 99, 102, 98, 100, 103, 97 };
	static const double b[] = { 150, 152, 148, 153, 147, 150, 154, 146 };
	static const double drift[] = { 100, 120, 140, 160, 180, 200 };
	static const double drift_b[] = { 110, 132, 154, 176, 198, 220 };
	struct interval free_, paired;

	tap_is_u64((uint64_t)stats_ratio_interval(a, 8, b, 8, 0, 0.95, &free_),
		   0, "ratio interval");
	tap_ok(free_.low > 1.4 && free_.low < 1.5, "its low end");
	tap_ok(free_.high > 1.5 && free_.high < 1.6, "its high end");
	stats_ratio_interval(drift, 6, drift_b, 6, 1, 0.95, &paired);
	tap_is_near(paired.low, 1.1, 1e-9, "pairs cancel drift, low end");
	tap_is_near(paired.high, 1.1, 1e-9, "pairs cancel drift, high end");
	tap_ok(stats_ratio_interval(a, 1, b, 8, 0, 0.95, &free_) < 0,
	       "one value has no interval");
}

static void check_repeats(void)
{
	static const double a[] = { 90, 110, 95, 105 };
	static const double b[] = { 93, 113, 98, 108 };
	static const double zero[] = { 0, 1, 2, 3 };
	size_t n = stats_repeats_needed(a, 4, b, 4);

	/* s of ln values is 0.087, d 0.03: 2 * 7.84 * 0.0076 / 0.0009. */
	tap_ok(n > 110 && n < 160, "runs needed: %zu", n);
	tap_is_u64(stats_repeats_needed(zero, 4, b, 4), 0,
		   "runs needed: can't be told");
	tap_is_near(stats_normal_quantile(0.975), 1.959963985, 1e-8,
		    "normal quantile");
	/* Tables have 4.753424309 for 1e-6. */
	tap_is_near(stats_normal_quantile(1e-6), -4.753424309, 1e-8,
		    "normal quantile, far out");
	tap_is_near(stats_normal_quantile(0.5), 0, 1e-12,
		    "normal quantile, the middle");
}

int main(void)
{
	check_median();
	check_mann_whitney();
	check_deals();
	check_sign_flip();
	check_counts();
	check_outcomes();
	check_false_discovery();
	check_intervals();
	check_repeats();
	return tap_done();
}

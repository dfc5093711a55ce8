// SPDX-License-Identifier: GPL-2.0-only
/* What counts alone tell of the rates behind them. */
#include <math.h>

#include "analyze/stats.h"

double stats_normal_quantile(double p)
{
	double tail = p < 0.5 ? p : 1 - p, z = 0, step;
	int i;

	if (!(tail > 0))
		return p < 0.5 ? -INFINITY : INFINITY;
	/* Newton's: the tail is convex beyond 0, so it comes from below. */
	for (i = 0; i < 100; i++) {
		step = (erfc(z / M_SQRT2) / 2 - tail) /
		       (exp(-z * z / 2) / sqrt(2 * M_PI));
		z += step;
		if (fabs(step) < 1e-12)
			break;
	}
	return p < 0.5 ? -z : z;
}

/* ln of the chance of @k in @n at share @q. */
static double log_binomial(double k, double n, double q)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
	       (k > 0 ? k * log(q) : 0) + (n - k > 0 ? (n - k) * log1p(-q) : 0);
}

/*
 * The chance of all outcomes of @n at share @q that are no likelier than @k.
 * Chances fall on both sides of the likeliest, each from its neighbour's by a
 * factor, so few have to be looked at.
 */
static double unlikelier(double k, double n, double q)
{
	double odds = q / (1 - q), here = exp(log_binomial(k, n, q));
	double limit = here * (1 + 1e-7), top = floor((n + 1) * q), p = 0;
	double chance = exp(log_binomial(top, n, q)), i;

	for (i = top; i <= n && (chance > limit || chance > p * 1e-17); i++) {
		p += chance <= limit ? chance : 0;
		chance *= (n - i) / (i + 1) * odds;
	}
	chance = exp(log_binomial(top, n, q));
	for (i = top; i > 0; i--) {
		chance *= i / (n - i + 1) / odds;
		if (chance <= limit && chance <= p * 1e-17)
			break;
		p += chance <= limit ? chance : 0;
	}
	return p < 1 ? p : 1;
}

double stats_count_test(uint64_t a, double ta, uint64_t b, double tb)
{
	double n = (double)a + (double)b, q = ta / (ta + tb);
	double mean = n * q, sigma = sqrt(n * q * (1 - q));

	if (n == 0 || !(q > 0 && q < 1))
		return 1;
	if (n > 1e5) {
		double off = fabs((double)a - mean) - 0.5;

		return off <= 0 ? 1 : erfc(off / sigma / M_SQRT2);
	}
	return unlikelier((double)a, n, q);
}

void stats_count_interval(uint64_t a, double ta, uint64_t b, double tb,
			  double confidence, struct interval *interval)
{
	double z = stats_normal_quantile(1 - (1 - confidence) / 2);
	double n = (double)a + (double)b;
	double share = n > 0 ? (double)b / n : 0.5;
	double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
	double half = z / (1 + z * z / n) *
		      sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	double low = middle - half, high = middle + half;

	if (n == 0) {
		interval->low = 0;
		interval->high = INFINITY;
		return;
	}
	interval->low = b && low > 0 ? low / (1 - low) * ta / tb : 0;
	interval->high = a && high < 1 ? high / (1 - high) * ta / tb : INFINITY;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tells a change from noise.  No function keeps state, so all may be
 * called from any thread; random numbers come from a fixed seed, so that the
 * same numbers give the same answer.
 */
#ifndef RWSEMLAB_ANALYZE_STATS_H
#define RWSEMLAB_ANALYZE_STATS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	double low, high;
};

/**
 * stats_median() - the middle of @n values, the mean of two middles
 * @values: sorted in place
 *
 * Return: NAN for no values.
 */
double stats_median(double *values, size_t n);

/**
 * stats_ratio_interval() - confidence interval of median(b) / median(a)
 * @confidence: 0.95 …
 * @paired: a[i] and b[i] were measured side by side (na must be nb): they
 *          are drawn together
 *
 * The percentile bootstrap, B. Efron, "Bootstrap Methods: Another Look at the
 * Jackknife", Annals of Statistics 7 (1979), with 4,000 draws.
 *
 * Return: 0, or -1 with fewer than two values on a side or without memory.
 * A bound is INFINITY where the base's median was drawn as 0.
 */
int stats_ratio_interval(const double *a, size_t na, const double *b, size_t nb,
			 int paired, double confidence,
			 struct interval *interval);

/**
 * stats_mann_whitney() - two-sided p-value of the Mann-Whitney U test
 *
 * Exact by all ways to deal the ranks, ties as mid-ranks, while there are at
 * most a million ways; beyond that the normal approximation with correction
 * for ties and continuity.  H. B. Mann, D. R. Whitney, Annals of Mathematical
 * Statistics 18 (1947).
 *
 * Return: 1 where a side is empty, NAN without memory.
 */
double stats_mann_whitney(const double *a, size_t na, const double *b,
			  size_t nb);

/**
 * stats_sign_flip() - two-sided p-value of paired values
 *
 * R. A. Fisher's randomisation test: how many of all 2^n ways to swap a[i]
 * and b[i] give a sum of differences at least as far from 0.  Exact for
 * n <= 20, else by 100,000 draws.
 */
double stats_sign_flip(const double *a, const double *b, size_t n);

/**
 * stats_paired_t() - two-sided p-value of Student's paired t test
 *
 * Return: 1 for fewer than two pairs and for no difference at all; 0 where
 * all differences are the same and not 0.
 */
double stats_paired_t(const double *a, const double *b, size_t n);

/**
 * stats_count_test() - two-sided p-value that two counts have one rate
 * @a, @b: events counted in the exposures @ta and @tb (time, or work)
 *
 * Given a + b, a is binomial with ta / (ta + tb).  The counts' own
 * uncertainty only: what varies from run to run is not in it.
 */
double stats_count_test(uint64_t a, double ta, uint64_t b, double tb);

/**
 * stats_count_interval() - interval of the rate ratio (b / tb) / (a / ta)
 *
 * From Wilson's interval of the binomial share, E. B. Wilson, JASA 22 (1927).
 */
void stats_count_interval(uint64_t a, double ta, uint64_t b, double tb,
			  double confidence, struct interval *interval);

/**
 * stats_false_discovery() - Benjamini and Hochberg's adjusted p-values
 * @p: @n p-values, replaced by the smallest false-discovery rate at which
 *     each would be called a discovery; NANs are left alone and not counted
 *
 * Y. Benjamini, Y. Hochberg, JRSS B 57 (1995).
 *
 * Return: 0, or -1 without memory.
 */
int stats_false_discovery(double *p, size_t n);

/**
 * stats_repeats_needed() - runs a side that would settle a doubtful ratio
 *
 * From the values' spread: the two-sided 5 % level with a power of 80 % on
 * log values, n = 2 (1.96 + 0.84)^2 s^2 / d^2.
 *
 * Return: 0 where it can't be told (a value of 0, no spread, no difference).
 */
size_t stats_repeats_needed(const double *a, size_t na, const double *b,
			    size_t nb);

/**
 * stats_normal_quantile() - z with P(Z <= z) = p, within 1e-9
 */
double stats_normal_quantile(double p);

#endif

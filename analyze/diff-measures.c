// SPDX-License-Identifier: GPL-2.0-only
/* What is measured of the lines of a comparison. */
#include <math.h>

#include "analyze/diff.h"

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* ------------------------------------------------------ counts, and of what */

static uint64_t sleeps(const struct diff_counts *c)
{
	return c->sleeps;
}

static uint64_t acquisitions(const struct diff_counts *c)
{
	return c->acquisitions;
}

static uint64_t no_sleep(const struct diff_counts *c)
{
	return c->ended[ACQUIRED_NO_SLEEP];
}

static uint64_t one_sleep(const struct diff_counts *c)
{
	return c->ended[ACQUIRED_ONE_SLEEP];
}

static uint64_t more_sleeps(const struct diff_counts *c)
{
	return c->ended[ACQUIRED_MORE_SLEEPS];
}

static uint64_t failed(const struct diff_counts *c)
{
	return c->ended[ACQUISITION_FAILED];
}

static double work(const struct diff_counts *c, const struct diff_run *run)
{
	(void)c;
	return run->work;
}

static double seconds(const struct diff_counts *c, const struct diff_run *run)
{
	(void)c;
	return run->seconds;
}

static double all_sleeps(const struct diff_counts *c,
			 const struct diff_run *run)
{
	(void)c;
	return (double)run->sleeps;
}

static double all_switches(const struct diff_counts *c,
			   const struct diff_run *run)
{
	(void)c;
	return (double)run->switches;
}

static double own_acquisitions(const struct diff_counts *c,
			       const struct diff_run *run)
{
	(void)run;
	return (double)c->acquisitions;
}

/* --------------------------------------------------------------- no counts */

static double off_per_work(const struct diff_counts *c,
			   const struct diff_run *run)
{
	return ratio((double)c->off.sum, run->work);
}

static double off_per_s(const struct diff_counts *c, const struct diff_run *run)
{
	return ratio((double)c->off.sum, run->seconds);
}

static double wait_per_work(const struct diff_counts *c,
			    const struct diff_run *run)
{
	return ratio((double)c->wait.sum, run->work);
}

static double wait_per_s(const struct diff_counts *c,
			 const struct diff_run *run)
{
	return ratio((double)c->wait.sum, run->seconds);
}

static double quantile(const struct rwsemlab_histogram *h, double q)
{
	return h->count ? (double)rwsemlab_histogram_quantile(h, q) : NAN;
}

static double off_p50(const struct diff_counts *c, const struct diff_run *run)
{
	(void)run;
	return quantile(&c->off, 0.5);
}

static double off_p99(const struct diff_counts *c, const struct diff_run *run)
{
	(void)run;
	return quantile(&c->off, 0.99);
}

static double wait_p50(const struct diff_counts *c, const struct diff_run *run)
{
	(void)run;
	return quantile(&c->wait, 0.5);
}

static double wait_p99(const struct diff_counts *c, const struct diff_run *run)
{
	(void)run;
	return quantile(&c->wait, 0.99);
}

#define EVENTS	   DIFF_NEEDS_EVENTS
#define WORK	   (DIFF_NEEDS_EVENTS | DIFF_NEEDS_WORK)
#define TIME	   (DIFF_NEEDS_EVENTS | DIFF_NEEDS_TIME)
#define OFF	   (DIFF_NEEDS_EVENTS | DIFF_NEEDS_OFF)
#define CONTENTION (DIFF_NEEDS_EVENTS | DIFF_NEEDS_CONTENTION)

#define COUNT(name, format, count, per, needs)        \
	{                                             \
		name, format, NULL, count, per, needs \
	}
#define OTHER(name, format, of, needs)              \
	{                                           \
		name, format, of, NULL, NULL, needs \
	}

/* clang-format off */
const struct diff_measure diff_measures[NR_DIFF_MEASURES] = {
	[DIFF_SLEEPS_PER_WORK] =
		COUNT("sleeps_per_work", DIFF_RATIO, sleeps, work, WORK),
	[DIFF_SLEEPS_PER_S] =
		COUNT("sleeps_per_s", DIFF_RATE, sleeps, seconds, TIME),
	[DIFF_SHARE_OF_SLEEPS] =
		COUNT("share_of_sleeps", DIFF_SHARE, sleeps, all_sleeps, EVENTS),
	[DIFF_SHARE_OF_SWITCHES] =
		COUNT("share_of_switches", DIFF_SHARE, sleeps, all_switches, 0),
	[DIFF_OFF_PER_WORK] =
		OTHER("off_cpu_ns_per_work", DIFF_TIME, off_per_work, OFF | WORK),
	[DIFF_OFF_PER_S] =
		OTHER("off_cpu_ns_per_s", DIFF_TIME, off_per_s, OFF | TIME),
	[DIFF_OFF_P50] = OTHER("off_cpu_p50_ns", DIFF_TIME, off_p50, OFF | DIFF_OF_HISTOGRAM),
	[DIFF_OFF_P99] = OTHER("off_cpu_p99_ns", DIFF_TIME, off_p99, OFF | DIFF_OF_HISTOGRAM),
	[DIFF_ACQUISITIONS_PER_WORK] =
		COUNT("acquisitions_per_work", DIFF_RATIO, acquisitions, work,
		      CONTENTION | WORK),
	[DIFF_ACQUISITIONS_PER_S] =
		COUNT("acquisitions_per_s", DIFF_RATE, acquisitions, seconds,
		      CONTENTION | TIME),
	[DIFF_NO_SLEEP_SHARE] =
		COUNT("no_sleep_share", DIFF_SHARE, no_sleep, own_acquisitions,
		      CONTENTION),
	[DIFF_ONE_SLEEP_SHARE] =
		COUNT("one_sleep_share", DIFF_SHARE, one_sleep,
		      own_acquisitions, CONTENTION),
	[DIFF_MORE_SLEEPS_SHARE] =
		COUNT("more_sleeps_share", DIFF_SHARE, more_sleeps,
		      own_acquisitions, CONTENTION),
	[DIFF_FAILED_SHARE] =
		COUNT("failed_share", DIFF_SHARE, failed, own_acquisitions,
		      CONTENTION),
	[DIFF_WAIT_PER_WORK] =
		OTHER("wait_ns_per_work", DIFF_TIME, wait_per_work,
		      CONTENTION | WORK),
	[DIFF_WAIT_PER_S] =
		OTHER("wait_ns_per_s", DIFF_TIME, wait_per_s,
		      CONTENTION | TIME),
	[DIFF_WAIT_P50] = OTHER("wait_p50_ns", DIFF_TIME, wait_p50, CONTENTION | DIFF_OF_HISTOGRAM),
	[DIFF_WAIT_P99] = OTHER("wait_p99_ns", DIFF_TIME, wait_p99, CONTENTION | DIFF_OF_HISTOGRAM),
};
/* clang-format on */

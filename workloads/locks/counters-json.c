// SPDX-License-Identifier: GPL-2.0-only
/* What a class counted, as result.lock has it. */
#include <dlfcn.h>
#include <stdio.h>

#include "workloads/locks/driver.h"

/* Sites beyond are in the sums alone. */
#define MAX_SITES 32

static json_t *time_json(const struct rwsemlab_histogram *h)
{
	double mean = h->count ? (double)h->sum / (double)h->count : 0;

	return json_pack("{s:I, s:f, s:I, s:I, s:I}", "count",
			 (json_int_t)h->count, "mean", mean, "p50",
			 (json_int_t)rwsemlab_histogram_quantile(h, 0.5), "p99",
			 (json_int_t)rwsemlab_histogram_quantile(h, 0.99),
			 "max", (json_int_t)h->max);
}

static json_t *events_json(const struct rwsemlab_counts *counts)
{
	json_t *events = json_object();
	unsigned int i;

	for (i = 0; i < RWSEMLAB_NR_EVENTS; i++)
		json_object_set_new(events,
				    rwsemlab_event_name((enum rwsemlab_event)i),
				    json_integer((json_int_t)counts->event[i]));
	return events;
}

static json_t *times_json(const struct rwsemlab_counts *counts)
{
	json_t *times = json_object();
	unsigned int i;

	for (i = 0; i < RWSEMLAB_NR_TIMES; i++)
		json_object_set_new(times,
				    rwsemlab_time_name((enum rwsemlab_time)i),
				    time_json(&counts->time[i]));
	return times;
}

/* The function that the return address @site is in. */
static json_t *function_json(const void *site)
{
	Dl_info symbol;
	char address[32];

	if (dladdr((const char *)site - 1, &symbol) && symbol.dli_sname)
		return json_string(symbol.dli_sname);
	snprintf(address, sizeof(address), "%p", site);
	return json_string(address);
}

static json_t *sites_json(const struct rwsemlab_counts *counts, size_t nr)
{
	json_t *sites = json_array();
	size_t i;

	for (i = 2; i < nr && i < 2 + MAX_SITES; i++)
		json_array_append_new(
			sites,
			json_pack("{s:o, s:s, s:o, s:o}", "function",
				  function_json(counts[i].site), "mode",
				  counts[i].mode == RWSEMLAB_READ ? "read" :
								    "write",
				  "events", events_json(&counts[i]), "times",
				  times_json(&counts[i])));
	return sites;
}

static double sleeps_per_acquisition(const struct rwsemlab_counts *counts)
{
	const uint64_t *event = counts->event;
	uint64_t taken = event[RWSEMLAB_FAST] + event[RWSEMLAB_SLOW] -
			 event[RWSEMLAB_CANCELLED];

	return taken ? (double)event[RWSEMLAB_SLEEPS] / (double)taken : 0;
}

/* The sums of the lock that readers of all groups take too. */
static json_t *global_json(struct rwsemlab_class *class_)
{
	struct rwsemlab_lock *global = rwsemlab_class_global(class_);
	struct rwsemlab_counts *counts;
	json_t *json;
	size_t nr;

	if (!global || rwsemlab_class_counts(global->class_, &counts, &nr))
		return NULL;
	json = json_pack("{s:o, s:o}", "events", events_json(&counts[0]),
			 "times", times_json(&counts[0]));
	rwsemlab_counts_free(counts, nr);
	return json;
}

json_t *counters_json(struct rwsemlab_class *class_,
		      const struct rwsemlab_spec *spec,
		      enum rwsemlab_build build)
{
	const struct rwsemlab_variant *variant = rwsemlab_spec_variant(spec);
	struct rwsemlab_counts *counts;
	json_t *json;
	size_t nr;

	if (rwsemlab_class_counts(class_, &counts, &nr))
		return NULL;
	/* counts_all: false where only whole operations can be seen. */
	json = json_pack("{s:s, s:s, s:s, s:b, s:f, s:o, s:o, s:o, s:o*}",
			 "name", rwsemlab_spec_name(spec), "departs",
			 rwsemlab_spec_departs(spec), "build",
			 driver_builds[build], "counts_all",
			 build != RWSEMLAB_BARE &&
				 (variant->abilities & RWSEMLAB_COUNTS),
			 "sleeps_per_acquisition",
			 sleeps_per_acquisition(&counts[0]), "events",
			 events_json(&counts[0]), "times",
			 times_json(&counts[0]), "sites",
			 sites_json(counts, nr), "global", global_json(class_));
	rwsemlab_counts_free(counts, nr);
	return json;
}

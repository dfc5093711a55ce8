// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "workloads/locks/compare.h"
#include "workloads/numbers.h"

/* What a table of latencies has of one lock, in nanoseconds. */
struct latencies {
	uint64_t usual, p99, max;
};

static const char *name_of(const struct workload_result *result)
{
	const char *name =
		json_string_value(json_object_get(result->lock, "name"));

	return name ? name : "";
}

static struct latencies latencies_of(const struct workload_result *result)
{
	const struct rwsemlab_histogram *h = &result->latency;

	return (struct latencies){
		.usual = rwsemlab_histogram_quantile(h, 0.5),
		.p99 = rwsemlab_histogram_quantile(h, 0.99),
		.max = h->count ? h->max : 0,
	};
}

/* The first of the family that has any. */
static size_t find_base(const struct workload_result *result, size_t nr,
			const char *family)
{
	size_t len = strlen(family);
	size_t i;

	for (i = 0; i < nr; i++) {
		const char *name = name_of(&result[i]);

		if (!strncmp(name, family, len) && strcspn(name, "@:") == len &&
		    result[i].latency.count)
			return i;
	}
	return 0;
}

static double ratio(uint64_t value, uint64_t base)
{
	return base ? (double)value / (double)base : 0;
}

void compare_latency(const struct workload_result *result, size_t nr,
		     const char *family, const char *what, FILE *out)
{
	size_t base = find_base(result, nr, family);
	struct latencies b = latencies_of(&result[base]);
	int width = 12;
	size_t i;

	if (!result[base].latency.count)
		return;
	for (i = 0; i < nr; i++)
		if ((int)strlen(name_of(&result[i])) > width)
			width = (int)strlen(name_of(&result[i]));
	fprintf(out, "\nLatency of %s; ratios to %s\n", what,
		name_of(&result[base]));
	fprintf(out, "%-*s %9s %10s %10s %10s %10s %10s %10s\n", width, "lock",
		"count", "usual", "p99", "max", "ratio", "of p99", "of max");
	for (i = 0; i < nr; i++) {
		struct latencies l = latencies_of(&result[i]);

		fprintf(out, "%-*s %9s %10s %10s %10s %10.3f %10.3f %10.3f%s\n",
			width, name_of(&result[i]),
			number_grouped(result[i].latency.count).t,
			number_duration(l.usual).t, number_duration(l.p99).t,
			number_duration(l.max).t, ratio(l.usual, b.usual),
			ratio(l.p99, b.p99), ratio(l.max, b.max),
			i == base ? " (base)" : "");
	}
	fputs("usual is the median\n", out);
}

json_t *compare_latency_json(const struct workload_result *result, size_t nr,
			     const char *family)
{
	size_t base = find_base(result, nr, family);
	struct latencies b = latencies_of(&result[base]);
	json_t *locks;
	size_t i;

	if (!result[base].latency.count)
		return NULL;
	locks = json_array();
	for (i = 0; i < nr; i++) {
		struct latencies l = latencies_of(&result[i]);

		json_array_append_new(locks,
				      json_pack("{s:s, s:f, s:f, s:f}", "lock",
						name_of(&result[i]), "p50",
						ratio(l.usual, b.usual), "p99",
						ratio(l.p99, b.p99), "max",
						ratio(l.max, b.max)));
	}
	return json_pack("{s:s, s:o}", "base", name_of(&result[base]), "locks",
			 locks);
}

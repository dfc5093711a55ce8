// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/result.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "workloads/phases.h"

#define NR_METRICS                                          \
	(sizeof(((struct workload_result *)NULL)->metric) / \
	 sizeof(struct workload_metric))

void workload_result_metric(struct workload_result *result, const char *name,
			    double value)
{
	struct workload_metric *metric;

	if (result->nr_metrics == NR_METRICS)
		return;
	metric = &result->metric[result->nr_metrics++];
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->value = value;
}

void workload_result_failure(struct workload_result *result, const char *fmt,
			     ...)
{
	struct workload_verification *v = &result->verification;
	va_list ap;
	char *c;

	if (v->failures++)
		return;
	va_start(ap, fmt);
	vsnprintf(v->first_failure, sizeof(v->first_failure), fmt, ap);
	va_end(ap);
	/* Bytes of a mailbox or a reply may be in it: plain ASCII only. */
	for (c = v->first_failure; *c; c++)
		if (!isascii((unsigned char)*c) || iscntrl((unsigned char)*c))
			*c = '?';
}

int workload_result_code(const struct workload_result *result)
{
	if (result->verification.failures)
		return EXIT_CHECK_FAILED;
	return (int)result->problem.code;
}

void workload_result_free(struct workload_result *result)
{
	rwsemlab_histogram_free(&result->latency);
	vmstat_free(&result->vmstat);
	json_decref(result->lock);
	workload_phases_free(result);
	memset(result, 0, sizeof(*result));
}

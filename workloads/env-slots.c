// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared memory for the workers' results.
 */
#include "workloads/env.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int workload_slots(struct workload_env *env, size_t nr, struct error *err)
{
	size_t size = sizeof(struct workload_shared) +
		      nr * sizeof(struct workload_slot);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return error_errno(err, EXIT_USAGE,
				   "%s: cannot map %zu bytes of shared memory",
				   env->workload, size);
	env->shared = memory;
	env->shared_size = size;
	env->nr_slots = nr;
	return 0;
}

void workload_hide_slots(struct workload_env *env)
{
	/* Should it fail, forks only cost one mapping more. */
	madvise(env->shared, env->shared_size, MADV_DONTFORK);
}

bool workload_over(const struct workload_env *env, uint64_t now_ns)
{
	return now_ns >= env->shared->deadline_ns ||
	       __atomic_load_n(&env->shared->stop, __ATOMIC_RELAXED);
}

void workload_slot_latency(struct workload_slot *slot,
			   const struct rwsemlab_histogram *latency)
{
	uint32_t i;

	slot->latency_count = latency->count;
	slot->latency_sum = latency->sum;
	slot->latency_min = latency->min;
	slot->latency_max = latency->max;
	for (i = 0; i < latency->nr; i++)
		if (latency->first + i < WORKLOAD_BUCKETS)
			slot->bucket[latency->first + i] = latency->bucket[i];
}

void workload_slot_failure(struct workload_slot *slot, const char *fmt, ...)
{
	va_list ap;

	if (slot->failures++)
		return;
	va_start(ap, fmt);
	vsnprintf(slot->failure, sizeof(slot->failure), fmt, ap);
	va_end(ap);
}

/* The slot's buckets as a histogram; they stay the slot's. */
static int latency_of(struct workload_slot *slot, struct rwsemlab_histogram *h)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < WORKLOAD_BUCKETS; i++)
		seen += slot->bucket[i];
	*h = (struct rwsemlab_histogram){
		.count = slot->latency_count,
		.sum = slot->latency_sum,
		.min = slot->latency_min,
		.max = slot->latency_max,
		.nr = WORKLOAD_BUCKETS,
		.bucket = slot->bucket,
	};
	return seen == h->count && (!seen || h->min <= h->max) ? 0 : -1;
}

int workload_slot_histogram(const struct workload_env *env,
			    struct workload_slot *slot,
			    struct rwsemlab_histogram *to, struct error *err)
{
	struct rwsemlab_histogram latency;

	if (latency_of(slot, &latency))
		return error_set(err, EXIT_CHECK_FAILED,
				 "%s: a worker's latencies do not add up",
				 env->workload);
	if (rwsemlab_histogram_merge(to, &latency))
		return error_set(err, EXIT_USAGE, "%s: out of memory",
				 env->workload);
	return 0;
}

static int collect(struct workload_env *env, struct workload_slot *slot,
		   struct workload_result *result, struct error *err)
{
	if (workload_slot_histogram(env, slot, &result->latency, err))
		return -1;
	result->work += slot->work;
	result->forks += slot->forks;
	if (slot->failures) {
		slot->failure[sizeof(slot->failure) - 1] = '\0';
		workload_result_failure(result, "%s", slot->failure);
		result->verification.failures += slot->failures - 1;
	}
	return 0;
}

int workload_collect(struct workload_env *env, struct workload_result *result,
		     struct error *err)
{
	size_t i;

	for (i = 0; i < env->nr_slots; i++)
		if (collect(env, &env->shared->slot[i], result, err))
			return -1;
	return 0;
}

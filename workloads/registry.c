// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/workload.h"

#include <string.h>

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads/workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads/workloads.def"
#undef WORKLOAD
};

#define NR_WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

const struct workload *workload_at(size_t i)
{
	return i < NR_WORKLOADS ? workloads[i] : NULL;
}

const struct workload *workload_find(const char *name, struct error *err)
{
	char names[256] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < NR_WORKLOADS; i++) {
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s%s", i ? ", " : "",
					 workloads[i]->name);
		if (used >= sizeof(names))
			used = sizeof(names) - 1;
	}
	error_set(err, EXIT_USAGE, "no workload '%s'; there are: %s", name,
		  names);
	return NULL;
}

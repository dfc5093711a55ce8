// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/document.h"

static json_t *counts(const uint64_t *count, uint32_t nr, bool *failed)
{
	json_t *json = json_array();
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (json_array_append_new(json,
					  json_integer((json_int_t)count[i])))
			*failed = true;
	return json;
}

json_t *document_timeline(const struct timeline *t, bool *failed)
{
	static const char *const keys[NR_TIMELINE_KINDS] = {
		[TIMELINE_SLEEP] = "sleeps",
		[TIMELINE_PREEMPTION] = "preemptions",
		[TIMELINE_FROM_IDLE] = "from_idle",
	};
	json_t *json = json_object();
	unsigned int i;

	if (json_object_set_new(json, "slice_ns",
				json_integer((json_int_t)t->slice_ns)))
		*failed = true;
	for (i = 0; i < NR_TIMELINE_KINDS; i++)
		if (json_object_set_new(json, keys[i],
					counts(t->count[i], t->nr, failed)))
			*failed = true;
	return json;
}

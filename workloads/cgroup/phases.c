// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/phases.h"

static const char *mode_name(const struct cgroup_place *place,
			     enum cgroup_mode mode)
{
	/* Without cgroup2 the option, of any of the others, is not known. */
	if (mode == CGROUP_AS_IS && !place->v2_point)
		return "";
	if (mode == CGROUP_AS_IS)
		mode = place->favors ? CGROUP_FAVOR : CGROUP_NOFAVOR;
	return mode == CGROUP_FAVOR ? " favordynmods" : " nofavordynmods";
}

static void add_mode(struct cgroup_phases *phases, enum cgroup_mode mode)
{
	size_t i;

	for (i = 0; i < phases->place->nr; i++)
		phases->phase[phases->nr++] = (struct cgroup_phase){
			.own = &phases->place->own[i],
			.mode = mode,
		};
}

int cgroup_phases(const struct cgroup_place *place,
		  struct cgroup_phases *phases, struct workload_result *result,
		  struct error *err)
{
	size_t i;

	*phases = (struct cgroup_phases){ .place = place };
	if (place->remounts) {
		add_mode(phases, CGROUP_NOFAVOR);
		add_mode(phases, CGROUP_FAVOR);
	} else {
		add_mode(phases, CGROUP_AS_IS);
	}
	if (workload_phases_new(result, phases->nr, err))
		return -1;
	for (i = 0; i < phases->nr; i++)
		snprintf(result->phase[i].name, sizeof(result->phase[i].name),
			 "%.40s%s", phases->phase[i].own->name,
			 mode_name(place, phases->phase[i].mode));
	return 0;
}

int cgroup_begin_phase(const struct cgroup_phases *phases, size_t i,
		       struct error *err)
{
	const char *point = phases->place->v2_point;
	enum cgroup_mode mode = phases->phase[i].mode;

	if (mode == CGROUP_AS_IS ||
	    cgroup_favors(point) == (mode == CGROUP_FAVOR))
		return 0;
	return cgroup_remount(point, mode == CGROUP_FAVOR, err);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cgroup workload runs through: each hierarchy that it has a cgroup in,
 * under each mount option that it may set.
 */
#ifndef WORKLOADS_CGROUP_PHASES_H
#define WORKLOADS_CGROUP_PHASES_H

#include "workloads/cgroup/place.h"
#include "workloads/phases.h"

struct cgroup_phase {
	const struct cgroup_own *own;
	enum cgroup_mode mode;
};

struct cgroup_phases {
	const struct cgroup_place *place;
	struct cgroup_phase phase[4];
	size_t nr;
};

/**
 * cgroup_phases() - the phases of a place, names into the result
 *
 * nofavordynmods goes first: since Linux 6.18 there is no way back to it.
 */
int cgroup_phases(const struct cgroup_place *place,
		  struct cgroup_phases *phases, struct workload_result *result,
		  struct error *err);

/**
 * cgroup_begin_phase() - set the mount option of phase @i, unless it is set
 */
int cgroup_begin_phase(const struct cgroup_phases *phases, size_t i,
		       struct error *err);

#endif

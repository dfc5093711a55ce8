/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own counters over a run, as vmstat(8) shows them.
 *
 * All from /proc/stat, hence of the whole system.
 */
#ifndef WORKLOADS_VMSTAT_H
#define WORKLOADS_VMSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "error.h"

/* One reading of /proc/stat; times in clock ticks, summed over the CPUs. */
struct vmstat_sample {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t user; /* user + nice, guests included */
	uint64_t system; /* system + irq + softirq */
	uint64_t idle, iowait, steal;
	uint64_t interrupts, switches, forks; /* since boot */
	uint64_t running; /* runnable tasks, the reader left out */
	uint64_t blocked; /* tasks in uninterruptible wait for I/O */
};

/* What vmstat would print for one interval. */
struct vmstat_line {
	double seconds; /* its length */
	uint64_t r, b; /* at its end */
	double in_per_s, cs_per_s, forks_per_s;
	double us, sy, id, wa, st; /* percent of all CPU time; sum 100 */
};

struct vmstat_run {
	struct vmstat_line total; /* over all; r and b unused */
	double mean_r, mean_b; /* over the lines */
	uint64_t interrupts, switches, forks; /* counts over all */
	struct vmstat_line *line; /* one a second, the last one shorter */
	size_t nr;
};

/* Collects samples; zero-initialise. */
struct vmstat_sampler {
	struct vmstat_sample first, last;
	bool started;
	struct vmstat_run run;
};

/**
 * vmstat_parse() - read the text of /proc/stat
 * @text: NUL-terminated; untrusted
 *
 * Return: 0, or -1 where a line that we need is missing or malformed.
 * Kernels without irq, softirq or steal columns give zeros.
 */
int vmstat_parse(const char *text, struct vmstat_sample *sample);

/**
 * vmstat_take() - take one reading now and, after the first, add a line
 */
int vmstat_take(struct vmstat_sampler *sampler, struct error *err);

/**
 * vmstat_add() - the same with a reading at hand
 */
int vmstat_add(struct vmstat_sampler *sampler,
	       const struct vmstat_sample *sample, struct error *err);

/**
 * vmstat_json() - {interrupts, context_switches, forks, in_per_s, cs_per_s,
 * forks_per_s, us_percent, sy_percent, id_percent, wa_percent, st_percent,
 * mean_r, mean_b, lines [...]}
 *
 * Return: a new object, or NULL without memory.
 */
json_t *vmstat_json(const struct vmstat_run *run);

/**
 * vmstat_from_json() - the reverse; @json is untrusted
 */
int vmstat_from_json(const json_t *json, struct vmstat_run *run,
		     struct error *err);

/**
 * vmstat_free() - release the lines and zero the run
 */
void vmstat_free(struct vmstat_run *run);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/vmstat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The text after @name at the start of a line. */
static const char *find_line(const char *text, const char *name)
{
	size_t length = strlen(name);

	while (strncmp(text, name, length)) {
		text = strchr(text, '\n');
		if (!text)
			return NULL;
		text++;
	}
	return text + length;
}

static int read_count(const char *text, const char *name, uint64_t *value)
{
	const char *found = find_line(text, name);

	return found && sscanf(found, "%" SCNu64, value) == 1 ? 0 : -1;
}

int vmstat_parse(const char *text, struct vmstat_sample *sample)
{
	uint64_t user, nice, system, idle, iowait;
	uint64_t irq = 0, softirq = 0, steal = 0;
	const char *cpu = find_line(text, "cpu ");

	if (!cpu || sscanf(cpu,
			   "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			   " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			   &user, &nice, &system, &idle, &iowait, &irq,
			   &softirq, &steal) < 5)
		return -1;
	if (read_count(text, "intr ", &sample->interrupts) ||
	    read_count(text, "ctxt ", &sample->switches) ||
	    read_count(text, "processes ", &sample->forks) ||
	    read_count(text, "procs_running ", &sample->running) ||
	    read_count(text, "procs_blocked ", &sample->blocked))
		return -1;
	/* The reader runs while it reads; vmstat leaves it out as well. */
	if (sample->running)
		sample->running--;
	sample->user = user + nice;
	sample->system = system + irq + softirq;
	sample->idle = idle;
	sample->iowait = iowait;
	sample->steal = steal;
	return 0;
}

/* Idle and iowait may step back on some kernels. */
static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static struct vmstat_line line_between(const struct vmstat_sample *before,
				       const struct vmstat_sample *now)
{
	struct vmstat_line line = { .r = now->running, .b = now->blocked };
	double us = (double)since(now->user, before->user);
	double sy = (double)since(now->system, before->system);
	double id = (double)since(now->idle, before->idle);
	double wa = (double)since(now->iowait, before->iowait);
	double st = (double)since(now->steal, before->steal);
	double ticks = us + sy + id + wa + st;

	line.seconds = (double)since(now->ns, before->ns) / 1e9;
	if (line.seconds > 0) {
		line.in_per_s =
			(double)since(now->interrupts, before->interrupts) /
			line.seconds;
		line.cs_per_s = (double)since(now->switches, before->switches) /
				line.seconds;
		line.forks_per_s =
			(double)since(now->forks, before->forks) / line.seconds;
	}
	if (ticks > 0) {
		line.us = 100 * us / ticks;
		line.sy = 100 * sy / ticks;
		line.id = 100 * id / ticks;
		line.wa = 100 * wa / ticks;
		line.st = 100 * st / ticks;
	}
	return line;
}

int vmstat_add(struct vmstat_sampler *sampler,
	       const struct vmstat_sample *sample, struct error *err)
{
	struct vmstat_run *run = &sampler->run;
	struct vmstat_line *grown;

	if (!sampler->started) {
		sampler->started = true;
		sampler->first = *sample;
		sampler->last = *sample;
		return 0;
	}
	grown = realloc(run->line, (run->nr + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, EXIT_USAGE, "vmstat: out of memory");
	run->line = grown;
	run->line[run->nr] = line_between(&sampler->last, sample);
	run->mean_r += ((double)run->line[run->nr].r - run->mean_r) /
		       (double)(run->nr + 1);
	run->mean_b += ((double)run->line[run->nr].b - run->mean_b) /
		       (double)(run->nr + 1);
	run->nr++;
	run->total = line_between(&sampler->first, sample);
	run->interrupts = since(sample->interrupts, sampler->first.interrupts);
	run->switches = since(sample->switches, sampler->first.switches);
	run->forks = since(sample->forks, sampler->first.forks);
	sampler->last = *sample;
	return 0;
}

/* All of /proc/stat; its intr line is long on big machines. */
static char *read_stat(void)
{
	size_t size = 16384, used = 0;
	char *text = malloc(size);
	int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	while (text && fd >= 0) {
		got = read(fd, text + used, size - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
		if (used + 1 == size) {
			char *grown = realloc(text, size *= 2);

			if (!grown)
				got = -1;
			text = grown ? grown : text;
			if (!grown)
				break;
		}
	}
	if (fd >= 0)
		close(fd);
	if (text && got == 0) {
		text[used] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

int vmstat_take(struct vmstat_sampler *sampler, struct error *err)
{
	struct vmstat_sample sample = { 0 };
	struct timespec now;
	char *text;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sample.ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	text = read_stat();
	if (!text)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot read /proc/stat; is /proc mounted?");
	ret = vmstat_parse(text, &sample);
	free(text);
	if (ret)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "/proc/stat lacks a line that vmstat needs");
	return vmstat_add(sampler, &sample, err);
}

void vmstat_free(struct vmstat_run *run)
{
	free(run->line);
	memset(run, 0, sizeof(*run));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * exim's fork pattern on the model of anon_vma: a daemon's children take
 * connections, and each message makes them fork a process that receives it,
 * which forks one that delivers, which forks one more.  All of it ends soon,
 * and all of it takes the locks of the daemon's anon_vmas.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/locks/anon-vma/anon-vma.h"
#include "workloads/locks/driver.h"

/* Processes that a message makes. */
#define FORKS 3
/* Pages of a vma; one in so many messages checks a whole tree. */
#define VMA_PAGES   64
#define CHECK_EVERY 64

struct anon_vma_options {
	struct driver_options driver;
	unsigned long vmas, depth, rmap_readers, work_ns;
	unsigned int rmap;
};

static const char *const rmap_versions[] = {
	[RMAP_3_0] = "3.0",
	[RMAP_3_8] = "3.8",
	[RMAP_7_0] = "7.0",
	NULL,
};

#define NUMBER(key_, field_, fallback_, min_, max_, help_)             \
	{                                                              \
		.key = (key_), .type = WORKLOAD_UINT,                  \
		.offset = offsetof(struct anon_vma_options, field_),   \
		.fallback = (fallback_), .min = (min_), .max = (max_), \
		.help = (help_),                                       \
	}

static const struct workload_option anon_vma_keys[] = {
	DRIVER_OPTIONS("8"),
	NUMBER("vmas", vmas, "12", 1, 10000, "anonymous vmas of a process"),
	NUMBER("depth", depth, "2", 1, 64,
	       "generations from the first process to the tasks'"),
	NUMBER("rmap_readers", rmap_readers, "0", 0, 256,
	       "threads that look up who maps a page"),
	{
		.key = "rmap",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct anon_vma_options, rmap),
		.fallback = "3.8",
		.choices = rmap_versions,
		.help = "the kernel whose rmap.c holds the locks",
	},
	NUMBER("work_ns", work_ns, "2000", 0, 1000000000,
	       "work of each process beside, nanoseconds"),
	{ 0 },
};

struct process {
	struct vm_area_struct *vma;
};

/* A task's own. */
struct client {
	struct process handler;
	struct rwsemlab_histogram latency; /* ns of a message */
	uint64_t walks;
	const char *wrong;
};

struct model {
	const struct anon_vma_options *options;
	struct rmap rmap;
	struct process *ancestor; /* depth of them, the oldest first */
	struct client *client; /* tasks, then rmap_readers */
	unsigned int nr_clients;
};

static int alloc_process(struct model *model, struct process *process)
{
	unsigned long i;

	process->vma = calloc(model->options->vmas, sizeof(*process->vma));
	if (!process->vma)
		return -1;
	for (i = 0; i < model->options->vmas; i++) {
		struct vm_area_struct *vma = &process->vma[i];

		vma->first = i * VMA_PAGES * 2;
		vma->last = vma->first + VMA_PAGES - 1;
		vma->anon_vma_chain.next = &vma->anon_vma_chain;
		vma->anon_vma_chain.prev = &vma->anon_vma_chain;
		vma->rmap = &model->rmap;
	}
	return 0;
}

/* exit_mmap(), the part of it. */
static void exit_process(struct model *model, struct process *process)
{
	unsigned long i;

	for (i = 0; process->vma && i < model->options->vmas; i++)
		unlink_anon_vmas(&process->vma[i]);
	free(process->vma);
	process->vma = NULL;
}

/* dup_mmap(), the part of it. */
static int fork_process(struct model *model, struct process *child,
			struct process *parent)
{
	unsigned long i;

	if (alloc_process(model, child))
		return -1;
	for (i = 0; i < model->options->vmas; i++) {
		if (!anon_vma_fork(&child->vma[i], &parent->vma[i]))
			continue;
		exit_process(model, child);
		return -1;
	}
	return 0;
}

/* One message: as deep as exim's forks go, then all end. */
static int message(struct model *model, struct process *from, unsigned int left)
{
	struct process child;
	int ret = 0;

	if (fork_process(model, &child, from))
		return -1;
	team_work_for(model->options->work_ns);
	if (left > 1)
		ret = message(model, &child, left - 1);
	exit_process(model, &child);
	return ret;
}

static struct anon_vma *some_root(struct model *model,
				  struct team_member *member, uint64_t *page)
{
	struct vm_area_struct *vma =
		&model->ancestor[0]
			 .vma[team_random(member) % model->options->vmas];

	*page = vma->first + team_random(member) % VMA_PAGES;
	return vma->anon_vma;
}

/* Ancestors and the tasks' handlers map every page all the time. */
static void walk(struct model *model, struct team_member *member,
		 struct client *client)
{
	unsigned int always = (unsigned int)(model->options->depth +
					     model->options->driver.tasks);
	uint64_t page;
	struct anon_vma *root = some_root(model, member, &page);

	if (rmap_walk_anon(&model->rmap, root, page, &client->wrong) < always)
		client->wrong = "a walk did not find a process";
	client->walks++;
}

static void reader(struct model *model, struct team_member *member,
		   struct client *client)
{
	while (!team_stopping(member)) {
		walk(model, member, client);
		team_work_for(model->options->work_ns);
	}
}

static void work(struct team_member *member)
{
	struct model *model = member->data;
	struct client *client = &model->client[member->number];
	uint64_t start, page;
	const char *wrong;

	if (member->number >= model->options->driver.tasks) {
		reader(model, member, client);
		return;
	}
	while (!team_stopping(member) && !client->wrong) {
		start = team_clock();
		if (message(model, &client->handler, FORKS) ||
		    rwsemlab_histogram_add(&client->latency,
					   team_clock() - start)) {
			client->wrong = "out of memory";
			return;
		}
		team_did(member);
		if (team_random(member) % CHECK_EVERY)
			continue;
		wrong = anon_vma_wrong(some_root(model, member, &page));
		if (wrong)
			client->wrong = wrong;
	}
}

static int set_up(struct model *model)
{
	const struct anon_vma_options *o = model->options;
	unsigned long i;

	model->nr_clients = (unsigned int)(o->driver.tasks + o->rmap_readers);
	model->ancestor = calloc(o->depth, sizeof(*model->ancestor));
	model->client = calloc(model->nr_clients, sizeof(*model->client));
	if (!model->ancestor || !model->client ||
	    alloc_process(model, &model->ancestor[0]))
		return -1;
	for (i = 0; i < o->vmas; i++)
		if (anon_vma_prepare(&model->ancestor[0].vma[i]))
			return -1;
	for (i = 1; i < o->depth; i++)
		if (fork_process(model, &model->ancestor[i],
				 &model->ancestor[i - 1]))
			return -1;
	for (i = 0; i < o->driver.tasks; i++)
		if (fork_process(model, &model->client[i].handler,
				 &model->ancestor[o->depth - 1]))
			return -1;
	return 0;
}

/* Everything that is left ends; then nothing may be left. */
static void tear_down(struct model *model, struct workload_result *result)
{
	unsigned long depth = model->options->depth;
	const char *wrong = NULL;
	unsigned long i;

	for (i = 0; i < model->nr_clients; i++)
		exit_process(model, &model->client[i].handler);
	for (i = 0; i < model->options->vmas; i++) {
		struct vm_area_struct *vma = &model->ancestor[0].vma[i];

		if (rmap_walk_anon(&model->rmap, vma->anon_vma, vma->first,
				   &wrong) != depth)
			wrong = "after the run a tree has too many vmas";
	}
	/* The oldest first: its anon_vmas outlive it. */
	for (i = 0; i < depth; i++)
		exit_process(model, &model->ancestor[i]);
	if (model->rmap.anon_vmas || model->rmap.chains)
		wrong = "anon_vmas or chains are left over";
	if (wrong)
		workload_result_failure(result, "%s", wrong);
	free(model->ancestor);
	free(model->client);
}

static int collect(struct model *model, struct workload_result *result,
		   struct error *err)
{
	uint64_t walks = 0;
	unsigned int i;

	for (i = 0; i < model->nr_clients; i++) {
		struct client *client = &model->client[i];

		walks += client->walks;
		if (client->wrong)
			workload_result_failure(result, "%s", client->wrong);
		if (rwsemlab_histogram_merge(&result->latency,
					     &client->latency))
			return error_set(err, EXIT_USAGE, "out of memory");
		rwsemlab_histogram_free(&client->latency);
	}
	result->forks = result->work * FORKS;
	result->verification.checked = result->work;
	if (model->options->rmap_readers)
		workload_result_metric(result, "rmap_walks_per_s",
				       result->elapsed_s > 0 ?
					       (double)walks /
						       result->elapsed_s :
					       0);
	return 0;
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	const struct anon_vma_options *o = options;
	struct model model = { .options = o };
	struct team_config team = { .work = work, .data = &model };
	struct driver driver;

	if (driver_open(&driver, &o->driver,
			o->driver.tasks + o->rmap_readers + 1, "anon_vma",
			result, err))
		return -1;
	model.rmap.rules = (enum rmap_rules)o->rmap;
	model.rmap.class_ = driver.class_;
	if (set_up(&model))
		return error_set(err, EXIT_USAGE, "anon-vma: out of memory");
	team.members = model.nr_clients;
	if (driver_run(&driver, &team, env, err) ||
	    collect(&model, result, err))
		return -1;
	tear_down(&model, result);
	return driver_close(&driver, err);
}

const struct workload workload_anon_vma = {
	.name = "anon-vma",
	.summary = "exim's forks on a model of anon_vma and a library lock",
	.unit = "message",
	.units = "messages",
	.latency_of = "message",
	.verifies = "messages; the reverse map's trees",
	.options = anon_vma_keys,
	.options_size = sizeof(struct anon_vma_options),
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mail server in the shape of MOSBENCH's exim, with its clients.
 */
#include "workloads/exim/exim.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "workloads/workload.h"

#define MAX_CLIENTS 4096
/* /dev/shm of a container is often 64 MiB: too little for a run. */
#define ENOUGH_SPOOL (UINT64_C(256) << 20)

static const char *const sockets[] = {
	[EXIM_TCP] = "tcp",
	[EXIM_UNIX] = "unix",
	NULL,
};

#define KEY(name_, type_, fallback_, min_, max_, help_)                \
	{                                                              \
		.key = #name_, .type = (type_),                        \
		.offset = offsetof(struct exim_options, name_),        \
		.fallback = (fallback_), .min = (min_), .max = (max_), \
		.help = (help_),                                       \
	}

static const struct workload_option exim_keys[] = {
	WORKLOAD_OPTION_SECONDS(struct exim_options, seconds, "10"),
	KEY(clients, WORKLOAD_UINT, NULL, 1, MAX_CLIENTS,
	    "processes that send mail; default: 2 a CPU"),
	KEY(messages, WORKLOAD_UINT, "10", 1, 1000000,
	    "messages that a client sends in one connection"),
	KEY(size, WORKLOAD_SIZE, "20", 1, 16 << 20,
	    "size of a message's body, in bytes"),
	KEY(users, WORKLOAD_UINT, "0", 0, MAX_CLIENTS,
	    "mailboxes, client i writes to number i modulo this;"
	    " 0: one a client"),
	KEY(vmas, WORKLOAD_UINT, "64", 1, VMAS_MAX,
	    "anonymous mappings of the master, which every fork copies"),
	KEY(roots, WORKLOAD_UINT, "1", 1, VMAS_MAX,
	    "root anon_vmas, hence locks, that they hang on"),
	{
		.key = "socket",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct exim_options, socket),
		.fallback = "tcp",
		.choices = sockets,
		.help = "how clients connect; tcp is on 127.0.0.1",
	},
	KEY(fsync, WORKLOAD_FLAG, "0", 0, 1,
	    "1: wait for the disk before a message counts as accepted"),
	KEY(seed, WORKLOAD_UINT, "1", 0, 4294967295.0,
	    "makes the contents of the messages"),
	KEY(spool, WORKLOAD_STRING, NULL, 0, 0,
	    "where the run's directory goes; default: /dev/shm where it is"
	    " a tmpfs with 256 MiB free, else $TMPDIR or /tmp"),
	{ 0 },
};

static const char *default_spool(void)
{
	const char *tmp = getenv("TMPDIR");
	struct statfs fs;

	if (!statfs("/dev/shm", &fs) && fs.f_type == TMPFS_MAGIC &&
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >= ENOUGH_SPOOL &&
	    !access("/dev/shm", W_OK | X_OK))
		return "/dev/shm";
	return tmp && *tmp ? tmp : "/tmp";
}

static void defaults(void *options)
{
	struct exim_options *o = options;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	o->clients = cpus < 1 ? 2 : 2 * (unsigned long)cpus;
	if (o->clients > MAX_CLIENTS)
		o->clients = MAX_CLIENTS;
	o->spool = default_spool();
}

static int start_client(struct workload_env *env, void *arg)
{
	/* Number i was spawned after i others and the master. */
	return exim_client(arg, env->nr_children - 1);
}

static int start(struct exim *exim, struct error *err)
{
	struct workload_env *env = exim->env;
	unsigned long i;

	if (mkdir("input", 0700) || mkdir("mail", 0700) || mkdir("log", 0700))
		return error_errno(err, EXIT_USAGE,
				   "exim: cannot make the spool in %s",
				   exim->options->spool);
	if (exim_listen(exim, err) ||
	    workload_slots(env, exim->options->clients, err) ||
	    workload_spawn(env, "master", exim_master, exim, err) < 0)
		return -1;
	for (i = 0; i < exim->options->clients; i++)
		if (workload_spawn(env, "client", start_client, exim, err) < 0)
			return -1;
	close(exim->listen_fd);
	return 0;
}

static int end(struct exim *exim, struct error *err)
{
	struct workload_env *env = exim->env;

	if (workload_join(env, "client", err))
		return -1;
	if (env->child[0].pid)
		kill(env->child[0].pid, SIGTERM);
	return workload_join(env, NULL, err);
}

/* Messages that were on the spool at the end. */
struct queue {
	struct exim *exim;
	uint64_t waiting; /* found there */
	uint64_t deferred; /* left there after another try */
	int error; /* why, an errno value */
};

static int run_one(const char *id, void *arg)
{
	struct queue *queue = arg;
	int ret = exim_deliver(queue->exim, -1, id);

	queue->waiting++;
	if (ret)
		queue->error = ret;
	return 0;
}

/* How many were turned away; *note is the first one's reply. */
static uint64_t count_temporary(struct exim *exim, const char **note)
{
	uint64_t nr = 0;
	size_t i;

	*note = "";
	for (i = 0; i < exim->env->nr_slots; i++) {
		struct workload_slot *slot = &exim->env->shared->slot[i];

		slot->note[sizeof(slot->note) - 1] = '\0';
		if (!**note)
			*note = slot->note;
		nr += slot->count[EXIM_TEMPORARY];
	}
	return nr;
}

/* A disk that was full for a while, or the like, makes no fair run. */
static void report(const struct queue *queue, struct workload_result *result)
{
	const struct exim *exim = queue->exim;
	const char *note;
	uint64_t temporary = count_temporary(queue->exim, &note);

	workload_result_metric(result, "temporary_rejections",
			       (double)temporary);
	workload_result_metric(result, "waiting_messages",
			       (double)queue->waiting);
	workload_result_metric(result, "deferred_messages",
			       (double)queue->deferred);
	if (!temporary && !queue->waiting)
		return;
	if (!*note)
		note = queue->error > 0 ? strerror(queue->error) :
					  "for a reason that has passed";
	error_set(&result->problem, EXIT_USAGE,
		  "%llu times a message was turned away and %llu accepted ones"
		  " could not be delivered at once, %llu not at all: '%s';"
		  " make room in %s (spool=), or use less (size=, clients=,"
		  " seconds=)",
		  (unsigned long long)temporary,
		  (unsigned long long)queue->waiting,
		  (unsigned long long)queue->deferred, note,
		  exim->options->spool);
}

static int verify(struct exim *exim, struct workload_result *result,
		  struct error *err)
{
	struct queue queue = { .exim = exim };
	uint64_t connections = 0;
	size_t i;

	for (i = 0; i < exim->env->nr_slots; i++)
		connections +=
			exim->env->shared->slot[i].count[EXIM_CONNECTIONS];
	workload_result_metric(result, "connections_per_s",
			       (double)connections / result->elapsed_s);
	/* Deliveries that had to wait get their second try, as with Exim. */
	if (spool_each(run_one, &queue))
		return error_errno(err, EXIT_USAGE,
				   "exim: cannot read the spool");
	/* Who could not fork, did not. */
	result->forks -= result->forks < 2 * queue.waiting ? result->forks :
							     2 * queue.waiting;
	if (exim_verify(exim, result, &queue.deferred, err))
		return -1;
	report(&queue, result);
	return 0;
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	struct exim_options o = *(const struct exim_options *)options;
	struct exim exim = { .options = &o, .env = env };

	if (!o.users)
		o.users = o.clients;
	if (o.roots > o.vmas)
		return error_set(err, EXIT_USAGE,
				 "exim: roots=%lu is more than vmas=%lu",
				 o.roots, o.vmas);
	if (start(&exim, err) || workload_gate(env, err) ||
	    workload_supervise(env, err))
		return -1;
	workload_measured(env, result);
	if (end(&exim, err) || workload_collect(env, result, err))
		return -1;
	return verify(&exim, result, err);
}

static const char *directory(const void *options)
{
	return ((const struct exim_options *)options)->spool;
}

const struct workload workload_exim = {
	.name = "exim",
	.summary = "a forking mail server in the shape of MOSBENCH's exim",
	.unit = "message",
	.units = "messages",
	.latency_of = "MAIL to 250",
	.verifies = "accepted messages, each there exactly once",
	.options = exim_keys,
	.options_size = sizeof(struct exim_options),
	.defaults = defaults,
	.directory = directory,
	.run = run,
};

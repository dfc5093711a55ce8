// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves of a process between a foreground and a background cgroup, as Android
 * makes two for each call between applications, while others fork and exit.
 */
#include "workloads/cgroup/migrate.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/cgroup/member.h"

static const char *const units[] = {
	[MIGRATE_PROCESS] = "process",
	[MIGRATE_THREAD] = "thread",
	NULL,
};

#define KEY_UINT(name_, fallback_, min_, max_, help_)                  \
	{                                                              \
		.key = #name_, .type = WORKLOAD_UINT,                  \
		.offset = offsetof(struct migrate_options, name_),     \
		.fallback = (fallback_), .min = (min_), .max = (max_), \
		.help = (help_),                                       \
	}

static const struct workload_option migrate_keys[] = {
	WORKLOAD_OPTION_SECONDS(struct migrate_options, seconds, "5"),
	KEY_UINT(threads, "8", 1, 4096, "threads of a victim"),
	KEY_UINT(fork_tasks, NULL, 0, 4096,
		 "processes that fork, exit and create threads; default: one a"
		 " CPU"),
	KEY_UINT(writers, "1", 1, MIGRATE_MAX_WRITERS,
		 "processes that write, each with a victim of its own"),
	KEY_UINT(writes_per_transaction, "2", 1, 1000,
		 "writes one after the other, to the foreground and back"),
	KEY_UINT(pause_us, "100000", 0, 1000000,
		 "microseconds between two transactions"),
	{
		.key = "move",
		.type = WORKLOAD_CHOICE,
		.offset = offsetof(struct migrate_options, move),
		.fallback = "process",
		.choices = units,
		.help = "what a write moves; thread: through cgroup.threads,"
			" in version 1 tasks",
	},
	{
		.key = "victim_forks",
		.type = WORKLOAD_FLAG,
		.offset = offsetof(struct migrate_options, victim_forks),
		.fallback = "0",
		.help = "1: a victim makes threads, too, all the time",
	},
	CGROUP_KEYS(struct migrate_options, cgroup),
	{ 0 },
};

static void defaults(void *options)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	((struct migrate_options *)options)->fork_tasks =
		cpus < 1    ? 1 :
		cpus > 4096 ? 4096 :
			      (unsigned long)cpus;
}

struct workload_slot *migrate_slot(const struct migrate *m, size_t phase,
				   size_t writer, enum migrate_step step)
{
	size_t row = phase * m->options->writers + writer;

	return &m->env->shared->slot[row * MIGRATE_NR_STEPS + step];
}

struct workload_slot *migrate_fork_slot(const struct migrate *m, size_t forker)
{
	return migrate_slot(m, m->phases.nr, 0, MIGRATE_FIRST) + forker;
}

size_t migrate_nr_slots(const struct migrate *m)
{
	return m->phases.nr * m->options->writers * MIGRATE_NR_STEPS +
	       m->options->fork_tasks;
}

int migrate_path(const struct cgroup_own *own, bool foreground, char *path,
		 size_t size)
{
	int length = snprintf(path, size, "%s/%s", own->path,
			      foreground ? "foreground" : "background");

	errno = ENAMETOOLONG;
	return length < (int)size ? 0 : -1;
}

/* Threads can only be moved between threaded cgroups. */
static int make_threaded(const char *path, struct error *err)
{
	int fd = cgroup_open(path, "cgroup.type");
	int ret = fd >= 0 && write(fd, "threaded", 8) == 8 ? 0 : -1;

	if (ret)
		error_errno(
			err, EXIT_IMPOSSIBLE,
			"cannot make the cgroup %s threaded; name a parent="
			" without controllers for processes, or move=process",
			path);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* The two cgroups, and the victims in the background. */
static int make_cgroups(const struct migrate *m, const struct cgroup_own *own,
			struct error *err)
{
	bool threaded = own->v2 && m->options->move == MIGRATE_THREAD;
	char path[4096];
	int i;

	for (i = 0; i < 2; i++) {
		if (migrate_path(own, i, path, sizeof(path)) ||
		    mkdir(path, 0755))
			return error_errno(err, EXIT_IMPOSSIBLE,
					   "cannot make the cgroup %s", path);
		if (threaded && make_threaded(path, err))
			return -1;
	}
	return 0;
}

/* Before the first write, so that what can't work is said at once. */
static int place_victims(const struct migrate *m, const struct cgroup_own *own,
			 struct error *err)
{
	bool threads = m->options->move == MIGRATE_THREAD;
	char path[4096];
	int fd, ret = 0;
	size_t i;

	/* Their threads are in the domain, and go from there. */
	if (threads && own->v2)
		return 0;
	migrate_path(own, false, path, sizeof(path));
	fd = cgroup_open(path, "cgroup.procs");
	for (i = 0; i < m->options->writers && !ret; i++)
		ret = fd < 0 ? -1 : cgroup_write_id(fd, m->victim[i]);
	if (ret)
		error_errno(err, EXIT_IMPOSSIBLE,
			    "cannot move a process to the cgroup %s; run as"
			    " root, or name another hierarchy with parent=",
			    path);
	if (fd >= 0)
		close(fd);
	return ret;
}

pid_t *migrate_tids(const struct migrate *m, size_t victim)
{
	return &m->shared->tid[victim * m->options->threads];
}

static int share(struct migrate *m, struct error *err)
{
	size_t nr = m->options->writers * m->options->threads;
	void *memory = mmap(NULL, sizeof(*m->shared) + nr * sizeof(pid_t),
			    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED)
		return error_errno(err, EXIT_USAGE, "no shared memory");
	m->shared = memory;
	m->shared->phase = MIGRATE_PAUSE;
	return 0;
}

static int spawn_some(struct migrate *m, const char *name,
		      int (*child)(struct workload_env *env, void *arg),
		      unsigned long nr, struct error *err)
{
	for (m->number = 0; m->number < nr; m->number++) {
		pid_t pid = workload_spawn(m->env, name, child, m, err);

		if (pid < 0)
			return -1;
		if (child == migrate_victim)
			m->victim[m->number] = pid;
	}
	return 0;
}

static int spawn_all(struct migrate *m, struct error *err)
{
	const struct cgroup_place *place = m->phases.place;
	size_t i;

	for (i = 0; i < place->nr; i++)
		if (make_cgroups(m, &place->own[i], err))
			return -1;
	if (spawn_some(m, "victim", migrate_victim, m->options->writers, err))
		return -1;
	for (i = 0; i < place->nr; i++)
		if (place_victims(m, &place->own[i], err))
			return -1;
	return spawn_some(m, "forker", migrate_forker, m->options->fork_tasks,
			  err) ||
			       spawn_some(m, "writer", migrate_writer,
					  m->options->writers, err) ?
		       -1 :
		       0;
}

/* No writer is in a write now. */
static int wait_for_writers(struct migrate *m, size_t phase, struct error *err)
{
	uint32_t want = (uint32_t)(m->options->writers * (phase + 1));
	struct workload_env *env = m->env;

	while (__atomic_load_n(&m->shared->parked, __ATOMIC_ACQUIRE) < want &&
	       !env->stopped && workload_now_ns() < env->deadline_ns)
		if (workload_supervise_until(env, workload_now_ns() + 1000000,
					     err))
			return -1;
	return 0;
}

/* The phases have equal shares of the time. */
static int run_phase(struct migrate *m, size_t phase, struct error *err)
{
	struct workload_env *env = m->env;
	uint64_t all = env->deadline_ns - env->go_ns;
	uint64_t end = env->go_ns + all / m->phases.nr * (phase + 1);
	uint64_t from, now;

	if (wait_for_writers(m, phase, err) ||
	    cgroup_begin_phase(&m->phases, phase, err))
		return -1;
	from = workload_now_ns();
	__atomic_store_n(&m->shared->phase_end_ns, end, __ATOMIC_RELAXED);
	__atomic_store_n(&m->shared->phase, (uint32_t)phase, __ATOMIC_RELEASE);
	if (workload_supervise_until(env, end, err))
		return -1;
	now = workload_now_ns();
	__atomic_store_n(&m->shared->phase, MIGRATE_PAUSE, __ATOMIC_RELAXED);
	now = now < end ? now : end;
	m->phase_ns[phase] = now > from ? now - from : 0;
	return 0;
}

static int run_phases(struct migrate *m, struct error *err)
{
	size_t i;

	for (i = 0; i < m->phases.nr && !m->env->stopped; i++)
		if (run_phase(m, i, err))
			return -1;
	return workload_supervise(m->env, err);
}

/* Victims end when they are told to, once all else has. */
static int end_victims(struct migrate *m, struct error *err)
{
	size_t i;

	for (i = 0; i < m->options->writers; i++)
		kill(m->victim[i], SIGTERM);
	return workload_join(m->env, NULL, err);
}

static int run(const void *options, struct workload_env *env,
	       struct workload_result *result, struct error *err)
{
	struct migrate m = { .options = options, .env = env };

	if (cgroup_move_in(env->place, err) ||
	    cgroup_phases(env->place, &m.phases, result, err) ||
	    cgroup_begin_phase(&m.phases, 0, err) ||
	    workload_slots(env, migrate_nr_slots(&m), err) || share(&m, err) ||
	    spawn_all(&m, err) || workload_gate(env, err) ||
	    run_phases(&m, err))
		return -1;
	workload_measured(env, result);
	if (workload_join(env, "writer", err) ||
	    workload_join(env, "forker", err) ||
	    migrate_results(&m, result, err))
		return -1;
	return end_victims(&m, err);
}

const struct workload workload_cgroup_migrate = {
	.name = "cgroup-migrate",
	.summary = "move a process between cgroups while others fork:"
		   " press the threadgroup lock",
	.unit = "migration",
	.units = "migrations",
	.latency_of = "a write that moves",
	.verifies = "writes, each with its victim in the right cgroup",
	.options = migrate_keys,
	.options_size = sizeof(struct migrate_options),
	.defaults = defaults,
	.supported = cgroup_supported,
	.prepare = cgroup_prepare,
	.cleanup = cgroup_cleanup,
	.sweep = cgroup_sweep,
	.run = run,
};

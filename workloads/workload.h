/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads: programs that press the locks of the running kernel.
 *
 * A workload runs in processes of its own, under a keeper that ends them and
 * removes their files whatever happens to the tool:
 *
 *	tool ── keeper ── root ── whatever the workload forks
 *
 * keeper and root come from one exec of this program, so that the workload's
 * address space, and with it the anon_vma trees that its forks share, holds
 * nothing of the tool's.
 *
 * Unless said otherwise functions return 0, or -1 with @err set, and belong
 * to the thread that calls them; nothing here is locked.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include "error.h"
#include "workloads/result.h"

enum workload_option_type {
	WORKLOAD_UINT, /* unsigned long, min to max */
	WORKLOAD_SIZE, /* the same, bytes; takes the suffixes k, M, G */
	WORKLOAD_SECONDS, /* double, min to max */
	WORKLOAD_FLAG, /* bool: 0 or 1 */
	WORKLOAD_CHOICE, /* unsigned int: index into choices */
	WORKLOAD_STRING, /* const char *, owned by the workload_options */
};

/* One key of a workload; a table of them ends in one without a key. */
struct workload_option {
	const char *key;
	enum workload_option_type type;
	size_t offset; /* of the value in the workload's own struct */
	/* as a user would write it; NULL: computed by workload.defaults */
	const char *fallback;
	double min, max;
	const char *const *choices; /* ends in NULL */
	const char *help; /* one line; says how a computed default comes */
};

/*
 * Every workload takes it, and the harness reads it: how long to work.
 * Fractions are welcome.
 */
#define WORKLOAD_OPTION_SECONDS(type_, field_, fallback_)                   \
	{                                                                   \
		.key = "seconds", .type = WORKLOAD_SECONDS,                 \
		.offset = offsetof(type_, field_), .fallback = (fallback_), \
		.min = 0.01, .max = 86400, .help = "how long to work",      \
	}

struct workload_env;

/*
 * What a workload is.  Its file ends in one of these, named
 * workload_NAME (dashes become underscores), and workloads.def lists it.
 */
struct workload {
	const char *name;
	const char *summary; /* one line */
	const char *unit, *units; /* of work: "message", "messages" */
	const char *latency_of; /* what the latencies measure; NULL: none */
	/*
	 * On several locks: the family whose latencies are the base of the
	 * others'; the first lock where none is of it.  NULL: no such table.
	 */
	const char *latency_base;
	const char *verifies; /* what was checked: "delivered exactly once" */
	/* Phases: is a ratio one of real time?  Otherwise of latencies. */
	bool times_work;
	const struct workload_option *options;
	size_t options_size; /* of the struct that the offsets are in */
	/* Fill in the defaults that depend on this computer; may be NULL. */
	void (*defaults)(void *options);
	/*
	 * May it run here?  Returns false with *reason a constant text: what
	 * is missing and how to get it.  NULL: always.
	 */
	bool (*supported)(const char **reason);
	/*
	 * Where the run's directory goes: an existing directory, from the
	 * options or chosen here.  The harness makes a directory of the run's
	 * own in it, starts root inside, and removes it.  NULL: needs none.
	 */
	const char *(*directory)(const void *options);
	/*
	 * What the run needs outside its directory, e.g. a cgroup.  The keeper
	 * calls prepare before root is there, which finds *place as
	 * env->place, and cleanup after all processes have ended; cleanup
	 * frees.  Signals can't interrupt it.  Where the keeper itself was
	 * killed the tool calls sweep.  All or none are NULL.
	 */
	int (*prepare)(const void *options, void **place, struct error *err);
	int (*cleanup)(void *place, struct error *err);
	unsigned long (*sweep)(const void *options);
	/*
	 * Do it, in the root process: set up, workload_gate(), work,
	 * workload_measured(), verify.  See workloads/env.h.
	 */
	int (*run)(const void *options, struct workload_env *env,
		   struct workload_result *result, struct error *err);
};

/**
 * workload_at() - the workloads in the order of workloads.def
 *
 * Return: number @i, or NULL past the last.  Safe from any thread.
 */
const struct workload *workload_at(size_t i);

/**
 * workload_find() - by name
 *
 * Return: the workload; NULL with @err listing those that exist.
 */
const struct workload *workload_find(const char *name, struct error *err);

/* One workload with its options; made by workload_parse_options(). */
struct workload_options {
	const struct workload *workload;
	void *values; /* the workload's own struct */
	char **strings; /* what WORKLOAD_STRING values point to */
	size_t nr_strings;
};

/**
 * workload_parse_options() - "key=value" words over the defaults
 * @words:   e.g. "seconds=2.5"; a flag's "key" alone means "key=1"
 * @options: where the result goes; free with workload_free_options()
 * @err:     unknown key: lists the keys; bad value: says the range;
 *           a key given twice
 */
int workload_parse_options(const struct workload *workload, char *const words[],
			   size_t nr, struct workload_options **options,
			   struct error *err);

/**
 * workload_free_options() - NULL is fine
 */
void workload_free_options(struct workload_options *options);

/**
 * workload_options_seconds() - the value of "seconds"
 */
double workload_options_seconds(const struct workload_options *options);

/**
 * workload_options_json() - every key with its value, defaults included
 *
 * The keys keep the table's order.
 *
 * Return: a new object, or NULL without memory.
 */
json_t *workload_options_json(const struct workload_options *options);

/**
 * workload_describe() - print a workload's keys with defaults and ranges
 */
void workload_describe(const struct workload *workload, FILE *out);

/*
 * A run: started, let go, waited for.
 */
struct workload_run;

/**
 * workload_start() - make the processes and take them up to the gate
 * @options: must live until workload_free_run()
 * @run:     where the run goes; end it with workload_free_run()
 * @err:     EXIT_IMPOSSIBLE with the reason where it can't run here;
 *           otherwise what the workload's set-up said
 *
 * When it returns every long-living process of the workload exists, is set
 * up, and sleeps until workload_go().
 */
int workload_start(const struct workload_options *options,
		   struct workload_run **run, struct error *err);

/**
 * workload_pid() - root of the workload's process tree
 *
 * Its descendants at the gate exist already; the group of the same number
 * holds all of them, during the whole run.
 */
pid_t workload_pid(const struct workload_run *run);

/**
 * workload_go() - open the gate
 */
int workload_go(struct workload_run *run, struct error *err);

/**
 * workload_fd() - a descriptor to poll for POLLIN
 *
 * It becomes readable once the run has ended, well or not, and all its
 * processes and files are gone (the result may still be on its way: then
 * workload_wait() blocks shortly).  Belongs to the run.
 */
int workload_fd(const struct workload_run *run);

/**
 * workload_stop() - ask a running workload to end its measured time now
 *
 * It still verifies and reports what it did, with result.stopped set; wait
 * for it as usual.  Does nothing before workload_go().
 */
void workload_stop(struct workload_run *run);

/**
 * workload_wait() - wait for the end and take the result
 * @result: initialised here; free with workload_result_free() on success
 * @err:    what made the run fail, e.g. which process a signal killed
 *
 * A workload that hangs is ended by the keeper, so this returns in any case.
 * A result with failures of its verification, or with a problem
 * (result->problem), is still a result: workload_result_code() tells.
 */
int workload_wait(struct workload_run *run, struct workload_result *result,
		  struct error *err);

/**
 * workload_free_run() - end what still runs, and free; NULL is fine
 *
 * Returns after the processes are gone and the files removed.
 */
void workload_free_run(struct workload_run *run);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes of a recording and their address spaces, as they come and go.
 *
 * Memory follows the processes that live at one time: of those that exited,
 * the last few are kept, since a task still switches after its exit record
 * and buffers of other CPUs may lag behind.
 */
#ifndef RWSEMLAB_ANALYZE_TASKS_H
#define RWSEMLAB_ANALYZE_TASKS_H

#include "analyze/maps.h"

struct tasks;

struct tasks *tasks_new(void); /* NULL: out of memory */
void tasks_free(struct tasks *t);
bool tasks_failed(const struct tasks *t); /* memory ran out in some call */

/**
 * tasks_fork() - a process or a thread begins
 *
 * A new process (@pid is not @parent_pid) gets its parent's address space as
 * it is now; what an older process of that pid left is forgotten.
 */
void tasks_fork(struct tasks *t, int32_t pid, int32_t parent_pid);

/**
 * tasks_exec() - a process's address space is empty now
 *
 * Until it runs the new program its user registers are still those of the old
 * one, so the old space is kept until tasks_started().
 */
void tasks_exec(struct tasks *t, int32_t pid);
void tasks_exit(struct tasks *t, int32_t pid, int32_t tid);
void tasks_map(struct tasks *t, int32_t pid, const struct mapping *m);

/* The kernel's own space: modules and generated code. */
void tasks_map_kernel(struct tasks *t, const struct mapping *m);
void tasks_unmap_kernel(struct tasks *t, uint64_t start, uint64_t end);
const struct space *tasks_kernel(const struct tasks *t);

/**
 * tasks_space() - the address space of a process now
 * @before_exec: set to the one before its latest exec, NULL when that does
 *               not matter any more
 *
 * Return: an empty one where nothing is known.  Both are valid until the next
 * call that changes the process.
 */
const struct space *tasks_space(struct tasks *t, int32_t pid,
				const struct space **before_exec);
void tasks_started(struct tasks *t, int32_t pid); /* the new program runs */

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/tasks.h"

#include <stdlib.h>

#include "analyze/table.h"

#define KEEP_DEAD  1024 /* processes that exited last */
#define CACHE_SIZE 256

struct process {
	UT_hash_handle hh;
	int32_t pid;
	bool dead, asked; /* asked for since it was last in line to go */
	struct process *next_dead, *previous_dead;
	struct space space, before_exec;
};

struct tasks {
	struct map_pool *pool;
	struct process *processes;
	struct process *first_dead, *last_dead;
	size_t nr_dead;
	struct process *cache[CACHE_SIZE]; /* by the low bits of the pid */
	struct space kernel;
	bool failed;
};

struct tasks *tasks_new(void)
{
	struct tasks *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->pool = map_pool_new();
	if (t->pool)
		return t;
	free(t);
	return NULL;
}

void tasks_free(struct tasks *t)
{
	struct process *p, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->processes, p, next) {
		HASH_DEL(t->processes, p);
		free(p);
	}
	map_pool_free(t->pool);
	free(t);
}

bool tasks_failed(const struct tasks *t)
{
	return t->failed;
}

static struct process *find(struct tasks *t, int32_t pid)
{
	struct process **cached = &t->cache[(uint32_t)pid % CACHE_SIZE];
	struct process *p = *cached;

	if (p && p->pid == pid)
		return p;
	HASH_FIND(hh, t->processes, &pid, sizeof(pid), p);
	if (p)
		*cached = p;
	return p;
}

static struct process *get(struct tasks *t, int32_t pid)
{
	struct process *p = find(t, pid);

	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		goto failed;
	p->pid = pid;
	HASH_ADD(hh, t->processes, pid, sizeof(p->pid), p);
	if (p->hh.tbl)
		return p;
	free(p);
failed:
	t->failed = true;
	return NULL;
}

static void unlink_dead(struct tasks *t, struct process *p)
{
	if (!p->dead)
		return;
	if (p->previous_dead)
		p->previous_dead->next_dead = p->next_dead;
	else
		t->first_dead = p->next_dead;
	if (p->next_dead)
		p->next_dead->previous_dead = p->previous_dead;
	else
		t->last_dead = p->previous_dead;
	p->dead = false;
	t->nr_dead--;
}

static void link_dead(struct tasks *t, struct process *p)
{
	p->dead = true;
	p->asked = false;
	p->next_dead = NULL;
	p->previous_dead = t->last_dead;
	if (t->last_dead)
		t->last_dead->next_dead = p;
	else
		t->first_dead = p;
	t->last_dead = p;
	t->nr_dead++;
}

static void forget(struct tasks *t, struct process *p)
{
	struct process **cached = &t->cache[(uint32_t)p->pid % CACHE_SIZE];

	if (*cached == p)
		*cached = NULL;
	unlink_dead(t, p);
	HASH_DEL(t->processes, p);
	space_free(t->pool, &p->space);
	space_free(t->pool, &p->before_exec);
	free(p);
}

void tasks_fork(struct tasks *t, int32_t pid, int32_t parent_pid)
{
	struct process *p, *parent;
	struct space space = { NULL };

	if (pid == parent_pid)
		return;
	parent = find(t, parent_pid);
	if (parent)
		space = space_copy(&parent->space);
	p = get(t, pid);
	if (!p) {
		space_free(t->pool, &space);
		return;
	}
	unlink_dead(t, p);
	space_free(t->pool, &p->space);
	space_free(t->pool, &p->before_exec);
	p->space = space;
}

void tasks_exec(struct tasks *t, int32_t pid)
{
	struct process *p = find(t, pid);

	if (!p)
		return;
	space_free(t->pool, &p->before_exec);
	p->before_exec = p->space;
	p->space = (struct space){ NULL };
}

void tasks_started(struct tasks *t, int32_t pid)
{
	struct process *p = find(t, pid);

	if (p)
		space_free(t->pool, &p->before_exec);
}

void tasks_exit(struct tasks *t, int32_t pid, int32_t tid)
{
	struct process *p = pid == tid ? find(t, pid) : NULL;

	if (!p || p->dead)
		return;
	link_dead(t, p);
	while (t->nr_dead > KEEP_DEAD) {
		p = t->first_dead;
		if (!p->asked) {
			forget(t, p);
			break;
		}
		/* Its other threads live on. */
		unlink_dead(t, p);
		link_dead(t, p);
	}
}

void tasks_map(struct tasks *t, int32_t pid, const struct mapping *m)
{
	struct process *p = get(t, pid);

	if (p && space_map(t->pool, &p->space, m))
		t->failed = true;
}

void tasks_map_kernel(struct tasks *t, const struct mapping *m)
{
	if (space_map(t->pool, &t->kernel, m))
		t->failed = true;
}

void tasks_unmap_kernel(struct tasks *t, uint64_t start, uint64_t end)
{
	if (space_unmap(t->pool, &t->kernel, start, end))
		t->failed = true;
}

const struct space *tasks_kernel(const struct tasks *t)
{
	return &t->kernel;
}

const struct space *tasks_space(struct tasks *t, int32_t pid,
				const struct space **before_exec)
{
	static const struct space nothing = { NULL };
	struct process *p = find(t, pid);

	*before_exec = NULL;
	if (!p)
		return &nothing;
	p->asked = true;
	if (p->before_exec.root)
		*before_exec = &p->before_exec;
	return &p->space;
}

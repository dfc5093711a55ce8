/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue of waiters: a ring through a head, changed under the lock's
 * wait_lock.  The links forward may be read without it, so they are written
 * whole.
 */
#ifndef LIB_LOCKS_LIST_H
#define LIB_LOCKS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list_head {
	struct list_head *next, *prev;
};

#define container_of(pointer, type, member) \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

static inline void list_set_next(struct list_head *of, struct list_head *to)
{
	__atomic_store_n(&of->next, to, __ATOMIC_RELAXED);
}

static inline struct list_head *list_next(const struct list_head *of)
{
	return __atomic_load_n(&of->next, __ATOMIC_RELAXED);
}

static inline void list_init(struct list_head *head)
{
	list_set_next(head, head);
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return list_next(head) == head;
}

static inline bool list_is_singular(const struct list_head *head)
{
	return !list_empty(head) && head->next == head->prev;
}

static inline void list_add_tail(struct list_head *new, struct list_head *head)
{
	list_set_next(new, head);
	new->prev = head->prev;
	list_set_next(head->prev, new);
	head->prev = new;
}

static inline void list_del(struct list_head *entry)
{
	list_set_next(entry->prev, entry->next);
	entry->next->prev = entry->prev;
}

/* How many entries come before @entry. */
static inline uint32_t list_before(const struct list_head *head,
				   const struct list_head *entry)
{
	const struct list_head *at;
	uint32_t nr = 0;

	for (at = head->next; at != entry && at != head; at = at->next)
		nr++;
	return nr;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue of optimistic spinners: an MCS lock with one node per CPU.  With
 * @may_leave a spinner that should yield takes itself out of the middle (3.15,
 * fb0527bd5ea9 "Introduce cancelable MCS lock"); without it is 3.10's plain
 * MCS queue.
 *
 * Algorithm: Mellor-Crummey and Scott, "Algorithms for scalable
 * synchronization on shared-memory multiprocessors", 1991; leaving it as
 * kernel/locking/osq_lock.c explains.
 */
#ifndef LIB_LOCKS_OSQ_H
#define LIB_LOCKS_OSQ_H

#include "lib/platform.h"

struct optimistic_spin_node {
	_Atomic(struct optimistic_spin_node *) next;
	_Atomic(struct optimistic_spin_node *) prev;
	atomic_bool locked;
	int cpu; /* its number + 1 */
};

struct optimistic_spin_queue {
	atomic_int tail; /* number + 1 of the last one's CPU; 0: empty */
};

static inline void osq_lock_init(struct optimistic_spin_queue *queue)
{
	atomic_init(&queue->tail, 0);
}

static inline bool osq_is_locked(struct optimistic_spin_queue *queue)
{
	return atomic_load(&queue->tail) != 0;
}

static inline struct optimistic_spin_node *osq_node(int cpu)
{
	return per_cpu_ptr(current_machine(), PERCPU_OSQ,
			   (unsigned int)cpu - 1);
}

/*
 * Who follows @node, once that is certain.  Nobody: then the queue ends in
 * @old from now on, and NULL is returned.
 */
static inline struct optimistic_spin_node *
osq_wait_next(struct optimistic_spin_queue *queue,
	      struct optimistic_spin_node *node, int old)
{
	struct optimistic_spin_node *next;
	int self;

	for (;;) {
		self = node->cpu;
		if (atomic_load(&queue->tail) == self &&
		    atomic_compare_exchange_strong(&queue->tail, &self, old))
			return NULL;
		/*
		 * Taken out, lest it completes its own leaving against a
		 * node that is going.
		 */
		if (atomic_load_explicit(&node->next, memory_order_relaxed)) {
			next = atomic_exchange(&node->next, NULL);
			if (next)
				return next;
		}
		cpu_relax();
	}
}

/* Leave from behind @prev.  Return: true where the queue's head came first. */
static noinline bool osq_unqueue(struct optimistic_spin_queue *queue,
				 struct optimistic_spin_node *node,
				 struct optimistic_spin_node *prev)
{
	struct optimistic_spin_node *next, *self;

	/* Undo prev->next: from now on prev waits for a new one. */
	for (;;) {
		self = node;
		if (atomic_load_explicit(&prev->next, memory_order_relaxed) ==
			    node &&
		    atomic_compare_exchange_strong(&prev->next, &self, NULL))
			break;
		if (atomic_load_explicit(&node->locked, memory_order_acquire))
			return true;
		cpu_relax();
		/* prev may be leaving itself and name its own predecessor. */
		prev = atomic_load(&node->prev);
	}
	next = osq_wait_next(queue, node, prev->cpu);
	if (!next)
		return false;
	atomic_store(&next->prev, prev);
	atomic_store(&prev->next, next);
	return false;
}

/* Return: whether the caller is the head; false: it should yield. */
static noinline bool osq_lock(struct optimistic_spin_queue *queue,
			      bool may_leave)
{
	int self = (int)smp_processor_id() + 1;
	struct optimistic_spin_node *node = osq_node(self);
	struct optimistic_spin_node *prev;
	int old;

	atomic_store_explicit(&node->locked, false, memory_order_relaxed);
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	node->cpu = self;
	old = atomic_exchange(&queue->tail, self);
	if (!old)
		return true;
	prev = osq_node(old);
	atomic_store(&node->prev, prev);
	atomic_store(&prev->next, node);
	while (!atomic_load_explicit(&node->locked, memory_order_acquire)) {
		if (may_leave && need_resched())
			return osq_unqueue(queue, node, prev);
		cpu_relax();
	}
	return true;
}

static noinline void osq_unlock(struct optimistic_spin_queue *queue)
{
	struct optimistic_spin_node *node, *next;
	int self = (int)smp_processor_id() + 1;
	int tail = self;

	if (likely(atomic_compare_exchange_strong(&queue->tail, &tail, 0)))
		return;
	node = osq_node(self);
	next = atomic_exchange(&node->next, NULL);
	if (!next)
		next = osq_wait_next(queue, node, 0);
	if (next)
		atomic_store_explicit(&next->locked, true,
				      memory_order_release);
}

#endif

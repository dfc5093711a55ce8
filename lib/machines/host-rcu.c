// SPDX-License-Identifier: GPL-2.0-only
/*
 * Grace periods and callbacks of the host machine.
 *
 * The readers have no barrier; membarrier(2) makes each CPU that runs one
 * execute it for them.  A normal grace period also lasts as long as one of the
 * running kernel, since the global membarrier waits for it.
 */
#include "lib/platform.h"

#include <linux/membarrier.h>
#include <signal.h>
#include <sys/syscall.h>

static long membarrier(int command)
{
	return host_syscall(SYS_membarrier, command, 0, 0, 0, 0, 0);
}

int host_rcu_init(struct rwsemlab_machine *machine)
{
	long commands = membarrier(MEMBARRIER_CMD_QUERY);

	/* A kernel with nohz_full CPUs has no global one. */
	machine->rcu.global = commands > 0 &&
			      (commands & MEMBARRIER_CMD_GLOBAL);
	return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) ? -ENOSYS :
								       0;
}

void rwsemlab_machine_expedite(struct rwsemlab_machine *machine)
{
	machine->rcu.expedite = true;
}

static bool in_section(_Atomic uint64_t *word, uint64_t before)
{
	uint64_t now = atomic_load_explicit(word, memory_order_acquire);

	return (now & HOST_GP_DEPTH) &&
	       now / HOST_GP_ENDED == before / HOST_GP_ENDED;
}

/*
 * A barrier first, so that sections begun before are seen as such; the caller
 * executes one last, so that what happened in them is seen.
 */
static void wait_for_sections(struct rwsemlab_machine *machine)
{
	unsigned int i;

	membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	for (i = 0; i < machine->nr_cpus; i++) {
		_Atomic uint64_t *word = &machine->tasks[i].read_section;
		uint64_t before =
			atomic_load_explicit(word, memory_order_acquire);

		while (in_section(word, before))
			sched_yield();
	}
}

noinline void synchronize_rcu_expedited(struct rwsemlab_machine *machine)
{
	wait_for_sections(machine);
	membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

noinline void synchronize_rcu(struct rwsemlab_machine *machine)
{
	wait_for_sections(machine);
	if (machine->rcu.expedite || !machine->rcu.global ||
	    membarrier(MEMBARRIER_CMD_GLOBAL))
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

/* --- callbacks: a stack that one thread empties, oldest first */

static struct rwsemlab_rcu_head *oldest_first(struct rwsemlab_rcu_head *head)
{
	struct rwsemlab_rcu_head *next, *first = NULL;

	for (; head; head = next) {
		next = head->next;
		head->next = first;
		first = head;
	}
	return first;
}

static void *rcu_callback_thread(void *arg)
{
	struct rwsemlab_machine *machine = arg;
	struct host_rcu *rcu = &machine->rcu;

	for (;;) {
		unsigned int events = atomic_load(&rcu->events);
		struct rwsemlab_rcu_head *head, *next;

		head = oldest_first(atomic_exchange(&rcu->pending, NULL));
		if (!head) {
			if (atomic_load(&rcu->stop))
				return NULL;
			host_futex_wait(&rcu->events, events, 0);
			continue;
		}
		synchronize_rcu(machine);
		for (; head; head = next) {
			next = head->next; /* it may be queued anew */
			head->func(head);
		}
	}
}

static void rcu_wake(struct host_rcu *rcu)
{
	atomic_fetch_add(&rcu->events, 1);
	host_futex_wake(&rcu->events);
}

static int start_thread(struct rwsemlab_machine *machine)
{
	sigset_t all, before;
	int ret;

	/* The program's signals are for its own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&machine->rcu.thread, NULL, rcu_callback_thread,
			     machine);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret)
		return -ret;
	pthread_setname_np(machine->rcu.thread, "rcu-callbacks");
	machine->rcu.started = true;
	return 0;
}

int rcu_start(struct rwsemlab_machine *machine)
{
	int ret = 0;

	pthread_mutex_lock(&machine->lock);
	if (!machine->rcu.started)
		ret = start_thread(machine);
	pthread_mutex_unlock(&machine->lock);
	return ret;
}

void call_rcu(struct rwsemlab_machine *machine, struct rwsemlab_rcu_head *head,
	      void (*func)(struct rwsemlab_rcu_head *head))
{
	struct rwsemlab_rcu_head *old = atomic_load(&machine->rcu.pending);

	head->func = func;
	do
		head->next = old;
	while (!atomic_compare_exchange_weak(&machine->rcu.pending, &old,
					     head));
	if (!old)
		rcu_wake(&machine->rcu);
}

struct barrier {
	struct rwsemlab_rcu_head head; /* first: it is one */
	atomic_uint done;
};

static void barrier_reached(struct rwsemlab_rcu_head *head)
{
	struct barrier *barrier = (struct barrier *)(void *)head;
	atomic_uint *done = &barrier->done;

	atomic_store(done, 1);
	/* Its memory may be gone: the kernel only looks at the address. */
	host_futex_wake(done);
}

static bool is_started(struct rwsemlab_machine *machine)
{
	bool started;

	pthread_mutex_lock(&machine->lock);
	started = machine->rcu.started;
	pthread_mutex_unlock(&machine->lock);
	return started;
}

void rcu_barrier(struct rwsemlab_machine *machine)
{
	struct barrier barrier;

	if (!is_started(machine))
		return;
	atomic_init(&barrier.done, 0);
	call_rcu(machine, &barrier.head, barrier_reached);
	while (!atomic_load(&barrier.done))
		host_futex_wait(&barrier.done, 0, 0);
}

void host_rcu_end(struct rwsemlab_machine *machine)
{
	if (!machine->rcu.started)
		return;
	atomic_store(&machine->rcu.stop, true);
	rcu_wake(&machine->rcu);
	pthread_join(machine->rcu.thread, NULL);
}

/* --- the public ones */

void rwsemlab_rcu_read_lock(void)
{
	preempt_disable();
}

void rwsemlab_rcu_read_unlock(void)
{
	preempt_enable();
}

void rwsemlab_synchronize_rcu(struct rwsemlab_machine *machine)
{
	synchronize_rcu(machine);
}

int rwsemlab_rcu_start(struct rwsemlab_machine *machine)
{
	return rcu_start(machine);
}

void rwsemlab_call_rcu(struct rwsemlab_machine *machine,
		       struct rwsemlab_rcu_head *head,
		       void (*func)(struct rwsemlab_rcu_head *head))
{
	call_rcu(machine, head, func);
}

void rwsemlab_rcu_barrier(struct rwsemlab_machine *machine)
{
	rcu_barrier(machine);
}

// SPDX-License-Identifier: GPL-2.0-only
/* The primitives of lib/platform.h on the host machine. */
#include "lib/platform.h"

#include <pthread.h>
#include <string.h>

#include "tests/tap.h"

struct other {
	struct rwsemlab_machine *machine;
	_Atomic(struct rwsemlab_task *) task;
	atomic_bool go, inside, end, ended;
	bool slept;
	int result;
};

static void nap_ms(unsigned int ms)
{
	struct timespec ts = { .tv_nsec = (long)ms * 1000000 };

	nanosleep(&ts, NULL);
}

static void *sleeper(void *arg)
{
	struct other *o = arg;

	rwsemlab_task_enter(o->machine);
	atomic_store(&o->task, current_task());
	while (!atomic_load(&o->go))
		nap_ms(1);
	o->slept = schedule(RWSEMLAB_UNINTERRUPTIBLE);
	rwsemlab_task_leave();
	return NULL;
}

static void start(struct other *o, pthread_t *thread,
		  struct rwsemlab_machine *machine, void *(*fn)(void *))
{
	memset(o, 0, sizeof(*o));
	o->machine = machine;
	if (pthread_create(thread, NULL, fn, o))
		tap_bail("no thread");
	while (!atomic_load(&o->task))
		nap_ms(1);
}

static void parking(struct rwsemlab_machine *machine)
{
	struct rwsemlab_task *task;
	pthread_t thread;
	struct other o;

	start(&o, &thread, machine, sleeper);
	task = atomic_load(&o.task);
	tap_ok(!wake_up_process(task), "a running task is not woken");
	atomic_store(&o.go, true);
	pthread_join(thread, NULL);
	tap_ok(!o.slept, "but its next schedule() returns at once");

	start(&o, &thread, machine, sleeper);
	task = atomic_load(&o.task);
	tap_ok(task_on_cpu(task), "a running task is on its CPU");
	tap_is_u64((uintptr_t)task % 64, 0, "its address has room for flags");
	atomic_store(&o.go, true);
	while (task_on_cpu(task))
		nap_ms(1);
	tap_ok(true, "a parked one is not");
	while (!wake_up_process(task))
		nap_ms(1);
	pthread_join(thread, NULL);
	tap_ok(o.slept, "and returns when it is woken");
}

static void *sleeping_reader(void *arg)
{
	struct other *o = arg;

	rwsemlab_task_enter(o->machine);
	preempt_disable();
	preempt_disable();
	atomic_store(&o->task, current_task());
	while (!atomic_load(&o->end))
		schedule(RWSEMLAB_UNINTERRUPTIBLE);
	preempt_enable();
	preempt_enable();
	rwsemlab_task_leave();
	return NULL;
}

static void *reader(void *arg)
{
	struct other *o = arg;

	rwsemlab_task_enter(o->machine);
	preempt_disable();
	preempt_disable();
	atomic_store(&o->task, current_task());
	while (!atomic_load(&o->end)) {
		/* Inner sections end all the time; the outer one goes on. */
		preempt_disable();
		preempt_enable();
		nap_ms(1);
	}
	preempt_enable();
	atomic_store(&o->ended, true);
	preempt_enable();
	rwsemlab_task_leave();
	return NULL;
}

static void *synchronizer(void *arg)
{
	struct other *o = arg;

	synchronize_rcu(o->machine);
	o->result = atomic_load(&o->ended);
	atomic_store(&o->inside, true);
	return NULL;
}

static void grace_periods(struct rwsemlab_machine *machine)
{
	pthread_t thread, waiter;
	struct other o;

	synchronize_rcu(machine);
	tap_ok(true, "a grace period without readers ends");
	start(&o, &thread, machine, reader);
	pthread_create(&waiter, NULL, synchronizer, &o);
	nap_ms(100);
	tap_ok(!atomic_load(&o.inside), "one waits for a nested section");
	atomic_store(&o.end, true);
	pthread_join(waiter, NULL);
	pthread_join(thread, NULL);
	tap_is_i64(o.result, 1, "until the outermost one has ended");

	start(&o, &thread, machine, sleeping_reader);
	while (task_on_cpu(atomic_load(&o.task)))
		nap_ms(1);
	synchronize_rcu(machine);
	synchronize_rcu_expedited(machine);
	tap_ok(true, "a task that sleeps in a section is not waited for");
	atomic_store(&o.end, true);
	wake_up_process(atomic_load(&o.task));
	pthread_join(thread, NULL);
}

/* Callbacks that say in which order they came. */
struct callback {
	struct rwsemlab_rcu_head head;
	atomic_uint *next;
	_Atomic unsigned int order;
	struct rwsemlab_machine *again; /* to be called once more; NULL: not */
	bool in_task;
};

static void called(struct rwsemlab_rcu_head *head)
{
	struct callback *c = (struct callback *)(void *)head;
	struct rwsemlab_machine *again = c->again;

	c->in_task = current_task();
	c->again = NULL;
	if (again)
		call_rcu(again, head, called);
	else
		atomic_store(&c->order, atomic_fetch_add(c->next, 1) + 1);
}

static void callbacks(struct rwsemlab_machine *machine)
{
	struct callback c[3] = { { .order = 0 } };
	atomic_uint next = 0;
	pthread_t thread;
	struct other o;
	unsigned int i;

	rcu_barrier(machine);
	tap_ok(true, "nothing to wait for before the first callback");
	tap_is_i64(rcu_start(machine), 0, "callbacks are possible");
	tap_is_i64(rcu_start(machine), 0, "asked for twice");
	start(&o, &thread, machine, reader);
	for (i = 0; i < 3; i++) {
		c[i].next = &next;
		call_rcu(machine, &c[i].head, called);
	}
	nap_ms(100);
	tap_is_u64(atomic_load(&next), 0, "none while a section lasts");
	atomic_store(&o.end, true);
	pthread_join(thread, NULL);
	rcu_barrier(machine);
	tap_ok(c[0].order == 1 && c[1].order == 2 && c[2].order == 3,
	       "then all, in their order, before rcu_barrier() returns");
	tap_ok(!c[0].in_task, "in no task");
	c[0].again = machine;
	atomic_store(&c[0].order, 0);
	call_rcu(machine, &c[0].head, called);
	while (!atomic_load(&c[0].order))
		nap_ms(1);
	tap_is_u64(c[0].order, 4, "one that calls for itself comes again");
}

/* Whatever is pending when a machine goes has been called. */
static void callbacks_at_the_end(void)
{
	struct callback c[2] = { { .order = 0 } };
	struct rwsemlab_machine *machine;
	atomic_uint next = 0;

	if (rwsemlab_machine_create(1, &machine) || rcu_start(machine))
		tap_bail("no machine");
	c[0].next = &next;
	c[1].next = &next;
	c[1].again = machine;
	call_rcu(machine, &c[0].head, called);
	call_rcu(machine, &c[1].head, called);
	rwsemlab_machine_free(machine);
	tap_is_u64(next, 2, "a machine's end waits for its callbacks");
}

/*
 * A normal one lasts as long as the kernel's.  How long that is nobody knows;
 * only that it is not shorter than an expedited one, by far on most machines.
 */
static void lengths(struct rwsemlab_machine *machine)
{
	uint64_t normal = UINT64_MAX, expedited = UINT64_MAX;
	uint64_t start;
	int i;

	for (i = 0; i < 3; i++) {
		start = clock_ns();
		synchronize_rcu(machine);
		if (clock_ns() - start < normal)
			normal = clock_ns() - start;
		start = clock_ns();
		synchronize_rcu_expedited(machine);
		if (clock_ns() - start < expedited)
			expedited = clock_ns() - start;
	}
	tap_diag("a grace period takes %llu us, an expedited one %llu us",
		 (unsigned long long)(normal / 1000),
		 (unsigned long long)(expedited / 1000));
}

static void percpu(struct rwsemlab_machine *machine)
{
	percpu_t a = percpu_alloc(machine, 100);
	percpu_t b = percpu_alloc(machine, 64);
	unsigned char *at = per_cpu_ptr(machine, a, 1);
	unsigned int n = 0;
	bool zero = true;
	size_t i;

	tap_ok(a && b && a != b, "two handles");
	tap_is_u64((uintptr_t)at % 64, 0, "aligned");
	for (i = 0; i < 100; i++)
		zero = zero && !at[i];
	tap_ok(zero, "zeroed");
	memset(at, 0xff, 100);
	tap_ok(!*(unsigned char *)per_cpu_ptr(machine, a, 0) &&
		       !*(unsigned char *)per_cpu_ptr(machine, b, 1),
	       "other CPUs and handles have their own");
	percpu_free(machine, a, 100);
	tap_is_u64(percpu_alloc(machine, 128), a, "freed memory is used again");
	tap_ok(!*(unsigned char *)per_cpu_ptr(machine, a, 1),
	       "and zeroed again");
	while (percpu_alloc(machine, 1024))
		n++;
	tap_ok(n >= 8 && n < 1000, "it ends (%u times 1 KiB)", n);
	tap_is_u64(percpu_alloc(machine, 0), 0, "nothing is no handle");
	percpu_free(machine, 0, 64);
}

static void spinning(void)
{
	unsigned int n = 0;

	spin_begin(5);
	while (!need_resched())
		n++;
	tap_is_u64(n, 5, "a spin budget lasts as long as it says");
	tap_ok(need_resched(), "and stays used up");
	cond_resched();
	tap_ok(!need_resched(), "until the task yielded");
}

static void waiting(void)
{
	uint64_t start;

	tap_is_i64(signal_pending_state(RWSEMLAB_INTERRUPTIBLE), 0,
		   "no signal");
	rwsemlab_task_signal(current_task(), RWSEMLAB_SIGNAL);
	tap_is_i64(signal_pending_state(RWSEMLAB_INTERRUPTIBLE), -EINTR,
		   "a signal ends an interruptible wait");
	tap_is_i64(signal_pending_state(RWSEMLAB_KILLABLE), 0,
		   "not a killable one");
	rwsemlab_task_signal(current_task(), RWSEMLAB_KILL);
	tap_is_i64(signal_pending_state(RWSEMLAB_KILLABLE), -EINTR,
		   "which takes a kill");
	tap_is_i64(signal_pending_state(RWSEMLAB_UNINTERRUPTIBLE), 0,
		   "and nothing ends the others");
	rwsemlab_task_clear_signals();
	schedule(RWSEMLAB_UNINTERRUPTIBLE); /* takes the signals' token */
	start = clock_ns();
	task_set_deadline(start + 5000000);
	tap_ok(schedule(RWSEMLAB_UNINTERRUPTIBLE), "a sleep to a deadline");
	tap_ok(clock_ns() - start >= 5000000, "lasts until then");
	tap_is_i64(signal_pending_state(RWSEMLAB_UNINTERRUPTIBLE), -ETIMEDOUT,
		   "and ends the wait");
	task_set_deadline(0);
}

int main(void)
{
	struct rwsemlab_machine *machine;
	raw_spinlock_t lock;

	if (rwsemlab_machine_create(4, &machine))
		tap_skip_all("no host machine here");
	rwsemlab_task_enter(machine);
	tap_ok(current_machine() == machine &&
		       smp_processor_id() < machine_nr_cpus(machine),
	       "a task of the machine");
	raw_spin_lock_init(&lock);
	raw_spin_lock(&lock);
	tap_ok(!raw_spin_trylock(&lock), "a raw spinlock excludes");
	raw_spin_unlock(&lock);
	tap_ok(raw_spin_trylock(&lock), "and is free again");
	spinning();
	waiting();
	parking(machine);
	grace_periods(machine);
	lengths(machine);
	callbacks(machine);
	callbacks_at_the_end();
	percpu(machine);
	rwsemlab_task_leave();
	rwsemlab_machine_free(machine);
	return tap_done();
}

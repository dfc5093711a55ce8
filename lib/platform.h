/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that a lock may ask of the machine it runs on, beside the C11 atomics.
 *
 * A lock file includes this and nothing of a machine's.  Which machine it is
 * compiled for is the build's choice: LOCK_MACHINE names the header with the
 * definitions.  The names are the kernel's where it has the same thing, so
 * that kernel/locking/ can be compiled against the same primitives.
 *
 * Every primitive belongs to the calling task unless it says otherwise.
 */
#ifndef LIB_PLATFORM_H
#define LIB_PLATFORM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/rwsemlab.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define noinline    __attribute__((noinline))
/* The caller's own caller: the call site of an entry point. */
#define _RET_IP_ __builtin_extract_return_addr(__builtin_return_address(0))

struct task_counters;
struct site_counters;

/*
 * Fast acquisitions of one call site, in the task itself: an acquisition's
 * counting must not wait for more than one load.
 */
struct site_fast {
	const void *site;
	const struct rwsemlab_class *class_;
	uint64_t mode;
	uint64_t fast; /* not yet in counters */
	struct site_counters *counters;
};

#define SITES_FAST 64u

/* The part of a task that locks and instrumentation use on every machine. */
struct task_common {
	/* wake-q.h: the queue that is about to wake this task; NULL: none */
	_Atomic(struct rwsemlab_task *) wake_next;
	/* instrument: when the last waker meant to wake it, clock_ns() */
	_Atomic uint64_t woken_ns;
	/* instrument: counters of this virtual CPU, its owner's alone */
	struct task_counters *counters;
	uint32_t nr_measured; /* locks held whose hold time is */
	struct site_fast fast[SITES_FAST];
};

/**
 * current_task() - the calling task
 *
 * A task's memory outlives every read section that could see it, and on the
 * host the machine.  Its address is a multiple of 64: locks keep flags below.
 */
static inline struct rwsemlab_task *current_task(void);

/**
 * task_common() - the part of @task above; any task may ask
 */
static inline struct task_common *task_common(struct rwsemlab_task *task);

/**
 * schedule() - sleep until wake_up_process(), a signal or the deadline
 * @state: which signals end the sleep
 *
 * A wake-up that came after the last return from schedule() is not lost:
 * then it returns at once.  It may return without any reason, so callers
 * loop.  Ends the spin budget in use and starts a new one.  Not inside
 * raw_spin_lock().  A read section around it is left and entered again, as by
 * the kernel's schedule_preempt_disabled().
 *
 * Return: whether the task really slept.
 */
static bool schedule(enum rwsemlab_wait state);

/**
 * wake_up_process() - make schedule() of @task return
 *
 * Any task may call it; orders everything before it before what @task does
 * after schedule().
 *
 * Return: whether @task was asleep.
 */
static inline bool wake_up_process(struct rwsemlab_task *task);

/**
 * task_on_cpu() - does @task run right now?
 *
 * On the host: it is not inside schedule(), or back from it.  What the
 * host's own scheduler does with the thread is not seen: a preempted thread
 * counts as on its CPU.
 */
static inline bool task_on_cpu(const struct rwsemlab_task *task);

/**
 * signal_pending_state() - must a wait in @state end?
 *
 * Return: 0; -EINTR for a signal that @state heeds; -ETIMEDOUT past the
 * deadline of task_set_deadline().
 */
static inline int signal_pending_state(enum rwsemlab_wait state);

/**
 * task_set_deadline() - when waits end
 * @ns: of clock_ns(); 0: never
 */
static inline void task_set_deadline(uint64_t ns);

/**
 * spin_begin() - start a spin budget
 * @budget: after how many need_resched() it ends
 */
static inline void spin_begin(uint32_t budget);

/**
 * need_resched() - should a spinner yield?
 *
 * Each call uses up one unit of the budget; without any left it stays true
 * until spin_begin() or schedule().
 */
static inline bool need_resched(void);

/**
 * cpu_relax() - the body of a spin loop
 *
 * Every spin loop must have one: it is where another task may run.
 */
static inline void cpu_relax(void);

/**
 * cond_resched() - let others run once, without sleeping
 */
static inline void cond_resched(void);

/**
 * preempt_disable() - begin a read section; they nest
 *
 * synchronize_rcu() waits for it.  Where a machine schedules by itself it
 * does not preempt the task inside.
 */
static inline void preempt_disable(void);

/**
 * preempt_enable() - end a read section
 */
static inline void preempt_enable(void);

/**
 * preempt_hold() - keep the CPU, on machines that schedule by themselves
 *
 * preempt_disable() without the read section: for fast paths, which look at
 * no other task.  Nothing at all on the host.
 */
static inline void preempt_hold(void);

/**
 * preempt_release() - the end of it
 */
static inline void preempt_release(void);

/**
 * smp_processor_id() - number of this task's CPU, from 0
 *
 * Fixed while the task is inside a read section; on the host for its life.
 */
static inline unsigned int smp_processor_id(void);

/**
 * machine_nr_cpus() - CPU numbers end below it; any task may ask
 */
static inline unsigned int machine_nr_cpus(struct rwsemlab_machine *machine);

/**
 * current_machine() - the machine of the calling task
 */
static inline struct rwsemlab_machine *current_machine(void);

/*
 * Data with one zeroed copy per CPU.  A handle fits where the kernel has a
 * __percpu pointer; 0 is none.
 */
typedef uint32_t percpu_t;

/**
 * percpu_alloc() - zeroed memory on every CPU, aligned to 64 bytes
 *
 * Any thread.  Return: a handle, or 0 where the CPUs' memory is used up.
 */
percpu_t percpu_alloc(struct rwsemlab_machine *machine, size_t size);

/**
 * percpu_free() - give it back; 0 is fine
 *
 * Nothing may use it any more.
 */
void percpu_free(struct rwsemlab_machine *machine, percpu_t handle,
		 size_t size);

/**
 * per_cpu_ptr() - the copy of one CPU; any task may ask
 */
static inline void *per_cpu_ptr(struct rwsemlab_machine *machine,
				percpu_t handle, unsigned int cpu);

/**
 * this_cpu_ptr() - the copy of this task's CPU; inside a read section
 */
static inline void *this_cpu_ptr(percpu_t handle);

/**
 * PERCPU_OSQ - the handle of every machine's optimistic spinning nodes
 *
 * 64 bytes on every CPU that are there from the start.
 */
#define PERCPU_OSQ ((percpu_t)64)

/*
 * Grace periods.  How long they take is the machine's: on the host as long as
 * those of the running kernel, milliseconds, and microseconds when expedited;
 * rwsemlab_machine_expedite() expedites all.  While a read section lasts no
 * grace period ends that began after it.
 */

/**
 * synchronize_rcu() - wait until every read section of now has ended
 *
 * A full barrier on every CPU.  Not inside a read section; any thread.
 */
void synchronize_rcu(struct rwsemlab_machine *machine);

/**
 * synchronize_rcu_expedited() - the same, as soon as possible
 */
void synchronize_rcu_expedited(struct rwsemlab_machine *machine);

/**
 * rcu_start() - make call_rcu() possible on @machine
 *
 * Whoever wants to call it asks before, where it can still fail; from then on
 * it can't.  Any thread, any number of times.  Return: 0 or -errno.
 */
int rcu_start(struct rwsemlab_machine *machine);

/**
 * call_rcu() - have @func called when a grace period from now on is over
 * @head: the caller's memory, not used again before @func was called
 *
 * It does not wait: also inside read sections and raw_spin_lock().  Any
 * thread.  Functions are called in the order of the calls, one at a time, in
 * a place of the machine's that is no task (on the host a thread of its own):
 * they have no current_task() and must not sleep; raw spinlocks,
 * wake_up_process() and call_rcu() are fine.  rwsemlab_machine_free() waits
 * for those that are pending.
 */
void call_rcu(struct rwsemlab_machine *machine, struct rwsemlab_rcu_head *head,
	      void (*func)(struct rwsemlab_rcu_head *head));

/**
 * rcu_barrier() - wait until every function of earlier call_rcu() has returned
 *
 * Functions that those called call_rcu() for are not waited for.  Not inside
 * a read section nor in such a function; any thread.
 */
void rcu_barrier(struct rwsemlab_machine *machine);

/**
 * clock_ns() - monotonic time in nanoseconds
 */
static inline uint64_t clock_ns(void);

/**
 * jiffies_ms() - the same in whole milliseconds: the jiffies of HZ=1000
 */
static inline uint64_t jiffies_ms(void);

/*
 * raw_spinlock_t is the machine's: a lock for a few instructions, without
 * sleeping inside.  Zeroed memory is an unlocked one.
 */
#ifndef LOCK_MACHINE
#define LOCK_MACHINE "lib/machines/host.h"
#endif
#include LOCK_MACHINE

static inline void raw_spin_lock_init(raw_spinlock_t *lock);
static inline void raw_spin_lock(raw_spinlock_t *lock);
static inline void raw_spin_unlock(raw_spinlock_t *lock);

/**
 * raw_spin_trylock() - Return: whether it was taken
 */
static inline bool raw_spin_trylock(raw_spinlock_t *lock);

#endif

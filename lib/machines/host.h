/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host machine: a task is a thread of this computer, one thread stands
 * for one CPU, sleeping is a futex.  Included by platform.h alone.
 */
#ifndef LIB_MACHINES_HOST_H
#define LIB_MACHINES_HOST_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

/* Bytes of per-CPU data; pages that nobody touches cost nothing. */
#define HOST_PERCPU_SIZE (256u << 10)
/* Default spin budget, and how many cpu_relax() before the CPU is shared. */
#define HOST_SPIN_BUDGET 3000u
#define HOST_RELAX_YIELD 1024u

enum host_task_state {
	HOST_RUNNING,
	HOST_PARKED,
	HOST_TOKEN, /* woken: the next schedule() returns at once */
};

/*
 * What a read section changes; the low half is its depth, the high half
 * counts the outermost sections that ended, so that a grace period sees an
 * end even where the next section has begun.
 */
#define HOST_GP_DEPTH 0xffffffffu
#define HOST_GP_ENDED ((uint64_t)HOST_GP_DEPTH + 1)

struct rwsemlab_task {
	_Alignas(64) _Atomic uint64_t read_section;
	unsigned char *percpu; /* this CPU's data */
	uint32_t spin_left;
	uint32_t relaxed;
	unsigned int cpu;
	atomic_uint state; /* enum host_task_state: the futex */
	atomic_bool on_cpu;
	atomic_uint signals;
	uint64_t deadline;
	struct rwsemlab_machine *machine;
	struct task_common common;
	bool used; /* under machine->lock */
};

/* Callbacks wait in a stack, for one thread; events is its futex. */
struct host_rcu {
	_Atomic(struct rwsemlab_rcu_head *) pending;
	atomic_uint events;
	atomic_bool stop;
	bool global; /* the kernel lets us wait for its own grace periods */
	bool expedite;
	bool started; /* the thread; under machine->lock */
	pthread_t thread;
};

struct rwsemlab_machine {
	unsigned int nr_cpus;
	unsigned char *percpu; /* HOST_PERCPU_SIZE for each CPU */
	struct rwsemlab_task *tasks; /* one for each CPU */
	pthread_mutex_t lock; /* tasks' use, the fields below */
	uint64_t percpu_used[HOST_PERCPU_SIZE / 64 / 64]; /* bit: 64 bytes */
	rwsemlab_report_fn report;
	void *report_arg;
	struct host_rcu rcu;
};

extern __thread struct rwsemlab_task *host_current
	__attribute__((tls_model("initial-exec")));

/* -ENOSYS: this kernel has no grace periods for us. */
int host_rcu_init(struct rwsemlab_machine *machine);
/* What is pending is done before. */
void host_rcu_end(struct rwsemlab_machine *machine);

/* A system call whose caller is seen in stacks; errors as -errno. */
long host_syscall(long number, long a, long b, long c, long d, long e, long f);
/* Sleep on @word while it is @value; wakes one.  Errors as futex(2). */
int host_futex_wait(atomic_uint *word, unsigned int value, uint64_t deadline);
void host_futex_wake(atomic_uint *word);

static inline struct rwsemlab_task *current_task(void)
{
	return host_current;
}

static inline struct rwsemlab_machine *current_machine(void)
{
	return host_current->machine;
}

static inline struct task_common *task_common(struct rwsemlab_task *task)
{
	return &task->common;
}

static inline bool task_on_cpu(const struct rwsemlab_task *task)
{
	return atomic_load_explicit(&task->on_cpu, memory_order_relaxed);
}

static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline uint64_t jiffies_ms(void)
{
	return clock_ns() / 1000000u;
}

static inline void spin_begin(uint32_t budget)
{
	host_current->spin_left = budget;
}

static inline bool need_resched(void)
{
	if (!host_current->spin_left)
		return true;
	host_current->spin_left--;
	return false;
}

static inline void host_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

static inline void cond_resched(void)
{
	struct rwsemlab_task *task = host_current;

	task->relaxed = 0;
	task->spin_left = HOST_SPIN_BUDGET;
	sched_yield();
}

static inline void cpu_relax(void)
{
	struct rwsemlab_task *task = host_current;

	host_pause();
	if (++task->relaxed < HOST_RELAX_YIELD)
		return;
	task->relaxed = 0;
	sched_yield();
}

/* Only the owner writes the word, so no locked instruction. */
static inline void preempt_disable(void)
{
	_Atomic uint64_t *word = &host_current->read_section;

	atomic_store_explicit(
		word, atomic_load_explicit(word, memory_order_relaxed) + 1,
		memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void preempt_enable(void)
{
	_Atomic uint64_t *word = &host_current->read_section;
	uint64_t value = atomic_load_explicit(word, memory_order_relaxed) - 1;

	if (likely(!(value & HOST_GP_DEPTH)))
		value += HOST_GP_ENDED;
	atomic_store_explicit(word, value, memory_order_release);
}

static inline void preempt_hold(void)
{
}

static inline void preempt_release(void)
{
}

static inline unsigned int smp_processor_id(void)
{
	return host_current->cpu;
}

static inline unsigned int machine_nr_cpus(struct rwsemlab_machine *machine)
{
	return machine->nr_cpus;
}

static inline void *per_cpu_ptr(struct rwsemlab_machine *machine,
				percpu_t handle, unsigned int cpu)
{
	return machine->percpu + (size_t)cpu * HOST_PERCPU_SIZE + handle;
}

static inline void *this_cpu_ptr(percpu_t handle)
{
	return host_current->percpu + handle;
}

static inline void task_set_deadline(uint64_t ns)
{
	host_current->deadline = ns;
}

static inline int signal_pending_state(enum rwsemlab_wait state)
{
	struct rwsemlab_task *task = host_current;
	unsigned int signals = atomic_load(&task->signals);

	if (state == RWSEMLAB_INTERRUPTIBLE && signals)
		return -EINTR;
	if (state == RWSEMLAB_KILLABLE && (signals & RWSEMLAB_KILL))
		return -EINTR;
	if (unlikely(task->deadline) && clock_ns() >= task->deadline)
		return -ETIMEDOUT;
	return 0;
}

static inline bool wake_up_process(struct rwsemlab_task *task)
{
	if (atomic_exchange(&task->state, HOST_TOKEN) != HOST_PARKED)
		return false;
	host_futex_wake(&task->state);
	return true;
}

static noinline bool host_sleep(struct rwsemlab_task *task)
{
	unsigned int parked = HOST_PARKED;

	atomic_store_explicit(&task->on_cpu, false, memory_order_relaxed);
	while (atomic_load(&task->state) == HOST_PARKED) {
		if (host_futex_wait(&task->state, HOST_PARKED,
				    task->deadline) != -ETIMEDOUT)
			continue;
		atomic_compare_exchange_strong(&task->state, &parked,
					       HOST_RUNNING);
		break;
	}
	atomic_store_explicit(&task->on_cpu, true, memory_order_relaxed);
	return true;
}

/* A task that sleeps is in no read section.  Return: what to give back. */
static inline uint64_t host_leave_sections(struct rwsemlab_task *task)
{
	uint64_t value =
		atomic_load_explicit(&task->read_section, memory_order_relaxed);
	uint64_t depth = value & HOST_GP_DEPTH;

	if (depth)
		atomic_store_explicit(&task->read_section,
				      value - depth + HOST_GP_ENDED,
				      memory_order_release);
	return depth;
}

static inline void host_enter_sections(struct rwsemlab_task *task,
				       uint64_t depth)
{
	uint64_t value =
		atomic_load_explicit(&task->read_section, memory_order_relaxed);

	atomic_store_explicit(&task->read_section, value + depth,
			      memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

/* Static and not inline: a user stack reads ... schedule <- slow path. */
__attribute__((unused)) static noinline bool schedule(enum rwsemlab_wait state)
{
	struct rwsemlab_task *task = host_current;
	unsigned int running = HOST_RUNNING;
	bool slept = false;
	uint64_t depth;

	(void)state; /* a signal wakes the task in any; the caller checks */
	depth = host_leave_sections(task);
	task->relaxed = 0;
	task->spin_left = HOST_SPIN_BUDGET;
	if (atomic_compare_exchange_strong(&task->state, &running, HOST_PARKED))
		slept = host_sleep(task);
	/* Reads the token too, so that what its waker wrote is seen. */
	atomic_exchange(&task->state, HOST_RUNNING);
	host_enter_sections(task, depth);
	return slept;
}

typedef struct {
	atomic_uint locked;
} raw_spinlock_t;

static inline void raw_spin_lock_init(raw_spinlock_t *lock)
{
	atomic_init(&lock->locked, 0);
}

static inline bool raw_spin_trylock(raw_spinlock_t *lock)
{
	return !atomic_exchange_explicit(&lock->locked, 1,
					 memory_order_acquire);
}

static inline void raw_spin_lock(raw_spinlock_t *lock)
{
	unsigned int tries = 0;

	while (!raw_spin_trylock(lock)) {
		while (atomic_load_explicit(&lock->locked,
					    memory_order_relaxed)) {
			host_pause();
			/* Its holder may have been preempted. */
			if (++tries % 64 == 0)
				sched_yield();
		}
	}
}

static inline void raw_spin_unlock(raw_spinlock_t *lock)
{
	atomic_store_explicit(&lock->locked, 0, memory_order_release);
}

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "lib/platform.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/instrument/counters.h"

#define MAX_CPUS 4096u

__thread struct rwsemlab_task *host_current
	__attribute__((tls_model("initial-exec")));

/*
 * Not through libc's syscall(): it keeps no frame pointer, and the frame
 * above it would be missing from recorded stacks.
 */
long host_syscall(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__) && defined(__LP64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#else
	long ret = syscall(number, a, b, c, d, e, f);

	return ret < 0 ? -errno : ret;
#endif
}

static long futex(atomic_uint *word, int op, unsigned int value,
		  const struct timespec *deadline)
{
	return host_syscall(SYS_futex, (long)word, op, (long)value,
			    (long)deadline, 0, (long)FUTEX_BITSET_MATCH_ANY);
}

int host_futex_wait(atomic_uint *word, unsigned int value, uint64_t deadline)
{
	struct timespec ts = {
		.tv_sec = (time_t)(deadline / 1000000000u),
		.tv_nsec = (long)(deadline % 1000000000u),
	};

	return (int)futex(word, FUTEX_WAIT_BITSET_PRIVATE, value,
			  deadline ? &ts : NULL);
}

void host_futex_wake(atomic_uint *word)
{
	futex(word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

int rwsemlab_machine_create(unsigned int cpus,
			    struct rwsemlab_machine **machine)
{
	struct rwsemlab_machine *new;
	size_t size = (size_t)cpus * HOST_PERCPU_SIZE;

	if (!cpus || cpus > MAX_CPUS)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	if (host_rcu_init(new)) {
		free(new);
		return -ENOSYS;
	}
	new->tasks = aligned_alloc(64, cpus * sizeof(*new->tasks));
	new->percpu = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!new->tasks || new->percpu == MAP_FAILED) {
		if (new->percpu != MAP_FAILED)
			munmap(new->percpu, size);
		free(new->tasks);
		free(new);
		return -ENOMEM;
	}
	memset(new->tasks, 0, cpus * sizeof(*new->tasks));
	pthread_mutex_init(&new->lock, NULL);
	new->nr_cpus = cpus;
	new->percpu_used[0] = 3; /* 0 is no handle, 64 is PERCPU_OSQ */
	*machine = new;
	return 0;
}

void rwsemlab_machine_free(struct rwsemlab_machine *machine)
{
	unsigned int i;

	if (!machine)
		return;
	host_rcu_end(machine);
	for (i = 0; i < machine->nr_cpus; i++)
		task_counters_free(&machine->tasks[i].common);
	munmap(machine->percpu, (size_t)machine->nr_cpus * HOST_PERCPU_SIZE);
	pthread_mutex_destroy(&machine->lock);
	free(machine->tasks);
	free(machine);
}

void rwsemlab_machine_on_report(struct rwsemlab_machine *machine,
				rwsemlab_report_fn fn, void *arg)
{
	machine->report = fn;
	machine->report_arg = arg;
}

void machine_report(struct rwsemlab_machine *machine,
		    const struct rwsemlab_report *report)
{
	if (machine->report)
		machine->report(report, machine->report_arg);
}

void machine_for_each_counters(struct rwsemlab_machine *machine,
			       void (*fn)(struct task_common *, void *),
			       void *arg)
{
	unsigned int i;

	pthread_mutex_lock(&machine->lock);
	for (i = 0; i < machine->nr_cpus; i++)
		if (machine->tasks[i].common.counters)
			fn(&machine->tasks[i].common, arg);
	pthread_mutex_unlock(&machine->lock);
}

static int task_claim(struct rwsemlab_machine *machine, unsigned int *cpu)
{
	for (*cpu = 0; *cpu < machine->nr_cpus; ++*cpu) {
		struct rwsemlab_task *task = &machine->tasks[*cpu];

		if (task->used)
			continue;
		if (!task->common.counters)
			task->common.counters = task_counters_new();
		if (!task->common.counters)
			return -ENOMEM;
		task->used = true;
		return 0;
	}
	return -EAGAIN;
}

int rwsemlab_task_enter(struct rwsemlab_machine *machine)
{
	struct rwsemlab_task *task;
	unsigned int cpu;
	int ret;

	if (host_current)
		return -EBUSY;
	pthread_mutex_lock(&machine->lock);
	ret = task_claim(machine, &cpu);
	pthread_mutex_unlock(&machine->lock);
	if (ret)
		return ret;
	task = &machine->tasks[cpu];
	task->cpu = cpu;
	task->machine = machine;
	task->percpu = per_cpu_ptr(machine, 0, cpu);
	task->spin_left = HOST_SPIN_BUDGET;
	task->deadline = 0;
	atomic_store(&task->signals, 0);
	atomic_store(&task->on_cpu, true);
	host_current = task;
	return 0;
}

void rwsemlab_task_leave(void)
{
	struct rwsemlab_task *task = host_current;

	if (!task)
		return;
	atomic_store(&task->on_cpu, false);
	host_current = NULL;
	pthread_mutex_lock(&task->machine->lock);
	task->used = false;
	pthread_mutex_unlock(&task->machine->lock);
}

struct rwsemlab_task *rwsemlab_task_current(void)
{
	return host_current;
}

void rwsemlab_task_signal(struct rwsemlab_task *task,
			  enum rwsemlab_signal signal)
{
	atomic_fetch_or(&task->signals, (unsigned int)signal);
	wake_up_process(task);
}

void rwsemlab_task_clear_signals(void)
{
	atomic_store(&host_current->signals, 0);
}

static bool percpu_fits(const struct rwsemlab_machine *machine,
			unsigned int first, unsigned int nr)
{
	unsigned int i;

	for (i = first; i < first + nr; i++)
		if (machine->percpu_used[i / 64] & (1ull << i % 64))
			return false;
	return true;
}

percpu_t percpu_alloc(struct rwsemlab_machine *machine, size_t size)
{
	unsigned int nr = (unsigned int)((size + 63) / 64);
	unsigned int first, i, cpu;
	percpu_t handle = 0;

	if (!nr || size > HOST_PERCPU_SIZE)
		return 0;
	pthread_mutex_lock(&machine->lock);
	for (first = 0; first + nr <= HOST_PERCPU_SIZE / 64; first++) {
		if (!percpu_fits(machine, first, nr))
			continue;
		for (i = first; i < first + nr; i++)
			machine->percpu_used[i / 64] |= 1ull << i % 64;
		handle = first * 64;
		break;
	}
	pthread_mutex_unlock(&machine->lock);
	for (cpu = 0; handle && cpu < machine->nr_cpus; cpu++)
		memset(per_cpu_ptr(machine, handle, cpu), 0, nr * 64);
	return handle;
}

void percpu_free(struct rwsemlab_machine *machine, percpu_t handle, size_t size)
{
	unsigned int first = handle / 64;
	unsigned int i;

	if (!handle)
		return;
	pthread_mutex_lock(&machine->lock);
	for (i = first; i < first + (size + 63) / 64; i++)
		machine->percpu_used[i / 64] &= ~(1ull << i % 64);
	pthread_mutex_unlock(&machine->lock);
}

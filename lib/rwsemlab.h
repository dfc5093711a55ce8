/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * librwsemlab: the public contract.
 *
 * The library never prints, exits, reads a file or keeps global state (but a
 * pointer of each thread to the task it is).
 * Functions that can fail return 0 or a negative errno value.
 */
#ifndef RWSEMLAB_H
#define RWSEMLAB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * rwsemlab_version() - the library's version
 *
 * Return: a constant string, "MAJOR.MINOR.PATCH".  Safe from any thread.
 */
const char *rwsemlab_version(void);

/*
 * A log-linear histogram of 64-bit values: below 64 every value has its own
 * bucket, above that every power of two is cut into 32 equal buckets, so a
 * quantile is off by at most 1/32 (3.2 %) of its value.  Count, sum, minimum
 * and maximum are exact.  Memory follows the range of values seen.
 *
 * The idea is that of HdrHistogram.  Zero-initialise before the first use.
 * No function locks: a histogram belongs to one thread at a time.
 */
struct rwsemlab_histogram {
	uint64_t count;
	uint64_t sum; /* wraps at 2^64; 584 years of nanoseconds */
	uint64_t min; /* meaningful while count is not 0 */
	uint64_t max;
	uint32_t first; /* number of the bucket at bucket[0] */
	uint32_t nr; /* buckets held */
	uint64_t *bucket;
};

/**
 * rwsemlab_histogram_add() - count one value
 *
 * Return: 0, or -ENOMEM with the histogram unchanged.
 */
int rwsemlab_histogram_add(struct rwsemlab_histogram *h, uint64_t value);

/**
 * rwsemlab_histogram_merge() - add every value of @from to @to
 *
 * Return: 0, or -ENOMEM with @to unchanged.
 */
int rwsemlab_histogram_merge(struct rwsemlab_histogram *to,
			     const struct rwsemlab_histogram *from);

/**
 * rwsemlab_histogram_quantile() - the value below which a share of all lie
 * @q: share, 0 to 1; 0.5 is the median
 *
 * The nearest-rank definition: the smallest bucket that at least
 * ceil(@q * count) values lie in or below.
 *
 * Return: that bucket's largest value, cut to [min, max]; 0 when empty.
 */
uint64_t rwsemlab_histogram_quantile(const struct rwsemlab_histogram *h,
				     double q);

/**
 * rwsemlab_histogram_bucket_low() - smallest value of bucket number @bucket
 */
uint64_t rwsemlab_histogram_bucket_low(uint32_t bucket);

/**
 * rwsemlab_histogram_free() - release the buckets and zero the histogram
 */
void rwsemlab_histogram_free(struct rwsemlab_histogram *h);

/*
 * Machines and tasks.  A machine is where locks run; here it is the host,
 * whose tasks are threads.  A thread must be a task of the lock's machine
 * before it touches a lock, and is a task of one machine at a time.
 */
struct rwsemlab_machine;
struct rwsemlab_task;

/**
 * rwsemlab_machine_create() - a machine on this computer's threads
 * @cpus:    how many tasks can be there at once, 1 to 4096
 * @machine: where it goes
 *
 * Return: 0; -EINVAL; -ENOMEM; -ENOSYS: the kernel has no private expedited
 * membarrier(2) (4.14), which grace periods need.
 */
int rwsemlab_machine_create(unsigned int cpus,
			    struct rwsemlab_machine **machine);

/**
 * rwsemlab_machine_free() - NULL is fine
 *
 * No task, class or lock of it may be left.
 */
void rwsemlab_machine_free(struct rwsemlab_machine *machine);

/*
 * Grace periods, as RCU has them.  What is taken out of sight and freed after
 * one is safe to use inside the read sections of the machine's tasks; the
 * locks' own use them too.  On the host one takes as long as one of the
 * running kernel: milliseconds.
 */
struct rwsemlab_rcu_head {
	struct rwsemlab_rcu_head *next;
	void (*func)(struct rwsemlab_rcu_head *head);
};

/**
 * rwsemlab_machine_expedite() - all grace periods as soon as possible
 *
 * As the kernel's rcu_expedited=1, but callbacks come sooner too; on the host
 * microseconds.  Before the first one.
 */
void rwsemlab_machine_expedite(struct rwsemlab_machine *machine);

/**
 * rwsemlab_rcu_read_lock() - begin a read section of the calling task
 *
 * They nest.  A task that sleeps for a lock inside one leaves it meanwhile.
 */
void rwsemlab_rcu_read_lock(void);

/**
 * rwsemlab_rcu_read_unlock() - end one
 */
void rwsemlab_rcu_read_unlock(void);

/**
 * rwsemlab_synchronize_rcu() - wait until every read section of now has ended
 *
 * Not inside one; any thread.
 */
void rwsemlab_synchronize_rcu(struct rwsemlab_machine *machine);

/**
 * rwsemlab_rcu_start() - make rwsemlab_call_rcu() possible
 *
 * Any thread, any number of times.  Return: 0 or -errno: no thread to be had.
 */
int rwsemlab_rcu_start(struct rwsemlab_machine *machine);

/**
 * rwsemlab_call_rcu() - have @func called after a grace period
 * @head: the caller's memory, not used again before
 *
 * Only after rwsemlab_rcu_start(); any thread.  It does not wait.  Functions
 * are called one after the other, in a thread that is no task: they must not
 * use locks of the machine nor wait for long, since others wait behind them.
 * rwsemlab_machine_free() waits for those that are pending.
 */
void rwsemlab_call_rcu(struct rwsemlab_machine *machine,
		       struct rwsemlab_rcu_head *head,
		       void (*func)(struct rwsemlab_rcu_head *head));

/**
 * rwsemlab_rcu_barrier() - wait until the functions called for until now have
 * returned
 *
 * Not inside a read section nor in such a function; any thread.
 */
void rwsemlab_rcu_barrier(struct rwsemlab_machine *machine);

/* What the checked build found wrong. */
struct rwsemlab_report {
	const char *what; /* "up_write of a lock that the task does not hold" */
	const char *class_name;
	const char *lock_name; /* of the spec: "rwsem@6.3" */
	const void *lock;
	const void *site; /* return address of the call at fault */
	const char *function; /* that holds @site; NULL: not known */
};
typedef void (*rwsemlab_report_fn)(const struct rwsemlab_report *report,
				   void *arg);

/**
 * rwsemlab_machine_on_report() - who hears of what the checked build finds
 *
 * @fn is called by the task at fault, may be called by several at once, and
 * must not use locks of the machine.  Set it before the first task enters.
 */
void rwsemlab_machine_on_report(struct rwsemlab_machine *machine,
				rwsemlab_report_fn fn, void *arg);

/**
 * rwsemlab_task_enter() - the calling thread becomes a task
 *
 * Return: 0; -EBUSY: it is one already; -EAGAIN: all CPUs are taken;
 * -ENOMEM.
 */
int rwsemlab_task_enter(struct rwsemlab_machine *machine);

/**
 * rwsemlab_task_leave() - and stops being one; it must hold no lock
 */
void rwsemlab_task_leave(void);

/**
 * rwsemlab_task_current() - the calling thread's task
 *
 * Return: the task, NULL where it is none.  The pointer stays valid for
 * rwsemlab_task_signal() as long as the machine is there.
 */
struct rwsemlab_task *rwsemlab_task_current(void);

enum rwsemlab_signal {
	RWSEMLAB_SIGNAL = 1, /* ends interruptible waits */
	RWSEMLAB_KILL = 2, /* ends interruptible and killable waits */
};

/**
 * rwsemlab_task_signal() - send one; any thread may
 *
 * It stays pending, and ends every such wait, until
 * rwsemlab_task_clear_signals().
 */
void rwsemlab_task_signal(struct rwsemlab_task *task,
			  enum rwsemlab_signal signal);

/**
 * rwsemlab_task_clear_signals() - the calling task's
 */
void rwsemlab_task_clear_signals(void);

/*
 * Variants and specs: which lock.
 */

/* What the locks of a variant can do. */
enum rwsemlab_ability {
	RWSEMLAB_SHARES = 1, /* several readers at once */
	RWSEMLAB_DOWNGRADES = 2,
	RWSEMLAB_CANCELS = 4, /* killable and interruptible waits */
	RWSEMLAB_TIMES_OUT = 8,
	RWSEMLAB_COUNTS = 16, /* has a counted build with all events */
	/* Nothing else than waiting in vain bounds a writer's wait. */
	RWSEMLAB_READERS_STARVE_WRITERS = 32,
	RWSEMLAB_WRITERS_STARVE = 64, /* queued tasks, by stealing writers */
	/* Readers count per CPU; the events of that are counted. */
	RWSEMLAB_PERCPU = 128,
	/* A lock is one thread group's: have one for each. */
	RWSEMLAB_GROUPS = 256,
};

struct rwsemlab_variant {
	const char *family;
	const char *version; /* "" for the peers, which have none */
	const char *summary; /* one line */
	const char *keys; /* that a spec may set, each ends in a space */
	unsigned int abilities;
	const char *missing; /* why it can't run here; NULL: it can */
};

/**
 * rwsemlab_variant_at() - the lock variants in the order of locks.def
 *
 * Return: number @i, NULL past the last.  Constant; safe from any thread.
 */
const struct rwsemlab_variant *rwsemlab_variant_at(size_t i);

struct rwsemlab_spec;

/**
 * rwsemlab_spec_parse() - "family@version:key=value,..." to a spec
 * @text: without "@version" the family's newest
 * @spec: where it goes; free with rwsemlab_spec_free()
 * @why:  on -EINVAL what is wrong, one line that lists what exists
 * @size: of @why, 512 are enough
 *
 * Return: 0; -EINVAL; -ENOSYS: this build lacks the lock, @why says what is
 * missing; -ENOMEM.
 */
int rwsemlab_spec_parse(const char *text, struct rwsemlab_spec **spec,
			char *why, size_t size);

/**
 * rwsemlab_spec_free() - NULL is fine
 */
void rwsemlab_spec_free(struct rwsemlab_spec *spec);

/**
 * rwsemlab_spec_name() - in its full form: version given, keys in order
 */
const char *rwsemlab_spec_name(const struct rwsemlab_spec *spec);

/**
 * rwsemlab_spec_departs() - what the version never had
 *
 * Return: e.g. "spin=osq (was spin=none)"; "" for a lock of history.
 */
const char *rwsemlab_spec_departs(const struct rwsemlab_spec *spec);

/**
 * rwsemlab_spec_variant() - what it is a spec of
 */
const struct rwsemlab_variant *
rwsemlab_spec_variant(const struct rwsemlab_spec *spec);

/*
 * Classes and locks.  A class is all locks of one purpose: one spec, one
 * build, one set of counters.
 */
enum rwsemlab_build {
	RWSEMLAB_BARE, /* no instrumentation at all */
	RWSEMLAB_COUNTED, /* counts events, by call site */
	RWSEMLAB_CHECKED, /* counted, and finds misuse */
};

struct rwsemlab_class;
struct rwsemlab_lock;

/**
 * rwsemlab_class_create() - a class on a machine
 * @name:  for people; copied
 * @build: of the locks; without RWSEMLAB_COUNTS a lock counts whole operations
 *         alone
 * @class_: where it goes; free with rwsemlab_class_free()
 *
 * The spec is copied.  Return: 0 or -errno.
 */
int rwsemlab_class_create(struct rwsemlab_machine *machine,
			  const struct rwsemlab_spec *spec, const char *name,
			  enum rwsemlab_build build,
			  struct rwsemlab_class **class_);

/**
 * rwsemlab_class_free() - NULL is fine; no lock of it may be left
 */
void rwsemlab_class_free(struct rwsemlab_class *class_);

/**
 * rwsemlab_class_global() - the lock that readers of all groups take too
 *
 * Where the variant has RWSEMLAB_GROUPS, a lock of the class is the lock of
 * one thread group.  Its readers may have to take one lock of all groups as
 * well, by the spec's global=: taken for writing, it keeps out the readers of
 * every group; groups' writers don't take it.  It is a lock with a class of
 * its own, and so with counters of its own.
 *
 * Return: the lock, which belongs to the class; NULL: there is none.
 */
struct rwsemlab_lock *rwsemlab_class_global(struct rwsemlab_class *class_);

/* How a wait can end before the lock is taken. */
enum rwsemlab_wait {
	RWSEMLAB_UNINTERRUPTIBLE,
	RWSEMLAB_KILLABLE,
	RWSEMLAB_INTERRUPTIBLE,
};

/* A lock's operations; call them through the functions below. */
struct rwsemlab_ops {
	void (*down_read)(struct rwsemlab_lock *lock);
	void (*down_write)(struct rwsemlab_lock *lock);
	int (*down_read_killable)(struct rwsemlab_lock *lock,
				  enum rwsemlab_wait wait, uint64_t ns);
	int (*down_write_killable)(struct rwsemlab_lock *lock,
				   enum rwsemlab_wait wait, uint64_t ns);
	int (*down_read_trylock)(struct rwsemlab_lock *lock);
	int (*down_write_trylock)(struct rwsemlab_lock *lock);
	void (*up_read)(struct rwsemlab_lock *lock);
	void (*up_write)(struct rwsemlab_lock *lock);
	void (*downgrade_write)(struct rwsemlab_lock *lock);
	int (*init)(struct rwsemlab_lock *lock);
	void (*destroy)(struct rwsemlab_lock *lock);
	const char *(*at_rest)(struct rwsemlab_lock *lock);
};

/* A lock.  It is initialised in place and must not move. */
struct rwsemlab_lock {
	const struct rwsemlab_ops *ops;
	struct rwsemlab_class *class_;
	uint64_t state[20]; /* the family's */
	uint64_t handoff_ns; /* this and the rest: instrumentation's */
	uint32_t waiting;
	uint32_t passed_over;
} __attribute__((aligned(64)));

/**
 * rwsemlab_lock_init() - make @lock a free lock of @class_
 *
 * Return: 0 or -errno: no memory, or no thread for grace periods.
 */
int rwsemlab_lock_init(struct rwsemlab_lock *lock,
		       struct rwsemlab_class *class_);

/**
 * rwsemlab_lock_destroy() - nobody may hold it, wait for it or come to it
 *
 * Waits for the grace period that a percpu-rwsem's last writer left behind.
 * The checked build reports a held one.
 */
void rwsemlab_lock_destroy(struct rwsemlab_lock *lock);

/**
 * rwsemlab_lock_at_rest() - is a lock that nobody uses as it was at first?
 *
 * No task may use it meanwhile.  Return: NULL, or what is wrong with its
 * count, owner or queue: a constant text.
 */
const char *rwsemlab_lock_at_rest(struct rwsemlab_lock *lock);

/*
 * The operations are the kernel's.  All belong to a task of the class's
 * machine.  down_* sleep until they have the lock and order what follows
 * after the release before; a task must not take a lock that it holds.
 */

/**
 * rwsemlab_down_read() - take for reading (a mutex: exclusively)
 */
static inline void rwsemlab_down_read(struct rwsemlab_lock *lock)
{
	lock->ops->down_read(lock);
}

/**
 * rwsemlab_down_write() - take for writing
 */
static inline void rwsemlab_down_write(struct rwsemlab_lock *lock)
{
	lock->ops->down_write(lock);
}

/**
 * rwsemlab_down_read_wait() - down_read_killable(), _interruptible(), timed
 * @wait: which signals end the wait
 * @ns:   and after how long it ends; 0: never
 *
 * Return: 0 with the lock taken; -EINTR for a signal, -ETIMEDOUT,
 * -EOPNOTSUPP: the variant cannot (see its abilities).
 */
static inline int rwsemlab_down_read_wait(struct rwsemlab_lock *lock,
					  enum rwsemlab_wait wait, uint64_t ns)
{
	return lock->ops->down_read_killable(lock, wait, ns);
}

/**
 * rwsemlab_down_write_wait() - the same for writing
 */
static inline int rwsemlab_down_write_wait(struct rwsemlab_lock *lock,
					   enum rwsemlab_wait wait, uint64_t ns)
{
	return lock->ops->down_write_killable(lock, wait, ns);
}

/**
 * rwsemlab_down_read_trylock() - Return: 1 with the lock taken, else 0
 */
static inline int rwsemlab_down_read_trylock(struct rwsemlab_lock *lock)
{
	return lock->ops->down_read_trylock(lock);
}

/**
 * rwsemlab_down_write_trylock() - Return: 1 with the lock taken, else 0
 *
 * With RWSEMLAB_PERCPU also 0 where a grace period would have to be waited
 * for first.
 */
static inline int rwsemlab_down_write_trylock(struct rwsemlab_lock *lock)
{
	return lock->ops->down_write_trylock(lock);
}

/**
 * rwsemlab_up_read() - release what this task took for reading
 */
static inline void rwsemlab_up_read(struct rwsemlab_lock *lock)
{
	lock->ops->up_read(lock);
}

/**
 * rwsemlab_up_write() - release what this task took for writing
 */
static inline void rwsemlab_up_write(struct rwsemlab_lock *lock)
{
	lock->ops->up_write(lock);
}

/**
 * rwsemlab_downgrade_write() - from held for writing to held for reading
 *
 * Only with RWSEMLAB_DOWNGRADES.  A mutex stays exclusive.
 */
static inline void rwsemlab_downgrade_write(struct rwsemlab_lock *lock)
{
	lock->ops->downgrade_write(lock);
}

/*
 * Counters.
 */
enum rwsemlab_event {
	RWSEMLAB_FAST, /* taken on the fast path */
	RWSEMLAB_SLOW, /* came to the slow path */
	RWSEMLAB_STOLEN, /* taken although others were waiting before */
	RWSEMLAB_PASSED_OVER, /* how many waiters those passed over, in sum */
	RWSEMLAB_SPUN_GOT, /* optimistic spinning: had it */
	RWSEMLAB_SPIN_OFF_CPU, /* gave up: the owner does not run */
	RWSEMLAB_SPIN_OWNER_CHANGED, /* another writer came, or readers */
	RWSEMLAB_SPIN_YIELD, /* should yield: the spin budget is used up */
	RWSEMLAB_SPIN_READERS_TIMEOUT, /* readers held it for too long */
	RWSEMLAB_SPIN_NOT_TRIED, /* NONSPINNABLE, or readers may hold it */
	RWSEMLAB_SLEPT_0, /* slow acquisitions by how often they slept */
	RWSEMLAB_SLEPT_1,
	RWSEMLAB_SLEPT_2,
	RWSEMLAB_SLEPT_3, /* or more */
	RWSEMLAB_SLEEPS, /* in sum, the failed ones' too */
	RWSEMLAB_BLOCKED_BY_READERS, /* who held it, seen on the slow path */
	RWSEMLAB_BLOCKED_BY_WRITER,
	RWSEMLAB_HANDOFF_SET,
	RWSEMLAB_HANDOFF_TAKEN,
	RWSEMLAB_WAKEUPS, /* sent to tasks; counted where it was released */
	RWSEMLAB_TRY_FAILED, /* trylocks; those that succeed count as FAST */
	RWSEMLAB_CANCELLED, /* waits ended by signal or timeout */
	/* RWSEMLAB_PERCPU: reads that only counted, on this CPU, ... */
	RWSEMLAB_READER_FAST_PATH,
	RWSEMLAB_READER_SLOW_PATH, /* and those that had to look at writers */
	RWSEMLAB_GRACE_PERIODS, /* waits for one, in acquisitions or releases */
	RWSEMLAB_NR_EVENTS,
};

enum rwsemlab_time {
	RWSEMLAB_WAIT_NS, /* every slow acquisition, entry to lock */
	/* 1 of 256 fast and every slow acquisition, to the release */
	RWSEMLAB_HOLD_NS,
	RWSEMLAB_WAKE_TO_RUN_NS, /* wake-up sent to back on the CPU */
	RWSEMLAB_HANDOFF_NS, /* handoff set to taken */
	RWSEMLAB_OVERTAKEN, /* each waiter: others' steals meanwhile, a count */
	RWSEMLAB_GRACE_PERIOD_NS, /* each wait for a grace period */
	RWSEMLAB_DRAIN_NS, /* a writer's wait for the readers inside */
	RWSEMLAB_NR_TIMES,
};

enum rwsemlab_mode {
	RWSEMLAB_READ,
	RWSEMLAB_WRITE,
};

/* Counters of one call site and mode of a class. */
struct rwsemlab_counts {
	const void *site; /* return address into the caller */
	enum rwsemlab_mode mode;
	uint64_t event[RWSEMLAB_NR_EVENTS];
	struct rwsemlab_histogram time[RWSEMLAB_NR_TIMES];
};

/**
 * rwsemlab_event_name() - "fast", "spin_off_cpu", ...; NULL past the last
 */
const char *rwsemlab_event_name(enum rwsemlab_event event);

/**
 * rwsemlab_time_name() - "wait_ns", ...; NULL past the last
 */
const char *rwsemlab_time_name(enum rwsemlab_time time);

/**
 * rwsemlab_class_counts() - the counters of all tasks, merged
 * @counts: new array; free with rwsemlab_counts_free().  Number 0 is the
 *          sum, with site NULL and mode RWSEMLAB_WRITE; number 1 the sum of
 *          readers; the sites follow, most slow acquisitions first.
 * @nr:     its length, at least 2
 *
 * No task may use a lock of the class meanwhile, nor have used it without
 * something that orders it before.  Return: 0 or -ENOMEM.
 */
int rwsemlab_class_counts(struct rwsemlab_class *class_,
			  struct rwsemlab_counts **counts, size_t *nr);

/**
 * rwsemlab_counts_free() - NULL is fine
 */
void rwsemlab_counts_free(struct rwsemlab_counts *counts, size_t nr);

/**
 * rwsemlab_class_errors() - how often the checked build reported; any thread
 */
uint64_t rwsemlab_class_errors(const struct rwsemlab_class *class_);

#ifdef __cplusplus
}
#endif

#endif

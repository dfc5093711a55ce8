/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the library's locks share: the rules that make a version,
 * a variant's descriptor, a class.
 */
#ifndef LIB_LOCKS_LOCK_H
#define LIB_LOCKS_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/platform.h"

/* Who may take a lock before those that wait for it. */
enum lock_steal {
	STEAL_NONE, /* the releaser grants it, in the queue's order */
	STEAL_HEAD, /* a writer while the queue's head is one */
	STEAL_ANY,
};

/* How spinners line up. */
enum lock_spin {
	SPIN_NONE,
	SPIN_OWNER, /* they don't: each on the owner */
	SPIN_MCS, /* a queue that nobody can leave */
	SPIN_OSQ, /* one that they can */
};

/* May a writer spin on an rwsem whose owner is not known? */
enum lock_null_owner {
	NULL_OWNER_SPIN,
	NULL_OWNER_STOP, /* not begin to */
	NULL_OWNER_IF_FREE, /* while no active locker is counted */
	NULL_OWNER_MARKED, /* readers leave a mark, so NULL is a short time */
};

/* Who sets and who honours the rwsem's handoff. */
enum lock_handoff {
	HANDOFF_NONE,
	HANDOFF_FIRST, /* 5.3, mutex: whoever finds itself first in the queue */
	HANDOFF_INHERIT, /* 5.16: any, kept in the waiter; the head inherits */
	HANDOFF_OWN, /* 5.19: heeded only where the head has it */
	HANDOFF_HEAD, /* 6.3: any waiter, for the head */
};

/* In which mode a percpu-rwsem's rcu_sync starts. */
enum lock_sync {
	SYNC_IDLE, /* readers only count; a writer waits for a grace period */
	SYNC_SLOW, /* never idle: readers pay a full barrier, writers don't */
};

/* The lock of all that a group's readers take too. */
enum lock_global {
	GLOBAL_NONE,
	GLOBAL_IDLE, /* a percpu-rwsem with sync=idle */
	GLOBAL_SLOW,
};

/* The rules of one lock: a version's, then the spec's keys on top. */
struct lock_rules {
	/* knobs: keys of a spec */
	enum lock_steal steal;
	enum lock_spin spin;
	uint32_t handoff_ms; /* waited for longer: hand off; 0: never */
	bool reader_spin;
	uint32_t reader_spin_us; /* writers' spin on readers; 0: none */
	uint32_t wake_batch; /* readers woken at once; 0: no limit */
	uint32_t spin_budget;
	enum lock_sync sync;
	enum lock_global global;
	/* the rest of what makes a version */
	enum lock_null_owner null_owner;
	enum lock_handoff handoff;
	bool owner_change_ends_spin;
	bool owner_early; /* set inside the take, not after it */
	bool skip_wake; /* an OSQ spinner excuses from waking */
	bool wake_after_unlock; /* of wait_lock: wake_q */
	bool wake_all_readers; /* of the queue, not only up to a writer */
	bool reader_steal;
	bool handoff_spins; /* a queued writer that has it, on the owner */
	bool nolock_always_wakes; /* who gives up at the head wakes the next */
	bool tries_once_more; /* mutex: before it queues, under wait_lock */
	bool released_early; /* mutex: before wait_lock is taken to wake */
	bool head_spins; /* mutex: the woken head does too */
	bool handoff_lost; /* mutex: who takes it clears what the head asked */
	bool handoff_again; /* mutex: the head asks after every sleep */
	bool readers_block; /* percpu-rwsem: they look at a flag, with a barrier */
	bool had_slow; /* its kernel used sync=slow too */
};

/* One line of locks.def. */
struct lock_variant {
	struct rwsemlab_variant public;
	const struct rwsemlab_ops *ops[3]; /* by enum rwsemlab_build */
	struct lock_rules rules;
};

struct rwsemlab_spec {
	const struct lock_variant *variant;
	struct lock_rules rules;
	char name[256];
	char departs[256];
};

struct rwsemlab_class {
	struct lock_rules rules;
	const struct rwsemlab_ops *ops;
	struct rwsemlab_machine *machine;
	char *name;
	char lock_name[256];
	_Atomic uint64_t errors;
	struct rwsemlab_lock *global; /* of all groups; NULL: none */
	bool shares; /* several readers at once */
	bool percpu; /* they count per CPU */
	bool checked;
};

/**
 * lock_variant_at() - rwsemlab_variant_at() with all of it
 */
const struct lock_variant *lock_variant_at(size_t i);

/*
 * Lock files are compiled once for each build.  What they give the registry
 * is named NAME_bare, NAME_counted, NAME_checked.
 */
#ifdef LOCK_BUILD
#define LOCK_PASTE_(name, build) name##_##build
#define LOCK_PASTE(name, build)	 LOCK_PASTE_(name, build)
#define LOCK_NAME(name)		 LOCK_PASTE(name, LOCK_BUILD)
#endif

#endif

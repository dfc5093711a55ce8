/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests of what one version's rules say in a state that they set up
 * themselves: they include a lock's file, which they are not linked with.
 */
#ifndef TESTS_UNIT_LOCK_RULES_H
#define TESTS_UNIT_LOCK_RULES_H

#include <time.h>

#include "lib/rwsemlab.h"
#include "tests/tap.h"

/* A task that nobody looks into. */
#define SOMEBODY 0x1000ul

struct rules_lock {
	struct rwsemlab_class *class_;
	struct rwsemlab_lock lock;
	struct acquire a;
	const char *name;
};

static inline void rules_nap_ms(unsigned int ms)
{
	struct timespec ts = { .tv_nsec = (long)ms * 1000000 };

	nanosleep(&ts, NULL);
}

/* A free lock of @name, and an acquisition of it. */
static inline void rules_begin(struct rules_lock *l,
			       struct rwsemlab_machine *machine,
			       const char *name)
{
	struct rwsemlab_spec *spec;
	char why[512];

	if (rwsemlab_spec_parse(name, &spec, why, sizeof(why)) ||
	    rwsemlab_class_create(machine, spec, "rules", RWSEMLAB_BARE,
				  &l->class_) ||
	    rwsemlab_lock_init(&l->lock, l->class_))
		tap_bail("no lock %s", name);
	rwsemlab_spec_free(spec);
	l->name = name;
	l->a = (struct acquire){ .lock = &l->lock, .mode = RWSEMLAB_WRITE };
	spin_begin(3000);
}

static inline void rules_end(struct rules_lock *l)
{
	const char *wrong = rwsemlab_lock_at_rest(&l->lock);

	tap_ok(!wrong, "%s: at rest: %s", l->name, wrong ? wrong : "yes");
	rwsemlab_lock_destroy(&l->lock);
	rwsemlab_class_free(l->class_);
}

/* A machine with this thread as a task. */
static inline struct rwsemlab_machine *rules_machine(void)
{
	struct rwsemlab_machine *machine;

	if (rwsemlab_machine_create(8, &machine))
		tap_skip_all("no host machine");
	if (rwsemlab_task_enter(machine))
		tap_bail("no task");
	return machine;
}

static inline void rules_machine_end(struct rwsemlab_machine *machine)
{
	rwsemlab_task_leave();
	rwsemlab_machine_free(machine);
}

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* What the checked build finds: each misuse once, where it happens. */
#include <dlfcn.h>

#define LOCK_LEVEL 2
#include "lib/instrument/hooks.h"

static void report(const struct rwsemlab_lock *lock, const void *site,
		   const char *what)
{
	struct rwsemlab_report found = {
		.what = what,
		.class_name = lock->class_->name,
		.lock_name = lock->class_->lock_name,
		.lock = lock,
		.site = site,
	};
	Dl_info symbol;

	/* The byte before: a call may be its function's last instruction. */
	if (dladdr((const char *)site - 1, &symbol))
		found.function = symbol.dli_sname;
	atomic_fetch_add(&lock->class_->errors, 1);
	machine_report(lock->class_->machine, &found);
}

static struct checked_lock *find_held(const struct rwsemlab_lock *lock)
{
	struct task_counters *counters = my_counters();
	uint32_t i = counters->nr_checked;

	while (i--)
		if (counters->checked[i].lock == lock)
			return &counters->checked[i];
	return NULL;
}

void check_acquired(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
		    const void *site)
{
	struct task_counters *counters = my_counters();

	if (counters->nr_checked == HELD_MAX) {
		report(lock, site, "a task holds more than 64 locks at once");
		return;
	}
	counters->checked[counters->nr_checked++] = (struct checked_lock){
		.lock = lock,
		.site = site,
		.mode = mode,
	};
}

/* Exclusive families know one mode: any release fits. */
static bool same_mode(const struct rwsemlab_lock *lock, enum rwsemlab_mode a,
		      enum rwsemlab_mode b)
{
	return a == b || !lock->class_->shares;
}

bool check_released(struct rwsemlab_lock *lock, enum rwsemlab_mode mode,
		    const void *site, bool downgrade)
{
	struct task_counters *counters = my_counters();
	struct checked_lock *held = find_held(lock);

	if (!held) {
		report(lock, site,
		       downgrade ? "downgrade_write of a lock that the task "
				   "does not hold" :
		       mode == RWSEMLAB_READ ?
				   "up_read of a lock that the task does not "
				   "hold" :
				   "up_write of a lock that the task does not "
				   "hold");
		return false;
	}
	if (!same_mode(lock, held->mode, mode)) {
		report(lock, site,
		       downgrade ? "downgrade_write of a lock held for "
				   "reading" :
		       mode == RWSEMLAB_READ ?
				   "up_read of a lock held for writing" :
				   "up_write of a lock held for reading");
		return false;
	}
	if (downgrade)
		held->mode = RWSEMLAB_READ;
	else
		*held = counters->checked[--counters->nr_checked];
	return true;
}

void check_wanted(struct rwsemlab_lock *lock, const void *site)
{
	if (find_held(lock))
		report(lock, site, "a task waits for a lock that it holds");
}

void check_destroyed(struct rwsemlab_lock *lock, const void *site)
{
	if (lock->ops->at_rest(lock))
		report(lock, site,
		       "destroy of a lock that is held or waited "
		       "for");
}

// SPDX-License-Identifier: GPL-2.0-only
#include "tests/locks.h"

#include <string.h>
#include <time.h>

#include "tests/tap.h"

static void nap(void)
{
	struct timespec ts = { .tv_nsec = 100000 };

	nanosleep(&ts, NULL);
}

static int take(struct actor *actor)
{
	struct rwsemlab_lock *lock = &actor->test->lock;

	switch (actor->how) {
	case ACTOR_READ:
		rwsemlab_down_read(lock);
		return 0;
	case ACTOR_WRITE:
		rwsemlab_down_write(lock);
		return 0;
	case ACTOR_READ_INTERRUPTIBLE:
		return rwsemlab_down_read_wait(lock, RWSEMLAB_INTERRUPTIBLE, 0);
	case ACTOR_WRITE_INTERRUPTIBLE:
		return rwsemlab_down_write_wait(lock, RWSEMLAB_INTERRUPTIBLE,
						0);
	case ACTOR_READ_TIMED:
		return rwsemlab_down_read_wait(lock, RWSEMLAB_UNINTERRUPTIBLE,
					       actor->ns);
	case ACTOR_WRITE_TIMED:
		return rwsemlab_down_write_wait(lock, RWSEMLAB_UNINTERRUPTIBLE,
						actor->ns);
	}
	return -1;
}

static bool reads(enum actor_how how)
{
	return how == ACTOR_READ || how == ACTOR_READ_INTERRUPTIBLE ||
	       how == ACTOR_READ_TIMED;
}

static void *actor_main(void *arg)
{
	struct actor *actor = arg;

	if (rwsemlab_task_enter(actor->test->machine))
		tap_bail("no CPU for another task");
	if (actor->signalled)
		rwsemlab_task_signal(rwsemlab_task_current(), RWSEMLAB_KILL);
	atomic_store(&actor->task, rwsemlab_task_current());
	actor->result = take(actor);
	if (!actor->result) {
		if (actor->next)
			actor->order = atomic_fetch_add(actor->next, 1) + 1;
		atomic_store(&actor->state, ACTOR_INSIDE);
		while (!atomic_load(&actor->release))
			nap();
		if (reads(actor->how))
			rwsemlab_up_read(&actor->test->lock);
		else
			rwsemlab_up_write(&actor->test->lock);
	}
	rwsemlab_task_leave();
	atomic_store(&actor->state, ACTOR_GONE);
	return NULL;
}

void actor_start(struct actor *actor, struct lock_test *test,
		 enum actor_how how)
{
	actor->test = test;
	actor->how = how;
	atomic_store(&actor->state, ACTOR_COMING);
	atomic_store(&actor->release, false);
	atomic_store(&actor->task, NULL);
	if (pthread_create(&actor->thread, NULL, actor_main, actor))
		tap_bail("no thread");
	while (!atomic_load(&actor->task))
		nap();
}

void actor_wait_queued(struct lock_test *test, unsigned int waiting)
{
	unsigned int i;

	/* Peers don't tell: hope. */
	if (!(test->variant->abilities & RWSEMLAB_COUNTS)) {
		for (i = 0; i < 100; i++)
			nap();
		return;
	}
	while (__atomic_load_n(&test->lock.waiting, __ATOMIC_RELAXED) !=
	       waiting)
		nap();
	/* It counts just before it sleeps. */
	for (i = 0; i < 10; i++)
		nap();
}

bool actor_reaches(struct actor *actor, enum actor_state state)
{
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		if (atomic_load(&actor->state) >= (int)state)
			return true;
		nap();
	}
	return false;
}

void actor_end(struct actor *actor)
{
	atomic_store(&actor->release, true);
	pthread_join(actor->thread, NULL);
}

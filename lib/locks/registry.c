// SPDX-License-Identifier: GPL-2.0-only
#include "lib/locks/lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "lib/instrument/check.h"
#include "lib/instrument/counters.h"

#define OPS(name)                                            \
	extern const struct rwsemlab_ops name##_ops_bare;    \
	extern const struct rwsemlab_ops name##_ops_counted; \
	extern const struct rwsemlab_ops name##_ops_checked;
OPS(rwsem_spinlock)
OPS(rwsem_xadd)
OPS(rwsem_bits)
OPS(mutex_count)
OPS(mutex_owner)
OPS(percpu_rwsem_mutex)
OPS(percpu_rwsem_xadd)
OPS(percpu_rwsem_queue)
OPS(group_rwsem_xadd)
OPS(group_rwsem_bits)
OPS(pthread_rwlock)
OPS(pthread_rwlock_writer)
OPS(pthread_mutex)
OPS(ck_rwlock)
OPS(ck_pflock)
OPS(ck_tflock)

#if defined(__SANITIZE_THREAD__)
#define WITH_TSAN 1
#elif defined(__has_feature)
#define WITH_TSAN __has_feature(thread_sanitizer)
#else
#define WITH_TSAN 0
#endif

#ifndef HAVE_CK
#define CK_MISSING                                              \
	"this build has no concurrencykit; on Debian: apt-get " \
	"install libck-dev, then configure again"
#elif WITH_TSAN
#define CK_MISSING                                                   \
	"concurrencykit's atomics are assembly, which this build's " \
	"ThreadSanitizer can't see"
#else
#define CK_MISSING NULL
#endif

#define LOCK_SPIN_BUDGET 3000

#define LOCK(...)    LOCK_WITH(NULL, __VA_ARGS__)
#define CK_LOCK(...) LOCK_WITH(CK_MISSING, __VA_ARGS__)
#define LOCK_WITH(missing_, family_, version_, ops_, abilities_, keys_,    \
		  summary_, ...)                                           \
	{                                                                  \
		.public = { .family = (family_),                           \
			    .version = (version_),                         \
			    .summary = (summary_),                         \
			    .keys = (keys_),                               \
			    .missing = (missing_),                         \
			    .abilities = (abilities_) },                   \
		.ops = { &ops_##_ops_bare, &ops_##_ops_counted,            \
			 &ops_##_ops_checked },                            \
		.rules = { .spin_budget = LOCK_SPIN_BUDGET, __VA_ARGS__ }, \
	},

static const struct lock_variant variants[] = {
#include "lib/locks.def"
};

#define NR_VARIANTS (sizeof(variants) / sizeof(variants[0]))

const struct lock_variant *lock_variant_at(size_t i)
{
	return i < NR_VARIANTS ? &variants[i] : NULL;
}

const struct rwsemlab_variant *rwsemlab_variant_at(size_t i)
{
	return i < NR_VARIANTS ? &variants[i].public : NULL;
}

static int create_class(struct rwsemlab_machine *machine,
			const struct rwsemlab_spec *spec, const char *name,
			enum rwsemlab_build build,
			struct rwsemlab_class **class_)
{
	unsigned int abilities = spec->variant->public.abilities;
	struct rwsemlab_class *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->name = strdup(name);
	if (!new->name) {
		free(new);
		return -ENOMEM;
	}
	new->rules = spec->rules;
	new->ops = spec->variant->ops[build];
	new->machine = machine;
	new->shares = abilities &RWSEMLAB_SHARES;
	new->percpu = abilities &RWSEMLAB_PERCPU;
	new->checked = build == RWSEMLAB_CHECKED;
	snprintf(new->lock_name, sizeof(new->lock_name), "%s", spec->name);
	*class_ = new;
	return 0;
}

/* cgroup_threadgroup_rwsem: the newest, in the mode that global= says. */
static int create_global(struct rwsemlab_class *of, enum rwsemlab_build build)
{
	struct rwsemlab_class *class_ = NULL;
	struct rwsemlab_spec *spec = NULL;
	struct rwsemlab_lock *lock;
	char why[128];
	int ret;

	lock = aligned_alloc(_Alignof(struct rwsemlab_lock), sizeof(*lock));
	if (!lock)
		return -ENOMEM;
	ret = rwsemlab_spec_parse(of->rules.global == GLOBAL_SLOW ?
					  "percpu-rwsem:sync=slow" :
					  "percpu-rwsem:sync=idle",
				  &spec, why, sizeof(why));
	ret = ret ?: create_class(of->machine, spec, "global", build, &class_);
	ret = ret ?: rwsemlab_lock_init(lock, class_);
	rwsemlab_spec_free(spec);
	if (ret) {
		rwsemlab_class_free(class_);
		free(lock);
		return ret;
	}
	of->global = lock;
	return 0;
}

int rwsemlab_class_create(struct rwsemlab_machine *machine,
			  const struct rwsemlab_spec *spec, const char *name,
			  enum rwsemlab_build build,
			  struct rwsemlab_class **class_)
{
	int ret = create_class(machine, spec, name, build, class_);

	if (!ret && spec->rules.global != GLOBAL_NONE) {
		ret = create_global(*class_, build);
		if (ret) {
			rwsemlab_class_free(*class_);
			*class_ = NULL;
		}
	}
	return ret;
}

struct rwsemlab_lock *rwsemlab_class_global(struct rwsemlab_class *class_)
{
	return class_->global;
}

static void forget(struct task_common *task, void *arg)
{
	task_counters_forget(task, arg);
}

void rwsemlab_class_free(struct rwsemlab_class *class_)
{
	if (!class_)
		return;
	if (class_->global) {
		struct rwsemlab_class *of_global = class_->global->class_;

		rwsemlab_lock_destroy(class_->global);
		free(class_->global);
		rwsemlab_class_free(of_global);
	}
	machine_for_each_counters(class_->machine, forget, class_);
	free(class_->name);
	free(class_);
}

uint64_t rwsemlab_class_errors(const struct rwsemlab_class *class_)
{
	return atomic_load(&class_->errors);
}

int rwsemlab_lock_init(struct rwsemlab_lock *lock,
		       struct rwsemlab_class *class_)
{
	memset(lock, 0, sizeof(*lock));
	lock->ops = class_->ops;
	lock->class_ = class_;
	return lock->ops->init(lock);
}

const char *rwsemlab_lock_at_rest(struct rwsemlab_lock *lock)
{
	return lock->ops->at_rest(lock);
}

void rwsemlab_lock_destroy(struct rwsemlab_lock *lock)
{
	if (lock->class_->checked)
		check_destroyed(lock, _RET_IP_);
	lock->ops->destroy(lock);
}

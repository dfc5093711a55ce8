/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks become sleep sites: which lock, taken how, asked for by whom; or
 * which other kind of sleep.  The rules are data: sites.def, and files that
 * users add.
 */
#ifndef RWSEMLAB_ANALYZE_SITES_H
#define RWSEMLAB_ANALYZE_SITES_H

#include "analyze/profile.h"

enum site_type {
	SITE_LOCK,
	SITE_OTHER, /* a known kind of sleep that is no lock */
	SITE_UNKNOWN, /* no rule knows any frame */
	SITE_NO_CHAIN, /* nothing was recorded to tell by */
};

/*
 * A sleep site.  Two stacks have the same site when type, class, mode,
 * family, kind and caller are the same, after compiler suffixes are removed.
 */
struct site {
	enum site_type type;
	const char *lock_class; /* SITE_LOCK: "rwsem", "mutex" …, else "" */
	const char *mode; /* "R", "W", or "" where it has none or none shows */
	const char *family; /* "anon_vma" …, "" where nothing tells */
	/*
	 * SITE_OTHER: "pipe", "wait4" ….  SITE_LOCK: what it waits for, other
	 * than the lock's release: "RCU grace period"; else "".
	 */
	const char *kind;
	/*
	 * String.  SITE_LOCK: who asked for the lock, above its wrappers.
	 * SITE_OTHER: the function that told the kind.  SITE_UNKNOWN: the
	 * function that called the scheduler.  SITE_NO_CHAIN: the outermost
	 * of the scheduler's own that was recorded, 0 where none was.
	 */
	uint32_t caller;
	bool cut; /* @caller is the outermost wrapper: callers beyond it were
		     not recorded */
};

struct site_rules;
struct sites;

/**
 * site_rules_new() - the built-in rules, after those of a file
 * @path: a file of rules as `rwsemlab list sites` prints them, or NULL; they
 *        win over the built-in ones
 *
 * Return: NULL with @err set when the file can't be read or has a line that
 * is no rule (its number is named).
 */
struct site_rules *site_rules_new(const char *path, struct error *err);
void site_rules_free(struct site_rules *rules);

/**
 * site_rules_each() - call @call with each rule as a line of a rules file
 */
void site_rules_each(const struct site_rules *rules,
		     void (*call)(const char *line, void *context),
		     void *context);

/**
 * site_strip() - length of a function's name without compiler suffixes
 *
 * Suffixes are .isra.N .constprop.N .part.N .clone.N .llvm.N .lto_priv.N
 * .cold .cold.N .localalias, any number of them, and a symbol version
 * (@GLIBC_2.34, @@GLIBC_2.34).
 */
size_t site_strip(const char *name);

/**
 * sites_new() - find the site of every stack of a profile
 *
 * The profile's frames should have their symbols by now.  @rules must
 * outlive the result, the profile too.
 *
 * Return: NULL when memory ran out.
 */
struct sites *sites_new(struct profile *p, const struct site_rules *rules);
void sites_free(struct sites *sites);

/**
 * sites_of_stack() - number of a stack's site; sites are 0 … sites_nr() - 1
 */
uint32_t sites_of_stack(const struct sites *sites, uint32_t stack);

/**
 * sites_slow_path() - string: the lock's innermost function in a stack
 *
 * Return: "rwsem_down_write_slowpath" …; 0 where the site is no lock.
 */
uint32_t sites_slow_path(const struct sites *sites, uint32_t stack);

/**
 * sites_wrapper() - string: the outermost wrapper around the lock in a stack
 *
 * Return: "lock_anon_vma_root" …; 0 where there is none.
 */
uint32_t sites_wrapper(const struct sites *sites, uint32_t stack);

/**
 * sites_releaser() - string: who released the lock, by a wake-up's stack
 *
 * Return: the first function beyond those of the RELEASE rules, with
 * compiler suffixes removed; 0 where there is none.
 */
uint32_t sites_releaser(struct sites *sites, uint32_t stack);

/**
 * sites_in_interrupt() - whether a stack goes through a hardware interrupt
 */
bool sites_in_interrupt(struct sites *sites, uint32_t stack);

/**
 * sites_frame_name() - string: what a frame is called in reports
 *
 * The symbol without compiler suffixes, or the place in its file.  Bytes that
 * could disturb a terminal may be in it.
 */
uint32_t sites_frame_name(struct sites *sites, uint32_t frame);

/**
 * sites_show_suffixes() - from now on give names as they were recorded
 *
 * Which stacks make up a site stays; where they differ in their suffixes, the
 * site's caller is a list: "f.isra.0, f.part.2".  Out of memory shows in
 * profile_failed().
 */
void sites_show_suffixes(struct sites *sites);

/**
 * sites_leaf() - how many frames at a stack's leaf are the scheduler's own
 *
 * Tracing code above the scheduler counts as such; all of the stack's frames
 * when it has no other.
 */
uint32_t sites_leaf(const struct sites *sites, uint32_t stack);

const struct site *sites_get(const struct sites *sites, uint32_t site);
uint32_t sites_nr(const struct sites *sites);

#endif

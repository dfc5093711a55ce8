// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two call graphs of "Performance regression from switching lock to
 * rw-sem for anon-vma tree" (linux-kernel, June 2013), pasted into a mail.
 * The wanted shares are of all recorded switches: products of the mail's own
 * percentages along each path.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input.h"
#include "tests/tap.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *file;
	const char *frame; /* stacks that have this frame … */
	const char *other; /* … and this one, if not NULL */
	double percent;
} shares[] = {
	{ "mutex", "__mutex_lock_slowpath", NULL, 2.02 },
	{ "mutex", "mutex_lock", "lock_anon_vma_root.clone.24", 1.33 },
	{ "mutex", "mutex_lock", "anon_vma_lock.clone.21", 0.38 },
	{ "mutex", "rwsem_down_write_failed", NULL, 0.64 },
	{ "mutex", "rwsem_down_write_failed", "exit_shm", 0.64 },
	{ "mutex", "sk_wait_data", NULL, 27.61 },
	{ "rwsem", "rwsem_down_write_failed", NULL, 53.45 },
	{ "rwsem", "lock_anon_vma_root.clone.27", "unlink_anon_vmas", 22.33 },
	{ "rwsem", "lock_anon_vma_root.clone.27", "anon_vma_clone", 20.09 },
	{ "rwsem", "rwsem_down_write_failed", "anon_vma_fork", 6.50 },
	{ "rwsem", "rwsem_down_write_failed", "anon_vma_free", 4.28 },
	{ "rwsem", "pipe_wait", NULL, 4.50 },
};

static bool has_frame(struct profile *p, uint32_t stack, const char *name)
{
	const struct stack *s = profile_get_stack(p, stack);
	uint32_t i;

	for (i = 0; i < s->nr; i++) {
		const struct frame *f = profile_get_frame(p, s->frame[i]);

		if (!strcmp(profile_text(p, f->symbol), name))
			return true;
	}
	return false;
}

static double share_of(struct profile *p, const char *frame, const char *other)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(p, i);

		if (has_frame(p, row->stack, frame) &&
		    (!other || has_frame(p, row->stack, other)))
			sum += row->sleeps;
	}
	return 100.0 * (double)sum / (double)p->switches;
}

static struct profile *read_report(const char *folder, const char *name)
{
	struct profile *p = profile_new();
	struct error err = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.report.txt", folder, name);
	if (!p || input_read(path, p, &err))
		tap_bail("%s", err.text);
	tap_is_u64(p->switches, 1000000000, "%s: the base is all switches",
		   name);
	tap_is_u64(profile_nr_warnings(p), 0, "%s: no doubts", name);
	return p;
}

int main(void)
{
	const char *srcdir = getenv("SRCDIR");
	struct profile *mutex, *rwsem;
	char folder[2048];
	size_t i;
	FILE *f;

	snprintf(folder, sizeof(folder), "%s/../shared/data/lkml-2013",
		 srcdir ? srcdir : ".");
	f = fopen(folder, "re");
	if (!f)
		tap_skip_all("no %s", folder);
	fclose(f);
	mutex = read_report(folder, "mutex");
	rwsem = read_report(folder, "rwsem");
	for (i = 0; i < LENGTH(shares); i++) {
		bool is_mutex = !strcmp(shares[i].file, "mutex");

		tap_is_near(share_of(is_mutex ? mutex : rwsem, shares[i].frame,
				     shares[i].other),
			    shares[i].percent, 0.005001, "%s: %s %s",
			    shares[i].file, shares[i].frame,
			    shares[i].other ? shares[i].other : "");
	}
	/* 2.66 % in the mail's words: both kinds of lock, rounded once. */
	tap_is_near(share_of(mutex, "__mutex_lock_slowpath", NULL) +
			    share_of(mutex, "rwsem_down_write_failed", NULL),
		    2.66, 0.005001, "mutex: all sleeping locks");
	tap_is_near(share_of(rwsem, "rwsem_down_write_failed",
			     "unlink_anon_vmas") +
			    share_of(rwsem, "rwsem_down_write_failed",
				     "anon_vma_clone") +
			    share_of(rwsem, "rwsem_down_write_failed",
				     "anon_vma_fork") +
			    share_of(rwsem, "rwsem_down_write_failed",
				     "anon_vma_free"),
		    53.19, 0.005001, "rwsem: the anon_vma family");
	profile_free(mutex);
	profile_free(rwsem);
	return tap_done();
}

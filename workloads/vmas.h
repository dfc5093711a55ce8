/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many anonymous mappings, each with an anon_vma.
 */
#ifndef WORKLOADS_VMAS_H
#define WORKLOADS_VMAS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* More than any process may have (vm.max_map_count is 65530 by default). */
#define VMAS_MAX 60000

struct vmas {
	char *base;
	size_t length; /* all of it, holes included */
	size_t page;
	size_t nr;
};

/**
 * vmas_map() - make @nr separate mappings of one page, written to
 * @name:  of the workload, for errors
 * @roots: how many root anon_vmas they hang on, 1 to @nr; each root's lock
 *         is the one that fork and exit take for every mapping below it
 *
 * Neighbours are separated by holes, so the kernel can't merge them.  Those
 * of one root were one mapping when they were first written to, and were
 * split afterwards: a split shares its anon_vma.  Mappings of different roots
 * had a hole between them before that, since a fault borrows the anon_vma of
 * a compatible neighbour (find_mergeable_anon_vma()).
 */
int vmas_map(struct vmas *vmas, const char *name, size_t nr, size_t roots,
	     struct error *err);

/**
 * vmas_drop_pages() - give the pages back; the mappings keep their anon_vmas
 */
void vmas_drop_pages(const struct vmas *vmas);

/**
 * vmas_touch() - write to the first @nr mappings
 */
void vmas_touch(const struct vmas *vmas, size_t nr);

/**
 * vmas_unmap() - remove them from this process
 */
void vmas_unmap(const struct vmas *vmas);

#endif

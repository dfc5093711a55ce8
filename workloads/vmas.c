// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/vmas.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mapping number @i lies on every other page. */
static char *at(const struct vmas *vmas, size_t i)
{
	return vmas->base + 2 * i * vmas->page;
}

/* The hole behind mapping number @i. */
static int punch(const struct vmas *vmas, size_t i)
{
	return munmap(at(vmas, i) + vmas->page, vmas->page);
}

/* Is @i the last mapping of its root?  They differ in size by at most one. */
static bool ends_root(size_t i, size_t nr, size_t roots)
{
	return i * roots / nr != (i + 1) * roots / nr;
}

static int punch_all(const struct vmas *vmas, size_t roots, bool between_roots)
{
	size_t i;

	for (i = 0; i < vmas->nr; i++)
		if (ends_root(i, vmas->nr, roots) == between_roots &&
		    punch(vmas, i))
			return -1;
	return 0;
}

int vmas_map(struct vmas *vmas, const char *name, size_t nr, size_t roots,
	     struct error *err)
{
	long page = sysconf(_SC_PAGESIZE);

	vmas->page = page > 0 ? (size_t)page : 4096;
	vmas->nr = nr;
	vmas->length = 2 * nr * vmas->page;
	vmas->base = mmap(NULL, vmas->length, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (vmas->base == MAP_FAILED)
		return error_errno(err, EXIT_USAGE,
				   "%s: cannot map memory for %zu mappings",
				   name, nr);
	/* A huge page would make of the whole area one more kind of work. */
	madvise(vmas->base, vmas->length, MADV_NOHUGEPAGE);
	if (!punch_all(vmas, roots, true)) {
		vmas_touch(vmas, nr);
		if (!punch_all(vmas, roots, false))
			return 0;
	}
	error_errno(err, EXIT_IMPOSSIBLE,
		    "%s: cannot make %zu mappings; use fewer (vmas=), or raise"
		    " vm.max_map_count with sysctl",
		    name, nr);
	vmas_unmap(vmas);
	return -1;
}

void vmas_drop_pages(const struct vmas *vmas)
{
	size_t i;

	for (i = 0; i < vmas->nr; i++)
		madvise(at(vmas, i), vmas->page, MADV_DONTNEED);
}

void vmas_touch(const struct vmas *vmas, size_t nr)
{
	size_t i;

	for (i = 0; i < nr && i < vmas->nr; i++)
		*(volatile char *)at(vmas, i) = 1;
}

void vmas_unmap(const struct vmas *vmas)
{
	munmap(vmas->base, vmas->length);
}

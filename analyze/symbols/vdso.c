// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/vdso.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Bytes mapped for the vDSO at @start, 0 where /proc does not tell. */
static size_t mapped_size(uint64_t start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	size_t size = 0;
	size_t room = 0;
	char *line = NULL;

	while (maps && !size && getline(&line, &room, maps) > 0) {
		uint64_t from, to;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " r", &from, &to) ==
			    2 &&
		    from == start && to > from)
			size = to - from;
	}
	free(line);
	if (maps)
		fclose(maps);
	return size;
}

bool vdso_open_own(struct elf_file *f)
{
	const uintptr_t start = getauxval(AT_SYSINFO_EHDR);
	const size_t size = start ? mapped_size(start) : 0;
	char *copy = size ? malloc(size) : NULL;

	if (!copy)
		return false;
	memcpy(copy, (const void *)start, size);
	return !elf_file_memory(f, copy, size);
}

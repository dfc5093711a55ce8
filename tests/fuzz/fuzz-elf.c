// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: an ELF file's symbols, segments, PLT and packed symbols.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/elf-extra.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void read_all(const struct elf_file *f, struct symbol_table *t,
		     char **names)
{
	struct elf_segments segments;
	uint64_t address = 0;
	size_t i;

	require(elf_file_add_symbols(f, t, SHT_SYMTAB) >= 0);
	require(elf_file_add_symbols(f, t, SHT_DYNSYM) >= 0);
	require(!elf_add_plt(f, t, names));
	elf_file_section(f, ".gnu_debuglink");
	elf_file_segments(f, &segments);
	for (i = 0; i < segments.nr; i++)
		elf_segments_address(&segments, segments.load[i].offset,
				     &address);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file f, inner = { 0 };
	struct symbol_table t = { 0 };
	char *names = NULL, *inner_names = NULL;
	char *image = malloc(size ? size : 1);
	size_t i;

	require(image != NULL);
	if (size)
		memcpy(image, data, size);
	if (elf_file_memory(&f, image, size))
		return 0;
	read_all(&f, &t, &names);
	if (elf_open_debugdata(&f, &inner))
		read_all(&inner, &t, &inner_names);
	require(!symbol_table_finish(&t, SYMBOLS_ELF));
	for (i = 0; i < t.nr; i++)
		require(strlen(t.symbol[i].name) < (size + 1) * 64 &&
			(!i || t.symbol[i].start > t.symbol[i - 1].start));
	symbol_table_free(&t);
	free(names);
	free(inner_names);
	elf_file_close(&inner);
	elf_file_close(&f);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small ELF files for tests, written byte by byte so that nothing of what is
 * tested has a part in them.
 */
#ifndef RWSEMLAB_TESTS_MAKE_ELF_H
#define RWSEMLAB_TESTS_MAKE_ELF_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct made_symbol {
	const char *name; /* NULL ends a list */
	uint64_t address, size;
	unsigned char type, binding; /* STT_, STB_ */
};

struct made_elf {
	uint64_t text_offset, text_address, text_size;
	const char *build_id; /* its bytes as text, 20 of them; NULL: none */
	const struct made_symbol *symtab, *dynsym; /* NULL: none */
	const char *debuglink; /* NULL: none */
	uint32_t debuglink_crc;
	const void *debugdata; /* contents of .gnu_debugdata, NULL: none */
	size_t debugdata_size;
};

/**
 * make_elf() - an x86-64 file in memory
 *
 * Return: its bytes, to be freed; NULL when memory ran out.
 */
unsigned char *make_elf(const struct made_elf *e, size_t *size);

/**
 * make_elf_file() - likewise, written to a file
 *
 * Return: 0, or -1 with errno set.
 */
int make_elf_file(const char *path, const struct made_elf *e);

#endif

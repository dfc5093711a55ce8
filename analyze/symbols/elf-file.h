/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One ELF file: its build-id, segments, links to debug files, and symbols.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_ELF_FILE_H
#define RWSEMLAB_ANALYZE_SYMBOLS_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyze/symbols/build-id.h"
#include "analyze/symbols/symbol-table.h"

struct elf_file {
	Elf *elf; /* NULL: not open */
	int fd; /* -1: in memory */
	char *memory; /* freed on close */
	struct build_id build_id;
};

/**
 * elf_file_open() - look at an open file as ELF
 * @fd: of a regular file; taken over, closed also on failure
 *
 * Return: 0; -1 where it is no ELF file or memory ran out.
 */
int elf_file_open(struct elf_file *f, int fd);

/**
 * elf_file_memory() - likewise for an image in memory
 * @image: @size bytes from malloc(); taken over, freed also on failure
 */
int elf_file_memory(struct elf_file *f, char *image, size_t size);

/**
 * elf_file_close() - release what elf_file_open() took; fine when not open
 *
 * Ends the life of all names that tables have from this file.
 */
void elf_file_close(struct elf_file *f);

/**
 * elf_file_section() - contents of the first section of a name
 *
 * Return: NULL where there is none or it holds no bytes; the data lives as
 * long as the file is open.
 */
const Elf_Data *elf_file_section(const struct elf_file *f, const char *name);

/**
 * elf_file_add_symbols() - add the functions of one symbol table
 * @type: SHT_SYMTAB or SHT_DYNSYM
 *
 * Takes functions, and labels in code that are visible outside, as perf does.
 * Names that a malformed string table does not end are left out.
 *
 * Return: how many were added; -1 when memory ran out.
 */
int64_t elf_file_add_symbols(const struct elf_file *f, struct symbol_table *t,
			     uint32_t type);

/* The executable segments, to turn offsets in the file into addresses. */
struct elf_segments {
	struct {
		uint64_t offset, size, address;
	} load[64];
	size_t nr;
};

void elf_file_segments(const struct elf_file *f, struct elf_segments *s);

/**
 * elf_segments_address() - the address that an offset is loaded at
 *
 * Return: whether some executable segment holds it.
 */
bool elf_segments_address(const struct elf_segments *s, uint64_t offset,
			  uint64_t *address);

#endif

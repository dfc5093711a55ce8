/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that stripped files still have: MiniDebugInfo and the procedure
 * linkage table.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_ELF_EXTRA_H
#define RWSEMLAB_ANALYZE_SYMBOLS_ELF_EXTRA_H

#include "analyze/symbols/elf-file.h"

/**
 * elf_open_debugdata() - unpack .gnu_debugdata, an xz-compressed ELF file
 *
 * At most 64 times the packed size, so that a crafted section can't fill the
 * memory.
 *
 * Return: whether there was one that could be unpacked; then @inner is to be
 * closed.
 */
bool elf_open_debugdata(const struct elf_file *f, struct elf_file *inner);

/**
 * elf_add_plt() - add "NAME@plt" for each entry of the PLT
 * @names: set to the memory of the names, to be freed after the table's last
 *         use
 *
 * For x86 and AArch64, lazy and IBT layouts.
 *
 * Return: 0, also where there is no PLT; -1 when memory ran out.
 */
int elf_add_plt(const struct elf_file *f, struct symbol_table *t, char **names);

#endif

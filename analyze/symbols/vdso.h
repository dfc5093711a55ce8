/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_VDSO_H
#define RWSEMLAB_ANALYZE_SYMBOLS_VDSO_H

#include "analyze/symbols/elf-file.h"

/**
 * vdso_open_own() - the vDSO that the running kernel gave this process
 *
 * Return: whether there is one; then @f is to be closed.
 */
bool vdso_open_own(struct elf_file *f);

#endif

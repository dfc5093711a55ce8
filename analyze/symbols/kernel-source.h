/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One source of kernel symbols: a kallsyms text or a vmlinux, and how its
 * addresses relate to the recorded ones.
 */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_KERNEL_SOURCE_H
#define RWSEMLAB_ANALYZE_SYMBOLS_KERNEL_SOURCE_H

#include "analyze/symbols/elf-file.h"
#include "analyze/symbols/resolve.h"

enum kernel_mark {
	MARK_REFERENCE, /* the symbol of the recorded kernel map, or _text */
	MARK_ETEXT,
	MARK_LOCK_START,
	MARK_LOCK_END,
	MARK_SCHED_START,
	MARK_SCHED_END,
	NR_KERNEL_MARKS,
};

struct kernel_source {
	char *name; /* for messages */
	struct symbol_table table;
	char *text; /* kallsyms */
	struct elf_file elf; /* vmlinux */
	bool is_vmlinux;
	bool is_recorded; /* kallsyms that came with the recording */
	uint64_t mark[NR_KERNEL_MARKS]; /* 0: not in it */
	uint64_t delta; /* recorded address minus the source's, mod 2^64 */
};

enum source_result {
	SOURCE_READY,
	SOURCE_ABSENT, /* or not readable, not a kernel's, empty */
	SOURCE_HIDDEN, /* all addresses are 0: kptr_restrict */
	SOURCE_OTHER_KERNEL, /* another build-id, or addresses that can't be
				this kernel's */
	SOURCE_FAILED, /* memory ran out */
};

/**
 * kernel_source_kallsyms() - take a kallsyms text
 * @text: @size bytes from read_whole(); taken over in any case
 */
enum source_result kernel_source_kallsyms(struct kernel_source *s,
					  const struct profile *p, char *text,
					  size_t size);

/**
 * kernel_source_kallsyms_fd() - likewise from a file; closes @fd
 */
enum source_result kernel_source_kallsyms_fd(struct kernel_source *s,
					     const struct profile *p, int fd);

/**
 * kernel_source_vmlinux_fd() - take a vmlinux or its debug file; closes @fd
 *
 * One with another build-id than the recorded one, where both are known, is
 * SOURCE_OTHER_KERNEL.
 */
enum source_result kernel_source_vmlinux_fd(struct kernel_source *s,
					    const struct profile *p, int fd);

/**
 * kernel_source_close() - release all, names of symbols included, and zero it
 */
void kernel_source_close(struct kernel_source *s);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/kernel-source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/symbols/kallsyms.h"
#include "analyze/symbols/open-file.h"

/* That of a kernel with everything in it is below 40 MB. */
#define KALLSYMS_LIMIT (64u << 20)
#define PAGE_MASK      0xfffull

/* "_text" of "[kernel.kallsyms]_text". */
static const char *reference_symbol(const struct profile *p)
{
	const char *name = strchr(profile_text(p, p->kernel.map_name), ']');

	return name && name[1] ? name + 1 : "_text";
}

static void find_marks(struct kernel_source *s, const struct profile *p)
{
	const char *const names[NR_KERNEL_MARKS] = {
		[MARK_REFERENCE] = reference_symbol(p),
		[MARK_ETEXT] = "_etext",
		[MARK_LOCK_START] = "__lock_text_start",
		[MARK_LOCK_END] = "__lock_text_end",
		[MARK_SCHED_START] = "__sched_text_start",
		[MARK_SCHED_END] = "__sched_text_end",
	};

	symbol_table_marks(&s->table, names, s->mark, NR_KERNEL_MARKS);
}

/* A kernel is moved by whole pages, or it is another kernel. */
static bool find_delta(struct kernel_source *s, const struct profile *p)
{
	if (!p->kernel.reloc_address || !s->mark[MARK_REFERENCE])
		return true;
	s->delta = p->kernel.reloc_address - s->mark[MARK_REFERENCE];
	return !(s->delta & PAGE_MASK);
}

static enum source_result finish(struct kernel_source *s,
				 const struct profile *p,
				 enum symbol_source kind)
{
	find_marks(s, p);
	if (!find_delta(s, p))
		return SOURCE_OTHER_KERNEL;
	return symbol_table_finish(&s->table, kind) ? SOURCE_FAILED :
						      SOURCE_READY;
}

enum source_result kernel_source_kallsyms(struct kernel_source *s,
					  const struct profile *p, char *text,
					  size_t size)
{
	struct kallsyms_stats stats = { 0 };

	s->text = text;
	if (size > KALLSYMS_LIMIT)
		return SOURCE_ABSENT;
	if (kallsyms_parse(&s->table, text, size, &stats))
		return SOURCE_FAILED;
	if (!s->table.nr)
		return stats.hidden ? SOURCE_HIDDEN : SOURCE_ABSENT;
	return finish(s, p, SYMBOLS_KALLSYMS);
}

enum source_result kernel_source_kallsyms_fd(struct kernel_source *s,
					     const struct profile *p, int fd)
{
	size_t size;
	char *text = read_whole(fd, KALLSYMS_LIMIT, &size);

	close(fd);
	if (!text)
		return errno == ENOMEM ? SOURCE_FAILED : SOURCE_ABSENT;
	return kernel_source_kallsyms(s, p, text, size);
}

enum source_result kernel_source_vmlinux_fd(struct kernel_source *s,
					    const struct profile *p, int fd)
{
	struct build_id recorded;
	int64_t n;

	s->is_vmlinux = true;
	if (elf_file_open(&s->elf, fd))
		return SOURCE_ABSENT;
	build_id_set(&recorded, p->kernel.build_id, p->kernel.build_id_size);
	if (recorded.size && s->elf.build_id.size &&
	    !build_id_equal(&recorded, &s->elf.build_id))
		return SOURCE_OTHER_KERNEL;
	n = elf_file_add_symbols(&s->elf, &s->table, SHT_SYMTAB);
	if (n <= 0)
		return n ? SOURCE_FAILED : SOURCE_ABSENT;
	return finish(s, p, SYMBOLS_ELF);
}

void kernel_source_close(struct kernel_source *s)
{
	symbol_table_free(&s->table);
	elf_file_close(&s->elf);
	free(s->text);
	free(s->name);
	memset(s, 0, sizeof(*s));
}

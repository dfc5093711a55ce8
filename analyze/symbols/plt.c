// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/elf-extra.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What of a file tells which function each entry of its PLT calls. */
struct plt {
	Elf *elf;
	GElf_Shdr plt, sec, relocations;
	Elf_Data *relocation, *symbols;
	size_t strings; /* section of the symbols' names */
	size_t nr;
	uint64_t first, entry; /* address, bytes */
};

static void find_section(struct plt *p, Elf_Scn *section, const char *name,
			 const GElf_Shdr *header)
{
	if (!strcmp(name, ".plt")) {
		p->plt = *header;
	} else if (!strcmp(name, ".plt.sec")) {
		p->sec = *header;
	} else if (!strcmp(name, ".rela.plt") || !strcmp(name, ".rel.plt")) {
		p->relocations = *header;
		p->relocation = elf_getdata(section, NULL);
	}
}

static bool find_sections(struct plt *p)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(p->elf, &names))
		return false;
	while ((section = elf_nextscn(p->elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(p->elf, names, header.sh_name);
		if (name)
			find_section(p, section, name, &header);
	}
	if (!p->relocation || !p->relocations.sh_entsize)
		return false;
	section = elf_getscn(p->elf, p->relocations.sh_link);
	if (!section || !gelf_getshdr(section, &header))
		return false;
	p->symbols = elf_getdata(section, NULL);
	p->strings = header.sh_link;
	p->nr = p->relocation->d_size / p->relocations.sh_entsize;
	return p->symbols && p->nr && p->nr <= INT32_MAX;
}

static bool find_layout(struct plt *p)
{
	GElf_Ehdr ehdr;
	uint64_t header;

	if (!gelf_getehdr(p->elf, &ehdr))
		return false;
	if (ehdr.e_machine == EM_AARCH64)
		header = 32;
	else if (ehdr.e_machine == EM_X86_64 || ehdr.e_machine == EM_386)
		header = 16;
	else
		return false;
	/* With IBT the calls go to .plt.sec, which has no header. */
	if (p->sec.sh_size) {
		p->plt = p->sec;
		header = 0;
	}
	if (p->plt.sh_size <= header)
		return false;
	p->first = p->plt.sh_addr + header;
	p->entry = (p->plt.sh_size - header) / p->nr;
	/* Entries of 24 bytes: AArch64 with BTI and PAC. */
	if (p->entry < 16 || p->entry > 24)
		p->entry = 16;
	return true;
}

static const char *name_of(const struct plt *p, size_t i)
{
	GElf_Rela rela;
	GElf_Rel rel;
	GElf_Sym sym;
	uint64_t info;

	if (p->relocations.sh_type == SHT_RELA &&
	    gelf_getrela(p->relocation, (int)i, &rela))
		info = rela.r_info;
	else if (p->relocations.sh_type == SHT_REL &&
		 gelf_getrel(p->relocation, (int)i, &rel))
		info = rel.r_info;
	else
		return NULL;
	if (GELF_R_SYM(info) > INT32_MAX ||
	    !gelf_getsym(p->symbols, (int)GELF_R_SYM(info), &sym))
		return NULL;
	return elf_strptr(p->elf, p->strings, sym.st_name);
}

int elf_add_plt(const struct elf_file *f, struct symbol_table *t, char **names)
{
	static const char suffix[] = "@plt";
	struct plt p = { .elf = f->elf };
	size_t bytes = 0;
	char *at;
	size_t i;

	*names = NULL;
	if (!find_sections(&p) || !find_layout(&p))
		return 0;
	for (i = 0; i < p.nr; i++) {
		const char *name = name_of(&p, i);

		bytes += name ? strnlen(name, 512) + sizeof(suffix) : 0;
	}
	at = malloc(bytes + 1);
	if (!at)
		return -1;
	*names = at;
	for (i = 0; i < p.nr && (i + 1) * p.entry <= p.plt.sh_size; i++) {
		const char *name = name_of(&p, i);
		struct symbol s = {
			.start = p.first + i * p.entry,
			.end = p.first + (i + 1) * p.entry,
			.name = at,
			.binding = SYMBOL_GLOBAL,
		};

		if (!name || !*name)
			continue;
		at += snprintf(at, *names + bytes - at, "%.512s%s", name,
			       suffix) +
		      1;
		if (symbol_table_add(t, &s))
			return -1;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/make-elf.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NOTHING,
	TEXT,
	NOTE,
	SYMTAB,
	STRTAB,
	DYNSYM,
	DYNSTR,
	LINK,
	DATA,
	NAMES
};
#define NR_SECTIONS (NAMES + 1)
#define THIS_ORDER \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB)

static const char section_names[] = "\0.text\0.note.gnu.build-id\0.symtab\0"
				    ".strtab\0.dynsym\0.dynstr\0"
				    ".gnu_debuglink\0.gnu_debugdata\0.shstrtab";

struct maker {
	unsigned char *bytes;
	size_t used, size;
	bool failed;
	Elf64_Shdr section[NR_SECTIONS];
};

static void append(struct maker *m, const void *bytes, size_t size)
{
	if (m->used + size > m->size) {
		unsigned char *grown;

		m->size = (m->used + size) * 2;
		grown = realloc(m->bytes, m->size);
		if (!grown) {
			m->failed = true;
			return;
		}
		m->bytes = grown;
	}
	if (size)
		memcpy(m->bytes + m->used, bytes, size);
	m->used += size;
}

static void pad(struct maker *m, size_t to)
{
	while (m->used < to && !m->failed)
		append(m, "", 1);
}

static void begin(struct maker *m, int section, uint32_t type)
{
	const char *name = section_names;
	int i;

	for (i = 0; i < section; i++)
		name += strlen(name) + 1;
	pad(m, (m->used + 7) & ~(size_t)7);
	m->section[section].sh_name = (uint32_t)(name - section_names);
	m->section[section].sh_type = type;
	m->section[section].sh_offset = m->used;
	m->section[section].sh_addralign = 1;
}

static void end(struct maker *m, int section)
{
	m->section[section].sh_size = m->used - m->section[section].sh_offset;
}

static void add_text(struct maker *m, const struct made_elf *e)
{
	pad(m, e->text_offset);
	begin(m, TEXT, SHT_PROGBITS);
	m->section[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	m->section[TEXT].sh_addr = e->text_address;
	pad(m, e->text_offset + e->text_size);
	end(m, TEXT);
}

static void add_note(struct maker *m, const struct made_elf *e)
{
	const Elf64_Nhdr note = { 4, 20, NT_GNU_BUILD_ID };

	begin(m, NOTE, SHT_NOTE);
	m->section[NOTE].sh_flags = SHF_ALLOC;
	m->section[NOTE].sh_addralign = 4;
	append(m, &note, sizeof(note));
	append(m, "GNU", 4);
	append(m, e->build_id, 20);
	end(m, NOTE);
}

static void add_symbols(struct maker *m, const struct made_symbol *s,
			int section, uint32_t type)
{
	const struct made_symbol *one;
	Elf64_Sym sym = { 0 };
	uint32_t name = 1;

	begin(m, section, type);
	m->section[section].sh_link = section + 1;
	m->section[section].sh_entsize = sizeof(sym);
	append(m, &sym, sizeof(sym));
	for (one = s; one->name; one++) {
		sym.st_name = name;
		sym.st_info = ELF64_ST_INFO(one->binding, one->type);
		sym.st_shndx = TEXT;
		sym.st_value = one->address;
		sym.st_size = one->size;
		append(m, &sym, sizeof(sym));
		name += strlen(one->name) + 1;
	}
	end(m, section);
	begin(m, section + 1, SHT_STRTAB);
	append(m, "", 1);
	for (one = s; one->name; one++)
		append(m, one->name, strlen(one->name) + 1);
	end(m, section + 1);
}

static void add_link(struct maker *m, const struct made_elf *e)
{
	begin(m, LINK, SHT_PROGBITS);
	append(m, e->debuglink, strlen(e->debuglink) + 1);
	while ((m->used - m->section[LINK].sh_offset) % 4 && !m->failed)
		append(m, "", 1);
	append(m, &e->debuglink_crc, sizeof(e->debuglink_crc));
	end(m, LINK);
}

static void add_sections(struct maker *m, const struct made_elf *e)
{
	add_text(m, e);
	if (e->build_id)
		add_note(m, e);
	if (e->symtab)
		add_symbols(m, e->symtab, SYMTAB, SHT_SYMTAB);
	if (e->dynsym)
		add_symbols(m, e->dynsym, DYNSYM, SHT_DYNSYM);
	if (e->debuglink)
		add_link(m, e);
	if (e->debugdata) {
		begin(m, DATA, SHT_PROGBITS);
		append(m, e->debugdata, e->debugdata_size);
		end(m, DATA);
	}
	begin(m, NAMES, SHT_STRTAB);
	append(m, section_names, sizeof(section_names));
	end(m, NAMES);
}

unsigned char *make_elf(const struct made_elf *e, size_t *size)
{
	struct maker m = { 0 };
	Elf64_Phdr load = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = e->text_offset,
		.p_vaddr = e->text_address,
		.p_filesz = e->text_size,
		.p_memsz = e->text_size,
	};
	Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, THIS_ORDER,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(load),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NR_SECTIONS,
		.e_shstrndx = NAMES,
	};

	append(&m, &head, sizeof(head));
	append(&m, &load, sizeof(load));
	add_sections(&m, e);
	pad(&m, (m.used + 7) & ~(size_t)7);
	head.e_shoff = m.used;
	append(&m, m.section, sizeof(m.section));
	if (m.failed) {
		free(m.bytes);
		return NULL;
	}
	memcpy(m.bytes, &head, sizeof(head));
	*size = m.used;
	return m.bytes;
}

int make_elf_file(const char *path, const struct made_elf *e)
{
	size_t size;
	unsigned char *bytes = make_elf(e, &size);
	FILE *f = bytes ? fopen(path, "we") : NULL;
	int ret = -1;

	if (f) {
		ret = fwrite(bytes, 1, size, f) == size ? 0 : -1;
		ret |= fclose(f);
	}
	free(bytes);
	return ret;
}

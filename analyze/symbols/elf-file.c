// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/elf-file.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int finish_open(struct elf_file *f)
{
	const void *id;
	ssize_t size;

	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF) {
		elf_file_close(f);
		return -1;
	}
	size = dwelf_elf_gnu_build_id(f->elf, &id);
	if (size > 0)
		build_id_set(&f->build_id, id, size);
	return 0;
}

int elf_file_open(struct elf_file *f, int fd)
{
	memset(f, 0, sizeof(*f));
	f->fd = fd;
	elf_version(EV_CURRENT);
	/* Not mapped: a file that shrinks meanwhile must not kill us. */
	f->elf = elf_begin(fd, ELF_C_READ, NULL);
	return finish_open(f);
}

int elf_file_memory(struct elf_file *f, char *image, size_t size)
{
	memset(f, 0, sizeof(*f));
	f->fd = -1;
	f->memory = image;
	elf_version(EV_CURRENT);
	f->elf = elf_memory(image, size);
	return finish_open(f);
}

void elf_file_close(struct elf_file *f)
{
	if (f->elf)
		elf_end(f->elf);
	if (f->fd > 0)
		close(f->fd);
	free(f->memory);
	memset(f, 0, sizeof(*f));
}

const Elf_Data *elf_file_section(const struct elf_file *f, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return NULL;
	while ((section = elf_nextscn(f->elf, section))) {
		GElf_Shdr header;
		const char *found;
		const Elf_Data *data;

		if (!gelf_getshdr(section, &header) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		found = elf_strptr(f->elf, names, header.sh_name);
		if (!found || strcmp(found, name) != 0)
			continue;
		data = elf_rawdata(section, NULL);
		return data && data->d_buf && data->d_size ? data : NULL;
	}
	return NULL;
}

struct symbol_reader {
	const struct elf_file *f;
	struct symbol_table *table;
	Elf_Data *symbols;
	const char *names;
	size_t names_size; /* up to and with the last zero byte */
	bool *is_code; /* by number of section */
	size_t nr_sections;
	bool is_arm;
};

static bool *find_code_sections(Elf *elf, size_t nr)
{
	bool *is_code = calloc(nr ? nr : 1, sizeof(*is_code));
	Elf_Scn *section = NULL;

	while (is_code && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		size_t i = elf_ndxscn(section);

		if (i < nr && gelf_getshdr(section, &header))
			is_code[i] = header.sh_flags & SHF_EXECINSTR;
	}
	return is_code;
}

static bool wanted(const struct symbol_reader *r, const GElf_Sym *s)
{
	const int type = GELF_ST_TYPE(s->st_info);
	const int seen = GELF_ST_VISIBILITY(s->st_other);

	if (type != STT_FUNC && type != STT_GNU_IFUNC &&
	    (type != STT_NOTYPE || seen == STV_HIDDEN || seen == STV_INTERNAL))
		return false;
	if (!s->st_name || s->st_name >= r->names_size)
		return false;
	/* Also drops the function descriptors of old powerpc. */
	return s->st_shndx < r->nr_sections && r->is_code[s->st_shndx];
}

static int add_symbol(const struct symbol_reader *r, const GElf_Sym *sym)
{
	const int binding = GELF_ST_BIND(sym->st_info);
	struct symbol s = {
		.start = sym->st_value,
		.name = r->names + sym->st_name,
		.untyped = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE,
		.binding = binding == STB_WEAK	? SYMBOL_WEAK :
			   binding == STB_LOCAL ? SYMBOL_LOCAL :
						  SYMBOL_GLOBAL,
	};

	/* Bit 0 says Thumb. */
	if (r->is_arm && !s.untyped)
		s.start &= ~1ull;
	if (__builtin_add_overflow(s.start, sym->st_size, &s.end))
		s.end = UINT64_MAX;
	/* Marks of assemblers, where code or data begins. */
	if (*s.name == '$' || (s.name[0] == '.' && s.name[1] == 'L'))
		return 0;
	return symbol_table_add(r->table, &s) ? -1 : 1;
}

static int64_t read_symbols(const struct symbol_reader *r, size_t nr)
{
	int64_t added = 0;
	size_t i;

	for (i = 0; i < nr && i <= INT32_MAX; i++) {
		GElf_Sym sym;
		int n;

		if (!gelf_getsym(r->symbols, (int)i, &sym))
			break;
		if (!wanted(r, &sym))
			continue;
		n = add_symbol(r, &sym);
		if (n < 0)
			return -1;
		added += n;
	}
	return added;
}

static int64_t add_table(struct symbol_reader *r, Elf_Scn *section,
			 const GElf_Shdr *header)
{
	Elf *elf = r->f->elf;
	Elf_Scn *names = elf_getscn(elf, header->sh_link);
	Elf_Data *text = names ? elf_rawdata(names, NULL) : NULL;
	const char *last;
	GElf_Ehdr ehdr;
	int64_t added;

	r->symbols = elf_getdata(section, NULL);
	if (!r->symbols || !r->symbols->d_buf || !text || !text->d_buf ||
	    !header->sh_entsize || !gelf_getehdr(elf, &ehdr) ||
	    elf_getshdrnum(elf, &r->nr_sections))
		return 0;
	last = memrchr(text->d_buf, '\0', text->d_size);
	r->names = text->d_buf;
	r->names_size = last ? last - r->names + 1 : 0;
	r->is_arm = ehdr.e_machine == EM_ARM;
	r->is_code = find_code_sections(elf, r->nr_sections);
	if (!r->is_code)
		return -1;
	added = read_symbols(r, r->symbols->d_size / header->sh_entsize);
	free(r->is_code);
	return added;
}

int64_t elf_file_add_symbols(const struct elf_file *f, struct symbol_table *t,
			     uint32_t type)
{
	struct symbol_reader r = { .f = f, .table = t };
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(f->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == type)
			return add_table(&r, section, &header);
	}
	return 0;
}

void elf_file_segments(const struct elf_file *f, struct elf_segments *s)
{
	size_t nr, i;

	s->nr = 0;
	if (elf_getphdrnum(f->elf, &nr))
		return;
	for (i = 0; i < nr && i <= INT32_MAX; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p))
			return;
		if (p.p_type != PT_LOAD || !(p.p_flags & PF_X) || !p.p_filesz)
			continue;
		if (s->nr == sizeof(s->load) / sizeof(s->load[0]))
			return;
		s->load[s->nr].offset = p.p_offset;
		s->load[s->nr].size = p.p_filesz;
		s->load[s->nr].address = p.p_vaddr;
		s->nr++;
	}
}

bool elf_segments_address(const struct elf_segments *s, uint64_t offset,
			  uint64_t *address)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		if (offset - s->load[i].offset >= s->load[i].size)
			continue;
		*address = offset - s->load[i].offset + s->load[i].address;
		return true;
	}
	return false;
}

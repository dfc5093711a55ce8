// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/find-debug.h"

#include <endian.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/symbols/debuginfod.h"
#include "analyze/symbols/open-file.h"

/* Takes @path over. */
static int open_path(const char *root, char *path)
{
	int fd = -1;

	if (path)
		fd = open_regular(root, path);
	free(path);
	return fd;
}

int find_cached(const struct symbol_places *places, const struct build_id *id,
		const char *name)
{
	char text[BUILD_ID_TEXT];
	int fd;

	if (!places->cache || id->size < 2)
		return -1;
	build_id_text(id, text);
	fd = open_path(NULL, join_path("%s/.build-id/%.2s/%s/%s", places->cache,
				       text, text + 2, name));
	/* Before perf 4.6 the link was the file itself. */
	if (fd < 0 && errno == ENOTDIR && strcmp(name, "debug") != 0)
		fd = open_path(NULL, join_path("%s/.build-id/%.2s/%s",
					       places->cache, text, text + 2));
	if (fd < 0 && !strcmp(name, "kallsyms"))
		fd = open_path(NULL,
			       join_path("%s/[kernel.kallsyms]/%s/kallsyms",
					 places->cache, text));
	return fd;
}

static bool open_with_id(int fd, const struct build_id *id, struct elf_file *f)
{
	if (fd < 0 || elf_file_open(f, fd))
		return false;
	if (build_id_equal(&f->build_id, id))
		return true;
	elf_file_close(f);
	return false;
}

int find_debug_file(const struct symbol_places *places,
		    const struct build_id *id)
{
	char text[BUILD_ID_TEXT];

	if (id->size < 2)
		return -1;
	build_id_text(id, text);
	return open_path(NULL,
			 join_path("%s/.build-id/%.2s/%s.debug",
				   places->debug_directory, text, text + 2));
}

/* What a .gnu_debuglink section says. */
struct debug_link {
	const char *name;
	uint32_t crc;
};

static bool read_debug_link(const struct elf_file *f, struct debug_link *link)
{
	const Elf_Data *data = elf_file_section(f, ".gnu_debuglink");
	const char *ident;
	size_t length;

	if (!data)
		return false;
	link->name = data->d_buf;
	length = strnlen(link->name, data->d_size);
	/* Zeroes up to a multiple of 4, then the CRC. */
	length = (length + 4) & ~(size_t)3;
	if (length + sizeof(link->crc) > data->d_size || !*link->name ||
	    strchr(link->name, '/') || !strcmp(link->name, ".") ||
	    !strcmp(link->name, ".."))
		return false;
	memcpy(&link->crc, link->name + length, sizeof(link->crc));
	ident = elf_getident(f->elf, NULL);
	link->crc = ident[EI_DATA] == ELFDATA2MSB ? be32toh(link->crc) :
						    le32toh(link->crc);
	return true;
}

/* The CRC-32 of IEEE 802.3, reflected, as .gnu_debuglink has it. */
static bool crc_matches(int fd, uint32_t want)
{
	uint32_t table[256];
	uint8_t buffer[16 * 1024];
	uint32_t crc = ~0u;
	off_t at = 0;
	ssize_t got;
	uint32_t i;

	for (i = 0; i < 256; i++) {
		uint32_t c = i;
		int bit;

		for (bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		table[i] = c;
	}
	while ((got = pread(fd, buffer, sizeof(buffer), at)) > 0) {
		ssize_t k;

		for (k = 0; k < got; k++)
			crc = table[(crc ^ buffer[k]) & 0xff] ^ crc >> 8;
		at += got;
	}
	return got == 0 && ~crc == want;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static bool try_linked(const struct elf_file *f, const struct debug_link *link,
		       int fd, struct elf_file *debug)
{
	if (fd < 0)
		return false;
	if (f->fd > 0 && same_file(fd, f->fd)) {
		close(fd);
		return false;
	}
	if (elf_file_open(debug, fd))
		return false;
	if (f->build_id.size && debug->build_id.size ?
		    build_id_equal(&f->build_id, &debug->build_id) :
		    crc_matches(debug->fd, link->crc))
		return true;
	elf_file_close(debug);
	return false;
}

static bool find_linked(const struct symbol_places *places, const char *path,
			const struct elf_file *f, struct elf_file *debug)
{
	const char *root = places->root;
	const char *slash = strrchr(path, '/');
	struct debug_link link;
	int length;

	if (!slash || slash - path > 4096 || !read_debug_link(f, &link))
		return false;
	length = (int)(slash - path);
	return try_linked(f, &link,
			  open_path(root, join_path("%.*s/%s", length, path,
						    link.name)),
			  debug) ||
	       try_linked(f, &link,
			  open_path(root, join_path("%.*s/.debug/%s", length,
						    path, link.name)),
			  debug) ||
	       try_linked(f, &link,
			  open_path(NULL, join_path("%s%.*s/%s",
						    places->debug_directory,
						    length, path, link.name)),
			  debug);
}

bool find_debug(const struct symbol_places *places, const char *path,
		const struct elf_file *file, struct elf_file *debug)
{
	const struct build_id *id = &file->build_id;

	return open_with_id(find_debug_file(places, id), id, debug) ||
	       open_with_id(find_cached(places, id, "debug"), id, debug) ||
	       find_linked(places, path, file, debug) ||
	       open_with_id(debuginfod_find(places->debuginfod, id, false), id,
			    debug);
}

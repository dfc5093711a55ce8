// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/build-id.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/symbols/open-file.h"

void build_id_set(struct build_id *id, const void *bytes, size_t size)
{
	static const uint8_t padding[4] = { 0 };

	memset(id, 0, sizeof(*id));
	id->size = size < BUILD_ID_MAX ? size : BUILD_ID_MAX;
	if (id->size)
		memcpy(id->byte, bytes, id->size);
	while (size == BUILD_ID_MAX && id->size > 4 &&
	       !memcmp(id->byte + id->size - 4, padding, sizeof(padding)))
		id->size -= 4;
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	/* Bytes behind the size are zero in both. */
	return a->size && b->size && !memcmp(a->byte, b->byte, BUILD_ID_MAX);
}

const char *build_id_text(const struct build_id *id, char text[BUILD_ID_TEXT])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < id->size; i++) {
		text[2 * i] = digits[id->byte[i] >> 4];
		text[2 * i + 1] = digits[id->byte[i] & 15];
	}
	text[2 * i] = '\0';
	return text;
}

bool build_id_from_notes(struct build_id *id, const void *notes, size_t size)
{
	const char *at = notes;
	Elf32_Nhdr note; /* The same in 64-bit files. */

	while (size >= sizeof(note)) {
		size_t name, value;

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		size -= sizeof(note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		value = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > size || note.n_descsz > size - name)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at, "GNU", 4) && note.n_descsz) {
			build_id_set(id, at + name, note.n_descsz);
			return true;
		}
		if (value > size - name)
			return false;
		at += name + value;
		size -= name + value;
	}
	return false;
}

bool build_id_running_kernel(struct build_id *id)
{
	int fd = open_regular(NULL, "/sys/kernel/notes");
	bool found = false;
	size_t size;
	char *notes;

	if (fd < 0)
		return false;
	notes = read_whole(fd, 1024 * 1024, &size);
	if (notes)
		found = build_id_from_notes(id, notes, size);
	free(notes);
	close(fd);
	return found;
}

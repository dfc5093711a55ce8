// SPDX-License-Identifier: GPL-2.0-only
#include "config.h"

#include "analyze/symbols/elf-extra.h"

#include <stdlib.h>

#ifdef HAVE_LZMA
#include <lzma.h>

#define MEMORY_LIMIT (64ull << 20)
#define GROWTH_LIMIT 64

static char *unpack(const uint8_t *packed, size_t packed_size, size_t *size)
{
	const size_t limit = packed_size * GROWTH_LIMIT;
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t room = packed_size * 4 < limit ? packed_size * 4 : limit;
	lzma_ret ret = LZMA_MEM_ERROR;
	char *out = malloc(room);

	if (out)
		ret = lzma_stream_decoder(&stream, MEMORY_LIMIT, 0);
	stream.next_in = packed;
	stream.avail_in = packed_size;
	while (ret == LZMA_OK) {
		char *grown;

		stream.next_out = (uint8_t *)out + stream.total_out;
		stream.avail_out = room - stream.total_out;
		ret = lzma_code(&stream, LZMA_FINISH);
		if (ret != LZMA_OK || stream.avail_out)
			continue;
		if (room >= limit)
			break;
		room = room * 2 < limit ? room * 2 : limit;
		grown = realloc(out, room);
		if (!grown)
			break;
		out = grown;
	}
	*size = stream.total_out;
	lzma_end(&stream);
	if (ret == LZMA_STREAM_END)
		return out;
	free(out);
	return NULL;
}

bool elf_open_debugdata(const struct elf_file *f, struct elf_file *inner)
{
	const Elf_Data *data = elf_file_section(f, ".gnu_debugdata");
	size_t size;
	char *image;

	if (!data || data->d_size > SIZE_MAX / GROWTH_LIMIT)
		return false;
	image = unpack(data->d_buf, data->d_size, &size);
	return image && !elf_file_memory(inner, image, size);
}
#else
bool elf_open_debugdata(const struct elf_file *f, struct elf_file *inner)
{
	(void)f;
	(void)inner;
	return false;
}
#endif

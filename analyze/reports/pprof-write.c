// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/pprof-write.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/reports/document.h"

#define GZIP (15 + 16) /* zlib's window bits: largest window, gzip header */

static void deflate_some(struct pprof_writer *w, const uint8_t *data,
			 size_t size, int flush)
{
	unsigned char buffer[16384];
	int ret;

	/* zlib only reads what it declares without const. */
	w->z.next_in = (Bytef *)(uintptr_t)data;
	w->z.avail_in = (uInt)size;
	do {
		w->z.next_out = buffer;
		w->z.avail_out = sizeof(buffer);
		ret = deflate(&w->z, flush);
		if (ret == Z_STREAM_ERROR) {
			w->failed = true;
			return;
		}
		fwrite(buffer, 1, sizeof(buffer) - w->z.avail_out, w->out);
	} while (!w->z.avail_out);
}

static void append(ProtobufCBuffer *base, size_t size, const uint8_t *data)
{
	struct pprof_writer *w = (struct pprof_writer *)base;

	while (size) {
		size_t part = size < (1u << 30) ? size : 1u << 30;

		deflate_some(w, data, part, Z_NO_FLUSH);
		data += part;
		size -= part;
	}
}

void pprof_put(struct pprof_writer *w, const Pprof__Profile *piece)
{
	pprof__profile__pack_to_buffer(piece, &w->base);
}

static void put_string(struct pprof_writer *w, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	json_t *clean = document_text(text); /* strings must be UTF-8 */
	char *string = (char *)(uintptr_t)json_string_value(clean);

	if (string) {
		piece.n_string_table = 1;
		piece.string_table = &string;
		pprof_put(w, &piece);
	} else {
		w->failed = true;
	}
	json_decref(clean);
}

static int make_room(struct pprof_writer *w, uint32_t string)
{
	uint32_t size = profile_nr_strings(w->p) + 64;
	int64_t *grown;

	if (string < w->size)
		return 0;
	grown = realloc(w->index, size * sizeof(*grown));
	if (!grown) {
		w->failed = true;
		return -1;
	}
	memset(grown + w->size, 0, (size - w->size) * sizeof(*grown));
	w->index = grown;
	w->size = size;
	return 0;
}

int64_t pprof_string(struct pprof_writer *w, uint32_t string)
{
	if (!string || make_room(w, string))
		return 0;
	if (!w->index[string]) {
		put_string(w, profile_text(w->p, string));
		w->index[string] = w->nr++;
	}
	return w->index[string];
}

int64_t pprof_text(struct pprof_writer *w, const char *text)
{
	return pprof_string(w, profile_string(w->p, text, strlen(text)));
}

int pprof_begin(struct pprof_writer *w, struct profile *p, FILE *out)
{
	memset(w, 0, sizeof(*w));
	w->base.append = append;
	w->p = p;
	w->out = out;
	if (deflateInit2(&w->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	/* The table's first string must be the empty one. */
	put_string(w, "");
	w->nr = 1;
	return 0;
}

int pprof_end(struct pprof_writer *w)
{
	deflate_some(w, NULL, 0, Z_FINISH);
	deflateEnd(&w->z);
	free(w->index);
	w->index = NULL;
	return w->failed || profile_failed(w->p) ? -1 : 0;
}

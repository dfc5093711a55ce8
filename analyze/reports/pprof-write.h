/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pprof profile, written piece by piece: pieces of one protobuf message
 * may follow each other, and lists go on in the next.  pprof.c alone
 * includes it.
 */
#ifndef RWSEMLAB_ANALYZE_REPORTS_PPROF_WRITE_H
#define RWSEMLAB_ANALYZE_REPORTS_PPROF_WRITE_H

#include <stdio.h>
#include <zlib.h>

#include "analyze/profile.h"
#include "analyze/reports/pprof.pb-c.h"

struct pprof_writer {
	ProtobufCBuffer base; /* first: protobuf-c appends to it */
	struct profile *p;
	FILE *out;
	z_stream z;
	bool failed; /* memory ran out */
	int64_t *index; /* in the string table, by string of the profile */
	uint32_t size;
	int64_t nr; /* strings in the table */
};

/**
 * pprof_begin() - start the gzip stream
 * pprof_end() - finish it; needed after a pprof_begin() that succeeded
 *
 * Return: 0, or -1 when memory ran out at any time before.  Write errors show
 * in @out.
 */
int pprof_begin(struct pprof_writer *w, struct profile *p, FILE *out);
int pprof_end(struct pprof_writer *w);

/**
 * pprof_put() - write a piece: the fields that are set
 */
void pprof_put(struct pprof_writer *w, const Pprof__Profile *piece);

/**
 * pprof_string() - the number of a string of the profile in the string table,
 * where it is written when it is new
 * pprof_text() - likewise
 */
int64_t pprof_string(struct pprof_writer *w, uint32_t string);
int64_t pprof_text(struct pprof_writer *w, const char *text);

#endif

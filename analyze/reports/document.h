/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as one JSON object: the json format, and what is made of it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_DOCUMENT_H
#define RWSEMLAB_ANALYZE_REPORTS_DOCUMENT_H

#include "analyze/report.h"

/**
 * document_new() - the object that rwsemlab-json(5) describes
 * @failed: set to true when memory ran out, else left alone
 */
json_t *document_new(const struct report_input *in, bool *failed);

/**
 * document_print() - print a document and release it
 * @failed: memory ran out while it was made
 *
 * Return: 0, or -1 with @err set; errors of @out show there.
 */
int document_print(json_t *json, bool failed, FILE *out, struct error *err);

/**
 * document_text() - a string of the input as JSON
 *
 * Where it is no UTF-8, every byte that is not ASCII becomes '?'.
 */
json_t *document_text(const char *text);

/**
 * document_timeline() - the object switches_over_time
 */
json_t *document_timeline(const struct timeline *t, bool *failed);

#endif

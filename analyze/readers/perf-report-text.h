/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader of `perf report` text, for inputs that begin with perf's header
 * and don't tell in their first bytes which command wrote them.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_REPORT_TEXT_H
#define RWSEMLAB_ANALYZE_READERS_PERF_REPORT_TEXT_H

#include "analyze/readers/lines.h"
#include "analyze/readers/text.h"

extern const struct reader reader_perf_report_text;

/**
 * report_text_begins() - whether a line is one that only perf report writes
 */
bool report_text_begins(struct text line);

/**
 * report_text_read() - struct reader's read(), from the next of @lines on
 */
int report_text_read(const struct input *in, struct profile *p,
		     struct lines *lines, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The comments that `perf script --header` and `perf report --header` begin
 * with: which machine, which kernel, which command.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_TEXT_HEADER_H
#define RWSEMLAB_ANALYZE_READERS_TEXT_HEADER_H

#include "analyze/profile.h"
#include "analyze/readers/text.h"

/**
 * text_header() - take what a comment says into the profile
 * @comment: the line from its '#' on; lines of other form do nothing
 */
void text_header(struct profile *p, struct text comment);

#endif

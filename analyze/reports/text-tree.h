/* SPDX-License-Identifier: GPL-2.0-only */
/* Call trees below the text report's tables; text.c alone includes it. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_TEXT_TREE_H
#define RWSEMLAB_ANALYZE_REPORTS_TEXT_TREE_H

#include "analyze/report.h"

/**
 * text_tree_print() - print the call trees that the options ask for
 *
 * Return: 0, or -1 when memory ran out.
 */
int text_tree_print(const struct report_input *in,
		    const struct report_options *options, FILE *out);

#endif

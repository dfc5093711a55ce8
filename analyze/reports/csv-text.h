/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts in comma-separated values. */
#ifndef RWSEMLAB_ANALYZE_REPORTS_CSV_TEXT_H
#define RWSEMLAB_ANALYZE_REPORTS_CSV_TEXT_H

#include <stdio.h>

/**
 * csv_text() - print one cell, quoted as RFC 4180 says where it must be
 */
void csv_text(const char *text, FILE *out);

#endif

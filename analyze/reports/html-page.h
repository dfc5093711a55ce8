/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of the html formats: data files, made from reports/html/ at build
 * time, that are filled with data.
 */
#ifndef RWSEMLAB_ANALYZE_REPORTS_HTML_PAGE_H
#define RWSEMLAB_ANALYZE_REPORTS_HTML_PAGE_H

#include <stdio.h>

#include "error.h"

enum html_page {
	HTML_PAGE_REPORT,
	HTML_PAGE_DIFF,
};

/**
 * html_page_missing() - why a page can't be filled here, NULL if it can
 */
const char *html_page_missing(enum html_page page);

/**
 * html_page_print() - print a page with data inside
 * @write: prints the data, as <script> elements; returns 0, or -1 when memory
 *         ran out
 *
 * Return: 0, or -1 with @err set; errors of @out show there.
 */
int html_page_print(enum html_page page,
		    int (*write)(const void *context, FILE *out),
		    const void *context, FILE *out, struct error *err);

#endif

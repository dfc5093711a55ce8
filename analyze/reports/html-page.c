// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/reports/html-page.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/data-file.h"

#define MARK	 "<!--data-->" /* where the data goes */
#define MAX_PAGE (16u << 20)

#define MISSING(name)                                                      \
	"its page is not installed: configure --with-html (needs npm), or" \
	" set RWSEMLAB_DATADIR to the folder of " name

static const struct {
	const char *name, *built, *missing;
} pages[] = {
	[HTML_PAGE_REPORT] = { "report.html",
			       "analyze/reports/html/report.html",
			       MISSING("report.html") },
	[HTML_PAGE_DIFF] = { "diff.html", "analyze/reports/html/diff.html",
			     MISSING("diff.html") },
};

static FILE *open_page(enum html_page page)
{
	return data_file_open(pages[page].name, pages[page].built);
}

const char *html_page_missing(enum html_page page)
{
	FILE *file = open_page(page);

	if (!file)
		return pages[page].missing;
	fclose(file);
	return NULL;
}

/* All of a file, with a zero byte behind it; NULL if it can't be read. */
static char *read_page(enum html_page page)
{
	FILE *file = open_page(page);
	char *text = NULL;
	long size;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END) && (size = ftell(file)) > 0 &&
	    (unsigned long)size < MAX_PAGE && !fseek(file, 0, SEEK_SET))
		text = calloc(1, (size_t)size + 1);
	if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

int html_page_print(enum html_page page,
		    int (*write)(const void *context, FILE *out),
		    const void *context, FILE *out, struct error *err)
{
	char *text = read_page(page);
	char *mark = text ? strstr(text, MARK) : NULL;
	int ret;

	if (!mark) {
		free(text);
		return error_set(err, EXIT_USAGE,
				 "%s, the page of the html format, is damaged"
				 " or can't be read; install it anew",
				 pages[page].name);
	}
	fwrite(text, 1, (size_t)(mark - text), out);
	ret = write(context, out);
	fputs(mark + strlen(MARK), out);
	free(text);
	if (ret)
		return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One page with the report, the stacks and the distributions inside.  The
 * page itself is a data file, made from reports/html/ at build time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/data-file.h"
#include "analyze/reports/document.h"
#include "analyze/reports/html-data.h"
#include "analyze/reports/json-write.h"

#define PERCENT_LIMIT 0.02
#define MARK	      "<!--data-->" /* where the data goes */
#define MAX_PAGE      (16u << 20)

static FILE *open_page(void)
{
	return data_file_open("report.html",
			      "analyze/reports/html/report.html");
}

static const char *missing(void)
{
	FILE *page = open_page();

	if (!page)
		return "its page is not installed: configure --with-html"
		       " (needs npm), or set RWSEMLAB_DATADIR to the folder of"
		       " report.html";
	fclose(page);
	return NULL;
}

/* All of a file, with a zero byte behind it; NULL if it can't be read. */
static char *read_page(void)
{
	FILE *file = open_page();
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

/* -------------------------------------------- beside each row of the report */

struct section {
	const char *key;
	const struct summary_row **rows;
	size_t nr;
	bool wait; /* the distribution is that of waits */
};

static void write_row_sites(const struct section *section, FILE *out)
{
	size_t i;

	fprintf(out, "\"%s\":[", section->key);
	for (i = 0; i < section->nr; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "",
			section->rows[i]->site);
	fputc(']', out);
}

/* Counts by powers of two: [k, n] for n values from 2^k to 2^(k+1) - 1. */
static void write_histogram(const struct rwsemlab_histogram *h, FILE *out)
{
	uint64_t count[64] = { 0 };
	bool any = false;
	uint32_t i;

	for (i = 0; i < h->nr; i++) {
		uint64_t low = rwsemlab_histogram_bucket_low(h->first + i);

		count[low ? 63 - __builtin_clzll(low) : 0] += h->bucket[i];
	}
	fputc('[', out);
	for (i = 0; i < 64; i++) {
		if (!count[i])
			continue;
		fprintf(out, "%s[%" PRIu32 ",%" PRIu64 "]", any ? "," : "", i,
			count[i]);
		any = true;
	}
	fputc(']', out);
}

static void write_histograms(const struct section *section, FILE *out)
{
	size_t i;

	fprintf(out, "\"%s\":[", section->key);
	for (i = 0; i < section->nr; i++) {
		if (i)
			fputc(',', out);
		write_histogram(section->wait ? &section->rows[i]->wait :
						&section->rows[i]->off,
				out);
	}
	fputc(']', out);
}

static void write_sections(const struct summary *s, FILE *out)
{
	const struct section sections[] = {
		{ "lock_sleeps", s->locks, s->nr_locks, false },
		{ "other_sleeps", s->others, s->nr_others, false },
		{ "contended_acquisitions", s->contended, s->nr_contended,
		  true },
	};
	size_t i;

	fputs(",\n\"rows\":{", out);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (i)
			fputs(",\n", out);
		write_row_sites(&sections[i], out);
	}
	fputs("},\n\"histograms\":{", out);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (i)
			fputs(",\n", out);
		write_histograms(&sections[i], out);
	}
	fputc('}', out);
}

/* ---------------------------------------------------------------- the page */

static int write_data(const struct report_input *in,
		      const struct report_options *options, FILE *out)
{
	double percent = options->percent_limit < 0 ? PERCENT_LIMIT :
						      options->percent_limit;
	bool failed = false;
	json_t *document = document_new(in, &failed);
	int ret;

	fputs("<script type=\"application/json\" id=\"report\">\n", out);
	ret = failed ? -1 : json_write(document, out);
	json_decref(document);
	fputs("\n</script>\n<script type=\"application/json\" id=\"tree\">\n{",
	      out);
	if (!ret)
		ret = html_tree_write(in->summary, percent, out);
	write_sections(in->summary, out);
	fputs("}\n</script>\n", out);
	return ret;
}

static int print_html(const struct report_input *in,
		      const struct report_options *options, FILE *out,
		      struct error *err)
{
	char *page = read_page();
	char *mark = page ? strstr(page, MARK) : NULL;
	int ret;

	if (!mark) {
		free(page);
		return error_set(err, EXIT_USAGE,
				 "report.html, the page of the html format, is"
				 " damaged or can't be read; install it anew");
	}
	fwrite(page, 1, (size_t)(mark - page), out);
	ret = write_data(in, options, out);
	fputs(mark + strlen(MARK), out);
	free(page);
	if (ret)
		return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

const struct report report_html = {
	.name = "html",
	.summary = "one page with tables, stacks and distributions",
	.missing = missing,
	.print = print_html,
};

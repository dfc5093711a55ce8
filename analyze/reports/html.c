// SPDX-License-Identifier: GPL-2.0-only
/* One page with the report, the stacks and the distributions inside. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/reports/document.h"
#include "analyze/reports/html-data.h"
#include "analyze/reports/html-page.h"
#include "analyze/reports/json-write.h"

#define PERCENT_LIMIT 0.02

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

struct printing {
	const struct report_input *in;
	const struct report_options *options;
};

static int write_data(const void *context, FILE *out)
{
	const struct printing *x = context;
	double percent = x->options->percent_limit < 0 ?
				 PERCENT_LIMIT :
				 x->options->percent_limit;
	bool failed = false;
	json_t *document = document_new(x->in, &failed);
	int ret;

	fputs("<script type=\"application/json\" id=\"report\">\n", out);
	ret = failed ? -1 : json_write(document, out);
	json_decref(document);
	fputs("\n</script>\n<script type=\"application/json\" id=\"tree\">\n{",
	      out);
	if (!ret)
		ret = html_tree_write(x->in->summary, percent, out);
	write_sections(x->in->summary, out);
	fputs("}\n</script>\n", out);
	return ret;
}

static int print_html(const struct report_input *in,
		      const struct report_options *options, FILE *out,
		      struct error *err)
{
	const struct printing x = { in, options };

	return html_page_print(HTML_PAGE_REPORT, write_data, &x, out, err);
}

static const char *missing(void)
{
	return html_page_missing(HTML_PAGE_REPORT);
}

const struct report report_html = {
	.format.name = "html",
	.format.summary = "one page with tables, stacks and distributions",
	.format.missing = missing,
	.print = print_html,
};

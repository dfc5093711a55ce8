// SPDX-License-Identifier: GPL-2.0-only
/* One page with a comparison and the stacks of both sides inside. */
#include "analyze/diff-report.h"
#include "analyze/reports/diff-html-data.h"
#include "analyze/reports/html-page.h"
#include "analyze/reports/json-write.h"

struct printing {
	const struct diff *d;
	double percent_limit;
};

static int write_orders(const struct printing *x,
			const struct diff_comparison *c, FILE *out)
{
	int ret;

	fputs("{\"caller\":", out);
	ret = diff_html_tree_write(x->d, c, TREE_CALLER, x->percent_limit, out);
	fputs(",\"callee\":", out);
	if (!ret)
		ret = diff_html_tree_write(x->d, c, TREE_CALLEE,
					   x->percent_limit, out);
	fputs("}", out);
	return ret;
}

static int write_trees(const struct printing *x, FILE *out)
{
	size_t i;
	int ret = 0;

	fputs("<script type=\"application/json\" id=\"trees\">\n[", out);
	for (i = 0; i + 1 < x->d->nr_sides && !ret; i++) {
		if (i)
			fputs(",\n", out);
		ret = write_orders(x, &x->d->comparison[i], out);
	}
	fputs("]\n</script>\n", out);
	return ret;
}

static int write_data(const void *context, FILE *out)
{
	const struct printing *x = context;
	bool failed = false;
	json_t *document = diff_document(x->d, &failed);
	int ret;

	fputs("<script type=\"application/json\" id=\"diff\">\n", out);
	ret = failed ? -1 : json_write(document, out);
	json_decref(document);
	fputs("\n</script>\n", out);
	return ret ? ret : write_trees(x, out);
}

static int print_html(const struct diff *d,
		      const struct diff_report_options *options, FILE *out,
		      struct error *err)
{
	/* A small stack may be the one that is gone: all are kept. */
	const struct printing x = { d, options->percent_limit < 0 ?
					       0 :
					       options->percent_limit };

	return html_page_print(HTML_PAGE_DIFF, write_data, &x, out, err);
}

static const char *missing(void)
{
	return html_page_missing(HTML_PAGE_DIFF);
}

const struct diff_report diff_report_html = {
	.format.name = "html",
	.format.summary = "one page with tables and flame graphs of both sides",
	.format.missing = missing,
	.print = print_html,
};

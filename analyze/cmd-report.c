// SPDX-License-Identifier: GPL-2.0-only
/* rwsemlab report: print what a recording or a session tells. */
#include <stdlib.h>

#include "analyze/input.h"
#include "analyze/session-file.h"
#include "analyze/show.h"
#include "workloads/cmd-session-show.h"

struct report_values {
	struct show_options show;
};

static const struct command_option options[] = {
	{ 'o', "output", "FILE", OPTION_STRING,
	  offsetof(struct report_values, show.output),
	  "write to this file instead of standard output" },
	SHOW_COMMAND_OPTIONS(struct report_values, show),
	{ 0 },
};

static int report_session(const char *path, const struct show_options *show,
			  const struct output *out, enum split_by split,
			  struct error *err)
{
	struct session session;
	int code;

	if (session_open(path, &session, err))
		return err->code;
	code = session_show(&session, show, out, split, err);
	session_free(&session);
	return code;
}

static int report_input(const char *path, const struct show_options *options_,
			const struct output *out, enum split_by split,
			struct error *err)
{
	struct profile *p = profile_new();
	int code;

	if (!p) {
		return error_set(err, EXIT_USAGE, "out of memory");
	}
	p->split = split;
	if (input_read(path, p, err))
		code = err->code;
	else
		code = show(p, options_, out, 0, NULL, NULL, err);
	profile_free(p);
	return code;
}

static int run_report(const struct command *self, int argc, char **argv,
		      struct error *err)
{
	struct report_values values = { .show = SHOW_OPTIONS_DEFAULT };
	struct output out;
	enum split_by split;
	const char *path;
	int code;
	int words = command_parse(self, argc, argv, &values, err);

	if (words == COMMAND_HELPED)
		return EXIT_OK;
	if (words < 0 || show_check(&values.show, &split, err))
		return err->code;
	if (words > 1) {
		return error_set(err, EXIT_USAGE,
				 "report: one PATH at a time, '%s' is too many",
				 argv[2]);
	}
	path = words ? argv[1] : "perf.data";
	if (output_open(&out, values.show.output, err))
		return err->code;
	if (session_is(path))
		code = report_session(path, &values.show, &out, split, err);
	else
		code = report_input(path, &values.show, &out, split, err);
	if (output_close(&out, show_is_printed(code), err))
		code = EXIT_USAGE;
	return code;
}

const struct command command_report = {
	.name = "report",
	.summary = "print the sleep sites of a session or a recording",
	.usage = "[OPTION...] [PATH]",
	.options = options,
	.run = run_report,
};

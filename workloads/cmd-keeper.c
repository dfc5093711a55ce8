// SPDX-License-Identifier: GPL-2.0-only
/*
 * "rwsemlab keeper": what run.c execs.  Not for people, so help leaves it out.
 */
#include "command.h"

#include <fcntl.h>
#include <string.h>

#include "workloads/channel.h"
#include "workloads/keeper.h"
#include "workloads/workload.h"

static int run(const struct command *self, int argc, char **argv,
	       struct error *err)
{
	const struct workload *workload;
	struct workload_options *options;
	int ret;

	if (argc < 3 || fcntl(KEEPER_CONTROL_FD, F_GETFD) < 0 ||
	    fcntl(KEEPER_RESULT_FD, F_GETFD) < 0) {
		error_set(err, EXIT_USAGE,
			  "%s: only 'run' and 'session' start it", self->name);
		return EXIT_USAGE;
	}
	workload = workload_find(argv[2], err);
	if (!workload ||
	    workload_parse_options(workload, argv + 3, (size_t)argc - 3,
				   &options, err))
		return EXIT_USAGE;
	ret = keeper_run(options, strcmp(argv[1], "-") ? argv[1] : NULL);
	workload_free_options(options);
	return ret;
}

const struct command command_keeper = {
	.name = "keeper",
	.run = run,
};

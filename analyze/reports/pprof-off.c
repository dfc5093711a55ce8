// SPDX-License-Identifier: GPL-2.0-only
/* In place of pprof.c where there is no protobuf-c. */
#include "analyze/report.h"

static const char *missing(void)
{
	return "built without protobuf-c and zlib (Debian: libprotobuf-c-dev,"
	       " protobuf-c-compiler, zlib1g-dev)";
}

const struct report report_pprof = {
	.format.name = "pprof",
	.format.summary = "a profile for pprof and profile stores (gzip)",
	.binary = true,
	.format.missing = missing,
};

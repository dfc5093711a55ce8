// SPDX-License-Identifier: GPL-2.0-only
/* Fuzz target: perf report text. */
#include "tests/fuzz/fuzz-text.h"

extern const struct reader reader_perf_report_text;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p;
	int failed;

	p = fuzz_read(&reader_perf_report_text, data, size, &failed);
	require(p->unit == UNIT_SHARE);
	/* Shares are of all: no less, and more only by what perf rounds. */
	if (!failed) {
		require(p->switches >= 1000000000);
		require(p->switches <= 1005000000 + 50000 * (uint64_t)size);
	}
	profile_free(p);
	return 0;
}

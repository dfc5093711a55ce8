// SPDX-License-Identifier: GPL-2.0-only
/* Fuzz target: perf script text. */
#include "tests/fuzz/fuzz-text.h"

extern const struct reader reader_perf_script;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p;
	int failed;

	p = fuzz_read(&reader_perf_script, data, size, &failed);
	if (p->unit == UNIT_EVENTS) {
		require(p->switches >= p->from_idle);
		require(p->events <= size);
	}
	profile_free(p);
	return 0;
}

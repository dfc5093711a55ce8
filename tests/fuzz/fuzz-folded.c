// SPDX-License-Identifier: GPL-2.0-only
/* Fuzz target: folded stacks. */
#include "tests/fuzz/fuzz-text.h"

extern const struct reader reader_folded;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p;
	int failed;

	p = fuzz_read(&reader_folded, data, size, &failed);
	/* Each share is rounded by itself. */
	if (!failed && p->unit == UNIT_SHARE)
		require(p->switches + size >= 1000000000 &&
			p->switches <= 1000000000 + size);
	require(failed || p->switches == p->sleeps);
	profile_free(p);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Fuzz target: perf.data, also a pipe's, in a regular file. */
#include "tests/fuzz/fuzz-perf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .is_regular = true, .size = size };

	if (!size)
		return 0;
	in.fd = memory_file(data, size);
	read_and_check(&in, data, size);
	close(in.fd);
	return 0;
}

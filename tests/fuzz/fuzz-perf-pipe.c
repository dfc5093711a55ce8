// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: perf.data from a pipe.  The reader can't seek in what it is
 * given; that a memory file could does not show.
 */
#include "tests/fuzz/fuzz-perf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .is_regular = false };

	if (!size)
		return 0;
	in.fd = memory_file(data, size);
	require(lseek(in.fd, size < 4096 ? (off_t)size : 4096, SEEK_SET) >= 0);
	read_and_check(&in, data, size);
	close(in.fd);
	return 0;
}

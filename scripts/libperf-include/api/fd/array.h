/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * See linux/types.h.  A part of struct perf_evlist, needed for its layout;
 * scripts/libperf installs the real one, a distribution's libperf does not.
 */
#ifndef RWSEMLAB_LIBPERF_ARRAY_H
#define RWSEMLAB_LIBPERF_ARRAY_H

struct pollfd;

enum fdarray_flags {
	fdarray_flag__default = 0,
};

struct fdarray {
	int nr;
	int nr_alloc;
	int nr_autogrow;
	struct pollfd *entries;
	struct priv *priv;
};

#endif

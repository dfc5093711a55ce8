/* SPDX-License-Identifier: GPL-2.0-only */
/* See linux/types.h. */
#ifndef RWSEMLAB_LIBPERF_COMPILER_H
#define RWSEMLAB_LIBPERF_COMPILER_H

#include <stddef.h> /* internal/xyarray.h relies on it */

#ifndef __aligned
#define __aligned(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __maybe_unused
#define __maybe_unused __attribute__((unused))
#endif

#endif

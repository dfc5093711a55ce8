/* SPDX-License-Identifier: GPL-2.0-only */
/* See linux/types.h.  internal/rc_check.h names it in macros nobody uses. */
#ifndef RWSEMLAB_LIBPERF_ZALLOC_H
#define RWSEMLAB_LIBPERF_ZALLOC_H
#endif

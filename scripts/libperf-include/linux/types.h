/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libperf's internal headers expect the <linux/...> headers of the kernel's
 * tools/ directory, which no package installs and which would hide the C
 * library's.  These few stand in for them: the system's own header, plus the
 * types that libperf's structures are made of, with the same layout.
 */
#ifndef RWSEMLAB_LIBPERF_TYPES_H
#define RWSEMLAB_LIBPERF_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint8_t u8;
typedef int8_t s8;

typedef struct {
	int counter;
} atomic_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of the perf.data format, kernel and user parts alike.  Own names,
 * since the system's linux/perf_event.h may be older than the file.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_FORMAT_H
#define RWSEMLAB_ANALYZE_READERS_PERF_FORMAT_H

enum pd_record_type {
	PD_MMAP = 1,
	PD_LOST = 2,
	PD_COMM = 3,
	PD_EXIT = 4,
	PD_THROTTLE = 5,
	PD_FORK = 7,
	PD_READ = 8,
	PD_SAMPLE = 9,
	PD_MMAP2 = 10,
	PD_LOST_SAMPLES = 13,
	PD_SWITCH = 14,
	PD_SWITCH_CPU_WIDE = 15,
	PD_KSYMBOL = 17,
	PD_CGROUP = 19,
	PD_DEFERRED = 22,
	PD_KERNEL_TYPES = 64, /* below: written by the kernel */
	PD_ATTR = 64,
	PD_TRACING_DATA = 66,
	PD_BUILD_ID = 67,
	PD_FINISHED_ROUND = 68,
	PD_AUXTRACE = 71,
	PD_EVENT_UPDATE = 78,
	PD_FEATURE = 80,
	PD_COMPRESSED = 81,
	PD_COMPRESSED2 = 83,
};

enum pd_feature {
	PD_FEATURE_TRACING_DATA = 1,
	PD_FEATURE_BUILD_ID = 2,
	PD_FEATURE_HOSTNAME = 3,
	PD_FEATURE_OSRELEASE = 4,
	PD_FEATURE_VERSION = 5,
	PD_FEATURE_ARCH = 6,
	PD_FEATURE_NRCPUS = 7,
	PD_FEATURE_CPUDESC = 8,
	PD_FEATURE_CMDLINE = 11,
	PD_FEATURE_EVENT_DESC = 12,
	PD_FEATURE_COMPRESSED = 27,
	PD_NR_FEATURES = 256,
};

/* Bits of a record's misc. */
#define PD_MISC_MODE	      7
#define PD_MODE_KERNEL	      1
#define PD_MODE_GUEST_KERNEL  4
#define PD_MODE_GUEST_USER    5
#define PD_MISC_COMM_EXEC     (1 << 13)
#define PD_MISC_SWITCH_OUT    (1 << 13)
#define PD_MISC_MMAP_BUILD_ID (1 << 14)
#define PD_MISC_BUILD_ID_SIZE (1 << 15)
#define PD_MISC_LOST_BY_BPF   (1 << 15)
#define PD_KSYMBOL_UNREGISTER 1

/* attr.type and attr.config */
#define PD_TYPE_HARDWARE   0
#define PD_TYPE_SOFTWARE   1
#define PD_TYPE_TRACEPOINT 2

/* attr.sample_type */
#define PD_SAMPLE_IP	     (1ull << 0)
#define PD_SAMPLE_TID	     (1ull << 1)
#define PD_SAMPLE_TIME	     (1ull << 2)
#define PD_SAMPLE_ADDR	     (1ull << 3)
#define PD_SAMPLE_READ	     (1ull << 4)
#define PD_SAMPLE_CALLCHAIN  (1ull << 5)
#define PD_SAMPLE_ID	     (1ull << 6)
#define PD_SAMPLE_CPU	     (1ull << 7)
#define PD_SAMPLE_PERIOD     (1ull << 8)
#define PD_SAMPLE_STREAM_ID  (1ull << 9)
#define PD_SAMPLE_RAW	     (1ull << 10)
#define PD_SAMPLE_IDENTIFIER (1ull << 16)
#define PD_SAMPLE_AUX	     (1ull << 20)
#define PD_SAMPLE_CGROUP     (1ull << 21)
#define PD_SAMPLE_DATA_PAGE  (1ull << 22)
#define PD_SAMPLE_CODE_PAGE  (1ull << 23)

/* attr.read_format */
#define PD_FORMAT_ENABLED 1
#define PD_FORMAT_RUNNING 2
#define PD_FORMAT_ID	  4
#define PD_FORMAT_GROUP	  8
#define PD_FORMAT_LOST	  16

/* attr.flags, counted from the lowest bit of a little-endian file */
#define PD_FLAG_FREQUENCY     (1ull << 10)
#define PD_FLAG_SAMPLE_ID_ALL (1ull << 18)
#define PD_FLAG_DEFER_CHAIN   (1ull << 38)

/* What stands between the addresses of a call chain. */
#define PD_CONTEXT_FIRST	 ((uint64_t)-4095) /* markers lie at and above it */
#define PD_CONTEXT_KERNEL	 ((uint64_t)-128)
#define PD_CONTEXT_USER		 ((uint64_t)-512)
#define PD_CONTEXT_USER_DEFERRED ((uint64_t)-640)

#endif

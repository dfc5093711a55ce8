/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of the events we use, as `perf script` prints them: in the words
 * of the kernel's print format, of any version, or of libtraceevent's plugin.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_TRACE_H
#define RWSEMLAB_ANALYZE_READERS_PERF_SCRIPT_TRACE_H

#include "analyze/account.h"
#include "analyze/readers/text.h"

struct trace_switch {
	int32_t prev_tid, next_tid;
	enum task_state prev_state;
	char prev_comm[COMM_SIZE], next_comm[COMM_SIZE];
};

/*
 * Each returns false when the fields are not what the event's should be.
 */

/**
 * trace_switch() - sched:sched_switch
 * @since_4_14: of a kernel 4.14 or later, or of one not known; the plugin
 *              prints the letters of older kernels, which then mean others
 */
bool trace_switch(struct text fields, bool since_4_14, struct trace_switch *s);

/* lock:contention_begin and lock:contention_end */
bool trace_begin(struct text fields, uint64_t *lock, uint32_t *flags);
bool trace_end(struct text fields, uint64_t *lock, int32_t *ret);

/* sched:sched_waking, _wakeup, _wakeup_new: who is woken */
bool trace_wakeup(struct text fields, int32_t *tid);

/* sched:sched_process_fork: the new task */
bool trace_fork(struct text fields, int32_t *tid);

#endif

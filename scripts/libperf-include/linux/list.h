/* SPDX-License-Identifier: GPL-2.0-only */
/* See linux/types.h.  Walking libperf's lists; nothing here changes one. */
#ifndef RWSEMLAB_LIBPERF_LIST_H
#define RWSEMLAB_LIBPERF_LIST_H

#include <linux/types.h>

#define list_entry(node_ptr, type, member) \
	((type *)((char *)(node_ptr)-offsetof(type, member)))

#define list_for_each_entry(pos, head, member)                         \
	for (pos = list_entry((head)->next, __typeof__(*pos), member); \
	     &pos->member != (head);                                   \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))

#define list_for_each_entry_reverse(pos, head, member)                 \
	for (pos = list_entry((head)->prev, __typeof__(*pos), member); \
	     &pos->member != (head);                                   \
	     pos = list_entry(pos->member.prev, __typeof__(*pos), member))

#define list_for_each_entry_safe(pos, after, head, member)                  \
	for (pos = list_entry((head)->next, __typeof__(*pos), member),      \
	    after = list_entry(pos->member.next, __typeof__(*pos), member); \
	     &pos->member != (head);                                        \
	     pos = after, after = list_entry(after->member.next,            \
					     __typeof__(*after), member))

#endif

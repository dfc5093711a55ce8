# SPDX-License-Identifier: GPL-2.0-only
lib_LTLIBRARIES += librwsemlab.la
librwsemlab_la_SOURCES = \
	%D%/rwsemlab.h \
	%D%/platform.h \
	%D%/version.c \
	%D%/instrument/check.c \
	%D%/instrument/check.h \
	%D%/instrument/counters.c \
	%D%/instrument/counters.h \
	%D%/instrument/events.c \
	%D%/instrument/histogram.c \
	%D%/instrument/hooks.h \
	%D%/locks.def \
	%D%/locks/lock.h \
	%D%/locks/registry.c \
	%D%/locks/spec.c \
	%D%/machines/host.c \
	%D%/machines/host-rcu.c \
	%D%/machines/host.h
librwsemlab_la_CFLAGS = $(LOCK_CFLAGS)
librwsemlab_la_LDFLAGS = $(RL_LDFLAGS) -version-info 0:0:0 \
	-export-symbols-regex '^rwsemlab_'
librwsemlab_la_LIBADD = liblocks-bare.la liblocks-counted.la \
	liblocks-checked.la -lpthread

# Stacks of locks read as the kernel's do: a frame for every function that is
# not inlined.  A lock's own type lives in the bytes of a public one.
LOCK_CFLAGS = $(AM_CFLAGS) -fno-optimize-sibling-calls -fno-strict-aliasing

# The lock files, once for each build; see lib/locks/lock.h.  Not linked with
# -static, which would keep position-independent code out of the library.
LOCK_FILES = \
	%D%/locks/entry.h \
	%D%/locks/entry-slow.h \
	%D%/locks/entry-write.h \
	%D%/locks/group-entry.h \
	%D%/locks/group-rwsem-bits.c \
	%D%/locks/group-rwsem-xadd.c \
	%D%/locks/list.h \
	%D%/locks/mutex-count.c \
	%D%/locks/mutex-count.h \
	%D%/locks/mutex-entry.h \
	%D%/locks/mutex-owner.c \
	%D%/locks/osq.h \
	%D%/locks/peer-ck.c \
	%D%/locks/peer-pthread.c \
	%D%/locks/percpu-count.h \
	%D%/locks/percpu-entry.h \
	%D%/locks/percpu-rwsem-mutex.c \
	%D%/locks/percpu-rwsem-queue.c \
	%D%/locks/percpu-rwsem-xadd.c \
	%D%/locks/percpu-sync.h \
	%D%/locks/rcu-sync.h \
	%D%/locks/rwsem-bits.c \
	%D%/locks/rwsem-bits-core.h \
	%D%/locks/rwsem-bits.h \
	%D%/locks/rwsem-bits-spin.h \
	%D%/locks/rwsem-bits-wake.h \
	%D%/locks/rwsem-bits-write.h \
	%D%/locks/rwsem-common.h \
	%D%/locks/rwsem-spinlock.c \
	%D%/locks/rwsem-xadd.c \
	%D%/locks/rwsem-xadd-core.h \
	%D%/locks/rwsem-xadd.h \
	%D%/locks/rwsem-xadd-spin.h \
	%D%/locks/rwsem-xadd-wake.h \
	%D%/locks/wake-q.h
noinst_LTLIBRARIES = liblocks-bare.la liblocks-counted.la liblocks-checked.la
liblocks_bare_la_SOURCES = $(LOCK_FILES)
liblocks_bare_la_CPPFLAGS = $(AM_CPPFLAGS) -DLOCK_LEVEL=0 -DLOCK_BUILD=bare
liblocks_bare_la_CFLAGS = $(LOCK_CFLAGS)
liblocks_bare_la_LDFLAGS = $(RL_LDFLAGS)
liblocks_counted_la_SOURCES = $(LOCK_FILES)
liblocks_counted_la_CPPFLAGS = $(AM_CPPFLAGS) -DLOCK_LEVEL=1 \
	-DLOCK_BUILD=counted
liblocks_counted_la_CFLAGS = $(LOCK_CFLAGS)
liblocks_counted_la_LDFLAGS = $(RL_LDFLAGS)
liblocks_checked_la_SOURCES = $(LOCK_FILES)
liblocks_checked_la_CPPFLAGS = $(AM_CPPFLAGS) -DLOCK_LEVEL=2 \
	-DLOCK_BUILD=checked
liblocks_checked_la_CFLAGS = $(LOCK_CFLAGS)
liblocks_checked_la_LDFLAGS = $(RL_LDFLAGS)

include_HEADERS = %D%/rwsemlab.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/rwsemlab.pc

# SPDX-License-Identifier: GPL-2.0-only
noinst_LIBRARIES += libworkloads.a
libworkloads_a_SOURCES = \
	%D%/channel.c \
	%D%/channel.h \
	%D%/cmd-keeper.c \
	%D%/cmd-run.c \
	%D%/env.c \
	%D%/env.h \
	%D%/env-slots.c \
	%D%/exim.c \
	%D%/exim/client.c \
	%D%/exim/content.c \
	%D%/exim/deliver.c \
	%D%/exim/exim.h \
	%D%/exim/master.c \
	%D%/exim/receive.c \
	%D%/exim/smtp.c \
	%D%/exim/spool.c \
	%D%/exim/verify.c \
	%D%/fork-exit.c \
	%D%/keeper.c \
	%D%/keeper.h \
	%D%/keeper-end.c \
	%D%/keeper-root.c \
	%D%/locks/anon-vma/anon-vma.h \
	%D%/locks/anon-vma/interval-tree.c \
	%D%/locks/anon-vma/rmap.c \
	%D%/locks/anon-vma/workload.c \
	%D%/locks/compare.c \
	%D%/locks/compare.h \
	%D%/locks/counters-json.c \
	%D%/locks/driver.c \
	%D%/locks/driver.h \
	%D%/locks/oracle.c \
	%D%/locks/oracle.h \
	%D%/locks/rwmix.c \
	%D%/locks/team.c \
	%D%/locks/team.h \
	%D%/locks/torture.c \
	%D%/null.c \
	%D%/options.c \
	%D%/options.h \
	%D%/options-text.c \
	%D%/registry.c \
	%D%/result.c \
	%D%/result.h \
	%D%/result-json.c \
	%D%/result-print.c \
	%D%/run.c \
	%D%/vmas.c \
	%D%/vmas.h \
	%D%/vmstat.c \
	%D%/vmstat.h \
	%D%/vmstat-json.c \
	%D%/workload.h \
	%D%/workloads.def

# Commands join workloads and analyze, so they are the program's own.
rwsemlab_SOURCES += \
	%D%/cmd-list.c \
	%D%/cmd-session.c \
	%D%/cmd-session-show.c \
	%D%/cmd-session-show.h

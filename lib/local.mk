# SPDX-License-Identifier: GPL-2.0-only
lib_LTLIBRARIES += librwsemlab.la
librwsemlab_la_SOURCES = \
	%D%/rwsemlab.h \
	%D%/version.c \
	%D%/instrument/histogram.c
librwsemlab_la_LDFLAGS = $(RL_LDFLAGS) -version-info 0:0:0 \
	-export-symbols-regex '^rwsemlab_'
include_HEADERS = %D%/rwsemlab.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/rwsemlab.pc

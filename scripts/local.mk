# SPDX-License-Identifier: GPL-2.0-only
dist_noinst_SCRIPTS = \
	%D%/bench \
	%D%/bench.d/diff \
	%D%/bench.d/locks \
	%D%/bench.d/perf-data \
	%D%/bench.d/record \
	%D%/bench.d/reports \
	%D%/check \
	%D%/demo \
	%D%/fuzz \
	%D%/libperf \
	%D%/lint \
	%D%/setup \
	%D%/test-sum
# A folder by its files: what else lies in it does not belong to a release.
EXTRA_DIST += \
	%D%/bench-common.sh \
	%D%/cppcheck.cfg \
	%D%/libperf-include/api/fd/array.h \
	%D%/libperf-include/linux/compiler.h \
	%D%/libperf-include/linux/list.h \
	%D%/libperf-include/linux/refcount.h \
	%D%/libperf-include/linux/types.h \
	%D%/libperf-include/linux/zalloc.h \
	%D%/libperf-layout.c

# Ratios, not tests: see scripts/bench -h.
bench: check-programs
	RWSEMLAB=$(abs_top_builddir)/rwsemlab$(EXEEXT) \
		RWSEMLAB_DATADIR=$(abs_top_builddir)/analyze/reports/html \
		$(srcdir)/scripts/bench -o bench.json
.PHONY: bench

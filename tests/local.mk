# SPDX-License-Identifier: GPL-2.0-only
#
# A test is one line in the list of its kind.  tests/unit/NAME is built from
# tests/unit/NAME.c; the others are shell scripts.
UNIT_TESTS = \
	%D%/unit/account \
	%D%/unit/cgroup-mounts \
	%D%/unit/command \
	%D%/unit/error \
	%D%/unit/exim-smtp \
	%D%/unit/exim-verify \
	%D%/unit/histogram \
	%D%/unit/kallsyms \
	%D%/unit/lkml-2013 \
	%D%/unit/lock-checks \
	%D%/unit/lock-platform \
	%D%/unit/lock-spec \
	%D%/unit/maps \
	%D%/unit/mutex-count \
	%D%/unit/mutex-owner \
	%D%/unit/perf-broken \
	%D%/unit/perf-cgroups \
	%D%/unit/perf-data \
	%D%/unit/perf-events \
	%D%/unit/perf-order \
	%D%/unit/perf-records \
	%D%/unit/perf-report-mail \
	%D%/unit/perf-report-text \
	%D%/unit/perf-script-text \
	%D%/unit/perf-states \
	%D%/unit/percpu-rwsem \
	%D%/unit/rcu-sync \
	%D%/unit/record-file \
	%D%/unit/rwsem-bits \
	%D%/unit/sites \
	%D%/unit/stats \
	%D%/unit/symbol-table \
	%D%/unit/symbols \
	%D%/unit/symbols-debug \
	%D%/unit/symbols-kernel \
	%D%/unit/text-heads \
	%D%/unit/text-inputs \
	%D%/unit/text-lines \
	%D%/unit/timeline \
	%D%/unit/workload-options \
	%D%/unit/workload-phases \
	%D%/unit/workload-result
CLI_TESTS = \
	%D%/cli/cgroup.t \
	%D%/cli/cgroup-end.t \
	%D%/cli/diff.t \
	%D%/cli/diff-runs.t \
	%D%/cli/docs.t \
	%D%/cli/formats.t \
	%D%/cli/fuzz.t \
	%D%/cli/harness.t \
	%D%/cli/html.t \
	%D%/cli/html-diff.t \
	%D%/cli/locks.t \
	%D%/cli/perf-data.t \
	%D%/cli/record.t \
	%D%/cli/sites.t \
	%D%/cli/text-inputs.t \
	%D%/cli/workloads.t \
	%D%/cli/workloads-end.t \
	%D%/cli/workloads-exim.t
# They record the running kernel.
KERNEL_TESTS = \
	%D%/kernel/cgroup.t \
	%D%/kernel/cgroups.t \
	%D%/kernel/diff.t \
	%D%/kernel/fork-exit.t \
	%D%/kernel/perf-data.t \
	%D%/kernel/lock-contention.t \
	%D%/kernel/locks.t \
	%D%/kernel/record.t \
	%D%/kernel/record-output.t \
	%D%/kernel/record-refused.t \
	%D%/kernel/symbols.t \
	%D%/kernel/text-perf.t

# They take some ten minutes.
LONG_TESTS = %D%/kernel/diff-long.t

# Every lock of the library on every machine.
LOCK_TESTS = %D%/locks %D%/mutants/mutants.t

TESTS += $(UNIT_TESTS) $(CLI_TESTS) $(KERNEL_TESTS) $(LOCK_TESTS)
EXTRA_DIST += %D%/mutants $(CLI_TESTS) $(KERNEL_TESTS) $(LONG_TESTS) %D%/tap.sh %D%/cgroup.sh %D%/data \
	%D%/formats/check.py \
	%D%/formats/perf-lock.py \
	%D%/formats/recording.py \
	%D%/html/browser.mjs \
	%D%/html/browser.sh \
	%D%/html/drive.mjs \
	%D%/html/drive-diff.mjs \
	%D%/html/picture.mjs \
	%D%/html/package.json \
	%D%/html/package-lock.json
check_PROGRAMS += $(UNIT_TESTS) %D%/locks %D%/lock-pairs %D%/recordable
%C%_locks_SOURCES = %D%/locks.c %D%/locks.h %D%/locks-actor.c \
	%D%/locks-cases.c %D%/locks-percpu.c
# A report names the function that holds a site.
%C%_locks_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
%C%_unit_lock_checks_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
check_LIBRARIES = %D%/libtap.a
%C%_libtap_a_SOURCES = %D%/tap.c %D%/tap.h %D%/import.c %D%/import.h \
	%D%/perf-writer.c %D%/perf-writer.h %D%/perf-writer-file.c \
	%D%/unit/perf-cases.c %D%/unit/perf-cases.h

# A fuzz target is tests/fuzz/fuzz-NAME.c; its first inputs are in
# tests/data/NAME.  With a main of our own each is a test; scripts/fuzz builds
# them with libFuzzer's in its place.
FUZZ_TARGETS = \
	%D%/fuzz/fuzz-elf \
	%D%/fuzz/fuzz-folded \
	%D%/fuzz/fuzz-kallsyms \
	%D%/fuzz/fuzz-perf-data \
	%D%/fuzz/fuzz-perf-pipe \
	%D%/fuzz/fuzz-perf-report-text \
	%D%/fuzz/fuzz-perf-script \
	%D%/fuzz/fuzz-sites
check_PROGRAMS += $(FUZZ_TARGETS) %D%/perf-bench %D%/perf-corpus \
	%D%/perf-dump
EXTRA_DIST += %D%/fuzz/fuzz-perf.h %D%/fuzz/fuzz-text.h
check_LIBRARIES += %D%/fuzz/libmain.a
%C%_fuzz_libmain_a_SOURCES = %D%/fuzz/main.c
FUZZ_MAIN = %D%/fuzz/libmain.a
FUZZ_LIBS = $(FUZZ_MAIN) $(LDADD)
FUZZ_LINK = $(AM_LDFLAGS)
%C%_fuzz_fuzz_elf_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_elf_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_folded_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_folded_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_kallsyms_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_kallsyms_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_perf_data_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_perf_data_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_perf_pipe_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_perf_pipe_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_perf_report_text_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_perf_report_text_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_perf_script_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_perf_script_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fuzz_sites_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fuzz_sites_LDFLAGS = $(FUZZ_LINK)
%C%_recordable_LDADD =
SYMBOL_FRAMES = %D%/unit/make-elf.c %D%/unit/make-elf.h \
	%D%/unit/symbol-frames.c %D%/unit/symbol-frames.h
%C%_unit_symbols_SOURCES = %D%/unit/symbols.c $(SYMBOL_FRAMES)
%C%_unit_symbols_debug_SOURCES = %D%/unit/symbols-debug.c $(SYMBOL_FRAMES)
%C%_unit_symbols_kernel_SOURCES = %D%/unit/symbols-kernel.c $(SYMBOL_FRAMES)
EXIM_SERVER = %D%/unit/exim-server.c %D%/unit/exim-server.h
%C%_unit_exim_smtp_SOURCES = %D%/unit/exim-smtp.c $(EXIM_SERVER)
%C%_unit_exim_verify_SOURCES = %D%/unit/exim-verify.c $(EXIM_SERVER)
# They include a lock's file, whose type lives in the bytes of a public one.
%C%_unit_mutex_count_SOURCES = %D%/unit/mutex-count.c %D%/unit/lock-rules.h
%C%_unit_mutex_count_CFLAGS = $(LOCK_CFLAGS)
%C%_unit_mutex_owner_SOURCES = %D%/unit/mutex-owner.c %D%/unit/lock-rules.h
%C%_unit_mutex_owner_CFLAGS = $(LOCK_CFLAGS)
%C%_unit_rwsem_bits_SOURCES = %D%/unit/rwsem-bits.c %D%/unit/lock-rules.h
%C%_unit_rwsem_bits_CFLAGS = $(LOCK_CFLAGS)
LDADD = %D%/libtap.a libworkloads.a libanalyze.a libprogram.a \
	librwsemlab.la $(PROGRAM_LIBS)

TEST_EXTENSIONS = .t
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' \
	$(SHELL) $(top_srcdir)/scripts/autotools/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
T_LOG_DRIVER = $(TAP_DRIVER)
# A test that hangs must not hang all of them.
LOG_COMPILER = timeout --foreground -k 10 600
T_LOG_COMPILER = $(LOG_COMPILER) bash
# 99: no exit code of the program's own.
AM_TESTS_ENVIRONMENT = \
	RWSEMLAB='$(abs_top_builddir)/rwsemlab$(EXEEXT)'; export RWSEMLAB; \
	SRCDIR=`cd '$(top_srcdir)' && pwd`; export SRCDIR; \
	BUILDDIR='$(abs_top_builddir)'; export BUILDDIR; \
	ASAN_OPTIONS="exitcode=99:$$ASAN_OPTIONS"; export ASAN_OPTIONS; \
	UBSAN_OPTIONS="exitcode=99:print_stacktrace=1:$$UBSAN_OPTIONS"; \
	export UBSAN_OPTIONS; \
	TSAN_OPTIONS="exitcode=99:$$TSAN_OPTIONS"; export TSAN_OPTIONS; \
	LC_ALL=C; export LC_ALL;

# Automake's own ends with counts of many lines; this is the same with one last
# line, for a part of the tests too.
check-TESTS: $(check_PROGRAMS) $(check_LIBRARIES) $(check_DATA)
	@rm -f $(TEST_LOGS) $(TEST_LOGS:.log=.trs) $(TEST_SUITE_LOG)
	@status=0; $(MAKE) $(AM_MAKEFLAGS) $(TEST_SUITE_LOG) || status=$$?; \
	$(SHELL) $(top_srcdir)/scripts/test-sum $(TEST_LOGS:.log=.trs) || \
		status=1; \
	exit $$status
check-unit: check-programs
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(UNIT_TESTS)' \
		TEST_SUITE_LOG=%D%/check-unit.log
check-cli: check-programs
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(CLI_TESTS)' \
		TEST_SUITE_LOG=%D%/check-cli.log
check-kernel: check-programs
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(KERNEL_TESTS)' \
		TEST_SUITE_LOG=%D%/check-kernel.log
check-locks: check-programs
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(LOCK_TESTS)' \
		TEST_SUITE_LOG=%D%/check-locks.log
# The same with 100 times as much torture, some six minutes; and statistics
# on recordings of this kernel.
check-long: check-programs
	@LOCKS_MS=6000 $(MAKE) $(AM_MAKEFLAGS) check-locks
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(LONG_TESTS)' \
		TEST_SUITE_LOG=%D%/check-long.log \
		T_LOG_COMPILER='timeout --foreground -k 10 3600 bash'
# Only builds the tests; in one make, lest two build the same file.
check-programs:
	@$(MAKE) $(AM_MAKEFLAGS) all-am $(check_LIBRARIES) $(check_PROGRAMS) $(check_DATA)
# The release's own checks, without all that make check has already tested.
distcheck-quick:
	@$(MAKE) $(AM_MAKEFLAGS) distcheck \
		TESTS='$$(UNIT_TESTS) tests/cli/docs.t'
# What the tests run of the sources; takes --enable-coverage and gcovr.
coverage:
	@find . -name '*.gcda' -exec rm -f {} +
	-@$(MAKE) $(AM_MAKEFLAGS) check
	gcovr --root $(top_srcdir) --exclude '.*tests/' --print-summary .
.PHONY: coverage
.PHONY: check-long check-unit check-cli check-kernel check-locks check-programs \
	distcheck-quick
MOSTLYCLEANFILES = %D%/check-unit.log %D%/check-cli.log \
	%D%/check-kernel.log %D%/check-locks.log %D%/check-long.log

# The browser test is driven by playwright-core, which npm fetches; without it
# the test is skipped and says so.
if HTML_NPM
check_DATA += %D%/html/npm/stamp
endif
%D%/html/npm/stamp: %D%/html/package.json %D%/html/package-lock.json
	$(AM_V_GEN)rm -rf $(@D) && $(MKDIR_P) $(@D) && \
		cp $(top_srcdir)/%D%/html/package*.json $(@D) && \
		{ (cd $(@D) && $(NPM) ci $(NPM_FLAGS)) || \
			echo "npm failed: the browser test is skipped" >&2; } && \
		touch $@
CLEAN_FOLDERS += %D%/html/npm

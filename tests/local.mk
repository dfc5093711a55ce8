# SPDX-License-Identifier: GPL-2.0-only
#
# A test is one line in the list of its kind.  tests/unit/NAME is built from
# tests/unit/NAME.c; the others are shell scripts.
UNIT_TESTS = \
	%D%/unit/account \
	%D%/unit/command \
	%D%/unit/error \
	%D%/unit/histogram \
	%D%/unit/kallsyms \
	%D%/unit/lkml-2013 \
	%D%/unit/perf-report-mail \
	%D%/unit/perf-report-text \
	%D%/unit/perf-script-text \
	%D%/unit/sites \
	%D%/unit/stats \
	%D%/unit/symbol-table \
	%D%/unit/symbols \
	%D%/unit/symbols-debug \
	%D%/unit/symbols-kernel \
	%D%/unit/text-heads \
	%D%/unit/text-inputs \
	%D%/unit/text-lines
CLI_TESTS = \
	%D%/cli/docs.t \
	%D%/cli/harness.t \
	%D%/cli/record.t
# They record the running kernel.
KERNEL_TESTS = \
	%D%/kernel/record.t \
	%D%/kernel/record-output.t \
	%D%/kernel/record-refused.t

TESTS += $(UNIT_TESTS) $(CLI_TESTS) $(KERNEL_TESTS)
EXTRA_DIST += $(CLI_TESTS) $(KERNEL_TESTS) %D%/tap.sh %D%/data
check_PROGRAMS += $(UNIT_TESTS) %D%/recordable
check_LIBRARIES = %D%/libtap.a
%C%_libtap_a_SOURCES = %D%/tap.c %D%/tap.h %D%/import.c %D%/import.h
%C%_recordable_LDADD =
SYMBOL_FRAMES = %D%/unit/make-elf.c %D%/unit/make-elf.h \
	%D%/unit/symbol-frames.c %D%/unit/symbol-frames.h
%C%_unit_symbols_SOURCES = %D%/unit/symbols.c $(SYMBOL_FRAMES)
%C%_unit_symbols_debug_SOURCES = %D%/unit/symbols-debug.c $(SYMBOL_FRAMES)
%C%_unit_symbols_kernel_SOURCES = %D%/unit/symbols-kernel.c $(SYMBOL_FRAMES)
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

# Automake's own check ends with counts of many lines; this is the same with
# one last line, for a part of the tests too.
check:
	@rm -f $(TEST_LOGS:.log=.trs)
	@status=0; $(MAKE) $(AM_MAKEFLAGS) check-am || status=$$?; \
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
# Only builds the tests; in one make, lest two build the same file.
check-programs:
	@$(MAKE) $(AM_MAKEFLAGS) all-am $(check_LIBRARIES) $(check_PROGRAMS)
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
.PHONY: check-unit check-cli check-kernel check-programs distcheck-quick
MOSTLYCLEANFILES = %D%/check-unit.log %D%/check-cli.log %D%/check-kernel.log

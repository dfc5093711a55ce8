# SPDX-License-Identifier: GPL-2.0-only
noinst_LIBRARIES += libanalyze.a
libanalyze_a_SOURCES = \
	%D%/account.c \
	%D%/account.h \
	%D%/account-locks.c \
	%D%/account-private.h \
	%D%/cgroups.c \
	%D%/data-file.c \
	%D%/data-file.h \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff-align.c \
	%D%/diff-align.h \
	%D%/diff-fail-if.c \
	%D%/diff-fail-if.h \
	%D%/diff-lines.c \
	%D%/diff-measures.c \
	%D%/diff-notes.c \
	%D%/diff-plan.c \
	%D%/diff-private.h \
	%D%/diff-report.c \
	%D%/diff-report.h \
	%D%/diff-reports.def \
	%D%/diff-rows.c \
	%D%/diff-samples.c \
	%D%/diff-show.c \
	%D%/diff-show.h \
	%D%/diff-side.c \
	%D%/diff-side.h \
	%D%/diff-side-private.h \
	%D%/diff-totals.c \
	%D%/diff-tree.c \
	%D%/diff-tree.h \
	%D%/diff-tree-runs.c \
	%D%/diff-tree-runs.h \
	%D%/diff-tree-values.c \
	%D%/diff-tree-values.h \
	%D%/diff-values.c \
	%D%/diff-vmstat.c \
	%D%/diff-vmstat.h \
	%D%/diff-wrappers.c \
	%D%/format.c \
	%D%/format.h \
	%D%/input.c \
	%D%/input.h \
	%D%/interned.c \
	%D%/interned.h \
	%D%/maps.c \
	%D%/maps.h \
	%D%/output.c \
	%D%/output.h \
	%D%/paths.c \
	%D%/paths.h \
	%D%/profile.c \
	%D%/profile.h \
	%D%/profile-rows.c \
	%D%/profile-tables.h \
	%D%/readers.def \
	%D%/readers/folded.c \
	%D%/readers/lines.c \
	%D%/readers/lines.h \
	%D%/readers/perf-attrs.c \
	%D%/readers/perf-build-ids.c \
	%D%/readers/perf-bytes.h \
	%D%/readers/perf-chains.c \
	%D%/readers/perf-chains.h \
	%D%/readers/perf-data.c \
	%D%/readers/perf-deferred.c \
	%D%/readers/perf-deferred.h \
	%D%/readers/perf-deliver.c \
	%D%/readers/perf-directory.c \
	%D%/readers/perf-features.c \
	%D%/readers/perf-format.h \
	%D%/readers/perf-format-text.c \
	%D%/readers/perf-format-text.h \
	%D%/readers/perf-header.c \
	%D%/readers/perf-images.c \
	%D%/readers/perf-images.h \
	%D%/readers/perf-inflate.c \
	%D%/readers/perf-merge.c \
	%D%/readers/perf-mmap.c \
	%D%/readers/perf-order.c \
	%D%/readers/perf-order.h \
	%D%/readers/perf-private.h \
	%D%/readers/perf-records.c \
	%D%/readers/perf-rounds.c \
	%D%/readers/perf-runs.c \
	%D%/readers/perf-sample.c \
	%D%/readers/perf-stacks.c \
	%D%/readers/perf-stacks.h \
	%D%/readers/perf-state.c \
	%D%/readers/perf-state.h \
	%D%/readers/perf-stream.c \
	%D%/readers/perf-stream.h \
	%D%/readers/perf-tracing.c \
	%D%/readers/perf-report-line.c \
	%D%/readers/perf-report-line.h \
	%D%/readers/perf-report-nodes.h \
	%D%/readers/perf-report-shares.c \
	%D%/readers/perf-report-stacks.c \
	%D%/readers/perf-report-text.c \
	%D%/readers/perf-report-text.h \
	%D%/readers/perf-report-tree.c \
	%D%/readers/perf-report-tree.h \
	%D%/readers/perf-script-chain.c \
	%D%/readers/perf-script-chain.h \
	%D%/readers/perf-script-line.c \
	%D%/readers/perf-script-line.h \
	%D%/readers/perf-script-sample.c \
	%D%/readers/perf-script-sample.h \
	%D%/readers/perf-script-trace.c \
	%D%/readers/perf-script-trace.h \
	%D%/readers/perf-script.c \
	%D%/readers/text-frames.c \
	%D%/readers/text-frames.h \
	%D%/readers/text-header.c \
	%D%/readers/text-header.h \
	%D%/readers/text.c \
	%D%/readers/text.h \
	%D%/record-buffer.c \
	%D%/record-buffer.h \
	%D%/record-cgroups.c \
	%D%/record-child.c \
	%D%/record-child.h \
	%D%/record-events.c \
	%D%/record-features.c \
	%D%/record-file.c \
	%D%/record-header.c \
	%D%/record-kernel.c \
	%D%/record-print.c \
	%D%/record-print.h \
	%D%/record-private.h \
	%D%/record-refused.c \
	%D%/record-rings.c \
	%D%/record-synth.c \
	%D%/record-tracing.c \
	%D%/record.c \
	%D%/record.h \
	%D%/report.c \
	%D%/report.h \
	%D%/reports.def \
	%D%/reports/csv.c \
	%D%/reports/csv-text.h \
	%D%/reports/diff-csv.c \
	%D%/reports/diff-html.c \
	%D%/reports/diff-html-data.h \
	%D%/reports/diff-html-tree.c \
	%D%/reports/diff-json.c \
	%D%/reports/diff-markdown.c \
	%D%/reports/diff-text.c \
	%D%/reports/diff-text-contended.c \
	%D%/reports/diff-text-private.h \
	%D%/reports/diff-tree-text.c \
	%D%/reports/diff-words.c \
	%D%/reports/diff-words.h \
	%D%/reports/document.h \
	%D%/reports/folded.c \
	%D%/reports/html.c \
	%D%/reports/html-data.h \
	%D%/reports/html-page.c \
	%D%/reports/html-page.h \
	%D%/reports/html-tree.c \
	%D%/reports/json.c \
	%D%/reports/json-write.c \
	%D%/reports/json-write.h \
	%D%/reports/json-timeline.c \
	%D%/reports/speedscope.c \
	%D%/reports/text.c \
	%D%/reports/text-tree.c \
	%D%/reports/text-tree.h \
	%D%/reports/text-locks.c \
	%D%/reports/text-private.h \
	%D%/session-file.c \
	%D%/session-file.h \
	%D%/show.c \
	%D%/show.h \
	%D%/site-rules.c \
	%D%/site-rules.h \
	%D%/site-search.c \
	%D%/site-strip.c \
	%D%/site-suffixes.c \
	%D%/sites.c \
	%D%/sites.def \
	%D%/sites.h \
	%D%/sites-private.h \
	%D%/stats.c \
	%D%/stats.h \
	%D%/stats-counts.c \
	%D%/summary.c \
	%D%/summary.h \
	%D%/summary-details.c \
	%D%/summary-private.h \
	%D%/summary-split.c \
	%D%/symbols.c \
	%D%/symbols.h \
	%D%/symbols/build-id.c \
	%D%/symbols/build-id.h \
	%D%/symbols/debugdata.c \
	%D%/symbols/debuginfod.c \
	%D%/symbols/debuginfod.h \
	%D%/symbols/elf-extra.h \
	%D%/symbols/elf-file.c \
	%D%/symbols/elf-file.h \
	%D%/symbols/find-debug.c \
	%D%/symbols/find-debug.h \
	%D%/symbols/frame-name.c \
	%D%/symbols/kallsyms.c \
	%D%/symbols/kallsyms.h \
	%D%/symbols/kernel.c \
	%D%/symbols/kernel-find.c \
	%D%/symbols/kernel-find.h \
	%D%/symbols/kernel-source.c \
	%D%/symbols/kernel-source.h \
	%D%/symbols/open-file.c \
	%D%/symbols/open-file.h \
	%D%/symbols/perf-map.c \
	%D%/symbols/perf-map.h \
	%D%/symbols/plt.c \
	%D%/symbols/resolve.h \
	%D%/symbols/symbol-table.c \
	%D%/symbols/symbol-table.h \
	%D%/symbols/user.c \
	%D%/symbols/vdso.c \
	%D%/symbols/vdso.h \
	%D%/table.h \
	%D%/tasks.c \
	%D%/tasks.h \
	%D%/text-table.c \
	%D%/text-table.h \
	%D%/timeline.c \
	%D%/timeline.h \
	%D%/tree.c \
	%D%/tree.h \
	%D%/units.c \
	%D%/units.h

# Commands join analyze and workloads, so they are the program's own.
rwsemlab_SOURCES += %D%/cmd-diff.c %D%/cmd-record.c %D%/cmd-report.c

# pprof: the code that packs its messages is made from their description.
if PPROF
libanalyze_a_SOURCES += \
	%D%/reports/pprof.c \
	%D%/reports/pprof-write.c \
	%D%/reports/pprof-write.h
nodist_libanalyze_a_SOURCES = \
	%D%/reports/pprof.pb-c.c \
	%D%/reports/pprof.pb-c.h
else
libanalyze_a_SOURCES += %D%/reports/pprof-off.c
endif
EXTRA_DIST += %D%/reports/pprof.proto
CLEANFILES += %D%/reports/pprof.pb-c.c %D%/reports/pprof.pb-c.h
%D%/reports/pprof.pb-c.c: %D%/reports/pprof.proto
	$(AM_V_GEN)$(PROTOC_C) --proto_path=$(top_srcdir) --c_out=. \
		$(top_srcdir)/%D%/reports/pprof.proto
%D%/reports/pprof.pb-c.h: %D%/reports/pprof.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }
%D%/reports/pprof.$(OBJEXT) %D%/reports/pprof-write.$(OBJEXT): \
	%D%/reports/pprof.pb-c.h

# html: pages that hold d3 and d3-flame-graph, and our own styles and code.
html_sources = \
	%D%/reports/html/assemble.mjs \
	%D%/reports/html/charts.js \
	%D%/reports/html/controls.js \
	%D%/reports/html/diff-body.html \
	%D%/reports/html/diff-graphs.js \
	%D%/reports/html/diff-main.js \
	%D%/reports/html/diff-model.js \
	%D%/reports/html/diff-stacks.js \
	%D%/reports/html/diff-tables.js \
	%D%/reports/html/diff.css \
	%D%/reports/html/flame.js \
	%D%/reports/html/format.js \
	%D%/reports/html/graph.js \
	%D%/reports/html/grid.js \
	%D%/reports/html/main.js \
	%D%/reports/html/model.js \
	%D%/reports/html/package.json \
	%D%/reports/html/package-lock.json \
	%D%/reports/html/page.css \
	%D%/reports/html/page.html \
	%D%/reports/html/report-body.html \
	%D%/reports/html/state.js \
	%D%/reports/html/tables.js
EXTRA_DIST += $(html_sources)
if HTML
html_pages = %D%/reports/html/report.html %D%/reports/html/diff.html
pkgdata_DATA = $(html_pages)
CLEANFILES += $(html_pages)
if HTML_NPM
html_stamp = %D%/reports/html/npm/stamp
html_modules = $(abs_top_builddir)/%D%/reports/html/npm/node_modules
else
html_stamp =
html_modules = $(with_html)
endif
AM_DISTCHECK_CONFIGURE_FLAGS += --with-html='$(html_modules)'
$(html_pages): $(html_sources) $(html_stamp)
	$(AM_V_GEN)$(MKDIR_P) %D%/reports/html && \
		$(NODE) $(top_srcdir)/%D%/reports/html/assemble.mjs \
		$(html_modules) $@
endif
# npm writes beside the lists of versions, so it gets copies.
%D%/reports/html/npm/stamp: %D%/reports/html/package.json \
		%D%/reports/html/package-lock.json
	$(AM_V_GEN)rm -rf $(@D) && $(MKDIR_P) $(@D) && \
		cp $(top_srcdir)/%D%/reports/html/package*.json $(@D) && \
		(cd $(@D) && $(NPM) ci $(NPM_FLAGS)) && touch $@
NPM_FLAGS = --ignore-scripts --prefer-offline --no-audit --no-fund \
	--loglevel=error
CLEAN_FOLDERS += %D%/reports/html/npm

# SPDX-License-Identifier: GPL-2.0-only
dist_man_MANS += \
	%D%/rwsemlab.1 \
	%D%/rwsemlab-diff.1 \
	%D%/rwsemlab-list.1 \
	%D%/rwsemlab-record.1 \
	%D%/rwsemlab-report.1 \
	%D%/rwsemlab-run.1 \
	%D%/rwsemlab-session.1 \
	%D%/rwsemlab-formats.5 \
	%D%/rwsemlab-inputs.5 \
	%D%/rwsemlab-json.5 \
	%D%/rwsemlab-session.5 \
	%D%/rwsemlab-sites.5 \
	%D%/rwsemlab-locks.7 \
	%D%/rwsemlab-workloads.7
dist_pkgdata_DATA = \
	%D%/rwsemlab-diff.schema.json \
	%D%/rwsemlab-json.schema.json

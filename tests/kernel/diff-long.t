#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Ten runs against ten: the same workload twice must show nothing, and a real
# change must be found at its site, in its direction, every time of ten.  Some
# seven minutes.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_event lock:contention_begin
tap_need_command jq jq

# More tasks than CPUs, so that the lock is fought over on a busy computer too.
workload="fork-exit seconds=1 tasks=8 alive=16"
export TAP_SECONDS=600

# Verdicts of all lines, in what the tables show.
lines='[.comparisons[0] | (.locks + .others)[] | recurse(.rows[]?) |
	select((.rows // [] | length) != 1) | .values |
	.sleeps_per_work, .acquisitions_per_work | select(.p != null)]'
marked='map(select(.verdict == "more" or .verdict == "less")) | length'

for round in 1 2 3; do
	# shellcheck disable=SC2086 # words
	tap_run session $workload -n 10 --vary vmas=64,64 \
		-o aa$round --format json
	tap_exit "the same twice, round $round" 0
	tap_is "nothing is called a change" "$(jq "$lines | $marked" out)" 0
	jq -r ".false_discovery_rate as \$rate | $lines"' |
		"\(length) \(map(select(.p < $rate)) | length)"' out >>before
	rm -r aa$round
done
read -r tested alone < <(awk '{ t += $1; a += $2 } END { print t, a }' before)
tap_diag "$alone of $tested lines are below that rate alone"
tap_ok "at most 5 % of lines are marked before control" \
	test $((alone * 20)) -le "$tested"

for round in 1 2 3 4 5 6 7 8 9 10; do
	# shellcheck disable=SC2086 # words
	tap_run session $workload -n 10 --vary vmas=64,128 \
		-o real --format json
	tap_is "a real change is found, round $round" "$(jq -r '.comparisons[0].locks[] |
		select(.family == "anon_vma") | .rows[] |
		select(.new.site == "unlink_anon_vmas" and
		.new.class == "rwsem" and .new.mode == "W") |
		.values.acquisitions_per_work.verdict' out)" more || {
		jq -c '.comparisons[0].locks[] | select(.family == "anon_vma") |
			.rows[] | [.new.site, .values.acquisitions_per_work]' out
	} | sed 's/^/# /'
	rm -r real
done
tap_done

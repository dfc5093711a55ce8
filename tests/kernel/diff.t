#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# session --vary on the running kernel: runs in turns, and a comparison whose
# counts are those that perf finds in the recordings.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_command jq jq
tap_need_command perf linux-perf

tap_run session fork-exit seconds=0.3 -n 3 --vary vmas=16,2048 -o s --format json
tap_exit "a varied session" 0
cp out document
tap_is "runs go A B B A A B" "$(jq -r '[.runs[].vary.value] | join(" ")' s/session.json)" \
	"16 2048 2048 16 16 2048"
tap_is "each pair has one of both" "$(jq -c '[.runs[].vary | [.pair, .side]] |
	group_by(.[0]) | map(map(.[1]) | sort)' s/session.json)" '[[1,2],[1,2],[1,2]]'
tap_is "the sides" "$(jq -r '[.sides[].name] | join(" | ")' document)" \
	"s vmas=16 | s vmas=2048"
tap_is "each with its runs" "$(jq -c '[.sides[].runs | map(.name)]' document)" \
	'[["s/run-001","s/run-004","s/run-005"],["s/run-002","s/run-003","s/run-006"]]'
tap_is "compared in pairs" "$(jq -c '.comparisons[0] | [.test, .pairs]' document)" \
	'["paired",3]'
tap_is "three pairs show no change" "$(jq -c '[.comparisons[0] | .. | .verdict? |
	strings] | unique - ["not_shown", "too_few", "untested"]' document)" '[]'
tap_ok "a fork of more mappings takes longer" jq -e \
	'.comparisons[0].totals.latency_p50_ns.ratio > 1' document

# A task that is switched away from in a state other than R sleeps; the idle
# task has the number 0.
sleeps_by_perf()
{
	perf script -i "$1" -F event,trace 2>/dev/null |
		awk '/sched:sched_switch:/ && !/prev_pid=0 / && !/prev_state=R/' |
		wc -l
}
for run in s/run-001 s/run-002; do
	tap_is "$run: as many sleeps as perf script prints" \
		"$(jq --arg run $run '.sides[].runs[] | select(.name == $run) | .sleeps' document)" \
		"$(sleeps_by_perf $run/perf.data)"
done
tap_is "lines hold all of them" "$(jq '[.comparisons[0] | (.locks + .others)[] |
	.base.sleeps // 0] | add' document)" \
	"$(jq '[.sides[0].runs[].sleeps] | add' document)"

tap_run diff s
tap_exit "the session again" 0
tap_like "text: pairs" out '^test +t of 3 pairs'
tap_run report s
tap_exit "a report of the same session" 0
tap_like "its runs are told apart" out '^ +002 vmas=2048 '

tap_run session fork-exit --vary vmas=16 -o none
tap_error "one value" 2 '--vary takes KEY=A,B'
tap_run session fork-exit vmas=8 --vary vmas=16,32 -o none
tap_exit "a key that is set and varied" 2
tap_run session fork-exit --vary nonsense=1,2 -o none
tap_error "a key that the workload has not" 2 nonsense
tap_run session fork-exit --vary vmas=16,many -o none
tap_error "a value that it has not" 2 many
tap_ok "nothing is made then" sh -c '! test -e none'
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Contended acquisitions, site by site, against perf lock contention on the
# same file; and how much of what sleeps has a name.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_event lock:contention_begin
tap_need_command perf linux-perf
tap_need_command python3 python3
tap_need_command jq jq

writers='[.contended_acquisitions[] | select(.class == "rwsem" and
	.mode == "W" and .family == "anon_vma")] | length > 0'

# Where others use the CPUs, two seconds may pass without a fight.
for seconds in 2 4 8; do
	rm -rf s
	tap_run session fork-exit seconds=$seconds -o s --format json
	cp out report.json
	jq -e "$writers" report.json >/dev/null && break
done
tap_exit "session fork-exit: exit code" 0
"$RWSEMLAB" list sites >rules.txt
perf lock contention --stack-skip 0 -v -i s/run-001/perf.data >rows 2>&1
python3 "$SRCDIR/tests/formats/perf-lock.py" rules.txt report.json \
	<rows >compared
tap_diag "$(grep -c . compared) lines of comparison"
grep -E '^(skips|names)' compared | sed 's/^/# /' | head -20
tap_is "rows that differ" "$(grep -E '^(DIFFERS|WRONG)' compared)" ""
tap_is "the sums are the same" \
	"$(awk '/^total:/ { print ($2 == $3 && $2 > 0) }' compared)" 1
# shellcheck disable=SC2016 # for awk
tap_ok "most of perf's rows name the same caller" awk \
	'/^same caller/ { exit !($3 + 0 > 0) }' compared
tap_ok "a writer of the anon_vma lock is among them" \
	jq -e "$writers" report.json

# share NAME: of a total of the report, in percent
share()
{
	jq -r "100 * (.totals.$1 / .totals.$2) | . * 100 | round / 100" \
		report.json
}
tap_diag "sleeps of unknown kind: $(share unknown_sleeps sleeps) %"
tap_ok "at most 1 % of all sleeps are of unknown kind" jq -e \
	'.totals.unknown_sleeps <= 0.01 * .totals.sleeps' report.json
# Whether a program's own frames have names is not in our hands.
tap_ok "99 % of the sleeps for a kernel lock have a site" jq -e \
	'[.lock_sleeps[] | select(.class != "futex")] |
	([.[] | select(.callers_cut | not) | .sleeps] | add)
	>= 0.99 * ([.[] | .sleeps] | add)' report.json
tap_done

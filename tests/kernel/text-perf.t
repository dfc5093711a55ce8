#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What perf itself prints of a recording, read back, against the recording.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_command jq jq
tap_need_command perf linux-perf
tap_need_recording
tap_need_event lock:contention_begin

# Site names need symbols that perf and we find in the same place.
unset DEBUGINFOD_URLS

# shellcheck disable=SC2317
load()
{
	"$RWSEMLAB" run fork-exit seconds=2 tasks=12 vmas=1000 >/dev/null
}
export -f load

# record FILE OPTION...: the load alone, whatever else the computer does.
record()
{
	local file=$1
	shift
	# perf 6.1 aborts now and then when it reads build-ids from files.
	perf record -q --buildid-mmap -m 4096 -o "$file" -g "$@" \
		-- bash -c load >record.out 2>&1
}

# json INPUT FILE: the report
json()
{
	"$RWSEMLAB" report --allow-lost --format json "$1" >"$2" 2>err ||
		tap_bail "no report of $1: $(cat err)"
}

# ---- perf script: all numbers are the same
#
# Sites without a symbol are named by what is known of their address, which is
# not the same in both; among releases only the most frequent are kept.
same='{
	recording: (.recording | del(.source, .format, .command_line,
		.cpu_model, .perf_version, .arch)),
	totals, unpaired, losses,
	locks: [.lock_sleeps[] | select(.site | test("unknown|0x") | not)] |
		sort_by(.site, .mode, .class, .slow_path),
	others: [.other_sleeps[] | select(.site // "" |
		test("unknown|0x") | not)] | sort_by(.kind, .site),
	acquisitions: [.contended_acquisitions[] | select(.site |
		test("unknown|0x") | not)] |
		sort_by(.site, .mode, .class, .slow_path) |
		map(del(.hottest_lock))
}'

# print_all OPTION...: what perf script prints of all.data, in all.txt.  perf
# 6.1 aborts now and then, with and without us; that is not what is tested.
print_all()
{
	perf script -i all.data "$@" >all.txt 2>err && return
	tap_diag "perf script $*: $(tail -n 1 err)"
	return 1
}

record_all()
{
	record all.data -e sched:sched_switch -e sched:sched_waking \
		-e lock:contention_begin -e lock:contention_end || {
		tap_file record.out
		tap_bail "perf cannot record"
	}
}

attempts=0
record_all
until print_all --header --ns --show-lost-events; do
	attempts=$((attempts + 1))
	[ $attempts -lt 3 ] || tap_skip_rest "perf script fails again and again"
	record_all
done
json all.data all.json
jq -S "$same" all.json >want
json all.txt got.json
jq -S "$same" got.json >got
tap_ok "there were contended acquisitions" \
	jq -e '.totals.acquisitions > 10' all.json
tap_cmp "perf script: the same report" got want

counts='.totals | [.switches, .sleeps, .preemptions]'
text='perf script without chains: the same switches'
if print_all --header -F +pid,+period --ns; then
	json all.txt got.json
	tap_is "$text" "$(jq -c "$counts" got.json)" \
		"$(jq -c "$counts" all.json)"
else
	tap_skip "$text" "perf script fails"
fi

# ---- perf report: shares of all switches, as far as perf rounds them

# Without preempted tasks, which a report does not tell from sleepers.
if ! record sleeps.data -e sched:sched_switch \
	--filter 'prev_state != 0 && prev_state != 256'; then
	tap_file record.out
	tap_bail "perf cannot record with a filter"
fi
json sleeps.data want.json

# The sites of at least 1 % of all switches: name and share in percent.
# Addresses without a symbol are not named the same by perf.
# shellcheck disable=SC2016
counted='.totals.switches as $all | (.lock_sleeps + .other_sleeps)[] |
	select(.site // "" | test("unknown|0x|user space") | not) |
	[.type, .class, .mode, .kind, .site, 100 * .sleeps / $all] |
	select(.[5] >= 1) | map(. // "-") | @tsv'
# shellcheck disable=SC2016
imported='(.lock_sleeps + .other_sleeps)[] |
	[.type, .class, .mode, .kind, .site, 100 * .share_of_switches] |
	map(. // "-") | @tsv'

# compare_shares GOT WANT TOLERANCE
# shellcheck disable=SC2317
compare_shares()
{
	awk -F '\t' -v by="$3" '
	{ row = $1 " " $2 ":" $3 " " $4 " " $5 }
	NR == FNR { got[row] += $6; next }
	{
		rows++
		difference = got[row] - $6
		if (difference < -by || difference > by) {
			printf "%s: got %.3f, want %.3f\n", row, got[row], $6
			bad = 1
		}
	}
	END { if (!rows) print "no site to compare"; exit bad || !rows }' \
		"$1" "$2"
}

jq -r "$counted" want.json >want.tsv
while read -r options; do
	# shellcheck disable=SC2086
	perf report --stdio -i sleeps.data $options >report.txt 2>err
	json report.txt got.json
	jq -r "$imported" got.json >got.tsv
	# Percentages are rounded to 0.01 at each of the frames on the way.
	tap_ok "perf report $options: the same sites and shares" \
		compare_shares got.tsv want.tsv 0.3
	tap_ok "perf report $options: a share of all" \
		jq -e '.unit == "share" and .warnings == []' got.json
done <<'END'
--no-children -g graph,0,callee -s comm,dso,sym
--no-children -g graph,0,caller -s comm,dso,sym
--no-children -g fractal,0,callee -s comm,dso,sym
--no-children -g fractal,0,caller -s comm,dso,sym
--no-children -g flat,0 -s comm,dso,sym
--no-children -g folded,0 -s comm,dso,sym
--no-children -g graph,0,callee,count -s comm,dso,sym
--children -g graph,0,caller -s comm,dso,sym
--children -g graph,0,callee -s comm,dso,sym
--no-children -g graph,0,callee -s comm
--no-children -g graph,0,callee -s sym,dso
--no-children -g graph,0,callee --header -s comm,dso,sym
END

# Unasked, perf has an entry for each text of the event, each rounded.
perf report --stdio --no-children -g graph,0,callee -i sleeps.data \
	>report.txt 2>err
entries=$(grep -c 'prev_comm=' report.txt)
json report.txt got.json
jq -r "$imported" got.json >got.tsv
tap_ok "perf report, sorted by the event's text: sites and shares" \
	compare_shares got.tsv want.tsv \
	"$(awk -v n="$entries" 'BEGIN { print 0.3 + n * 0.005 }')"
tap_is "the same states" "$(jq -c \
	'[.lock_sleeps[].by_state | keys] | add | unique' got.json)" "$(jq -c \
	'[.lock_sleeps[].by_state | keys] | add | unique' want.json)"

# As perf prints it unasked: nothing is more than it was, some is not shown.
perf report --stdio -s comm,dso,sym -i sleeps.data >report.txt 2>err
json report.txt got.json
# shellcheck disable=SC2016
tap_ok "perf report: no more locks than there were" \
	jq -en --slurpfile w want.json --slurpfile g got.json \
	'$g[0].totals.lock_share_of_switches <=
	$w[0].totals.lock_sleeps / $w[0].totals.switches + 0.003'
tap_done

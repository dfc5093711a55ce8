#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rwsemlab run: what it takes and refuses, what it prints, and its counters
# against those of the kernel.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_command jq jq

# value FILTER: of the JSON in out
value()
{
	jq -r "$1" out
}

# is_json DESCRIPTION FILTER: out is one JSON document, of which it is true
is_json()
{
	tap_ok "$1" jq -es "length == 1 and (.[0] | $2)" out
}

# near DESCRIPTION GOT WANT PERCENT
near()
{
	if awk -v got="$2" -v want="$3" -v percent="$4" 'BEGIN {
		exit !(got >= want * (1 - percent / 100) &&
		       got <= want * (1 + percent / 100)) }'; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "got $2, want $3 within $4 %"
	fi
}

check_refusals()
{
	tap_run run
	tap_error 'without a workload' 2 "name a workload; 'rwsemlab list"
	tap_run run nonsense
	tap_error 'an unknown workload' 2 \
		"no workload 'nonsense'; there are: exim, fork-exit, cgroup-migrate"
	tap_run run null secnds=1
	tap_error 'an unknown key' 2 \
		"null: no option 'secnds'; there are: seconds, "
	tap_run run null seconds=0
	tap_error 'a value out of range' 2 \
		"seconds takes seconds from 0.01 to 86400, not '0'"
	tap_run run null seconds=1 seconds=2
	tap_error 'a key given twice' 2 'seconds is given twice'
	tap_run run --format yaml null
	tap_error 'an unknown format' 2 "takes text or json, not 'yaml'"
	tap_run run exim vmas=3 roots=4
	tap_error 'more roots than mappings' 2 'roots=4 is more than vmas=3'
	tap_run run exim spool="$PWD/nowhere"
	tap_error 'a spool that does not exist' 2 \
		'cannot write into .*/nowhere: No such file'
	tap_run keeper - null
	tap_error 'the keeper is not for people' 2 "only 'run' and 'session'"
}

# Run null with fail=HOW.
check_failure()
{
	tap_run run null seconds=0.2 fail="$1"
	tap_error "fail=$1" "$2" "$3"
}

check_failures()
{
	check_failure crash 1 \
		'a worker \(pid [0-9]+\) was killed by signal 11 \(Segm'
	check_failure crash-root 1 \
		'its root process \(pid [0-9]+\) was killed by signal 11 '
	check_failure exit 1 'a worker \(pid [0-9]+\) exited with status 3$'
	check_failure setup 2 'set-up failed on purpose'
	check_failure garbage 1 'its root process wrote nonsense'
	check_failure trouble 1 'trouble made on purpose'
	check_failure hang 1 'a worker \(pid [0-9]+\) still ran 5 s after its'
	check_failure verify 1 '1 failures of its verification, first: made wro'
	tap_like 'its result is printed' out '^verified .* 1 wrong$'
	check_failure problem 2 'null: a problem on purpose'
	tap_like 'its result is printed too' out '^problem   a problem'
	tap_run run null seconds=0.2 fail=problem --format json
	tap_exit 'with a problem, as JSON' 2
	is_json 'the JSON has it' '.problem == {"code": 2,
		"text": "a problem on purpose"}'
}

check_null()
{
	tap_run run null seconds=2.5 --format json
	tap_exit 'null runs' 0
	is_json 'its JSON is one document of the right shape' '
		.workload == "null" and .stopped == false and
		.problem == null and .options == {"seconds": 2.5,
			"tick_us": 1000, "fail": "none", "directory": "/tmp"}'
	near 'it takes its time' "$(value .elapsed_s)" 2.5 1
	is_json 'rates are counts by time' '
		(.work_per_s * .elapsed_s - .work | fabs) < 0.01'
	is_json 'every tick has a latency' '
		.latency.count == .work and .work > 100 and
		.work <= 2500 and
		([.latency.buckets[][1]] | add) == .latency.count'
	is_json 'quantiles are in order' '.latency |
		.min_ns <= .p50_ns and .p50_ns <= .p90_ns and
		.p90_ns <= .p99_ns and .p99_ns <= .p999_ns and
		.p999_ns <= .max_ns and .sum_ns >= .max_ns'
	is_json 'vmstat has a line a second' '.vmstat |
		(.lines | length) == 3 and
		([.lines[].seconds] | add - 2.5 | fabs) < 0.2'
	is_json 'percentages add up' '[.vmstat, .vmstat.lines[]] | all(
		.us_percent + .sy_percent + .id_percent + .wa_percent +
		.st_percent | . - 100 | fabs < 0.001)'
}

# stat NAME: a counter of /proc/stat
stat()
{
	awk -v name="$1" '$1 == name { print $2 }' /proc/stat
}

# The kernel's counters before and after, read here, must frame ours.
check_counters()
{
	local name key ours
	declare -A before after keys=([ctxt]=context_switches
		[processes]=forks [intr]=interrupts)
	for name in ctxt processes intr; do
		before[$name]=$(stat $name)
	done
	tap_run run fork-exit seconds=2 vmas=8 --format json
	for name in ctxt processes intr; do
		after[$name]=$(stat $name)
	done
	tap_exit 'fork-exit runs' 0
	for name in ctxt processes intr; do
		key=${keys[$name]}
		ours=$(value ".vmstat.$key")
		tap_ok "$key: $ours is within what the kernel counted" \
			test "$ours" -gt 0 -a \
			"$ours" -le $((after[$name] - before[$name]))
	done
	is_json 'the kernel counted at least our forks' \
		'.vmstat.forks >= .forks and .forks == .work'
	is_json 'each was waited for' '.verification |
		.failures == 0 and .checked > 0'
}

# vmstat's own totals over the same time, side by side.
check_vmstat()
{
	local cs in cpu
	command -v vmstat >/dev/null || {
		tap_skip 'vmstat agrees' 'no vmstat (Debian: procps)'
		return
	}
	vmstat -n 1 6 >vmstat.out &
	tap_run run fork-exit seconds=4 vmas=8 --format json
	wait $!
	# Of its lines, the first is since boot; take the two in the middle.
	read -r cs in cpu <<<"$(awk 'NR == 5 || NR == 6 {
			cs += $12; in_ += $11; us += $13; sy += $14
		} END { print cs / 2, in_ / 2, us / 2 + sy / 2 }' vmstat.out)"
	near 'context switches a second, as vmstat has them' \
		"$(value '[.vmstat.lines[1, 2].cs_per_s] | add / 2')" "$cs" 25
	near 'interrupts a second' \
		"$(value '[.vmstat.lines[1, 2].in_per_s] | add / 2')" "$in" 25
	near 'user + system' \
		"$(value '[.vmstat.lines[1, 2] | .us_percent + .sy_percent] |
			add / 2')" "$cpu" 10
}

# one_page PID: its anonymous mappings of one page
one_page()
{
	awk '$6 == "" && $2 == "rw-p" { split($1, at, "-"); print at[1], at[2] }' \
		"/proc/$1/maps" | while read -r from to; do
		[ $((0x$to - 0x$from)) -eq "$(getconf PAGE_SIZE)" ] && echo
	done | wc -l
}

# check_mappings WORKLOAD LEVEL: of the process so many levels below root; the
# program has a few of its own.
check_mappings()
{
	local tool pid level have=0
	"$RWSEMLAB" run "$1" seconds=3 vmas=200 >out 2>err &
	tool=$!
	# It may not be set up yet, and who is looked at may just have ended.
	for _ in $(seq 30); do
		sleep 0.1
		pid=$(pgrep -o -P $tool)
		for level in $(seq 0 "$2"); do
			pid=$(pgrep -o -P "${pid:-0}")
		done
		have=$(one_page "${pid:-0}" 2>/dev/null)
		[ "$have" -lt 200 ] || break
	done
	wait $tool
	tap_ok "$1 vmas=200: level $level has 200 mappings and few more: $have" \
		test "$have" -ge 200 -a "$have" -le 210
}

check_text()
{
	tap_run run exim seconds=1 vmas=4
	tap_exit 'exim runs' 0
	tap_like 'work' out \
		'^exim: [0-9,]+ messages in 1\.0+ s = [0-9,.]+/s; [0-9,]+ forks ='
	tap_like 'latency' out \
		'^latency   p50 .*s  p90 .*s  p99 .*s  p99\.9 .*s  max .*s \(MAIL'
	tap_like 'verification' out \
		'^verified  [0-9,]+ accepted messages, each there exactly once, 0'
	tap_like 'vmstat' out \
		'^vmstat    cs [0-9,.]+/s  in [0-9,.]+/s  forks .* us [0-9]+ %'
	tap_is 'nothing on stderr' "$(cat err)" ''
}

# Every key of every workload, and its default, on both sides.
check_manual()
{
	tap_run list workloads
	awk '/^[a-z]/ { sub(":", ""); name = $1 }
		/^  [a-z_]+(=|$| )/ { split($1, key, "="); print name, key[1] }' \
		out | sort >listed
	awk '/^\.Ss / { name = $2 } /^\.Sh / { name = "" }
		/^\.It Cm [a-z_]+ Ns = / && name { print name, $3 }' \
		"$SRCDIR/man/rwsemlab-workloads.7" | sort >described
	tap_cmp 'rwsemlab-workloads(7) has every key and no other' \
		described listed
	tap_ok 'and there are some' test "$(wc -l <listed)" -gt 15
}

check_refusals
check_manual
check_failures
check_null
check_counters
check_vmstat
check_text
check_mappings exim 1
check_mappings fork-exit 0
tap_done

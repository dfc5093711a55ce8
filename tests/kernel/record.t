#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What rwsemlab record records: perf's own tools are the judge.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_command perf linux-perf

# load SECONDS: forks, pipes and sleeps
# shellcheck disable=SC2016 # for a shell of its own
load='
end=$(($(date +%s) + $1))
while [ "$(date +%s)" -lt $end ]; do
	for i in 1 2 3 4 5 6 7 8; do
		(: | cat; sleep 0.001) &
	done
	wait
done'

# json KEY [N]: the N-th value of that key in the document out
json()
{
	sed -n "s/^ *\"$1\": //p" out | sed -n "${2:-1}{s/,\$//;p}"
}

# What perf script has of each of our events, in the order of the document:
# sleeps, other switches, begins, ends, wake-ups.
count_script()
{
	perf script -G -i "$1" 2>script.err | awk '
		/sched_switch:/ { if (/ prev_state=R ==>/) other++; else sleep++ }
		/contention_begin:/ { begin++ }
		/contention_end:/ { end++ }
		/sched_waking:/ { waking++ }
		END { print sleep + 0, other + 0, begin + 0, end + 0, waking + 0 }'
}

record_all()
{
	# The load's own output would disturb the document.
	tap_run record --format json "$@" -- sh -c "$load" load 2
	tap_exit "record $*: exit code" 0
}

events=5
[ -d /sys/kernel/tracing/events/lock/contention_begin ] || events=3

check_counts()
{
	local file=$1 want='' n=1
	local -a counts
	read -r -a counts <<<"$(count_script "$file")"
	[ $events -eq 5 ] || counts=("${counts[0]}" "${counts[1]}" "${counts[4]}")
	while [ $n -le $events ]; do
		want="$want$(json samples $((n + 1))) "
		n=$((n + 1))
	done
	tap_is "$file: perf script counts the same of each event" \
		"${counts[*]} " "$want"
	tap_is "$file: each event was recorded" "$(wc -w <<<"$want")" $events
	tap_is "$file: perf script says nothing" "$(cat script.err)" ""
	tap_ok "$file: there are sleeps" test "${counts[0]}" -gt 100
	tap_is "$file: the sum is the document's" \
		"$(perf script -G -i "$file" -F event 2>/dev/null |
			grep -c ': *$')" "$(json samples)"
}

# The kernel counts on its own.  It counts, but gives no recorder, perf neither,
# the few events that come while it switches the event on or off, and some that
# come in an interrupt of an idle CPU: that is where wake-ups come from, and
# contention of spinlocks, but never a switch.
check_kernel_count()
{
	local file=$1 n=1 missing counted most
	while [ $n -le $events ]; do
		counted=$(json counted $n)
		missing=$((counted - $(json samples $((n + 1))) - \
			$(json lost $((n + 1)))))
		most=50
		[ $n -le 2 ] || most=$((50 + counted / 2))
		tap_ok "$file: event $n: the kernel counted the same" \
			test $missing -ge 0 -a $missing -lt $most
		n=$((n + 1))
	done
}

record_all -a -o all.data --no-user-chains --wakers
check_counts all.data
check_kernel_count all.data
tap_is "all.data: none lost" "$(json lost)" 0
tap_is "all.data: its size" "$(json size_bytes)" "$(stat -c %s all.data)"
tap_is "all.data: for its owner only" "$(stat -c %a all.data)" 600
tap_like "a summary on stderr" err \
	'^\[ record: [0-9.]+ MB, [0-9,]+ events, 0 lost, all.data \]$'

perf script -i all.data -F ip,sym,event >chains.txt 2>/dev/null
grep -A1 'sched_switch: $' chains.txt | grep -o '__schedule$' | sort -u >leaf
tap_is "sleepers' call chains begin in __schedule" "$(cat leaf)" __schedule
tap_unlike "no user part of chains when not wanted" chains.txt \
	'^[[:space:]]+[0-7][0-9a-f]{0,15} '

record_all -a -o user.data --wakers
perf script -i user.data -F ip,event >chains.txt 2>/dev/null
tap_like "user part of chains" chains.txt '^[[:space:]]+[0-7][0-9a-f]{9,11}$'

perf report -i all.data --header-only >header 2>header.err
tap_is "perf report --header-only says nothing" "$(cat header.err)" ""
for line in "hostname : $(uname -n)" "os release : $(uname -r)" \
	"arch : $(uname -m)" "nrcpus online : $(nproc --all)" \
	"cmdline : rwsemlab record --format json -a -o all.data .*" \
	"total memory : $(awk '/^MemTotal/ { print $2 }' /proc/meminfo) kB" \
	"sample duration : +[0-9]+[.][0-9]+ ms" \
	"clockid: monotonic .1." "CPU_TOPOLOGY info available.*"; do
	tap_like "header: ${line%% :*}" header "^# $line *\$"
done
tap_is "perf report --stdio works" "$(perf report -i all.data --stdio 2>&1 |
	grep -c '^# Samples: .* of event')" $events
perf buildid-list -i all.data >build-ids
tap_like "build-id of the kernel" build-ids '^[0-9a-f]{40} \[kernel.kallsyms\]$'
want=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' |
	grep -oE '1400000003000000474e5500[0-9a-f]{40}' | cut -c 25-)
tap_is "it is the running kernel's" \
	"$(sed -n 's/ \[kernel.kallsyms\]$//p' build-ids)" "$want"
perf script -i all.data --show-mmap-events 2>/dev/null |
	grep -E 'MMAP2 .* <[0-9a-f]{40}>\]: r-xp .*/libc' >maps
tap_ok "mappings that existed have build-ids" test -s maps
file=$(sed -n '1s/.*: r-xp //p' maps)
want=$(file -L "$file" 2>/dev/null | grep -oE 'BuildID\[sha1\]=[0-9a-f]+' |
	cut -d = -f 2)
if [ -n "$want" ]; then
	tap_is "they are right" \
		"$(sed -nE '1s/.*<([0-9a-f]{40})>.*/\1/p' maps)" "$want"
fi

if [ $events -eq 5 ]; then
	# Pairs of begin and end by task and lock, as perf script shows them.
	want=$(perf script -G -i all.data -F tid,event,trace 2>/dev/null | awk '
		/contention_begin/ { open[$1, $3] = 1 }
		/contention_end/ && open[$1, $3] { n++; open[$1, $3] = 0 }
		END { print n + 0 }')
	got=$(perf lock contention -i all.data 2>&1 |
		awk 'NR > 2 { n += $1 } END { print n + 0 }')
	tap_is "perf lock contention counts all acquisitions" "$got" "$want"
fi

# Of a command only what it and its descendants do.
tap_run record --format json -o own.data -- sh -c "$load" load 1
tap_exit "a command: exit code" 0
tap_is "perf script counts the same" \
	"$(perf script -G -i own.data -F event 2>/dev/null | grep -c ': *$')" \
	"$(json samples)"
perf script -G -i own.data -F comm,event 2>/dev/null |
	awk '/sched_switch/ { print $1 }' | sort -u >comms
tap_is "nobody else's switches" \
	"$(grep -vxE 'sh|cat|sleep|date|rwsemlab' comms)" ""
tap_like "its descendants' switches" comms '^sleep$'
perf script -i own.data --show-switch-events 2>/dev/null >switches
tap_like "when its tasks got the CPU back" switches \
	'sleep .* PERF_RECORD_SWITCH IN'

# A process that runs already, until it ends.
(sleep 0.5; sleep 0.3; sleep 0.2) &
tap_run record --format json -o pid.data -p $!
tap_exit "a process: exit code" 0
wait
perf script -G -i pid.data -F comm,event >comms 2>/dev/null
tap_like "ends with the process and its children" comms 'sleep .*sched_switch'

sleep 20 &
pid=$!
tap_run record --format json -o time.data -d 1 -p $pid
kill $pid
tap_exit "a time: exit code" 0
tap_ok "it was about that long" sh -c \
	"test $(json elapsed_ns) -ge 1000000000 -a $(json elapsed_ns) -lt 3000000000"
tap_run record -p $pid
tap_error "a process that is gone" 2 "no process $pid"

# More than the smallest buffers can hold.
tap_run record -a --format json -m 4k -o lost.data -- sh -c "$load" load 1
tap_exit "lost records: exit code" 4
tap_like "it says what to do" err 'records were lost; .* -m 16k,'
got=$(perf script -i lost.data --show-lost-events 2>/dev/null |
	sed -nE 's/.*PERF_RECORD_LOST(_SAMPLES)? lost ([0-9]+)$/\2/p' |
	awk '{ n += $1 } END { print n + 0 }')
tap_is "the file has as many lost as we say" "$got" "$(json lost)"
tap_ok "the sum over the events is no more" test \
	"$(json lost)" -ge $(($(json lost 2) + $(json lost 3)))
tap_is "perf script counts the same" \
	"$(perf script -G -i lost.data -F event 2>/dev/null | grep -c ': *$')" \
	"$(json samples)"
tap_run record -a --allow-lost -m 4k -o lost.data -- sh -c "$load" load 1
tap_exit "lost and allowed" 0
tap_done

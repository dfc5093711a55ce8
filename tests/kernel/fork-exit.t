#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What fork-exit and exim are for: they must make the kernel's anon_vma root
# lock the one that is fought over.  perf counts.
# shellcheck disable=SC2317 # the checks are called by their names
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_event lock:contention_begin
tap_need_command perf linux-perf

# Of the contended acquisitions by anyone: "PERCENT COUNT SITE", where the site
# is the function that asked for the lock.  Left out is the spinlock inside
# every rwsem, since nobody asks for it, and with sleeping=1 every other
# spinlock.
# shellcheck disable=SC2016 # for awk
sites='
function is_lock(name) {
	return name ~ /^(native_|__pv_|pv_)?queued_|^_*raw_|rwsem|^_*down_|^_*up_|mutex|^schedule|percpu_|^__traceiter|^trace_|perf_trace|bpf_/
}
function count(  i, inside) {
	if (!nr)
		return
	for (i = 0; i < nr - 1 && is_lock(frame[i]); i++)
		inside = inside || frame[i] ~ /^rwsem_/
	nr = 0
	if (spin && (inside || sleeping))
		return
	all++
	site[frame[i]]++
}
/contention_begin:/ {
	count()
	spin = /flags=[^)]*SPIN/
	next
}
NF >= 2 { sub(/\+0x.*/, "", $2); frame[nr++] = $2 }
END {
	count()
	for (name in site)
		printf "%.1f %d %s\n", 100 * site[name] / all, site[name], name
}'

# Runs perf record -- the workload.  perf itself crashes at times ("stack
# smashing detected"): worth another try.
try_record()
{
	local used
	TIMEFORMAT='%U %S'
	{
		time timeout 100 perf record -q -a -g -m 8M \
			-e lock:contention_begin -o perf.data -- \
			"$RWSEMLAB" run "$@" >out 2>err
	} 2>cpu.seconds || return 1
	used=$(awk 'END { print int(100 * ($1 + $2)) }' cpu.seconds)
	busy=$((100 * 2 * 3 * 7 / 10 > used))
}

# record SLEEPING COMM WORKLOAD OPTION...: the sites of processes of that name
# ("": of all), most contended first, go to sites.out
record()
{
	local sleeping=$1 comm=$2 try
	shift 2
	rm -f perf.data
	for try in 1 2 3; do
		try_record "$@" seconds=3 && break
		sleep $try
	done
	[ -s perf.data ] || tap_bail "perf record: $(tail -n 1 err)"
	perf script -i perf.data ${comm:+--comms "$comm"} \
		-F comm,event,trace,ip,sym 2>/dev/null |
		awk -v sleeping="$sleeping" "$sites" | sort -rn >sites.out
	tap_diag "$*:"
	head -n 8 sites.out | sed 's/^/#   /'
}

# prove TITLE CHECK SLEEPING COMM WORKLOAD OPTION...: CHECK holds of a
# recording.  Where others use the CPUs there is less to fight over, so that
# takes several tries, and a failure then says nothing.
prove()
{
	local title=$1 check=$2 try
	shift 2
	for try in 1 2 3 4; do
		record "$@"
		"$check" && break
		sleep $((4 * try))
	done
	if [ "$busy" = 1 ] && ! "$check"; then
		tap_skip "$title" 'others use more than 30 % of two CPUs'
	else
		tap_ok "$title" "$check"
	fi
}

# count REGEX, share REGEX: contended acquisitions by these sites
count()
{
	awk -v name="$1" '$3 ~ name { sum += $2 } END { print sum + 0 }' \
		sites.out
}

share()
{
	awk -v name="$1" '$3 ~ name { sum += $1 } END { print int(sum) }' \
		sites.out
}

anon_vma='^(unlink_anon_vmas|anon_vma_|__put_anon_vma)'

presses_hard()
{
	[ "$(count .)" -ge 3000 ] && [ "$(share '^unlink_anon_vmas$')" -gt 80 ]
}

is_unlink()
{
	[ "$(share '^unlink_anon_vmas$')" -gt 80 ]
}

is_anon_vma()
{
	[ "$(share "$anon_vma")" -gt 50 ]
}

is_much_less()
{
	[ "$(count "$anon_vma")" -lt $((one_root / 3)) ]
}

prove 'fork-exit: unlink_anon_vmas is over 80 % of many contended acquisitions' \
	presses_hard 0 '' fork-exit
prove 'and over 80 % of those of locks that sleep' is_unlink 1 '' fork-exit
prove 'exim: most of those of locks that sleep are for anon_vmas' \
	is_anon_vma 1 exim exim
one_root=$(count "$anon_vma")
prove 'exim: mappings with a root each are fought over much less' \
	is_much_less 1 exim exim roots=64
tap_done

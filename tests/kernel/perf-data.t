#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The running kernel's switches, recorded by perf in each of its layouts: what
# we count against what perf script prints.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_command perf linux-perf
tap_need_command jq jq
tap_need_recording

# shellcheck disable=SC2317
load()
{
	"$RWSEMLAB" run fork-exit seconds=1 tasks=6 >/dev/null
}
export -f load

# From perf script's lines: the switches, the gaps on each CPU, by state.
cat >count.awk <<'AWK'
{
	cpu = $1
	if (!match($0, /prev_pid=[0-9]+/))
		next
	prev = substr($0, RSTART + 9, RLENGTH - 9)
	match($0, /prev_state=[^ ]+/)
	state = substr($0, RSTART + 11, RLENGTH - 11)
	match($0, /next_pid=[0-9]+/)
	nr++
	gaps += (cpu in last) && last[cpu] != prev
	last[cpu] = substr($0, RSTART + 9, RLENGTH - 9)
	if (prev == 0)
		idle++
	else if (state ~ /^R/)
		preempted++
	else
		slept++
}
END { printf "%d %d %d %d\n", nr, slept, preempted, idle }
AWK

# From perf script -F trace,ip,dso: how often each stack of our tasks, as
# perf-dump has it.
cat >stacks.awk <<'AWK'
/prev_comm=/ {
	if (stack != "")
		nr[stack]++
	stack = ""
	if (/prev_comm=rwsemlab prev_pid=/)
		stack = " "
	next
}
/^[ \t]+[0-9a-f]+ \(/ && stack != "" && $1 !~ /^0+$/ {
	dso = substr($0, index($0, "(") + 1)
	sub(/\)$/, "", dso)
	stack = stack " " (dso ~ /^\[(kernel|bpf|[a-z0-9_]+\])/ &&
		dso != "[vdso]" && dso != "[unknown]" ? $1 : dso)
}
END {
	if (stack != "")
		nr[stack]++
	for (s in nr)
		print nr[s] s
}
AWK

# check NAME PATH: the counts and the stacks
check()
{
	local name=$1 path=$2 theirs ours
	perf script -i "$path" -F cpu,time,event,trace 2>/dev/null |
		awk -f count.awk >theirs
	theirs=$(cat theirs)
	if [ "$theirs" = "0 0 0 0" ] || [ -z "$theirs" ]; then
		tap_skip "$name" "perf script can't read it"
		return
	fi
	tap_run report --format json --allow-lost "$path"
	ours=$(jq -r '.totals | "\(.switches) \(.sleeps) \(.preemptions) " +
		"\(.from_idle)"' out)
	tap_is "$name: switches, sleeps, preemptions, from idle" \
		"$ours" "$theirs"
}

# check_stacks NAME PATH: stacks that differ are rare: perf drops a chain with
# a misread word in it, and keeps mappings that an exec ended.
check_stacks()
{
	local name=$1 path=$2
	perf script -i "$path" -F trace,ip,dso 2>/dev/null |
		awk -f stacks.awk | sed 's/  */ /g' | sort >theirs
	"$BUILDDIR/tests/perf-dump" "$path" rwsemlab | sed 's/  */ /g' |
		awk '{ n = $1; $1 = ""; nr[$0] += n }
			END { for (s in nr) print nr[s] s }' |
		sort >ours
	# shellcheck disable=SC2016
	tap_ok "$name: stacks" awk '
		NR == FNR { n = $1; $1 = ""; nr[$0] = n; all += n; next }
		{ n = $1; $1 = ""; same += n < nr[$0] ? n : nr[$0] }
		END {
			printf "%d of %d the same\n", same, all
			exit all == 0 || same < 0.99 * all
		}' theirs ours ||
		diff theirs ours | head -n 20 | tap_diag "$(cat)"
}

# record FILE OPTION...
record()
{
	local file=$1
	shift
	perf record -q --buildid-mmap -a -g -e sched:sched_switch -o "$file" \
		"$@" -- bash -c load >record.out 2>&1
}

# record_pipe FILE OPTION...
record_pipe()
{
	local file=$1
	shift
	perf record -q -a -g -e sched:sched_switch "$@" -o - \
		-- bash -c load 2>record.out >"$file"
}

if ! record plain.data; then
	tap_file record.out
	tap_skip_rest "perf record fails here"
fi
check "a file" plain.data
check_stacks "a file" plain.data

record small.data -m 8 && check "small buffers" small.data
record large.data -m 4096 && check "large buffers" large.data
if record_pipe pipe.data; then
	check "a pipe, stored" pipe.data
	timeout 60 "$RWSEMLAB" report --allow-lost --format json - \
		< <(cat pipe.data) >out2 2>err
	tap_is "a pipe: as when stored" "$(jq -c .totals out2)" \
		"$(jq -c .totals out)"
fi
record folder.data --threads 2>/dev/null && {
	check "a folder" folder.data
	check_stacks "a folder" folder.data
}
if record packed.data -z; then
	check "compressed" packed.data
	check_stacks "compressed" packed.data
	record_pipe packed-pipe.data -z &&
		check "a compressed pipe" packed-pipe.data
	record packed-folder.data -z --threads 2>/dev/null &&
		check "a compressed folder" packed-folder.data
fi
perf record -q -g -e sched:sched_switch -o own.data -- bash -c load \
	>record.out 2>&1 && check "one command only" own.data
perf record -q -a -g -e sched:sched_switch -e cpu-clock -e sched:sched_waking \
	-o mixed.data -- bash -c load >record.out 2>&1 &&
	check "with other events" mixed.data
perf record -q -a -g -d --weight -b -e sched:sched_switch -o rich.data \
	-- bash -c load >record.out 2>&1 && check "with more data" rich.data
perf record -q -a -g --user-regs=ip,sp --call-graph dwarf,1024 \
	-e sched:sched_switch -o dwarf.data -- bash -c load >record.out 2>&1 &&
	check "with user stacks" dwarf.data
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What each control group slept, by our recording and by perf's: perf script
# counts the same.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_command perf linux-perf
tap_need_command jq jq

# A sample has the control group of the hierarchy that perf_event is in.
mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { v1 = $2 }
	$3 == "cgroup2" { v2 = $2 }
	END { print v1 ? v1 : v2 }' /proc/self/mounts)
[ -n "$mount" ] || tap_skip_rest "no control groups: nothing of the kind is mounted"
ours=$mount/rwsemlab-test-$$
mkdir "$ours" 2>mkdir.err || tap_skip_rest "$(cat mkdir.err)"
mkdir "$ours/in it"
trap 'rmdir "$ours/in it" "$ours"' EXIT

# load CGROUP: pipes, forks and sleeps inside
# shellcheck disable=SC2016 # for a shell of its own
load='
echo $$ >"$1/cgroup.procs" || exit 1
for i in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.01 | cat
done'
cat >load.sh <<'SH'
sh -c "$1" load "$2" &
sh -c "$1" load "$2/in it" &
sh -c "$1" load "$2/in it" &
wait
SH

# "CGROUP SLEEPS" of the groups of ours.
by_perf()
{
	perf report -i "$1" --stdio -g none --no-children -n \
		-s cgroup,prev_state --field-separator ';' 2>/dev/null |
		awk -F ' *; *' -v ours="/rwsemlab-test-$$" '
		/^#/ || !index($3, ours) || $4 !~ /^ *[A-QS-Za-z]/ { next }
		{ n[substr($3, index($3, ours))] += $2 }
		END { for (path in n) print path, n[path] }' | sort
}

by_us()
{
	jq -r '[(.lock_sleeps + .other_sleeps)[] |
		{ group, sleeps }] | group_by(.group)[] |
		"\(.[0].group) \([.[].sleeps] | add)"' out |
		sed -n "s,^.*\(/rwsemlab-test-$$\),\1,p" | sort
}

check()
{
	tap_run report --by cgroup --format json --top 0 "$1"
	tap_exit "report --by cgroup of $1: exit code" 0
	by_us >got
	by_perf "$1" >want
	tap_is "$1: two control groups" "$(wc -l <want)" 2
	tap_cmp "$1: sleeps of each" got want
}

tap_run record --cgroups -a -o ours.data -- bash load.sh "$load" "$ours"
tap_exit "record --cgroups: exit code" 0
check ours.data
perf record -q --buildid-mmap --all-cgroups -a -g -e sched:sched_switch \
	-o perf.data -- bash load.sh "$load" "$ours" 2>/dev/null
check perf.data

tap_run report --by cgroup --top 0 ours.data
tap_like "the text names them" out " /rwsemlab-test-$$/in it "
tap_run record -a -o without.data -- true
tap_run report --by cgroup without.data
tap_like "a recording without them says so" out '\(not recorded\)'
rmdir "$ours/in it" "$ours"
trap - EXIT
tap_run session null seconds=1 -o s --by cgroup
tap_exit "session --by cgroup: exit code" 0
tap_unlike "session --by cgroup records what it needs" out '\(not recorded\)'
tap_done

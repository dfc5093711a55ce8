#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The cgroup workloads against what the kernel itself says they do: its own
# tracepoints count the moves, its call chains show where writers sleep.  And
# the mount option: set for both modes, restored after any ending.
# shellcheck disable=SC2317 # functions are called by their names
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_event cgroup:cgroup_attach_task
tap_need_command perf linux-perf
tap_need_command jq jq

# option: nofavordynmods or favordynmods, as cgroup2 is mounted
option()
{
	awk '/ - cgroup2 / {
		favors = $NF ~ /(^|,)favordynmods(,|$)/
		print favors ? "favordynmods" : "nofavordynmods"
		exit
	}' /proc/self/mountinfo
}

# options: all that cgroup2 is mounted with, the mount's own first
options()
{
	awk '/ - cgroup2 / { print $6, $NF; exit }' /proc/self/mountinfo
}

# traced EVENT COMM: how many perf saw
traced()
{
	perf script -i perf.data --comms "$2" -F event 2>/dev/null |
		grep -c "cgroup:$1:"
}

# trace ARGUMENT...: runs the workload under perf; out is its JSON.  perf
# itself crashes at times: worth another try.
trace()
{
	local try
	for try in 1 2 3; do
		rm -f perf.data
		status=0
		perf record -q -a -N -B -m 4M -o perf.data \
			-e cgroup:cgroup_attach_task -e cgroup:cgroup_mkdir \
			-e cgroup:cgroup_rmdir -- \
			"$RWSEMLAB" run "$@" --format json >out 2>err || status=$?
		[ "$status" -lt 128 ] && [ -s perf.data ] && break
		sleep $try
	done
	tap_command="$*"
	tap_exit "under perf: $*" 0
}

check_counts()
{
	local work moves
	trace cgroup-churn n=100
	tap_is 'the kernel saw each cgroup being made' \
		"$(traced cgroup_mkdir cgroup-churn)" 100
	tap_is 'and being removed' "$(traced cgroup_rmdir cgroup-churn)" 100
	# Root's own move into the run's cgroup is one.
	tap_is 'and the process go in and out' \
		"$(traced cgroup_attach_task cgroup-churn)" 201
	trace cgroup-migrate seconds=1 pause_us=2000 writers=2
	work=$(jq .work out)
	moves=$(traced cgroup_attach_task writer)
	tap_diag "$work writes counted, $moves migrations traced"
	# Each writer's last write may end after the time.
	tap_ok 'the kernel saw each counted write as a migration' \
		test "$work" -gt 5 -a "$moves" -ge "$work" -a \
		"$moves" -le $((work + 2))
}

# Sleeps of writers that wait for the lock, from perf's own reading of the
# session's recording: "CLASS SLOW-PATH COUNT", by the innermost function of the
# lock.
writer_sleeps()
{
	perf script -i session/run-001/perf.data --comms writer \
		-F comm,event,trace,ip,sym 2>/dev/null | awk '
	function count() {
		if (sleeps && place && slow)
			n[slow]++
		sleeps = place = 0
		slow = ""
	}
	/sched:sched_switch:/ {
		count()
		sleeps = / prev_state=[SD]/
		next
	}
	/^[^ \t]/ || /:[a-z_]+:/ { count(); next }
	/cgroup_procs_write|cgroup1_procs_write/ { place = 1 }
	slow == "" && / rcu_sync_enter/ { slow = "percpu-rwsem rcu_sync_enter" }
	slow == "" && / percpu_down_write/ {
		slow = "percpu-rwsem percpu_down_write"
	}
	slow == "" && / rwsem_down_write_slowpath/ {
		slow = "rwsem rwsem_down_write_slowpath"
	}
	END { count(); for (s in n) print s, n[s] }' | sort
}

# What the report says of the same.
reported_sleeps()
{
	jq -r '.lock_sleeps[] | select(.group == "writer" and .mode == "W" and
		.family == "cgroup_threadgroup" and .sleeps > 0) |
		"\(.class) \(.slow_path) \(.sleeps)"' out |
		sed 's/percpu_rwsem_wait/percpu_down_write/' |
		awk '{ n[$1 " " $2] += $3 }
			END { for (s in n) print s, n[s] }' | sort
}

# record ARGUMENT...: a session, its report by process name in out
record()
{
	rm -rf session
	tap_run session cgroup-migrate "$@" -o session
	tap_exit "session cgroup-migrate $*" 0
	tap_run report session --by comm --top 0 --format json
	writer_sleeps >want
	reported_sleeps >got
	tap_diag "writers slept: $(tr '\n' ';' <want)"
	tap_cmp 'the report has the sleeps of writers for the lock' got want
}

check_sites()
{
	# A victim that forks is in the way of either lock.
	record seconds=2 pause_us=0 victim_forks=1
	tap_ok 'writers sleep for the threadgroup lock' test -s want
	tap_ok 'readers do: forks and exits, by their family' \
		jq -e '[.lock_sleeps[] | select(.mode == "R" and
			.family == "cgroup_threadgroup") | .site] |
			any(. == "cgroup_can_fork" or . == "copy_process") and
			any(. == "exit_signals" or . == "do_exit")' out
	if ! grep -q percpu-rwsem want; then
		tap_skip 'a grace period under the global lock' \
			'favordynmods was set since boot: no global lock'
		return
	fi
	record seconds=4
	tap_ok 'after a pause a writer waits for a grace period' \
		grep -q '^percpu-rwsem rcu_sync_enter' want
	tap_run run cgroup-migrate seconds=3 --format json
	tap_ok 'most first writes sleep' jq -e '.phases[0].steps[0] |
		.sleeps > .latency.count / 2' out
}

# May this computer's mount option be changed?  From 6.18 on that leaves
# another lock until the next boot.
may_remount()
{
	local release
	reason='cgroup2 is not mounted'
	[ -n "$(option)" ] || return
	reason='this kernel has no favordynmods'
	grep -qx favordynmods /sys/kernel/cgroup/features || return
	reason='not in the first cgroup namespace'
	[ "$(readlink /proc/self/ns/cgroup)" = 'cgroup:[4026531835]' ] || return
	release=$(uname -r | awk -F. '{ print $1 * 100 + $2 }')
	reason='it can be undone only by a boot (CI=true does it)'
	[ "$release" -lt 618 ] || [ "${CI:-}" = true ] ||
		[ "$(option)" = favordynmods ] ||
		dmesg 2>/dev/null | grep -q 'per threadgroup rwsem mechanism'
}

start()
{
	env --default-signal=INT setsid "$RWSEMLAB" run cgroup-migrate \
		seconds=4 pause_us=1000 allow_remount >out 2>err </dev/null &
	tool=$!
	# Nofavordynmods comes first, so wait for the second half.
	for _ in $(seq 100); do
		sleep 0.05
		[ "$(option)" != favordynmods ] || break
	done
	tap_is 'the second half runs with favordynmods' "$(option)" favordynmods
	keeper=$(pgrep -P $tool)
}

# is_restored DESCRIPTION: within five seconds
is_restored()
{
	local now
	wait $tool 2>/dev/null
	for _ in $(seq 100); do
		now=$(options)
		[ "$now" = "$before" ] && ! kill -0 "$keeper" 2>/dev/null && break
		sleep 0.05
	done
	tap_is "$1: the mount options are as before" "$now" "$before"
}

check_modes()
{
	tap_run run --allow-remount cgroup-migrate seconds=2 pause_us=5000 \
		--format json
	tap_exit 'both modes' 0
	tap_ok 'are measured, nofavordynmods as the base' jq -e '
		[.phases[].name | split(" ")[-1]] ==
			["nofavordynmods", "favordynmods"] and
		all(.phases[]; .work > 2 and
			(.ratios.base | endswith(" nofavordynmods")) and
			.ratios.p50 > 0) and
		([.phases[].work] | add) == .work' out
	# shellcheck disable=SC2016 # for jq
	tap_ok 'the ratio is that of the two medians' jq -e '.phases as [$a, $b] |
		($b.steps[0].latency.p50_ns / $a.steps[0].latency.p50_ns -
		$b.steps[0].ratio_of_p50 | fabs) < 0.001' out
	tap_is 'the mount options are as before' "$(options)" "$before"
	tap_run run cgroup-churn n=50 allow_remount --format json
	tap_ok 'both modes of cgroup-churn' jq -e '(.phases | length) == 2 and
		all(.phases[]; .work == 50 and .ratios.real > 0)' out
	tap_is 'and the mount options are as before' "$(options)" "$before"
}

check_remount()
{
	before=$(options)
	if ! may_remount; then
		tap_skip 'favordynmods and nofavordynmods' "$reason"
		return
	fi
	if [ "$(option)" = favordynmods ]; then
		tap_skip 'endings in the second half' \
			'it is mounted with favordynmods'
	else
		start
		kill -INT -- "-$tool"
		is_restored SIGINT
		start
		kill -KILL "$tool"
		is_restored 'kill -9 of the tool'
		start
		kill -KILL "$keeper"
		is_restored 'kill -9 of the keeper'
		start
		kill -STOP "$tool"
		kill -KILL "$keeper" "$tool"
		wait $tool 2>/dev/null
		tap_is 'kill -9 of both leaves it' "$(option)" favordynmods
		"$RWSEMLAB" run cgroup-churn n=1 >/dev/null 2>&1
		is_restored 'the next run after that'
	fi
	check_modes
}

left_before=$(find /sys/fs/cgroup -maxdepth 3 -name 'rwsemlab-*' | wc -l)
check_counts
check_sites
check_remount
tap_is 'no cgroup is left' "$(find /sys/fs/cgroup -maxdepth 3 \
	-name 'rwsemlab-*' | wc -l)" "$left_before"
tap_done

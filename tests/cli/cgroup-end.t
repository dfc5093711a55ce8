#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Whatever ends a cgroup workload, no cgroup and no process of it is left; what
# is left all the same, the next one removes, and nothing else.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/cgroup.sh"
tap_need_command jq jq

# start ARGUMENT...: the program in the background, until its workload runs
start()
{
	# In the background a shell's children ignore SIGINT.
	env --default-signal=INT,HUP setsid "$RWSEMLAB" run "$@" \
		parent="$home" >out 2>err </dev/null &
	tool=$!
	for _ in $(seq 100); do
		[ -n "$(own)" ] && [ "$(members | wc -l)" -ge 2 ] && break
		sleep 0.05
	done
	sleep 0.5
	[ -n "$(own)" ] || tap_bail "no workload to end: $(cat err)"
	keeper=$(pgrep -P "$tool")
}

# shellcheck disable=SC2034 # for tap_exit and tap_error
finish()
{
	status=0
	wait "$tool" 2>/dev/null || status=$?
	tap_command=run
}

check_endings()
{
	local signal workload
	for workload in 'cgroup-migrate seconds=60 pause_us=1000' \
		'cgroup-churn n=10000000'; do
		for signal in INT TERM HUP; do
			# shellcheck disable=SC2086 # words
			start $workload
			kill -$signal -- "-$tool"
			finish
			tap_exit "${workload%% *}: SIG$signal ends the tool" \
				$((128 + $(kill -l $signal)))
			tap_like "SIG$signal: with its result" out \
				'^cgroup.*\(stopped early\)'
			tap_like "SIG$signal: verified" out \
				'^verified .* 0 wrong'
			all_gone "SIG$signal"
		done
		# shellcheck disable=SC2086
		start $workload
		kill -KILL "$tool"
		finish
		all_gone "${workload%% *}: kill -9 of the tool"
		# shellcheck disable=SC2086
		start $workload
		kill -KILL "$keeper"
		finish
		tap_error "${workload%% *}: kill -9 of the keeper" 1 \
			'its keeper was killed'
		all_gone 'kill -9 of the keeper'
	done
	start cgroup-migrate seconds=60
	kill -KILL "$(pgrep -x writer -s "$keeper")"
	finish
	tap_error 'a crash of the writer' 1 \
		'a writer \(pid [0-9]+\) was killed by signal 9'
	all_gone 'a crash of the writer'
	start cgroup-migrate seconds=60
	kill -KILL "$(pgrep -x victim -s "$keeper")"
	finish
	tap_error 'a crash of the victim' 1 \
		'(a victim \(pid [0-9]+\) was killed|cannot move [0-9]+ to)'
	all_gone 'a crash of the victim'
}

# kill_all: tool and keeper, neither of which can clean up after the other
kill_all()
{
	kill -STOP "$tool"
	kill -KILL "$keeper" "$tool"
	finish
}

check_leftovers()
{
	local live
	start cgroup-migrate seconds=60
	kill_all
	tap_ok 'kill -9 of tool and keeper leaves a cgroup' test -d "$(own)"
	tap_run run cgroup-churn n=5 parent="$home" --format json
	tap_exit 'the next run' 0
	is_json 'has removed it' '.metrics.leftover_cgroups_removed >= 1'
	all_gone 'after the next run'

	start cgroup-migrate seconds=60
	live=$(own)
	tap_run run cgroup-churn n=5 parent="$home" --format json
	is_json 'that of a live run is none' \
		'.metrics.leftover_cgroups_removed == 0'
	tap_ok 'and stays' test -d "$live"
	kill -INT -- "-$tool"
	finish
	tap_like 'the live run was not disturbed' out '^verified .* 0 wrong'
	all_gone 'after both'
}

# Whose names or processes are not ours.
check_foreign()
{
	local dead name sleeper
	sleep 0 &
	dead=$!
	wait $dead
	for name in rwsemlab rwsemlab-x "rwsemlab-$dead-1x" "rwsemlab-$$"; do
		mkdir "$home/$name"
	done
	mkdir "$home/rwsemlab-$dead-1" "$home/rwsemlab-$dead-2"
	sleep 1000 &
	sleeper=$!
	echo $sleeper >"$home/rwsemlab-$dead-1/cgroup.procs"
	tap_run run cgroup-churn n=5 parent="$home" --format json
	is_json 'a leftover goes' '.metrics.leftover_cgroups_removed == 1'
	tap_ok 'it is the empty one' test ! -e "$home/rwsemlab-$dead-2"
	tap_ok "one with a stranger's process stays" \
		test -d "$home/rwsemlab-$dead-1"
	tap_ok 'and so does the process' kill -0 $sleeper
	for name in rwsemlab rwsemlab-x "rwsemlab-$dead-1x" "rwsemlab-$$"; do
		tap_ok "$name is not ours, and stays" rmdir "$home/$name"
	done
	kill $sleeper
	wait $sleeper 2>/dev/null

	# One of this program's processes is ours to end.
	"$RWSEMLAB" run null seconds=60 >/dev/null 2>&1 &
	sleeper=$!
	echo $sleeper >"$home/rwsemlab-$dead-1/cgroup.procs"
	tap_run run cgroup-churn n=5 parent="$home"
	wait $sleeper
	tap_is 'a leftover process of ours is killed' $? 137
	all_gone 'leftovers'
}

# A process that goes in and out of the cgroup that is to be destroyed.
check_busy()
{
	local own sleeper
	start cgroup-churn n=10000000
	own=$(own)
	sleep 1000 &
	sleeper=$!
	for _ in $(seq 20); do
		until { echo $sleeper >"$own/churn/cgroup.procs"; } 2>/dev/null; do
			:
		done
		sleep 0.02
		echo $sleeper >"$mount/cgroup.procs"
	done
	kill -INT -- "-$tool"
	finish
	kill $sleeper
	tap_exit 'a busy cgroup is no error' 130
	tap_like 'its destruction is tried again, and counted' out \
		'^metrics .*busy_retries [1-9]'
	tap_like 'and succeeds' out '^verified .* 0 wrong'
	all_gone 'a busy cgroup'
}

cgroup_home
check_endings
check_leftovers
check_foreign
check_busy
tap_ok 'nothing is left of all this' rmdir "$home"
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The cgroup workloads: what they refuse and what they say then, and what they
# print.
# shellcheck disable=SC2317 # functions are called by their names
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/cgroup.sh"
tap_need_command jq jq

# in_mounts SCRIPT ARGUMENT...: a tap_run with other mounts than ours
in_mounts()
{
	local script=$1
	shift
	status=0
	tap_command="rwsemlab $* (after: $script)"
	echo "$script exec \"\$@\"" >mounts.sh
	timeout --foreground -k 10 60 unshare -m \
		sh mounts.sh "$RWSEMLAB" "$@" </dev/null >out 2>err || status=$?
}

check_refusals()
{
	tap_run run cgroup-churn n=0
	tap_error 'a count of 0' 2 'n takes a number from 1 to'
	tap_run run cgroup-migrate version=3
	tap_error 'a version that does not exist' 2 \
		"version takes one of auto, 1, 2, both, not '3'"
	tap_run run cgroup-migrate writers=65
	tap_error 'too many writers' 2 'writers takes a number from 1 to 64'
	tap_run run cgroup-migrate move=fibre
	tap_error 'an unknown unit' 2 'move takes one of process, thread'
	tap_run run --allow-remount fork-exit
	tap_error '--allow-remount where nothing is remounted' 2 \
		"fork-exit: no option 'allow_remount'; there are: seconds"
	tap_run run --allow-remount cgroup-churn allow_remount=1
	tap_error 'as an option and as a key' 2 'allow_remount is given twice'
}

check_parents()
{
	tap_run run cgroup-churn parent="$PWD"
	tap_error 'a parent that is no cgroup' 2 'is in no cgroup file system'
	tap_run run cgroup-churn parent="$PWD/nowhere"
	tap_error 'a parent that does not exist' 2 'nowhere: No such file'
	tap_run run cgroup-churn parent="$mount" version=both
	tap_error 'a parent in two hierarchies' 2 'is of one hierarchy'
	tap_run run cgroup-churn parent="$mount" version=$((3 - version))
	tap_error 'a parent of the other version' 2 \
		"is of cgroup version $version, not $((3 - version))"
}

# What is lacking is said with exit code 3.
check_lacking()
{
	local ro v1 v2
	if ! unshare -m true 2>/dev/null; then
		tap_skip 'what is lacking is said' 'cannot unshare mounts'
		return
	fi
	v1="umount -l $(points cgroup | tr '\n' ' ');"
	v2="umount -l $(points cgroup2 | tr '\n' ' ');"
	[ -n "$(points cgroup)" ] || v1=:\;
	[ -n "$(points cgroup2)" ] || v2=:\;
	ro=$({ points cgroup; points cgroup2; } |
		sed 's/.*/mount -o remount,bind,ro "&";/')
	for workload in cgroup-churn cgroup-migrate; do
		in_mounts "$v1 $v2" run $workload
		tap_error "$workload: no cgroup file system" 3 \
			"$workload: no cgroup file system is mounted; as root:"
	done
	in_mounts "$v1 $v2" list workloads
	tap_is 'the list says so, for both' \
		"$(grep -c '  not here: no cgroup file system' out)" 2
	in_mounts "$v1" run cgroup-churn version=1
	tap_error 'no version 1' 3 'no cgroup of version 1 is mounted; as root'
	in_mounts "$v2" run cgroup-churn version=2
	tap_error 'no version 2' 3 'cgroup2 is not mounted; as root: mount'
	in_mounts "$v2" run cgroup-churn allow_remount
	tap_error 'nothing to remount' 3 'allow_remount: cgroup2 is not mounted'
	in_mounts "$ro" run cgroup-churn
	tap_error 'a read-only mount' 3 'mounted read-only; as root: mount -o'
}

check_permission()
{
	local as="setpriv --reuid 65534 --clear-groups"
	if ! $as "$RWSEMLAB" --version >/dev/null 2>&1; then
		tap_skip 'as another user' 'cannot run the program as one'
		return
	fi
	status=0
	$as "$RWSEMLAB" run cgroup-churn parent="$home" >out 2>err || status=$?
	tap_error 'no permission' 3 "cannot make a cgroup in $home; run as root"
	status=0
	$as "$RWSEMLAB" run cgroup-churn allow_remount >out 2>err || status=$?
	tap_error 'no permission to remount' 3 \
		'allow_remount: (only root|cgroup2 is not|this kernel)'
	mkdir "$home/theirs"
	chown -R 65534 "$home/theirs"
	status=0
	bash -c "echo \$\$ >'$home/theirs/cgroup.procs' &&
		exec $as '$RWSEMLAB' run cgroup-churn n=20 parent='$home/theirs'" \
		>out 2>err || status=$?
	tap_exit 'a cgroup of their own is enough' 0
	rmdir "$home/theirs"
}

check_churn()
{
	tap_run run cgroup-churn n=200 parent="$home" --format json
	tap_exit 'cgroup-churn runs' 0
	is_json 'its work is what was asked for' '
		.work == 200 and .verification.checked == 200 and
		.verification.failures == 0 and .problem == null and
		.stopped == false and .metrics.busy_retries == 0 and
		.metrics.places_looked_up > 0'
	is_json 'each step has all its latencies' '.phases[0] |
		[.steps[].name] == ["create", "attach", "detach", "destroy"]
		and all(.steps[]; .latency.count == 200 and
			.latency.min_ns > 0 and
			([.latency.buckets[][1]] | add) == 200)'
	is_json 'steps take no more than the real time' '.phases[0] |
		([.steps[].latency.sum_ns] | add) <= .real_s * 1e9'
	is_json 'the one phase is the base' '(.phases | length) == 1 and
		(.phases[0] | .ratios.base == .name and .ratios.real == 1)'
	tap_run run cgroup-churn n=5000000 seconds=0.2 parent="$home"
	tap_error 'a limit that is too low' 2 'of 5000000 rounds were done in'
	tap_like 'its result is printed' out '^cgroup[12].* 1\.000000 \(base\)$'
	all_gone 'normal ends'
}

check_migrate()
{
	local move
	for move in process thread; do
		tap_run run cgroup-migrate seconds=1 threads=3 fork_tasks=2 \
			writers=2 pause_us=2000 move=$move parent="$home" \
			--format json
		tap_exit "cgroup-migrate move=$move runs" 0
		is_json "$move: every write moved its victim" '
			.verification.failures == 0 and
			.verification.checked == .work and .work > 2 and
			.latency.count == .work'
		# shellcheck disable=SC2016 # for jq
		is_json "$move: the first write and the later ones are all" '
			.work as $work | .phases[0] | .work == $work and
			[.steps[].name] == ["first write", "later writes"] and
			([.steps[].latency.count] | add) == $work and
			(.steps[0].latency.count - .steps[1].latency.count |
				. >= 0 and . <= 2)'
		is_json "$move: processes forked and made threads" '
			.forks > 0 and .metrics.threads_created == .forks and
			.phases[0].forks <= .forks'
	done
	tap_run run cgroup-migrate seconds=0.5 writes_per_transaction=5 \
		fork_tasks=0 pause_us=1000 parent="$home" --format json
	is_json 'writes_per_transaction=5' '.phases[0].steps |
		.[1].latency.count >= 4 * (.[0].latency.count - 1) and
		.[1].latency.count <= 4 * .[0].latency.count'
	is_json 'and nobody forks' '.forks == 0'
	tap_run run cgroup-migrate seconds=0.5 victim_forks parent="$home"
	tap_exit 'a victim that makes threads' 0
	tap_like 'latencies are printed' out \
		'^latency   p50 .* p90 .* p99 .* p99\.9 .* max .*write that moves'
	all_gone 'normal ends'
}

# In each hierarchy that there is, and with nothing left.
check_versions()
{
	local v
	for v in 1 2 both; do
		tap_run run cgroup-churn version=$v n=20 --format json
		if [ "$status" = 3 ]; then
			tap_skip "version=$v" "$(cut -c 1-200 err)"
			continue
		fi
		tap_exit "cgroup-churn version=$v" 0
		is_json "version=$v: a phase for each hierarchy" '
			(.phases | length) == (if .options.version == "both"
				then 2 else 1 end) and
			all(.phases[]; .work == 20 and .ratios.real > 0)'
		tap_run run cgroup-migrate version=$v seconds=0.6 pause_us=5000
		tap_exit "cgroup-migrate version=$v" 0
	done
}

check_refusals
cgroup_home
check_parents
check_lacking
check_permission
check_churn
check_migrate
check_versions
tap_ok 'nothing is left of all this' rmdir "$home"
tap_done

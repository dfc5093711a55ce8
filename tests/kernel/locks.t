#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A library lock under the recorder: the kernel must see as many sleeps as the
# lock counted, and the call chains of threads must lead to the functions that
# asked for it, by the same rules as the kernel's own.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_command jq jq

# record LOCK: its session, and what both say
record()
{
	rm -rf session
	tap_run session anon-vma "lock=$1" seconds=1 tasks=4 -o session \
		--format json
	tap_exit "$1: recorded" 0 || return
	jq -e . out >/dev/null || tap_bail "$1: no JSON"
	counted=$(jq '.runs[0].result.lock.events.sleeps' session/session.json)
	tap_ok "$1: it slept" test "${counted:-0}" -gt 100 || return
	seen=$(jq '[.lock_sleeps[] | select(.class == "rwsem" and
		.mode == "W" and (.site |
			test("^(anon_vma|unlink_anon|__put_anon)"))) |
		.sleeps] | add // 0' out)
	tap_diag "$1: $counted sleeps counted, $seen recorded at its sites"
	# A sleep that began before the recording or ended after it.
	tap_ok "$1: the kernel saw the sleeps that the lock counted" \
		test $((seen * 100)) -ge $((counted * 95)) -a \
		$((seen * 95)) -le $((counted * 100))
	for site in anon_vma_clone unlink_anon_vmas anon_vma_fork; do
		# shellcheck disable=SC2016 # for jq
		tap_ok "$1: $site asked for it" jq -e --arg site $site \
			'any(.lock_sleeps[]; .site == $site and .sleeps > 0)' out
	done
}

# model LOCK CLASS: the sites of forks, exits and moves
model()
{
	rm -rf session
	tap_run session cgroup-model "lock=$1" seconds=1 tasks=6 \
		fork_ns=200000 between_us=100 call_us=2000 pause_us=2000 \
		-o session --format json
	tap_exit "$1: recorded" 0 || return
	counted=$(jq '.runs[0].result.lock.events.sleeps' session/session.json)
	tap_ok "$1: it slept" test "${counted:-0}" -gt 5 || return
	for site in "$2" "percpu-rwsem W __cgroup_procs_write"; do
		read -r class mode name <<<"$site"
		# shellcheck disable=SC2016 # for jq
		tap_ok "$1: $name slept for a $class:$mode" jq -e \
			--arg class "$class" --arg mode "$mode" \
			--arg name "$name" 'any(.lock_sleeps[];
			.class == $class and .mode == $mode and
			.site == $name and .family == "cgroup_threadgroup" and
			.sleeps > 0)' out
	done
}

record rwsem@2.6
record rwsem@6.3:spin=none,steal=none
model percpu-rwsem@4.4 "percpu-rwsem R copy_process"
model percpu-rwsem@4.9:sync=slow "percpu-rwsem R exit_signals"
model percpu-rwsem@5.7 "percpu-rwsem R copy_process"
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Workloads on locks of the library: list locks, run --lock.
. "${SRCDIR:?}/tests/tap.sh"

tap_need_command jq jq

tap_run list locks
tap_exit "list locks" 0
tap_like "an rwsem of every generation" out '^rwsem@3\.10 .*steal'
tap_like "its keys" out 'keys: spin steal handoff_ms reader_spin'

tap_run run rwmix seconds=0.2 --lock rwsem@3.11
tap_exit "an unknown version" 2
tap_like "lists those that exist" err 'there are: 2\.6 3\.9 3\.10 3\.16'
tap_run run rwmix seconds=0.2 lock=rwsem:spin=fast
tap_exit "an unknown value" 2
tap_like "lists those that exist" err 'takes none, owner, mcs, osq'
tap_run run fork-exit --lock rwsem@3.10
tap_exit "a workload of the kernel's locks" 2
tap_like "says which take a lock" err 'anon-vma, rwmix, torture and cgroup-model'

tap_run run anon-vma seconds=0.5 tasks=4 --format json \
	--lock rwsem@2.6 --lock rwsem@3.10 --lock rwsem@6.3 --lock mutex@3.10
tap_exit "anon-vma on four locks" 0
json=$PWD/out
tap_ok "one document of four runs" jq -e \
	'.workload == "anon-vma" and (.runs | length) == 4 and
	[.runs[].lock.name] == ["rwsem@2.6", "rwsem@3.10", "rwsem@6.3",
		"mutex@3.10"]' "$json"
tap_ok "messages were handled, the trees are right" jq -e \
	'all(.runs[]; .work > 0 and .verification.failures == 0)' "$json"
# A fork takes the lock twice for each vma (clone, and its own anon_vma), an
# exit at least twice (unlink, and to free its own anon_vma).
# shellcheck disable=SC2016 # for jq
tap_ok "every lock is taken as often as the kernel takes it" jq -e \
	'all(.runs[]; .lock.events as $e | .options.vmas as $vmas |
		($e.fast + $e.slow) / (.forks * $vmas) |
		. > 3.9 and . < 4.3)' "$json"
tap_ok "each slow acquisition has its number of sleeps" jq -e \
	'all(.runs[]; .lock.events | .slow == .slept_0 + .slept_1 +
		.slept_2 + .slept_3_or_more)' "$json"
tap_ok "the sum is that of the call sites" jq -e \
	'all(.runs[]; .lock.events.fast ==
		([.lock.sites[].events.fast] | add))' "$json"
tap_ok "call sites have their functions' names" jq -e \
	'all(.runs[]; [.lock.sites[].function] |
		contains(["anon_vma_clone", "anon_vma_fork",
			"unlink_anon_vmas", "__put_anon_vma"]))' "$json"
tap_ok "FIFO steals nothing and overtakes nobody" jq -e \
	'.runs[0].lock | .events.stolen == 0 and .times.overtaken.max == 0' \
	"$json"
tap_ok "FIFO sleeps most" jq -e \
	'[.runs[].lock.sleeps_per_acquisition] | .[0] == max and .[0] > 0 and
		.[0] > 2 * .[1]' "$json"

tap_run run anon-vma seconds=0.2 tasks=2 rmap_readers=2 rmap=7.0 \
	build=checked --lock rwsem@6.3 --lock rwsem@2.6:spin=osq
tap_exit "two locks as text, with checks and walkers" 0
tap_like "a column for each" out 'rwsem@6\.3 *rwsem@2\.6:spin=osq'
tap_like "the base of ratios is said" out 'ratio to the first lock *1\.000'
tap_like "what never was is named" out 'never was: spin=osq \(was spin=none\)'
tap_like "call sites follow" out '^lock *call site'

# Forks, exits and moves on percpu-rwsem and on a thread group's rwsem.
tap_run run cgroup-model seconds=0.5 build=checked --format json \
	--lock percpu-rwsem@3.7 --lock percpu-rwsem@4.4 \
	--lock percpu-rwsem@4.9:sync=slow --lock percpu-rwsem --lock rwsem \
	--lock group-rwsem@4.1 --lock group-rwsem
tap_exit "cgroup-model on seven locks" 0
tap_ok "moves and forks, and none met" jq -e \
	'all(.runs[]; .work > 0 and .forks > 0 and .latency.count > 0 and
		.verification.failures == 0)' "$json"
tap_ok "a thread group's rwsem is the base" jq -e \
	'.latency_ratios | .base == "group-rwsem@4.1" and
	(.locks | length) == 7 and
	(.locks[5] | .p50 == 1 and .p99 == 1 and .max == 1)' "$json"
tap_ok "only sync=idle waits for grace periods" jq -e \
	'[.runs[].lock.events.grace_periods > 0] ==
		[true, true, false, true, false, false, false]' "$json"
tap_ok "each wait has its time" jq -e \
	'all(.runs[].lock; .events.grace_periods ==
		.times.grace_period_ns.count)' "$json"
tap_ok "readers on the fast and on the slow path are all readers" jq -e \
	'.runs[:4] | all(.[].lock; (.events.reader_fast_path +
		.events.reader_slow_path) ==
		([.sites[] | select(.mode == "read") | .events.fast +
			.events.slow] | add))' "$json"
tap_ok "in slow mode none is on the fast path" jq -e \
	'.runs[2].lock.events | .reader_fast_path == 0 and
		.reader_slow_path > 0' "$json"
tap_ok "the lock of all groups has counters of its own" jq -e \
	'(.runs[6].lock | .global.events.reader_slow_path ==
		([.sites[] | select(.mode == "read") | .events.fast +
			.events.slow] | add)) and (.runs[5].lock | has("global") |
		not)' "$json"
tap_ok "sites are the functions that take it" jq -e \
	'all(.runs[]; [.lock.sites[].function] | contains(["copy_process",
		"exit_signals", "__cgroup_procs_write"]))' "$json"
tap_run run cgroup-model seconds=0.3 --lock percpu-rwsem@4.4 --lock group-rwsem
tap_exit "as text" 0
tap_like "the base is named" out 'ratios to group-rwsem@6\.18'
tap_like "usual, p99, max" out '^lock +count +usual +p99 +max +ratio'
tap_like "grace periods" out '^grace_period_ns p50'
tap_like "the lock of all groups" out 'the lock of all groups: fast'
tap_run run cgroup-model seconds=0.3 global_percent=50 writers=2 threads=2 \
	build=checked lock=group-rwsem
tap_exit "writes of all groups, two writers, groups of two" 0

# Who waits for the grace period before a cgroup is freed?
tap_run run cgroup-model seconds=1 tasks=1 destroy=all lock=group-rwsem@4.1 \
	build=checked --format json
tap_exit "cgroup-model destroy=all" 0
tap_ok "every way did some" jq -e '[.phases[].name] == ["attach_and_sync",
	"sync", "call_rcu", "work"] and all(.phases[]; .work > 0)' "$json"
tap_ok "all that were removed were freed, none was seen after" jq -e \
	'.verification.failures == 0 and
	.metrics.call_rcu_not_yet_freed_max > 0' "$json"
tap_run run cgroup-model seconds=0.3 destroy=work attach_waits=1 rcu=expedited
tap_exit "one way, with waits after moves, expedited" 0
tap_run run cgroup-model seconds=0.2 tasks=0 idle_groups=0
tap_exit "nothing but a writer" 0
tap_run run cgroup-model seconds=0.2 destroy=never
tap_exit "no such way" 2
tap_like "lists those that exist" err 'one of none, sync, call_rcu, work, all'

tap_run run torture seconds=0.3 lock=rwsem@5.3 build=checked
tap_exit "torture" 0
tap_like "checked" out 'acquisitions checked, 0 wrong'
tap_run run rwmix seconds=0.2 build=bare
tap_exit "without counters" 0
tap_done

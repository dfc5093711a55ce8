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
tap_like "says which take a lock" err 'anon-vma, rwmix and torture'

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

tap_run run torture seconds=0.3 lock=rwsem@5.3 build=checked
tap_exit "torture" 0
tap_like "checked" out 'acquisitions checked, 0 wrong'
tap_run run rwmix seconds=0.2 build=bare
tap_exit "without counters" 0
tap_done

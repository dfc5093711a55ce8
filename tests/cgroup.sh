# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For tests of the cgroup workloads, read after tap.sh: a cgroup of the test's
# own, $home below $mount, of cgroup $version.
# shellcheck disable=SC2034,SC2154 # for the test, from tap.sh

# points TYPE: where cgroup or cgroup2 is mounted
points()
{
	awk -v type="$1" '{ for (i = 7; i < NF; i++)
		if ($i == "-") {
			if ($(i + 1) == type) print $5
			next
		} }' /proc/self/mountinfo
}

# is_json DESCRIPTION FILTER: out is one JSON document, of which it is true
is_json()
{
	tap_ok "$1" jq -es "length == 1 and (.[0] | $2)" out
}

# own: the run's own cgroup, once it is there
own()
{
	find "$home" -mindepth 1 -maxdepth 1 -name 'rwsemlab-*'
}

# members: processes in it
members()
{
	find "$home" -name cgroup.procs -exec cat {} + 2>/dev/null | grep -v '^0$'
}

# all_gone DESCRIPTION: within five seconds
all_gone()
{
	local left
	for _ in $(seq 100); do
		left="$(own)$(members)"
		[ -z "$left" ] && break
		sleep 0.05
	done
	tap_is "$1: no cgroup and no process is left" "$left" ''
}

# cgroup_home: makes it, or ends the test as skipped
cgroup_home()
{
	mount=$(points cgroup2 | tail -n 1) version=2
	[ -n "$mount" ] || {
		mount=$(points cgroup | grep -v cpuset | tail -n 1) version=1
	}
	[ -n "$mount" ] || tap_end_skipped 'no cgroup file system is mounted'
	home=$mount/rwsemlab.test.$$
	mkdir "$home" 2>/dev/null ||
		tap_end_skipped "cannot make a cgroup in $mount"
	# shellcheck disable=SC2064 # now
	trap "cd / && rm -rf '$tap_folder'; rmdir '$home' 2>/dev/null" EXIT
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rwsemlab record where the kernel refuses: the reason, the fix, exit code 3.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording

# refused DESCRIPTION CODE REGEX COMMAND...: a command that ends in our options
refused()
{
	local text=$1 code=$2 regex=$3
	shift 3
	status=0
	tap_command="$*"
	"$@" </dev/null >out 2>err || status=$?
	tap_error "$text" "$code" "$regex"
	tap_ok "$text: no file" test ! -e perf.data
}

nobody="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all"
# Others must be able to execute it, and to write here.
cp "$RWSEMLAB" program
chmod 755 program
chmod 777 .
program=$PWD/program
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)

# shellcheck disable=SC2086 # words
{
	refused "not root" 3 \
		"perf_event_paranoid is $paranoid; run it as root, or let root do: sysctl" \
		$nobody "$program" record -a -- true
	refused "not root, a command of one's own" 3 "run it as root" \
		$nobody "$program" record -- true
}
refused "root without capabilities" 3 "CAP_PERFMON" \
	setpriv --bounding-set=-all --inh-caps=-all "$program" record -a -- true
if unshare -U -r true 2>/dev/null; then
	refused "root of a user namespace" 3 "not permitted in a user namespace" \
		unshare -U -r "$program" record -a -- true
else
	tap_skip "root of a user namespace" "no user namespaces here"
fi
if unshare -m umount /sys/kernel/tracing 2>/dev/null; then
	refused "no tracefs" 3 "mount -t tracefs nodev /sys/kernel/tracing" \
		unshare -m sh -c "umount /sys/kernel/tracing
		umount -l /sys/kernel/debug 2>/dev/null
		'$program' record -a -- true"
else
	tap_skip "no tracefs" "can't unmount it in a mount namespace"
fi
refused "too few open files" 2 "too many open files: .* ulimit -n" \
	sh -c "ulimit -n 12; exec '$program' record -a -- true"
tap_ok "a soft limit on open files is raised" \
	sh -c "ulimit -S -n 12; exec '$program' record -a -- true"
tap_done

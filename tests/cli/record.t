#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rwsemlab record: what is refused before anything is recorded.
. "${SRCDIR:?}/tests/tap.sh"

# refuse DESCRIPTION REGEX ARGUMENT...: a usage error that leaves no file
refuse()
{
	local text=$1 regex=$2
	shift 2
	tap_run record "$@"
	tap_error "$text" 2 "$regex"
	tap_ok "$text: no file" test ! -e perf.data
}

refuse "nothing to record" "-a, -p PID, or a command"
refuse "an unknown option" "no option '--nonsense'" --nonsense
refuse "a process and the system" "-p goes with neither" -a -p 1
refuse "a process and a command" "-p goes with neither" -p 1 -- true
refuse "a process that can't be" "no process 99999999999" -p 99999999999
refuse "a buffer too large" "ring buffer of 2147483648 bytes" -m 2G -- true
refuse "a buffer without a number" "takes a number, not 'big'" -m big -- true
refuse "a duration too long" "not possible" -d 18446744074 -a
refuse "another format" "knows json, not 'yaml'" --format yaml -- true
refuse "two streams to one place" "both want standard output" \
	--format json -o - -- true
refuse "no such command" "command not found: no-such-command" \
	-- no-such-command
refuse "no such file" "can't execute ./absent: no such file" -- ./absent
echo "not a program" >text
refuse "no program" "can't execute ./text: not an executable file" -- ./text
mkdir folder
refuse "a folder as command" "can't execute ./folder: not an exec" -- ./folder

PATH=$PWD:$PATH
mkdir true.d && cp text only-text
refuse "a file in PATH that can't be executed" "command not found: only-text" \
	-- only-text
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Whatever ends a workload, no process and no file of it is left.
. "${SRCDIR:?}/tests/tap.sh"

mkdir spool || exit 1

# tree: pids of what runs in this test's spool, zombies left out: whose child
# an orphan becomes, and when that one waits for it, is not ours to say.
tree()
{
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' \
		-lname "$PWD/spool/*" -printf '%h\n' 2>/dev/null |
		sed 's/.*\///'
}

# start ARGUMENT...: the program in the background, until its workload runs
start()
{
	# In the background a shell's children ignore SIGINT.
	env --default-signal=INT,HUP setsid "$RWSEMLAB" run "$@" \
		spool="$PWD/spool" >out 2>err </dev/null &
	tool=$!
	for _ in $(seq 100); do
		[ "$(tree | wc -l)" -ge 6 ] && break
		sleep 0.05
	done
	sleep 0.5
	pids=$(tree)
	[ "$(echo "$pids" | wc -w)" -ge 6 ] ||
		tap_bail "no workload to end: $(cat err)"
}

# shellcheck disable=SC2034 # for tap_exit and tap_error
# finish: waits for the program; $status is its exit code
finish()
{
	status=0
	wait "$tool" 2>/dev/null || status=$?
	tap_command=run
}

# all_gone DESCRIPTION: within two seconds
all_gone()
{
	local i left
	for i in $(seq 40); do
		left="$(tree) $(ls -A spool)"
		[ "$left" = ' ' ] && break
		sleep 0.05
	done
	tap_is "$1: no process and no file is left after $((i * 50)) ms" \
		"$left" ' '
}

# child COMM DEPTH: a process of that name so far below root
child()
{
	ps -e -o pid=,ppid=,comm= |
		awk -v comm="$1" -v depth="$2" -v tool="$tool" '
		{ parent[$1] = $2; name[$1] = $3 }
		END {
			for (pid in parent) {
				up = pid
				for (n = 0; name[up] == comm; n++)
					up = parent[up]
				if (n == depth + 1 && parent[up] == tool &&
				    name[up] == "rwsemlab-keeper") {
					print pid
					exit
				}
			}
		}'
}

for signal in KILL ABRT; do
	start exim seconds=60
	kill -$signal "$tool"
	finish
	all_gone "kill -$signal of the tool"
done

for signal in INT TERM HUP; do
	start exim seconds=60
	# Ctrl-C goes to all processes of the foreground.
	kill -$signal -- "-$tool"
	finish
	tap_exit "SIG$signal ends the tool as a signal does" \
		$((128 + $(kill -l $signal)))
	tap_like "SIG$signal: the result is printed" out \
		'^exim: .* messages in .*\(stopped early\)'
	tap_like "SIG$signal: and verified" out '^verified .* 0 wrong'
	tap_is "SIG$signal: no complaint" "$(cat err)" ''
	all_gone "SIG$signal"
done

start exim seconds=60
xargs kill -STOP <<<"$pids"
kill -INT "$tool"
sleep 0.2
kill -INT "$tool"
finish
tap_exit 'a second Ctrl-C ends a run that does not stop' 130
all_gone 'a second Ctrl-C'

start exim seconds=60
kill -KILL "$(pgrep -P "$tool")"
finish
tap_error 'kill -9 of the keeper' 1 'its keeper was killed'
all_gone 'kill -9 of the keeper'

start exim seconds=60
kill -TERM "$(pgrep -P "$tool")"
finish
tap_error 'SIGTERM for the keeper' 1 'a signal told its keeper to end'
all_gone 'SIGTERM for the keeper'

start exim seconds=60
kill -ABRT "$(child exim 0)"
finish
tap_error 'a crash of root' 1 'root process \(pid .*\) was killed by signal 6'
all_gone 'a crash of root'

start exim seconds=60
kill -ABRT "$(child exim 1)"
finish
tap_error 'a crash of the master' 1 \
	'a master \(pid .*\) was killed by signal 6'
all_gone 'a crash of the master'

# A receiver may be at its end already: try until it tells.
start exim seconds=10
for _ in $(seq 200); do
	kill -ABRT "$(child exim 2)" 2>/dev/null
	[ -s err ] && break
	sleep 0.02
done
finish
tap_error 'a crash of a receiver' 1 \
	'a receiver \(pid .*\) was killed by signal 6'
all_gone 'a crash of a receiver'

# In its own session, and with a file where none should be.
"$RWSEMLAB" run null seconds=60 fail=stray directory="$PWD/spool" &
tool=$!
sleep 1
folder=$(echo spool/rwsemlab-null-*)
mkdir -p "$folder/a/b"
ln -s "$PWD" "$folder/a/b/link"
touch precious
tap_is 'a stray process runs' "$(tree | wc -l)" 3
kill -KILL $tool
finish
all_gone 'a stray process'
tap_ok 'what a symlink pointed to stays' test -e precious
tap_done

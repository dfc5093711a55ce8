#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rwsemlab record: what becomes of the file and the command when things end
# early or go wrong.
. "${SRCDIR:?}/tests/tap.sh"
tap_need_recording
tap_need_command perf linux-perf

# shellcheck disable=SC2016 # for a shell of its own
busy='for i in $(seq 1000); do (: | cat) & [ $((i % 8)) -ne 0 ] || wait; done'

# Samples that perf finds in a file.
samples()
{
	perf script -G -i "$1" -F event 2>script.err | grep -c ': *$'
}

# json KEY: the first value of that key in the document out
json()
{
	sed -n "s/^ *\"$1\": //p" out | sed -n '1{s/,$//;p}'
}

# A file that exists.
echo precious >perf.data
tap_run record -- true
tap_exit "a file exists: exit code" 0
tap_is "it is kept under another name" "$(cat perf.data.old)" precious
rm perf.data.old
echo precious >perf.data
printf '#!/no-such-interpreter\n' >broken
chmod +x broken
tap_run record -- ./broken
tap_error "a command that can't be executed" 2 "can't execute ./broken"
tap_is "leaves an existing file as it was" "$(cat perf.data)" precious
tap_ok "and no other" test ! -e perf.data.old
mkdir folder
tap_run record -o folder -- true
tap_error "a folder as output" 2 "folder: Is a directory"
tap_run record -o absent/perf.data -- true
tap_error "a folder that is not there" 2 "can't create absent/perf.data"
rm -f perf.data

# The command's own end.
tap_run record -- sh -c 'exit 3'
tap_exit "a command that fails" 1
tap_like "its status is told" err 'sh ended with status 3'
tap_is "the recording is complete" "$(perf evlist -i perf.data 2>&1 |
	grep -c sched_switch)" 2
tap_run record -- sh -c 'kill -SEGV $$'
tap_exit "a command that is killed" 1
tap_like "its signal is told" err 'killed by signal 11'

# Signals.  In a background job SIGINT is ignored, and stays so.
for signal in INT TERM HUP; do
	status=0
	timeout --preserve-status -s $signal 1 "$RWSEMLAB" record -a \
		-o $signal.data </dev/null >out 2>err || status=$?
	tap_is "SIG$signal ends a recording well" $status 0
	tap_ok "SIG$signal: there are samples" test "$(samples $signal.data)" -gt 0
	tap_is "SIG$signal: perf says nothing" "$(cat script.err)" ""
done
"$RWSEMLAB" record -o child.data -- sleep 30 2>err &
pid=$!
sleep 0.7
kill $pid
wait $pid
tap_is "the command is ended as well: exit code" $? 0
tap_ok "it is gone" sh -c "! pgrep -P $pid"
nohup "$RWSEMLAB" record -a -d 1 -o nohup.data >out 2>err &
pid=$!
sleep 0.4
kill -HUP $pid
wait $pid
tap_ok "nohup: SIGHUP does not end it" sh -c \
	"perf report -i nohup.data --header-only |
	awk '/sample duration/ { exit !(\$5 > 700) }'"

# Killed: what was recorded half a second before is there.
"$RWSEMLAB" record -a -o killed.data 2>err &
pid=$!
sleep 0.3
sh -c "$busy"
sleep 1.2
kill -KILL $pid
wait $pid 2>/dev/null
tap_ok "killed: perf reads the file" test "$(samples killed.data)" -gt 400
tap_is "killed: perf says nothing" "$(cat script.err)" ""
tap_ok "killed: it has its header" sh -c \
	"perf report -i killed.data --header-only | grep -q 'os release'"

# A full disk.  The limit on a file's size is one, and needs no mount.
full()
{
	local text=$1 file=$2 most=$3
	tap_exit "$text: exit code" 2
	tap_like "$text: says what and where" err \
		"^rwsemlab: record: can't write more to $file, which is kept"
	tap_is "$text: perf reads what is there" "$(samples "$file")" \
		"$(json samples)"
	tap_is "$text: perf says nothing" "$(cat script.err)" ""
	tap_ok "$text: that is something" test "$(json samples)" -gt 0
	tap_like "$text: the document tells" out '"incomplete": true'
	# All that fits is used: no record and table are as long as that.
	tap_ok "$text: the space is used" test \
		"$(stat -c %s "$file")" -gt $((most - 9000))
	tap_ok "$text: it has its header" sh -c \
		"perf report -i '$file' --header-only | grep -q 'sample duration'"
}

# Room for the tasks that exist, and some more.
"$RWSEMLAB" record -a -o size.data -- true 2>err
least=$(($(stat -c %s size.data) / 1024))
(
	ulimit -f $((least + 150)) # KiB
	"$RWSEMLAB" record --format json -a -o limit.data -- sh -c "$busy" \
		</dev/null >out 2>err
	echo $? >status
)
status=$(cat status)
tap_command="record with ulimit -f"
full "file size limit" limit.data $(((least + 150) * 1024))
mkdir disk
for more in 100 201 600; do
	size=$((least + more))
	if ! mount -t tmpfs -o size=${size}k none disk 2>/dev/null; then
		tap_skip "full disk" "can't mount a tmpfs"
		break
	fi
	tap_run record --format json -a -o disk/perf.data -- sh -c "$busy"
	full "full disk with $more KiB" disk/perf.data $((size * 1024))
	umount disk
done
tap_run record -o /dev/full -- true
tap_error "no space at all" 2 "can't write to /dev/full: No space left"
mount -t tmpfs -o size=8k none disk 2>/dev/null && {
	tap_run record -o disk/perf.data -- true
	tap_error "no space for the header" 2 "can't write to disk/perf.data"
	tap_is "nothing is left" "$(ls disk)" ""
	umount disk
}

# A stream.
"$RWSEMLAB" record -a -o - -- sh -c "echo aside; $busy" 2>err | perf script -i - \
	-G -F event >stream.txt 2>/dev/null
tap_is "a stream: perf script counts the same" "$(grep -c ': *$' stream.txt)" \
	"$(sed -nE 's/.* MB, ([0-9,]+) events,.*/\1/p' err | tr -d ,)"
tap_like "a stream: the command's output goes elsewhere" err '^aside$'
tap_run record --format json -- echo aside
tap_is "a document: it begins with it" "$(head -n 1 out)" "{"
tap_like "a document: the command's output goes elsewhere" err '^aside$'
"$RWSEMLAB" record -a -o - 2>err | head -c 1000 >begin
tap_is "its reader goes away: exit code" "${PIPESTATUS[0]}" 2
tap_like "its reader goes away" err 'the reader of standard output went away'
mkfifo fifo
tap_run record -o fifo -- true
tap_error "a FIFO without a reader" 2 "nobody reads the FIFO fifo"
tap_done

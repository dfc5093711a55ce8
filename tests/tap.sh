# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Tests in shell that print TAP.  A test starts with
#
#	. "${SRCDIR:?}/tests/tap.sh"
#
# and ends with tap_done.  In between it is in a folder of its own, which is
# removed at its end, and has
#
#	$RWSEMLAB  the program
#	$SRCDIR    the source tree
#	$BUILDDIR  the build tree
#
# A check's description is its first argument, quoted.
set -u

: "${RWSEMLAB:?set by make check}" "${SRCDIR:?}" "${BUILDDIR:?}"
tap_checks=0
tap_failed=0
tap_recording=no
tap_folder=$(mktemp -d "${TMPDIR:-/tmp}/rwsemlab-test.XXXXXX") || exit 1
trap 'cd / && rm -rf "$tap_folder"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$tap_folder" || exit 1

# In TAP, '#' starts a directive and a line ends a check.
tap_escape()
{
	printf '%s' "$1" | sed 's/#/\\#/g' | tr '\n' ' '
}

# tap_pass DESCRIPTION, tap_fail DESCRIPTION: one check, decided by the caller
tap_pass()
{
	tap_checks=$((tap_checks + 1))
	echo "ok $tap_checks - $(tap_escape "$1")"
}

tap_fail()
{
	tap_checks=$((tap_checks + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_checks - $(tap_escape "$1")"
	return 1
}

# tap_diag TEXT...: lines for the log
tap_diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# tap_file FILE: its first lines, for the log
tap_file()
{
	tap_diag "$1:"
	head -n 40 "$1" | cut -c 1-500 | sed 's/^/#   /'
}

# tap_ok DESCRIPTION COMMAND [ARGUMENT...]: the command succeeds
tap_ok()
{
	tap_text=$1
	shift
	if "$@" >tap_ok.out 2>&1; then
		tap_pass "$tap_text"
	else
		tap_fail "$tap_text"
		tap_diag "exit code $? of: $*"
		tap_file tap_ok.out
		return 1
	fi
}

# tap_is DESCRIPTION GOT WANT: two strings are equal
tap_is()
{
	if [ "$2" = "$3" ]; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "got  '$2'"
		tap_diag "want '$3'"
		return 1
	fi
}

# tap_cmp DESCRIPTION GOT WANT: two files are equal
tap_cmp()
{
	if diff -u "$3" "$2" >tap_cmp.out 2>&1; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_file tap_cmp.out
		return 1
	fi
}

# tap_like DESCRIPTION FILE REGEX: a line of the file matches (grep -E)
tap_like()
{
	if grep -Eq -e "$3" "$2"; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "no line matches: $3"
		tap_file "$2"
		return 1
	fi
}

# tap_unlike DESCRIPTION FILE REGEX: no line of the file matches
tap_unlike()
{
	if [ -r "$2" ] && ! grep -Eq -e "$3" "$2"; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "a line matches: $3"
		tap_file "$2"
		return 1
	fi
}

# tap_run [ARGUMENT...]: runs the program; its output is in the files out and
# err afterwards, its exit code in $status.  124: took over $TAP_SECONDS (120).
tap_run()
{
	status=0
	tap_command="rwsemlab $*"
	timeout --foreground -k 10 "${TAP_SECONDS:-120}" "$RWSEMLAB" "$@" \
		</dev/null >out 2>err || status=$?
}

# tap_exit DESCRIPTION CODE: the exit code of the last tap_run
tap_exit()
{
	if [ "$status" = "$2" ]; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "exit code $status, want $2, of: $tap_command"
		tap_file err
		return 1
	fi
}

# tap_error DESCRIPTION CODE REGEX: the last tap_run failed as it should: with
# that exit code, and one line on stderr that matches and names the program
tap_error()
{
	if [ "$status" = "$2" ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q '^rwsemlab: ' err && grep -Eq -e "$3" err; then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "exit code $status, want $2, of: $tap_command"
		tap_diag "want one line on stderr that matches: $3"
		tap_file err
		return 1
	fi
}

# tap_skip DESCRIPTION REASON: in place of a check that can't be made here
tap_skip()
{
	tap_checks=$((tap_checks + 1))
	echo "ok $tap_checks - $(tap_escape "$1") # SKIP $2"
}

# tap_skip_rest REASON: ends a test whose (further) checks can't be made here;
# as failed where the kernel can be recorded and everything is expected to be
# there
tap_skip_rest()
{
	if [ $tap_recording = yes ]; then
		tap_missing "$1"
	else
		tap_end_skipped "$1"
	fi
}

tap_end_skipped()
{
	if [ $tap_checks -eq 0 ]; then
		echo "1..0 # SKIP $1"
		exit 0
	fi
	tap_skip "further checks" "$1"
	tap_done
}

# tap_bail TEXT: ends a test that can't go on, as failed
tap_bail()
{
	echo "Bail out! $1"
	exit 1
}

# tap_done: ends the test; without it, it counts as failed
tap_done()
{
	echo "1..$tap_checks"
	[ $tap_failed -eq 0 ] && [ $tap_checks -gt 0 ]
	exit
}

# tap_missing REASON: ends a test as skipped; as failed where everything is
# expected to be there
tap_missing()
{
	[ "${CI:-}" != true ] || {
		tap_fail "can run here (CI=true): $1"
		tap_done
	}
	tap_end_skipped "$1"
}

# tap_need_command COMMAND PACKAGE: the rest of the test needs this command
tap_need_command()
{
	command -v "$1" >/dev/null 2>&1 ||
		tap_missing "no $1 (Debian: apt-get install $2)"
}

# tap_need_recording: the rest of the test records the running kernel.  Waits
# for other such tests to end: they would disturb each other.
#
# May skip only where the kernel has no such feature or the user is not root.
tap_need_recording()
{
	tap_reason=$("$BUILDDIR/tests/recordable")
	case $? in
	0) ;;
	3) tap_end_skipped "$tap_reason" ;;
	*) tap_missing "$tap_reason" ;;
	esac
	tap_recording=yes
	tap_lock=${TMPDIR:-/tmp}/rwsemlab-test-recording.lock
	if { command exec 8>"$tap_lock"; } 2>/dev/null; then
		flock -w 300 8 || tap_diag "another recording goes on"
	fi
}

# tap_need_event SYSTEM:NAME: the rest of the test needs this tracepoint
tap_need_event()
{
	[ -d "/sys/kernel/tracing/events/$(echo "$1" | tr : /)" ] ||
		tap_end_skipped "this kernel has no $1"
}

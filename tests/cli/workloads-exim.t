#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The exim workload: every option, mail that someone tampers with, a full
# disk.
# shellcheck disable=SC2317 # some functions are called by their names
. "${SRCDIR:?}/tests/tap.sh"
tap_need_command jq jq

mkdir spool || exit 1

# is_json DESCRIPTION FILTER: out is one JSON document, of which it is true
is_json()
{
	tap_ok "$1" jq -es "length == 1 and (.[0] | $2)" out
}

# good DESCRIPTION OPTION...: a run with all mail delivered
good()
{
	local what=$1
	shift
	tap_run run exim seconds=0.7 "$@" --format json
	tap_exit "$what" 0
	is_json "$what: all mail is delivered" '
		.verification.failures == 0 and
		.verification.checked >= .work and .work > 0 and
		.metrics.temporary_rejections == 0 and
		.metrics.waiting_messages == 0 and
		.metrics.deferred_messages == 0'
	is_json "$what: forks are two a message, one a connection" '
		(.forks - 2 * .work - .metrics.connections_per_s * .elapsed_s |
		 fabs) < 0.01 and .vmstat.forks >= .forks'
}

good 'over TCP' socket=tcp vmas=8
good 'over a UNIX socket' socket=unix vmas=8
good 'one message a connection' messages=1 vmas=8
good 'many clients of one user' clients=16 users=1 vmas=1
good 'bodies of one byte' size=1 vmas=1
good 'large bodies that reach the disk' size=300k fsync=1 spool="$PWD/spool"
good 'a root anon_vma for each of many mappings' vmas=200 roots=200
good 'another seed' seed=4294967295 vmas=8
tap_is 'the spool is empty' "$(ls -A spool)" ''

# shellcheck disable=SC2034 # for tap_error
# tamper DESCRIPTION COMMAND REGEX: the command runs in the run's directory
tamper()
{
	"$RWSEMLAB" run exim seconds=2 vmas=4 clients=2 \
		spool="$PWD/spool" >out 2>err &
	sleep 1
	(cd spool/rwsemlab-exim-* && eval "$2")
	status=0
	wait $! || status=$?
	tap_command="run exim, with $2"
	tap_error "$1" 1 "$3"
	tap_like "$1: the result is printed" out \
		'^verified .* [0-9,]*[1-9][0-9,]* wrong$'
}

tamper 'a mailbox is removed' 'rm mail/user1' \
	'message 1/0 was accepted but not delivered'
tamper 'a mailbox is copied into another' 'cat mail/user0 >>mail/user1' \
	'mail/user1: message 0/.* (is for user0|is there twice)'
tamper 'a message is delivered twice' \
	'awk "/^From / && n++ { exit } 1" mail/user0 >copy; cat copy >>mail/user0' \
	'mail/user0: message 0/0 is there twice'
tamper 'a body is changed' \
	'printf "From x y\nX-Rwsemlab: 1 0 123\n\nbody\n\n" >>mail/user1' \
	'message 1/0 has a wrong checksum|message 1/0 is there twice'

full_disk()
{
	mount -t tmpfs -o size="$1" none "$PWD/spool" || return 99
	shift
	tap_run run exim seconds=1.5 vmas=4 spool="$PWD/spool" "$@" \
		--format json
	ls -A spool >left
	umount spool
	return "$status"
}

# shellcheck disable=SC2016,SC2034 # for the shell inside, for tap_error
check_full_disk()
{
	(
		unshare -m true 2>/dev/null
	) || {
		tap_skip 'a full disk' 'needs root, for a small tmpfs'
		return
	}
	export -f full_disk tap_run
	export RWSEMLAB
	status=0
	unshare -m bash -c 'full_disk "$@"' full_disk "$@" || status=$?
	tap_command="run exim on a disk of $1"
	tap_error "a disk of $1 fills up" 2 \
		"[1-9][0-9]* times a message was turned away .*'452 4.3.1 .*No \
space left on device'; make room in .*/spool "
	is_json "a disk of $1: the result has it, and no mail was lost" '
		.verification.failures == 0 and .problem.code == 2 and
		.metrics.temporary_rejections > 0'
	tap_is "a disk of $1: no file is left" "$(cat left 2>&1)" ''
}

# shellcheck disable=SC2034 # for tap_error
# with_processes NUMBER ARGUMENT...: runs the program as nobody, who may have
# no more processes
with_processes()
{
	cp "$RWSEMLAB" /tmp/rwsemlab-test-$$
	chmod 755 /tmp/rwsemlab-test-$$
	status=0
	setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "
		cd /tmp && ulimit -u $1 && shift &&
		exec /tmp/rwsemlab-test-$$ run --format json \"\$@\"" \
		nobody "$@" >out 2>err || status=$?
	rm -f /tmp/rwsemlab-test-$$
	tap_command="run with $1 processes"
}

check_few_processes()
{
	{ [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; } || {
		tap_skip 'few processes' 'needs root and setpriv'
		return
	}
	with_processes 16 exim seconds=1 clients=8 vmas=1
	tap_error 'few processes: mail is turned away' 2 \
		"421 4.3.2 too many proc"
	is_json 'few processes: and none is lost' '
		.verification.failures == 0 and
		.metrics.temporary_rejections > 0'
	with_processes 12 exim seconds=1 clients=40
	tap_error 'too few processes to start' 3 \
		'cannot fork a client; the limit of'
	with_processes 9 fork-exit depth=0 alive=9
	tap_error 'too few processes for fork-exit' 1 \
		'cannot fork: .*the limit of'
}

check_few_processes
check_full_disk 120k size=20
check_full_disk 300k size=30k
check_full_disk 150k size=100 users=1
tap_done

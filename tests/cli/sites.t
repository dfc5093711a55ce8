#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Site rules of one's own: read, printed, used, refused.
. "${SRCDIR:?}/tests/tap.sh"

tap_run list sites
tap_exit "list sites: exit code" 0
cp out builtin
tap_like "a slow path is among them" out \
	'^lock rwsem_down_write_slowpath rwsem W$'

# What is printed is a file of rules that means the same.
tap_run list sites --sites builtin
tap_exit "list sites, of its own output: exit code" 0
tap_is "what is printed reads back the same" "$(head -n "$(wc -l <builtin)" \
	out | cmp - builtin && echo same)" same

cat >rules <<'END'
# a lock of a driver
lock frob_slow "frob lock" W
wrap frob_lock frob
kind frob_wait "frob DMA" # in quotes
END
tap_run list sites --sites rules
tap_is "they come first, quoted where needed" "$(head -n 3 out)" \
	'lock frob_slow "frob lock" W
wrap frob_lock frob
kind frob_wait "frob DMA"'

printf '%s\n' 'task;main;work;frob_lock;frob_slow;schedule 7' \
	'task;main;frob_wait;schedule 3' >stacks
tap_run report --sites rules stacks
tap_exit "report --sites: exit code" 0
tap_like "the lock is known" out '^ +7 .* frob lock:W +work +frob +frob_slow$'
tap_like "the kind is known" out '^ +3 .* frob DMA +frob_wait$'

# refuse DESCRIPTION TEXT REGEX
refuse()
{
	printf %b "$2" >bad
	tap_run report --sites bad stacks
	tap_error "$1" 2 "$3"
}

refuse "an unknown word" 'skip a\nfrobnicate b\n' 'bad:2: no rule'
refuse "too few words" 'lock a b\n' 'bad:1: no rule'
refuse "too many words" 'skip a b\n' 'bad:1: no rule'
refuse "a quote that does not end" 'kind a "b\n' 'bad:1: no rule'
refuse "a zero byte" 'skip a\n\0' 'bad: holds a zero byte'
refuse "a long line" "skip $(printf '%600s' x | tr ' ' x)" 'bad:1: longer than'
tap_run report --sites nowhere stacks
tap_error "a file that is not there" 2 'nowhere: No such file'
tap_done

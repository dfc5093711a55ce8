#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Text inputs through the program: from a file, standard input and a pipe, and
# what is said of those that can't be used.
. "${SRCDIR:?}/tests/tap.sh"

data=$SRCDIR/tests/data

# report FILE: as JSON without the name of the input, which is all that may
# differ between a file and standard input
anonymous()
{
	sed -e "s|$1|INPUT|g" -e 's|standard input|INPUT|g'
}

for file in "$data"/perf-script/* "$data"/perf-report-text/* "$data"/folded/*
do
	name=${file#"$data"/}
	tap_run report --format json "$file"
	tap_exit "$name: read" 0
	anonymous "$file" <out >want
	"$RWSEMLAB" report --format json - <"$file" >out 2>err
	anonymous "$file" <out >got
	tap_cmp "$name: the same on standard input" got want
	# In pieces, so that lines and the first bytes come apart.
	{ head -c 7; sleep 0.05; head -c 4090; sleep 0.05; cat; } <"$file" |
		"$RWSEMLAB" report --format json - >out 2>err
	anonymous "$file" <out >got
	tap_cmp "$name: the same through a pipe" got want
done

# 0.6 * 0.99 * 0.2 = 11.88 %, of which 70 % and 30 %
tap_run report "$data/perf-report-text/mail.txt"
tap_like "a quoted report: its locks" out \
	'^Sleeping locks: 11\.88 % of all recorded switches$'
tap_like "a quoted report: a site" out \
	'^ +8\.32 % +rwsem:W +unlink_anon_vmas .* anon_vma '
tap_like "a quoted report: another" out \
	'^ +3\.56 % +rwsem:W +anon_vma_clone .* anon_vma '

tap_run report "$data/perf-script/6.18-chains.txt"
tap_like "perf script: a sleep in a lock" out \
	'^Sleeping locks: 1 of 2 sleeps '
tap_like "perf script: its site" out ' rwsem:W +do_unlinkat '
tap_run report "$data/folded/annotated.txt"
tap_like "folded: locks" out '^Sleeping locks: 182 of 191 sleeps '

golden=$SRCDIR/../shared/data/lkml-2013
if [ -d "$golden" ]; then
	tap_run report "$golden/mutex.report.txt"
	tap_like "2013, mutex: all sleeping locks" out \
		'^Sleeping locks: 2\.66 % of all recorded switches$'
	tap_like "2013, mutex: anon_vma" out \
		'^ +1\.33 % +mutex +lock_anon_vma_root .* anon_vma '
	tap_like "2013, mutex: a branch that was not expanded" out \
		'^ +19\.68 % +callers not known +schedule_timeout$'
	tap_run report --suffixes "$golden/mutex.report.txt"
	tap_like "2013, mutex: with the compiler's suffixes" out \
		'^ +1\.33 % +mutex +lock_anon_vma_root\.clone\.24 .* anon_vma '
	tap_run report "$golden/rwsem.report.txt"
	tap_like "2013, rwsem: all sleeping locks" out \
		'^Sleeping locks: 53\.45 % of all recorded switches$'
	for row in '22\.33 unlink_anon_vmas' '20\.09 anon_vma_clone' \
		'6\.50 anon_vma_fork' '4\.28 anon_vma_free'; do
		tap_like "2013, rwsem: ${row#* }" out \
			"^ +${row% *} % +rwsem:W +${row#* } .* anon_vma "
	done
else
	tap_skip "the call graphs of 2013" "no $golden"
fi

# refused DESCRIPTION REGEX TEXT: exit code 2 and one line
refused()
{
	printf '%b' "$3" >input
	tap_run report input
	tap_error "$1" 2 "$2"
}

refused "no input that is known" 'input: neither perf\.data nor a text' \
	'hello\n'
refused "perf report of another event" 'a report of cycles; expected' \
	"# Samples: 9 of event 'cycles'\n 9.00%  a  [k] f\n"
refused "perf script without usable fields" \
	'line 1: no usable sample; expected what perf script prints' \
	'a 7 [000] 1.5: sched:sched_switch: x\n'
refused "folded stacks of nothing" 'no folded stack; expected' 'a;b 0\n'
refused "more than all" 'line 1 on add up to 150\.00 %' \
	"  90.00%  a  [k] __schedule\n  60.00%  b  [k] __schedule\n"
refused "an empty input" 'empty' ''

printf 'a;__schedule 3\nb;__schedule\nc\na;__schedule 4\n' >input
printf 'a;__schedule 3\na;__schedule 3\na;__schedule 3\n' >>input
printf 'a;__schedule 3\na;__schedule 3\na;__schedule 3\n' >>input
tap_run report input
tap_like "lines that are not used are told" out \
	'2 lines not used, the first is line 2: no folded stack'
tap_done

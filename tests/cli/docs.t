#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The manual against what the program says of itself: neither may name a
# command or an option that the other does not.  Pages are compared as they
# are read, whatever macros they are written with.
. "${SRCDIR:?}/tests/tap.sh"

man=$SRCDIR/man

# render PAGE FILE: as plain text, without line breaks inside paragraphs
render()
{
	plain_text "$1" >"$2"
	grep -q '^NAME$' "$2" || tap_bail "cannot render ${1##*/}"
}

plain_text()
{
	if command -v mandoc >/dev/null; then
		mandoc -T ascii -O width=900 "$1" | sed 's/.\x08//g'
	else
		MANWIDTH=900 LC_ALL=C man -l --no-hyphenation "$1" |
			sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g'
	fi
}

# section NAME <TEXT: the lines of that section of a rendered page
section()
{
	awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside'
}

# What a page's NAME section says, as "NAME SUMMARY".
page_name()
{
	section NAME | sed -E 's/^ +//; /^$/d; s/ +(-|--) +/ /; s/ +$//'
}

# Option heads, one a line: "-o, --output FILE".  In a page, the text of an
# option may follow in its line, after blanks.
page_options()
{
	section OPTIONS | grep -oE \
		'^ {3,8}(-[A-Za-z0-9], )?--[a-z][a-z0-9-]*( [A-Z][^ ]*)?( |$)' |
		sed -E 's/^ +//; s/ +$//' | sort
}

help_options()
{
	sed -n '/^options:/,$p' | grep -oE \
		'^ +(-[A-Za-z0-9], )?--[a-z][a-z0-9-]*( [^ ]+)?( |$)' |
		sed -E 's/^ +//; s/ +$//' | sort
}

check_lint()
{
	local page=$1
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$page" >warnings 2>&1
	else
		LC_ALL=C man --warnings -l "$page" 2>warnings >/dev/null
	fi
	tap_is "${page##*/}: no warning" "$(cat warnings)" ""
}

check_command()
{
	local command=$1 summary=$2
	local page=$man/rwsemlab-$command.1

	tap_run "$command" -h
	tap_exit "$command -h: exit code" 0
	tap_is "$command -h: nothing on stderr" "$(cat err)" ""
	tap_like "$command -h: has its summary" out "^$(escape "$summary")$"
	tap_ok "rwsemlab-$command.1 exists" test -s "$page" || return
	render "$page" text
	tap_is "rwsemlab-$command.1: summary" "$(page_name <text)" \
		"rwsemlab-$command $summary"
	help_options <out >want
	page_options <text >got
	tap_cmp "rwsemlab-$command.1: options" got want
	tap_ok "rwsemlab.1 lists $command with its summary" \
		grep -Eqx " +$command +$(escape "$summary")" main
	tap_like "README.md names $command" "$SRCDIR/README.md" \
		"(rwsemlab |\`)$command\\b"
}

escape()
{
	printf '%s' "$1" | sed 's/[][\.*^$+?(){}|]/\\&/g'
}

tap_run --help
tap_exit "--help: exit code" 0
sed -n '/^commands:/,/^$/s/^  //p' out >commands
tap_ok "--help lists commands" test -s commands

render "$man/rwsemlab.1" main
# One paragraph a command, or two with the summary beneath.
section COMMANDS <main | awk 'NF' >listed
sed -E '/^ {1,8}[a-z-]+$/ { N; s/\n */ / }' listed >main.lines
cat main.lines >>main
while read -r name summary; do
	check_command "$name" "$summary"
done <commands
sed -E 's/^ +([a-z-]+) .*/\1/' main.lines | sort >got
sed 's/ .*//' commands | sort >want
tap_cmp "rwsemlab.1 lists no other command" got want
for code in 0 1 2 3 4; do
	tap_ok "rwsemlab.1 has exit code $code" \
		sh -c "sed -n '/^EXIT STATUS/,/^[A-Z]/p' main | grep -E '^ +$code( |$)'"
done

for page in "$man"/*.[1-9]; do
	check_lint "$page"
	# A page that is not in the list is not installed.
	tap_ok "${page##*/} is installed" \
		grep -Fq "%D%/${page##*/}" "$man/local.mk"
done
# Pages name only pages that exist.
sed -nE 's/^\.Xr (rwsemlab[a-z-]*) ([1-9]).*/\1.\2/p' "$man"/*.[1-9] |
	sort -u >named
while read -r page; do
	tap_ok "$page, which pages name, exists" test -e "$man/$page"
done <named
for script in demo check; do
	tap_like "README.md names scripts/$script" "$SRCDIR/README.md" \
		"scripts/$script"
done
tap_done

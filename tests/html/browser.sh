# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For tests of the html formats, after tap.sh: what they need, and how a
# script of this folder drives the browser.

modules=$BUILDDIR/tests/html/npm/node_modules

# browser_check_page: after tap_run of the html format; ends the test where its
# page was not built
browser_check_page()
{
	grep -q 'its page is not installed' err || return 0
	tap_error "html is not built in, and says why" 3 "--with-html"
	tap_skip_rest "built without --with-html"
}

# browser_need: ends the test where there is none
browser_need()
{
	chromium=
	for name in chromium chromium-browser google-chrome; do
		[ -n "$chromium" ] || chromium=$(command -v $name)
	done
	[ -n "$chromium" ] ||
		tap_missing "no Chromium (Debian: apt-get install chromium)"
	tap_need_command node nodejs
	[ -d "$modules/playwright-core" ] ||
		tap_missing "no playwright-core in $modules (configure --with-html, make check)"
}

# browser_drive SCRIPT LEAST ARGUMENT...: a check for every line that it prints,
# and that there are more than LEAST
browser_drive()
{
	browser_script=$1
	browser_least=$2
	shift 2
	HOME=$PWD timeout -k 10 240 node "$SRCDIR/tests/html/$browser_script" \
		"$modules" "$chromium" "$@" >drive.out 2>drive.err || {
		tap_fail "the browser was driven to the end"
		tap_file drive.err
	}
	while read -r line; do
		case $line in
		"ok "*) tap_pass "${line#ok }" ;;
		"not ok "*)
			line=${line#not ok }
			tap_fail "${line%%: got *}" || tap_diag "got ${line#*: got }"
			;;
		esac
	done <drive.out
	tap_ok "all checks were made" test "$(wc -l <drive.out)" -gt "$browser_least"
}

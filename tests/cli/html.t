#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The html format in headless Chromium: it opens without errors, does what a
# person asks for and shows the numbers of the JSON report.
. "${SRCDIR:?}/tests/tap.sh"

export PYTHONDONTWRITEBYTECODE=1
modules=$BUILDDIR/tests/html/npm/node_modules

tap_need_command python3 python3
python3 "$SRCDIR/tests/formats/check.py" make recording
tap_run report --format html -o page.html recording
if grep -q 'its page is not installed' err; then
	tap_error "html is not built in, and says why" 3 "--with-html"
	tap_skip_rest "built without --with-html"
fi
tap_exit "html: exit code" 0
tap_unlike "no name can end a script" page.html \
	'"[^"]*</script><img'
tap_ok "the page is small" test "$(wc -c <page.html)" -lt 600000

# What is left out is said, and how much it is.
tap_run report --format html --percent-limit 20 -o small.html recording
nodes='^,\[[0-9]'
tap_ok "a limit leaves branches out" test \
	"$(grep -c "$nodes" small.html)" -lt "$(grep -c "$nodes" page.html)"
tap_like "branches left out are counted" small.html \
	'"pruned":.*"branches":[1-9]'
tap_like "none is left out of a small report" page.html \
	'"pruned":.*"branches":0'
RWSEMLAB_DATADIR=$PWD/nothing tap_run report --format html recording
tap_error "without its page" 3 "its page is not installed"
mkdir broken
echo '<html>' >broken/report.html
RWSEMLAB_DATADIR=$PWD/broken tap_run report --format html recording
tap_error "with a damaged page" 2 "damaged"

chromium=
for name in chromium chromium-browser google-chrome; do
	[ -n "$chromium" ] || chromium=$(command -v $name)
done
[ -n "$chromium" ] || tap_missing "no Chromium (Debian: apt-get install chromium)"
tap_need_command node nodejs
[ -d "$modules/playwright-core" ] ||
	tap_missing "no playwright-core in $modules (configure --with-html, make check)"

tap_run report --format json -o report.json recording
export HOME=$PWD
timeout -k 10 240 node "$SRCDIR/tests/html/drive.mjs" "$modules" "$chromium" \
	page.html report.json ${RWSEMLAB_SCREENSHOT:+"$RWSEMLAB_SCREENSHOT"} \
	>drive.out 2>drive.err || {
	tap_fail "the browser was driven to the end"
	tap_file drive.err
}
while read -r line; do
	case $line in
	"ok "*) tap_pass "${line#ok }" ;;
	"not ok "*)
		tap_fail "${line%%: got *}" || tap_diag "got ${line#*: got }"
		;;
	esac
done <drive.out
tap_ok "all checks were made" test "$(wc -l <drive.out)" -gt 50
tap_done

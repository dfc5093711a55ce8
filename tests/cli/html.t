#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The html format in headless Chromium: it opens without errors, does what a
# person asks for and shows the numbers of the JSON report.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/html/browser.sh"

export PYTHONDONTWRITEBYTECODE=1

tap_need_command python3 python3
python3 "$SRCDIR/tests/formats/check.py" make recording
tap_run report --format html -o page.html recording
browser_check_page
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

browser_need
tap_run report --format json -o report.json recording
browser_drive drive.mjs 50 page.html report.json \
	${RWSEMLAB_SCREENSHOT:+"$RWSEMLAB_SCREENSHOT"}
tap_done

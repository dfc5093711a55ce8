#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The html format of a comparison in headless Chromium: six recordings a side,
# made up, where all that waited for children in the base reads a pipe in the
# new side, and a lock's caller has another name.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/html/browser.sh"

export PYTHONDONTWRITEBYTECODE=1

tap_need_command python3 python3
tap_need_command jq jq

# side FIRST-SEED SED-SCRIPT: six recordings, and their names with commas
side()
{
	local seed
	for seed in $(seq "$1" $(($1 + 5))); do
		python3 "$SRCDIR/tests/formats/check.py" make all "$seed"
		sed "$2" all >"recording-$seed"
	done
	seq -f 'recording-%g' -s , "$1" $(($1 + 5))
}

base=$(side 11 '')
same=$(side 21 '')
# What one run alone has is no change, however much it is.
sed -i 's/odd_driver_ioctl/rare_ioctl/' recording-21
new=$(side 31 's/kernel_wait4/vfs_read/; s/do_wait/anon_pipe_read/
	s/unlink_anon_vmas/unlink_other_vmas/')

tap_run diff --format html -o page.html "$base" "$new"
browser_check_page
tap_exit "html: exit code" 0
tap_unlike "no name can end a script" page.html \
	'"[^"]*</script><img'
tap_ok "the page is small" test "$(wc -c <page.html)" -lt 600000
nodes='^,\[[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,"'
tap_run diff --format html --percent-limit 20 -o small.html "$base" "$new"
tap_ok "a limit leaves branches out" test \
	"$(grep -Ec "$nodes" small.html)" -lt "$(grep -Ec "$nodes" page.html)"
tap_like "branches left out are counted" small.html \
	'"pruned":.*"branches":[1-9]'
tap_unlike "none is left out unless asked for" page.html \
	'"pruned":.*"branches":[1-9]'
RWSEMLAB_DATADIR=$PWD/nothing tap_run diff --format html "$base" "$new"
tap_error "without its page" 3 "its page is not installed.*diff\.html"
mkdir broken
echo '<html>' >broken/diff.html
RWSEMLAB_DATADIR=$PWD/broken tap_run diff --format html "$base" "$new"
tap_error "with a damaged page" 2 "diff.html.*damaged"

# What the browser is to find.
tap_run diff --format json -o diff.json "$base" "$new"
tap_is "what was done to the new side is found" "$(jq -c '
	[.comparisons[0].others[] | {key: .kind, value: [.status,
	.values.sleeps_per_s.verdict]}] | from_entries | [.pipe, .wait4]' diff.json)" \
	'[["both","more"],["gone","less"]]'
tap_run diff --format json -o same.json "$base" "$same"
tap_is "and nothing where nothing was done" "$(jq '[.comparisons[0] |
	.locks[], .others[] | ., .rows[]? | .values[].verdict |
	select(. == "more" or . == "less")] | length' same.json)" 0
tap_run diff --format html -o same.html "$base" "$same"
# Shares of folded stacks: one side's callers are known, and a third side.
echo 'main;do_fork;anon_vma_fork;down_write;rwsem_down_write_slowpath;schedule 90
main;do_exit;<script>alert(1)</script>;do_wait;schedule 3' >folded-1
echo 'main;do_fork;anon_vma_fork;mutex_lock;__mutex_lock;schedule 20
main;do_exit;do_wait;schedule 30' >folded-2
tap_run diff --format json -o three.json folded-1 folded-2 folded-1
tap_run diff --format html -o three.html folded-1 folded-2 folded-1
tap_exit "three sides: exit code" 0

# The call graphs of a mail of 2013, where some callers are not known.
golden=$SRCDIR/../shared/data/lkml-2013
if [ -d "$golden" ]; then
	tap_run diff --format html -o 2013.html "$golden/mutex.report.txt" \
		"$golden/rwsem.report.txt"
	tap_exit "2013: exit code" 0
else
	tap_skip "the call graphs of 2013" "no $golden"
fi

browser_need
browser_drive drive-diff.mjs 55 page.html diff.json same.html three.html \
	three.json ${RWSEMLAB_SCREENSHOT:+"$RWSEMLAB_SCREENSHOT"}
tap_done

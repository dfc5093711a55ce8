#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tests' own tools: a failure that they lose would hide all others.
. "${SRCDIR:?}/tests/tap.sh"

driver=$SRCDIR/scripts/autotools/tap-driver.sh
sum=$SRCDIR/scripts/test-sum

# drive NAME: runs the script NAME as make check runs a test; NAME.trs is left.
# On its standard input is what follows the line that reads tap.sh.
drive()
{
	{
		echo ". '$SRCDIR/tests/tap.sh'"
		cat
	} >"$1"
	rm -f "$1.trs"
	sh "$driver" --test-name "$1" --log-file "$1.log" \
		--trs-file "$1.trs" --color-tests no \
		--enable-hard-errors yes --expect-failure no -- \
		bash "$PWD/$1" >/dev/null 2>&1
}

# sums DESCRIPTION LAST-LINE FILE...
sums()
{
	local text=$1 want=$2
	shift 2
	sh "$sum" "$@" >sum.out
	tap_is "$text" "$(tail -n 1 sum.out)" "$want"
}

CI='' drive good <<'END'
tap_is "equal" a a
tap_ok "true" true
tap_skip "a check" "no reason"
tap_done
END
sums "passed and skipped" "2 passed, 0 failed, 1 skipped" good.trs
tap_like "a skip is named with its reason" sum.out \
	'^SKIP: good 3 - a check # SKIP no reason$'

drive bad <<'END'
tap_is "equal" a b
tap_ok "false" false
tap_run --version
tap_exit "fails" 2
tap_error "fails with a message" 2 x
tap_like "matches" out nothing
tap_unlike "matches not" out rwsemlab
tap_unlike "no such file" absent x
tap_cmp "equal files" out err
tap_pass "passes"
tap_done
END
sums "each failed check counts once" "1 passed, 8 failed, 0 skipped" bad.trs
tap_like "a failure is named" sum.out '^FAIL: bad 1 - equal$'

drive dies <<'END'
tap_pass "one"
exit 7
END
sums "a test that ends early has failed" "1 passed, 1 failed, 0 skipped" \
	dies.trs

drive crashes <<'END'
tap_pass "one"
echo 1..1
kill -SEGV $$
END
sums "a test that crashes after its last check has failed" \
	"1 passed, 1 failed, 0 skipped" crashes.trs

drive empty <<'END'
tap_done
END
sh "$sum" empty.trs >sum.out
tap_is "a test without a check has failed: exit code" $? 1

drive hash <<'END'
tap_fail "has # SKIP in its name"
tap_done
END
sums "a check can't skip itself by its name" "0 passed, 1 failed, 0 skipped" \
	hash.trs

sums "a test that never ran has failed" "2 passed, 1 failed, 1 skipped" \
	good.trs absent.trs
sums "all of them" "5 passed, 12 failed, 1 skipped" \
	good.trs bad.trs dies.trs crashes.trs hash.trs absent.trs
sh "$sum" >sum.out
tap_is "no test at all is a failure" $? 1

missing='tap_need_command no-such-command no-such-package
tap_done'
CI='' drive missing <<<"$missing"
sums "a missing command skips" "0 passed, 0 failed, 1 skipped" missing.trs
CI=true drive missing <<<"$missing"
sums "and fails with CI=true" "0 passed, 1 failed, 0 skipped" missing.trs

# What says whether the kernel can be recorded, replaced.
mkdir -p fake/tests
for code in 0 1 3; do
	printf '#!/bin/sh\necho why\nexit %s\n' $code >fake/tests/recordable
	chmod +x fake/tests/recordable
	for CI in '' true; do
		BUILDDIR=$PWD/fake CI=$CI drive record <<'END'
tap_need_recording
tap_pass "recorded"
tap_done
END
		case $code$CI in
		0*) want="1 passed, 0 failed, 0 skipped" ;;
		1true) want="0 passed, 1 failed, 0 skipped" ;;
		*) want="0 passed, 0 failed, 1 skipped" ;;
		esac
		sums "recordable says $code, CI='$CI'" "$want" record.trs
	done
done

BUILDDIR=$PWD/fake CI=true drive record <<'END'
tap_recording=yes
tap_skip_rest "just so"
END
sums "where the kernel can be recorded, CI=true, no test skips itself" \
	"0 passed, 1 failed, 0 skipped" record.trs

export WHERE=$PWD/where
drive folder <<'END'
pwd >"$WHERE"
: >file
tap_is "nothing else is in its folder" "$(ls)" file
tap_done
END
sums "a test has a folder of its own" "1 passed, 0 failed, 0 skipped" \
	folder.trs
tap_ok "which is gone afterwards" test ! -e "$(cat where)"
tap_done

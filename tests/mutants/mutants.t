#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does tests/locks notice when a lock is wrong?  Each fault of list.tsv is
# put into a copy of lib/locks, compiled into the test, and must make it fail.
. "${SRCDIR:?}/tests/tap.sh"

cc=${CC:-cc}
library=$BUILDDIR/.libs/librwsemlab.a
work=$PWD
flags="-std=gnu11 -O2 -D_GNU_SOURCE -DHAVE_CONFIG_H -fno-strict-aliasing"
locks_of_library="rwsem-bits rwsem-xadd rwsem-spinlock mutex-count mutex-owner
	percpu-rwsem-mutex percpu-rwsem-xadd percpu-rwsem-queue
	group-rwsem-xadd group-rwsem-bits"

command -v "$cc" >/dev/null || tap_skip_rest "no compiler for mutants"
[ -f "$library" ] || tap_skip_rest "no static library in $BUILDDIR"
# Mutants are built without any: they would not link.
if nm "$library" | grep -qE ' U _*(asan|ubsan|tsan|gcov)_'; then
	tap_skip_rest "the library is built with a sanitizer or coverage"
fi

# compile FOLDER SOURCE OBJECT [FLAG...]: includes come from FOLDER first
compile()
{
	local folder=$1 source=$2 object=$3
	shift 3
	# shellcheck disable=SC2086
	"$cc" $flags -I"$folder" -I"$SRCDIR" -I"$BUILDDIR" "$@" \
		-c "$source" -o "$object"
}

for source in tests/locks.c tests/locks-actor.c tests/locks-cases.c \
	tests/locks-percpu.c tests/tap.c workloads/locks/team.c workloads/locks/oracle.c; do
	compile "$SRCDIR" "$SRCDIR/$source" \
		"$work/test-$(basename "$source" .c).o" ||
		tap_bail "cannot compile $source"
done

# mutate FILE FROM TO: FROM must be in it exactly once
mutate()
{
	FROM=$2 TO=$3 awk '
	BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
	{
		at = index($0, from)
		if (at) {
			n++
			$0 = substr($0, 1, at - 1) to \
				substr($0, at + length(from))
		}
		print
	}
	END { exit n == 1 ? 0 : 1 }' "$1" >"$1.new" && mv "$1.new" "$1"
}

# Lock sources with the fault, compiled into the test.
build()
{
	local file=$1 from=$2 to=$3 unit=$4 name source objects=()
	rm -rf "$work/copy"
	mkdir -p "$work/copy/lib"
	cp -r "$SRCDIR/lib/locks" "$work/copy/lib/"
	mutate "$work/copy/lib/locks/$file" "$from" "$to" || {
		tap_diag "'$from' is not once in $file"
		return 1
	}
	for name in $locks_of_library; do
		source=$work/copy/lib/locks/$name.c
		# A header's fault is in all that include it.
		[ "$name.c" = "$file" ] ||
			grep -qs "$file" "$work/copy/lib/locks/$name.c" \
				"$work/copy/lib/locks/$name"*.h || continue
		compile "$work/copy" "$source" "$work/mutant-$name.o" \
			-DLOCK_LEVEL=2 -DLOCK_BUILD=checked || return 1
		objects+=("$work/mutant-$name.o")
	done
	if [ -n "$unit" ]; then
		compile "$work/copy" "$SRCDIR/tests/unit/$unit.c" \
			"$work/unit.o" || return 1
		objects+=("$work/unit.o" "$work/test-tap.o")
	else
		objects+=("$work"/test-*.o)
	fi
	"$cc" -o "$work/mutant" "${objects[@]}" "$library" -lpthread -lm 2>&1
}

# run MILLISECONDS SPEC...: the test with the fault, or the unit test
run()
{
	local ms=$1
	shift
	if [ "$by" = unit ]; then
		timeout -k 1 10 "$work/mutant"
	else
		timeout -k 1 40 "$work/mutant" -t "$ms" -a 2 "$@"
	fi
}

while IFS=$'\t' read -r name file from to specs by; do
	case $name in '#'* | '') continue ;; esac
	unit=
	[ "$by" != unit ] || unit=$specs
	if ! build "$file" "$from" "$to" "$unit"; then
		tap_fail "$name: built"
		continue
	fi
	# Threads meet a fault by chance: who must catch it gets more of it.
	for ms in 150 400 1000; do
		# shellcheck disable=SC2086
		run $ms $specs >"$work/out" 2>&1
		status=$?
		if [ "$status" -ne 0 ] || [ "$by" != threads ]; then
			break
		fi
	done
	by_what=$(grep -m 1 -E '^not ok|^Bail out!' "$work/out" |
		sed 's/^not ok [0-9]* - //')
	[ "$status" -eq 0 ] || : "${by_what:=its end with status $status}"
	case $by in
	threads | unit)
		if [ "$status" -ne 0 ]; then
			tap_pass "$name: caught by: $by_what"
		else
			tap_fail "$name: caught"
		fi
		;;
	*)
		tap_diag "$name ($by): ${by_what:-not caught by threads}"
		;;
	esac
done <"$SRCDIR/tests/mutants/list.tsv"
tap_done

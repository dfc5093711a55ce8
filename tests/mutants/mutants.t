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

# build FOLDER FILE FROM TO UNIT: lock sources with the fault, compiled into the
# test
build()
{
	local folder=$1 file=$2 from=$3 to=$4 unit=$5 name source objects=()
	mkdir -p "$folder/copy/lib"
	cp -r "$SRCDIR/lib/locks" "$folder/copy/lib/"
	mutate "$folder/copy/lib/locks/$file" "$from" "$to" || {
		tap_diag "'$from' is not once in $file"
		return 1
	}
	for name in $locks_of_library; do
		source=$folder/copy/lib/locks/$name.c
		# A header's fault is in all that include it.
		[ "$name.c" = "$file" ] ||
			grep -qs "$file" "$folder/copy/lib/locks/$name.c" \
				"$folder/copy/lib/locks/$name"*.h || continue
		compile "$folder/copy" "$source" "$folder/mutant-$name.o" \
			-DLOCK_LEVEL=2 -DLOCK_BUILD=checked || return 1
		objects+=("$folder/mutant-$name.o")
	done
	if [ -n "$unit" ]; then
		compile "$folder/copy" "$SRCDIR/tests/unit/$unit.c" \
			"$folder/unit.o" || return 1
		objects+=("$folder/unit.o" "$work/test-tap.o")
	else
		objects+=("$work"/test-*.o)
	fi
	"$cc" -o "$folder/mutant" "${objects[@]}" "$library" -lpthread -lm 2>&1
}

# attempt FOLDER BY FILE FROM TO SPECS: diagnostics, then what became of it:
# "broken", "survived" or "caught by: ..."
attempt()
{
	local folder=$1 by=$2 file=$3 from=$4 to=$5 specs=$6 unit='' status ms what
	[ "$by" != unit ] || unit=$specs
	if ! build "$folder" "$file" "$from" "$to" "$unit"; then
		echo broken
		return
	fi
	# Threads meet a fault by chance: who must catch it gets more of it.
	for ms in 150 400 1000; do
		status=0
		if [ -n "$unit" ]; then
			timeout -k 1 10 "$folder/mutant"
		else
			# shellcheck disable=SC2086
			timeout -k 1 40 "$folder/mutant" -t $ms -a 2 $specs
		fi >"$folder/out" 2>&1 || status=$?
		if [ "$status" -ne 0 ] || [ "$by" != threads ]; then
			break
		fi
	done
	if [ "$status" -eq 0 ]; then
		echo survived
	else
		what=$(grep -m 1 -E '^not ok|^Bail out!' "$folder/out" |
			sed 's/^not ok [0-9]* - //')
		echo "caught by: ${what:-its end with status $status}"
	fi
	rm -rf "$folder"
}

# Most of a fault's time is waiting for the compiler, or for a task that hangs:
# two at a time, and what became of them in the list's order.
names=() kinds=()
while IFS=$'\t' read -r name file from to specs by; do
	case $name in '#'* | '') continue ;; esac
	number=${#names[@]}
	names+=("$name")
	kinds+=("$by")
	[ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n || :
	attempt "$work/$number" "$by" "$file" "$from" "$to" "$specs" \
		>"$work/$number.result" 2>&1 </dev/null &
done <"$SRCDIR/tests/mutants/list.tsv"
wait

for number in "${!names[@]}"; do
	result=$(tail -n 1 "$work/$number.result")
	sed '$d' "$work/$number.result" | sed '/^#/!s/^/# /'
	case ${kinds[number]}:$result in
	*:broken) tap_fail "${names[number]}: built" ;;
	threads:caught* | unit:caught*)
		tap_pass "${names[number]}: $result"
		;;
	threads:* | unit:*) tap_fail "${names[number]}: caught" ;;
	*)
		tap_diag "${names[number]} (${kinds[number]}): $result"
		;;
	esac
done
tap_done

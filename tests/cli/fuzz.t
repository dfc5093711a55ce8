#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each fuzz target on its first inputs and on all that fuzzing has found.
. "${SRCDIR:?}/tests/tap.sh"

"$BUILDDIR/tests/perf-corpus" recordings || tap_bail "no recordings"
found=$SRCDIR/../shared/data/perf/malformed

for target in "$SRCDIR"/tests/fuzz/fuzz-*.c; do
	target=${target##*/fuzz-}
	target=${target%.c}
	inputs=()
	[ ! -d "$SRCDIR/tests/data/$target" ] ||
		inputs+=("$SRCDIR/tests/data/$target")
	case $target in
	perf-data)
		inputs+=(recordings)
		[ ! -d "$found" ] || inputs+=("$found")
		;;
	perf-pipe) inputs+=(recordings/pipe*) ;;
	esac
	if [ ${#inputs[@]} -eq 0 ]; then
		tap_fail "$target has first inputs"
		continue
	fi
	tap_ok "$target: $(find "${inputs[@]}" -type f | wc -l) inputs" \
		"$BUILDDIR/tests/fuzz/fuzz-$target" "${inputs[@]}"
done
tap_done

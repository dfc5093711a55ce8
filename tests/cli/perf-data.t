#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf.data of others' making, and of our own, as files, pipes and folders.
. "${SRCDIR:?}/tests/tap.sh"

data=$SRCDIR/../shared/data/perf
"$BUILDDIR/tests/perf-corpus" recordings || tap_bail "no recordings"

# ---- our own: any layout gives the same report
tap_run report --format json recordings/file
tap_exit "a file" 0
cp out want
for file in recordings/*; do
	case $file in *-more) continue ;; esac
	name=${file##*/}
	# 32-bit kernels have other addresses.
	case $name in
	*32bit*) filter='del(.recording, .other_sleeps, .warnings)' ;;
	*) filter='del(.recording, .warnings)' ;;
	esac
	tap_run report --format json "$file"
	if command -v jq >/dev/null; then
		jq -S "$filter" out >got
		jq -S "$filter" want >want.now
		tap_cmp "$name: the same report" got want.now
	else
		tap_exit "$name: a report" 0
	fi
done

# ---- standard input: a pipe, a file
for how in pipe file; do
	case $how in
	pipe) timeout 60 "$RWSEMLAB" report - < <(cat recordings/pipe) >out 2>err ;;
	file) timeout 60 "$RWSEMLAB" report - <recordings/file >out 2>err ;;
	esac
	status=$?
	tap_is "standard input, a $how: exit code" "$status" 0
	tap_like "standard input, a $how: a report" out '2 sleeps|Other sleeps: 2'
done
timeout 60 "$RWSEMLAB" report - < <(cat recordings/file) >out 2>err
status=$?
tap_error "a file's layout can't come through a pipe" 2 "can't come through a pipe"

# ---- broken
head -c 2000 recordings/pipe >cut.data
tap_run report cut.data
tap_like "a cut file says so" err 'ends .*early|no sched_switch|offset'
mkdir empty
tap_run report empty
tap_error "a folder that perf record did not make" 2 'no file "data" in it|empty'

if [ ! -d "$data" ]; then
	tap_skip "recordings of others" "no ../shared/data/perf"
	tap_done
fi

# ---- recordings of others: none has a sched_switch; each says what it has
while read -r file reason; do
	tap_run report "$data/$file"
	tap_error "$file" 2 "$reason"
done <<'END'
perf.data.armv7-3.4 it has: cycles, instructions, cache-references, cache-misses, branches, branch-misses
perf.data.callgraph-3.8 it has: cycles\)
perf.data.ctx_switch_namespaces-4.14 it has: cycles\)
perf.data.forkexit-3.8 it has: cycles\)
perf.data.hybrid_topology it has: cpu_core/cycles:ppp/, cpu_atom/cycles:ppp/, dummy:HG\)
perf.data.i686-3.4 it has: cycles, instructions, cache-references, cache-misses, branches, branch-misses
perf.data.lost_samples-4.4 it has: cycles:pp, instructions:pp, branch-instructions:pp\)
perf.data.piped.corrupted.zero_size_sample-3.2 offset 49104: a record of type 9 is given 0 bytes
perf.data.piped.header_features-4.16 it has: cpu-clock\)
perf.data.piped.no_attr_ids-4.14 it has: cycles\)
perf.data.raw-3.4 it has: cycles\)
perf.data.remmap-3.2 it has: cycles\)
perf.data.singleprocess-3.8 it has: cycles\)
perf.data.true.v1 it has: cpu-clock\)
sleep.compressed.data it has: cycles:P\)
sleep.compressed2.data it has: cycles:Pu\)
sleep.compressed2.pipe.data it has: cycles:P\)
sleep.data it has: cycles:Pu\)
END

# ---- their malformed ones: a clear error, at once
for file in "$data"/malformed/*; do
	TAP_SECONDS=10 tap_run report "$file"
	tap_error "malformed/${file##*/}" 2 'offset|no event was recorded'
done
tap_done

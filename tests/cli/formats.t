#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every report format against what a made-up recording amounts to, counted
# while it was made up; and where a report is written to.
. "${SRCDIR:?}/tests/tap.sh"

export PYTHONDONTWRITEBYTECODE=1
formats=$SRCDIR/tests/formats

tap_need_command python3 python3
tap_need_command jq jq
tap_ok "a recording is made up" python3 "$formats/check.py" make recording

# report_is DESCRIPTION WHAT [ARGUMENT...] -- OPTION...: what a format printed
# is right by check.py WHAT
report_is()
{
	local description=$1 what=$2 words=()
	shift 2
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	tap_run report "$@" recording
	tap_exit "$description: exit code" 0
	cp out got
	tap_ok "$description: numbers" \
		python3 "$formats/check.py" "$what" got "${words[@]}"
}

report_is "tree, caller order" tree caller -- -g caller --percent-limit 0
report_is "tree, callee order" tree callee -- -g callee --percent-limit 0
report_is "csv" csv -- --format csv
report_is "speedscope" speedscope -- --format speedscope
report_is "switches over time" timeline -- --format json
for value in sleeps off_cpu_ns wait_ns; do
	report_is "folded, $value" folded $value -- \
		--format folded --value $value
done

# ------------------------------------------------------------ the call trees

# Roots of the callee order are where tasks sleep.
tap_run report -g callee --percent-limit 15 recording
awk '/^Call trees/ { tree = 1 } tree && $3 ~ /^[0-9,]+$/ && !/[`|]-/ {
	print $2, $4 }' FS='  +' out >got
tap_ok "roots below the limit are left out" test "$(wc -l <got)" -eq 3
tap_like "and summed up" out "^  2 more, each below the limit, with 26\.54 %"
# shellcheck disable=SC2016 # awk's own
tap_ok "each root has at least 15 %" awk '$1 + 0 < 15 { exit 1 }' got
tap_run report -g nonsense recording
tap_error "a tree of no known order" 2 "--tree.*caller, callee"
for limit in -1 101 1x nan ""; do
	tap_run report --percent-limit "$limit" recording
	tap_error "--percent-limit '$limit'" 2 "--percent-limit takes 0 to 100"
done

# ------------------------------------------------------------ there and back

# Folded stacks hold no times, so only sleeps can be compared.
sleeps()
{
	jq -S '[.lock_sleeps, .other_sleeps | map({ class, mode, family, kind,
		site, slow_path, sleeps, share_of_sleeps })] |
		map(sort_by(.site, .kind, .class))' "$1"
}

tap_run report --format folded recording
cp out folded
tap_run report --format json recording
sleeps out >want
tap_run report --format json folded
sleeps out >got
tap_cmp "folded stacks give the same sites when read back" got want
tap_run report --format folded folded
sort folded >want
sort out >got
tap_cmp "and the same folded stacks" got want

# Callers that were not recorded stay unknown.
cat >folded <<'END'
exim;...;down_write;rwsem_down_write_slowpath;schedule;__schedule 3
exim;dup_mm;mutex_lock;__mutex_lock;schedule;__schedule 2
END
tap_run report --format json folded
tap_is "callers that are not known" "$(jq -c '[.lock_sleeps[] |
	[.class, .mode, .site, .callers_cut, .sleeps]]' out)" \
	'[["rwsem","W","down_write",true,3],["mutex",null,"dup_mm",false,2]]'
tap_run report --format folded folded
tap_cmp "and again in folded stacks" out folded

# ---------------------------------------------------------------- the schema

schema=$SRCDIR/man/rwsemlab-json.schema.json
python=
for name in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! $name -c 'import jsonschema' 2>/dev/null ||
		python=$name
done
if [ -n "$python" ]; then
	for input in "recording" "--by comm recording" "folded"; do
		# shellcheck disable=SC2086 # words
		tap_run report --format json $input
		cp out got
		tap_ok "the schema describes the JSON of: $input" \
			$python "$formats/check.py" schema got "$schema"
	done
	jq '.lock_sleeps[0].sleeps = -1' got >wrong
	tap_ok "the schema refuses a wrong document" \
		sh -c "! $python $formats/check.py schema wrong $schema"
elif [ "${CI:-}" = true ]; then
	tap_fail "python3-jsonschema is installed (CI=true)"
else
	tap_skip "the schema" "no jsonschema (Debian: python3-jsonschema)"
fi

# -------------------------------------------------------------------- pprof

"$RWSEMLAB" list reports | grep -A 1 '^pprof' >pprof-here
if grep -q 'not here' pprof-here; then
	tap_run report --format pprof -o profile recording
	tap_error "pprof is not built in, and says why" 3 "protobuf-c"
else
	tap_run report --format pprof --by comm -o profile recording
	tap_exit "pprof: exit code" 0
	if command -v protoc >/dev/null; then
		gzip -dc <profile >plain
		protoc --proto_path="$SRCDIR" --decode=pprof.Profile \
			analyze/reports/pprof.proto <plain >decoded
		tap_ok "pprof: numbers" \
			python3 "$formats/check.py" pprof decoded
	else
		tap_skip "pprof: numbers" \
			"no protoc (Debian: protobuf-compiler)"
	fi
	if command -v go >/dev/null; then
		export PPROF_TMPDIR=$PWD HOME=$PWD GOFLAGS=-mod=mod
		tap_ok "go tool pprof opens it" \
			go tool pprof -top -sample_index=sleeps profile
		# flat and cumulative sleeps of the leaf, counted by others
		awk '$1 ~ /^[0-9]+$/ && $6 == "do_wait" { print $1, $4 }' \
			tap_ok.out >got
		jq -r '.other_sleeps[] | select(.kind == "wait4") |
			"\(.sleeps) \(.sleeps)"' <("$RWSEMLAB" report \
			--format json recording) >want
		tap_cmp "go tool pprof has the report's numbers" got want
	else
		tap_skip "go tool pprof" "no go (Debian: golang-go)"
	fi
fi

# ------------------------------------------------------------ where it goes

tap_run report --format json recording
cp out want
tap_run report --format json -o file recording
tap_exit "-o: exit code" 0
tap_is "-o: nothing on stdout" "$(cat out)" ""
tap_cmp "-o: the same report" file want
echo old >kept
tap_run report -o kept nothing-there
tap_exit "an error with -o: exit code" 2
tap_is "an error leaves an older file alone" "$(cat kept)" old
tap_run report -o none/file recording
tap_error "-o in no folder" 2 "cannot write none/file"
tap_is "nothing is left behind" "$(find . -name '*.part')" ""
ln -s target link
echo old >target
chmod 600 target
tap_run report --format json -o link recording
tap_cmp "-o through a link" target want
tap_is "the file keeps its mode" "$(stat -c %a target)" 600
tap_is "the link stays one" "$(readlink link)" target
if [ -c /dev/full ]; then
	tap_run report -o /dev/full recording
	tap_error "a full disk" 2 "cannot write /dev/full: No space left"
	# More than a buffer holds: the write that fails is an early one.
	tap_run report --format json -o /dev/full recording
	tap_error "a full disk, early" 2 "cannot write /dev/full: No space left"
	status=0
	"$RWSEMLAB" report --format json recording >/dev/full 2>err || status=$?
	tap_is "standard output to a full disk, early" "$status $(cat err)" \
		"2 rwsemlab: cannot write to standard output: No space left on device"
fi
if command -v script >/dev/null; then
	status=0
	script -qec "$RWSEMLAB report --format pprof recording" typescript \
		</dev/null >out || status=$?
	if grep -q 'not here' pprof-here; then
		tap_is "pprof on a terminal" "$status" 3
	else
		tap_is "pprof is refused on a terminal" "$status" 2
		tap_like "and says what to do" out "give -o FILE"
	fi
fi
tap_run report --format nonsense recording
tap_error "an unknown format" 2 "no format 'nonsense'.*text, json, csv"
tap_run report --value nonsense recording
tap_error "an unknown value" 2 "--value takes one of sleeps, off_cpu_ns, wait_ns"
tap_run report --format folded --value wait_ns folded
tap_error "a value that was not recorded" 3 "no lock:contention_begin"
tap_done

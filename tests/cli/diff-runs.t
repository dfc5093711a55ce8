#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Comparisons of sessions whose runs are made up, so that every count, every
# p-value and every run that must be left out is known.
. "${SRCDIR:?}/tests/tap.sh"

tap_need_command jq jq
tap_need_command python3 python3

site='exim;anon_vma_clone;down_write;rwsem_down_write_slowpath;schedule;__schedule'
wait='exim;do_wait;schedule;__schedule'
pipe='exim;anon_pipe_read;schedule;__schedule'

# session NAME [HEAD]: an empty session, HEAD added to its session.json
session()
{
	mkdir "$1"
	jq -n --argjson more "${2:-{\}}" '{ format: "rwsemlab-session-1",
		workload: "fork-exit", unit: "fork", options: { vmas: 64 },
		runs: [] } + $more' >"$1/session.json"
}

# run NAME LOCKS WAITS [MORE]: one more run with so many sleeps, 1000 forks
run()
{
	local name=$1 number
	number=$(printf 'run-%03d' $(($(jq '.runs | length' "$name/session.json") + 1)))
	mkdir "$name/$number"
	printf '%s %d\n' "$site" "$2" "$wait" "$3" "$pipe" 500 |
		grep -v ' 0$' >"$name/$number/perf.data"
	jq --arg folder "$number" --argjson more "${4:-{\}}" '.runs += [{
		folder: $folder, result: { work: 1000, work_per_s: 500,
			verification: { checked: 9, failures: 0 },
			problem: null, metrics: {} },
		recording: { lost: 0 } } * $more]' "$name/session.json" >new.json
	mv new.json "$name/session.json"
}

# near DESCRIPTION JQ-EXPRESSION WANT: a number of the document out
near()
{
	local got
	got=$(jq -r "$prelude $2" out)
	# shellcheck disable=SC2016 # jq's own
	tap_ok "$1 (got $got, want $3)" jq -en --arg got "$got" \
		--argjson want "$3" '(($got | tonumber) - $want | fabs) <=
		1e-9 * ($want | fabs)'
}

json()
{
	tap_is "$1" "$(jq -rc "$prelude $2" out)" "$3"
}

prelude='def per(v): v.values.sleeps_per_work;
	def lock: per(.comparisons[0].locks[0].rows[0]);
	def kind(n): per(.comparisons[0].others[] | select(.kind == n));'

# ---------------------------------------------------------- many against many

session base
session new '{ "options": { "vmas": 128 } }'
for i in 0 1 2 3 4 5 6 7 8 9; do
	run base $((100 + i)) $((2000 + i * 7 % 10))
	run new $((200 + i)) $((2000 + i * 3 % 10))
done
tap_run diff --format json base new
tap_exit "ten against ten: exit code" 0
json "the test" '.comparisons[0].test' mann_whitney
# All of one side above all of the other: 2 of 20! / (10! 10!) ways.
near "ten below ten" 'lock.p' "$(jq -n '2 / 184756')"
near "the base's median, per fork" 'lock.base' 0.1045
near "the new one's" 'lock.new' 0.2045
near "their ratio" 'lock.ratio' "$(jq -n '204.5 / 104.5')"
json "is called more" 'lock.verdict' more
json "the interval holds it, and not 1" \
	'lock | .low <= .ratio and .ratio <= .high and .low > 1.8 and .high < 2.1' true
json "the same numbers in another order: no change" \
	'kind("wait4") | [.p, .verdict] | tojson' '[1,"not_shown"]'
json "constant on both sides" 'kind("pipe") | [.ratio, .p, .verdict] | tojson' \
	'[1,1,"not_shown"]'
json "other options are told" '.notes | join("|")' 'options differ: vmas 64 -> 128'

# Benjamini and Hochberg over all lines with a p-value, written down anew.  A
# family of one site is that site once more, not another test.
jq -c '[.comparisons[0] | .locks, .others | .. | objects |
	select(has("status") and (.rows // [] | length) != 1) |
	.values.sleeps_per_work | { p, q }]' out >lines
cat >check.py <<'END'
import json
lines = [x for x in json.load(open("lines")) if x["p"] is not None]
for x in lines:
    worse = [y["p"] for y in lines if y["p"] >= x["p"]]
    want = min(p * len(lines) / sum(z["p"] <= p for z in lines) for p in worse)
    assert abs(x["q"] - min(want, 1)) < 1e-12, (x, want)
assert len(lines) == 3, lines
END
tap_ok "q-values are Benjamini and Hochberg's over all lines" python3 check.py

# As SciPy has it: mannwhitneyu([1, 2, 4, 7], [3, 5, 6, 8]), exact: U = 4, and
# 24 of 70 deals are as far from 8; here counted again by hand.
session four-a
session four-b
for i in 1 2 4 7; do run four-a $((10 * i)) 100; done
for i in 3 5 6 8; do run four-b $((10 * i)) 100; done
tap_run diff --format json four-a four-b
cat >check.py <<'END'
from itertools import combinations
a, b = [1, 2, 4, 7], [3, 5, 6, 8]
far = all_ = 0
for deal in combinations(sorted(a + b), 4):
    all_ += 1
    far += abs(sum(deal) - 18) >= abs(sum(a) - 18)
print(far / all_)
END
near "four against four, mixed" 'lock.p' "$(python3 check.py)"
json "is doubtful or not shown" 'lock.verdict' not_shown
# Two of 70 ways: 2.9 %, more than the rate of 1 %; five a side have 2 of 252.
json "four a side are too few" '[.notes[] |
	select(test("4 runs a side can show no change.*takes 5"))] | length' 1

session three-a
session three-b
for i in 1 2 3; do run three-a $i 100; run three-b $((100 * i)) 100; done
tap_run diff --format json three-a three-b
near "three against three" 'lock.p' 0.1
json "are too few runs for any change" '[.notes[] |
	select(test("3 runs a side can show no change.*takes 5"))] | length' 1
json "and it is not called one" 'lock.verdict' not_shown
tap_run diff --format json base four-a
json "sides of different sizes" '.comparisons[0].test' mann_whitney

# ------------------------------------------------------------------ in pairs

# Student's t of logarithms of ratios, for odd and even degrees of freedom:
# Abramowitz and Stegun, 26.7.3 and 26.7.4.
cat >paired.py <<'END'
import math, sys
logs = [math.log(float(x)) for x in sys.argv[1:]]
n = len(logs)
mean = sum(logs) / n
t = mean / math.sqrt(sum((x - mean) ** 2 for x in logs) / (n - 1) / n)
df = n - 1
angle = math.atan(abs(t) / math.sqrt(df))
sin, cos = math.sin(angle), math.cos(angle)
odd = df % 2
term = total = cos if odd else 1
for k in range(2 + odd, df, 2):
    term *= (k - 1) / k * cos * cos
    total += term
print(1 - (2 / math.pi * (angle + sin * total) if odd else sin * total))
END

# Drift larger than the effect: unpaired nothing, in pairs all of them.
session pairs '{ "vary": { "key": "vmas", "values": ["64", "128"] } }'
for i in 1 2 3 4 5 6 7 8 9 10; do
	for s in 1 2; do
		run pairs $((10 * i * (s == 1 ? 10 : 11 + i % 2))) 100 \
			"{ \"vary\": { \"key\": \"vmas\", \"value\": \"$((64 * s))\",
			\"side\": $s, \"pair\": $i } }"
	done
done
tap_run diff --format json pairs
tap_exit "a varied session makes both sides" 0
json "their names" '[.sides[].name] | join(" | ")' 'pairs vmas=64 | pairs vmas=128'
json "in pairs" '.comparisons[0] | [.test, .pairs] | tojson' '["paired",10]'
near "all ten are larger, by a tenth or two" 'lock.p' \
	"$(python3 paired.py 1.2 1.1 1.2 1.1 1.2 1.1 1.2 1.1 1.2 1.1)"
json "are more" 'lock.verdict' more
near "the ratio of medians" 'lock.ratio' "$(jq -n '630 / 550')"
json "drift is not in the interval" 'lock | [.low, .high] | map(. > 1.09 and . < 1.21) |
	tojson' '[true,true]'

# Five pairs can't have signs that are no chance: 2 of 2^5 ways.
jq '.runs |= .[:10]' pairs/session.json >new.json
cp -r pairs five
mv new.json five/session.json
tap_run diff --format json five
near "five pairs: their signs have a veto" 'lock.p' 0.0625
json "and show no change" 'lock.verdict' not_shown

# One wrong unit, one lossy run: both pairs go.
jq '.runs[4].result.verification.failures = 3 | .runs[9].recording.lost = 7' \
	pairs/session.json >new.json
cp -r pairs broken
mv new.json broken/session.json
tap_run diff --format json broken
tap_exit "runs that failed: exit code" 0
json "eight pairs are left" '.comparisons[0].pairs' 8
near "without the third and the fifth" 'lock.p' \
	"$(python3 paired.py 1.2 1.1 1.1 1.1 1.2 1.1 1.2 1.1)"
json "who was left out, and why" '[.sides[].left_out[] |
	"\(.name): \(.reason)"] | join(" | ")' \
	'broken/run-005: 3 of its units of work were wrong | broken/run-010: 7 events were lost'
json "notes say so" '[.notes[] | select(test("1 of 10 runs left out"))] | length' 2
json "partners are not counted" '[.sides[] | .runs | map(select(.counted | not) |
	.name)] | flatten | join(" ")' 'broken/run-009 broken/run-006'
tap_run diff --allow-lost --format json broken
json "--allow-lost keeps the lossy one" '.comparisons[0].pairs' 9

rm -r broken/run-001
tap_run diff --format json broken
json "a run that is not there is left out" '.comparisons[0].pairs' 7

# ------------------------------------------------------------------ no repeats

session one-a
session one-b
run one-a 5 400
run one-b 15 400
tap_run diff --format json one-a one-b
json "the counts' own uncertainty" '.comparisons[0].test' counts
# 5 or fewer of 20 at even odds, both tails: 2 * 21700 / 2^20
near "5 against 15" 'lock.p' "$(jq -n '2 * 21700 / 1048576')"
json "is noted as such" '[.notes[] | select(test("from run to run"))] | length' 1
tap_run diff one-a one-b
tap_like "text: the note" out '^note: no repeats: .*run to run'
session few-a
session few-b
run few-a 1 400
run few-b 8 400
tap_run diff --format json few-a few-b
json "nine events are too few" 'lock | [.p, .verdict] | tojson' '[null,"too_few"]'

# ----------------------------------------------------------------- halves

session noisy
for i in 1 2 3 4 5 6 7 8; do run noisy $((100 * i)) 300; done
tap_run diff --aa --format json noisy
json "runs 1, 4, 5, 8 and 2, 3, 6, 7" '[.sides[].runs | map(.name[-1:]) | join("")] |
	join(" ")' '1458 2367'
near "one half" 'lock.base' 0.45
near "the other" 'lock.new' 0.45
json "nothing is marked" '.comparisons[0].noise | [.marked_before_control,
	.marked_after_control, .half_of_lines_within] | tojson' '[0,0,0]'
tap_run diff --aa noisy
tap_like "text: the noise floor" out '^Noise floor: of 3 lines, 0 marked before'
tap_run diff --aa one-a
tap_error "one run has no halves" 2 'takes two runs or more'
tap_run diff --aa pairs
tap_error "halves of runs that were varied" 2 'runs of one kind'

# ------------------------------------------------------------- thresholds

while read -r code expression; do
	tap_run diff --fail-if "$expression" base new
	tap_exit "--fail-if '$expression': exit code" "$code"
done <<END
1 lock_sleeps_per_work > 1.05
1 lock_sleeps_per_work>1.05
0 lock_sleeps_per_work < 1.05
0 lock_sleeps_per_work > 2
1 lock_sleeps_per_work >= 1.9
1 lock_sleeps_per_work.low > 1.8
0 lock_sleeps_per_work.high > 2.2
1 anon_vma.sleeps_per_work > 1.9
1 anon_vma_clone.sleeps_per_work > 1.9
0 wait4.sleeps_per_work > 1.05
1 sleeps_per_work <= 1.05
2 sleeps_per_work
2 sleeps_per_work > much
2 sleeps_per_work > 1 or so
2 > 1
2 nonsense > 1
2 nonsense.sleeps_per_work > 1
2 latency_p50_ns > 1
END
tap_run diff --fail-if 'sleeps_per_work > 9' --fail-if 'work_per_s < 1.5' base new
tap_exit "one of two thresholds" 1
tap_like "is named" err "work_per_s < 1.5"
tap_like "and the comparison printed" out '^Sleeping locks'

# ---------------------------------------------------------- hard to compare

session other '{ "workload": "exim", "unit": "message" }'
for i in 1 2 3 4; do run other 50 100; done
tap_run diff --format json base other
tap_exit "other workloads: exit code" 0
json "they are told" '.notes | map(select(test("differ"))) | join(" | ")' \
	'workloads differ: base fork-exit, new exim | units of work differ: base fork, new message'
json "nothing is compared per unit" '.comparisons[0].measure' share_of_sleeps

sed 's/^# os release : 6.18.44/# os release : 5.10.1/; s/nrcpus online : 2/nrcpus online : 80/' \
	"$SRCDIR/tests/data/perf-script/6.18-chains.txt" >script
tap_run diff --format json "$SRCDIR/tests/data/perf-script/6.18-chains.txt" script
json "other kernels and CPUs are told" '.notes | map(select(test("differ"))) |
	join(" | ")' \
	'kernels differ: base 6.18.44, new 5.10.1 | numbers of CPUs differ: base 2, new 80'
sed 's/prev_state=[A-Z]/prev_state=R+/' script >awake
tap_run diff --format json script awake
tap_exit "a side without sleeps: exit code" 0
json "it is told" '[.notes[] | select(test("awake: no sleep was recorded"))] | length' 1
tap_run diff script awake
tap_exit "and in text" 0
tap_run diff --format json awake awake
tap_exit "no sleep on either side" 0
tap_run diff --format json "$SRCDIR/tests/data/perf-report-text/mail.txt" base/run-001/perf.data
tap_exit "shares against counts: exit code" 0
json "it is told" '[.notes[] | select(test("units differ"))] | length' 1
json "and compared by shares" '.comparisons[0].measure' share_of_switches

session lost
run lost 10 20 '{ "recording": { "lost": 5 } }'
run lost 10 20 '{ "recording": { "lost": 5 } }'
tap_run diff --format json base lost
tap_exit "every run lost events" 4
json "and is compared all the same" '.sides[1] | [.untrusted, (.runs | length)] | tojson' \
	'[true,2]'
tap_run diff --allow-lost base lost
tap_exit "--allow-lost" 0
session bad
run bad 10 20 '{ "result": { "verification": { "failures": 1 } } }'
tap_run diff base bad
tap_error "every run failed" 1 'no run can be used; bad/run-001: 1 of its units'
session empty
tap_run diff base empty
tap_error "a session without runs" 2 'no run was finished in this session'

# ---------------------------------------------------------- several paths

tap_run diff --format json one-a,one-b four-a,four-b
json "several sessions are one side" '[.sides[].runs | length] | tojson' '[2,8]'
cp base/run-001/perf.data comma,name
tap_run diff --format json comma,name base/run-002/perf.data
json "a file with a comma in its name" '.sides[0] | [.name, (.runs | length)] | tojson' \
	'["comma,name",1]'
tap_run diff --format json base new four-a
json "each further side against the first" '[.comparisons[] | [.base, .new]] | tojson' \
	'[[0,1],[0,2]]'
tap_run diff base new four-a
tap_is "in text, too" "$(grep -c '^base  base' out)" 2

# ------------------------------------------------------------- the formats

tap_run diff --format markdown base new
tap_ok "markdown: 72 columns, no blanks at the ends" \
	sh -c "! grep -E '^.{73}|[ 	]\$' out"
tap_like "markdown: a site" out '^ +anon_vma_clone +0\.104 +0\.204 +1\.96 +[0-9.]+\.\.[0-9.]+ more$'

tap_run diff --format json base new
cp out document
tap_run diff --format csv base new
cat >check.py <<'END'
import csv, json
document = json.load(open("document"))["comparisons"][0]
want = {}
def add(key, values):
    for name, value in values.items():
        want[key + (name,)] = value
def walk(section, line, level):
    names = tuple((line[s] or {}).get("site", "") for s in ("base", "new"))
    add((section, line.get("family") or line.get("kind") or "") + names, line["values"])
    for row in line.get("rows", []):
        walk(section, row, level + 1)
add(("totals", "", "", ""), document["totals"])
for section in ("locks", "others"):
    for line in document[section]:
        walk(section, line, 0)
got = {}
for row in csv.DictReader(open("out", newline="")):
    key = tuple(row[c] for c in ("section", "family_or_kind", "base_site", "new_site", "measure"))
    assert key not in got, key
    got[key] = row
assert got.keys() == want.keys(), got.keys() ^ want.keys()
for key, value in want.items():
    for name in ("base", "new", "ratio", "low", "high", "p", "q", "runs_needed"):
        cell = got[key][name]
        assert (cell == "") == (value[name] is None), (key, name, cell)
        assert not cell or abs(float(cell) - value[name]) <= 1e-8 * abs(value[name]), (key, name)
    assert got[key]["verdict"] == value["verdict"]
assert len(want) > 20
END
tap_ok "csv has what the JSON document has" python3 check.py

tap_run diff --format tree -g callee --percent-limit 0 one-a one-b
tap_like "tree: the lock is one line, its caller beneath" out \
	'^ +0\.00500 +0\.0150 +3\.00  \[lock anon_vma\] \(rwsem:W\)$'
tap_like "tree: the caller" out '^ +0\.00500 +0\.0150 +3\.00  anon_vma_clone$'
tap_run diff --format tree --value off_cpu_ns one-a one-b
tap_error "tree: times that were not recorded" 3 'not all switches'
tap_run diff --tree nonsense one-a one-b
tap_error "an unknown order" 2 'caller, callee'

schema=$SRCDIR/man/rwsemlab-diff.schema.json
python=
for name in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! $name -c 'import jsonschema' 2>/dev/null ||
		python=$name
done
export PYTHONDONTWRITEBYTECODE=1
if [ -n "$python" ]; then
	while read -r words; do
		# shellcheck disable=SC2086 # words
		tap_run diff --format json $words
		cp out got
		tap_ok "the schema describes the JSON of: $words" $python \
			"$SRCDIR/tests/formats/check.py" schema got "$schema"
	done <<-END
	base new
	--aa noisy
	broken
	script awake
	--fail-if sleeps_per_work>9 one-a one-b four-a
	$SRCDIR/tests/data/perf-report-text/mail.txt base/run-001/perf.data
	END
	jq '.comparisons[0].locks[0].status = "nonsense"' document >wrong
	tap_ok "the schema refuses a wrong document" sh -c \
		"! $python $SRCDIR/tests/formats/check.py schema wrong $schema"
elif [ "${CI:-}" = true ]; then
	tap_fail "python3-jsonschema is installed (CI=true)"
else
	tap_skip "the schema" "no jsonschema (Debian: python3-jsonschema)"
fi
tap_done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a comparison says, against what is known of both sides: percentages of
# a mail of 2013, and counts that are made up here.
. "${SRCDIR:?}/tests/tap.sh"

tap_need_command jq jq

# near DESCRIPTION JQ-EXPRESSION WANT TOLERANCE: a number of the document out
near()
{
	local got
	got=$(jq -r "$2" out)
	if jq -en --arg got "$got" --argjson want "$3" --argjson by "$4" \
		'($got | tonumber) - $want | fabs <= $by' >/dev/null 2>&1
	then
		tap_pass "$1"
	else
		tap_fail "$1"
		tap_diag "$2 is $got, want $3 within $4"
	fi
}

# json DESCRIPTION JQ-EXPRESSION WANT: a text of the document out
json()
{
	tap_is "$1" "$(jq -rc "$2" out)" "$3"
}

# Functions of jq: a family; a site, by its name on either side.
family='def family(n): .comparisons[0].locks[] | select(.family == n);
	def all: ., (.rows // [] | .[] | all);
	def site(n): [.comparisons[0] | (.locks + .others)[] | .rows[] | all |
		select(.base.site == n or .new.site == n)] | first;
	def share: .values.share_of_switches; '

# ------------------------------------------------------------------- 2013

# The shares are products of the percentages along each path of the mail.
golden=$SRCDIR/../shared/data/lkml-2013
if [ -d "$golden" ]; then
	awk '/^vmstat for rw-sem/ { file = "new" } { print > (file ? file : "base") }' \
		"$golden/vmstat.txt"
	tap_run diff --format json --vmstat base,new \
		"$golden/mutex.report.txt" "$golden/rwsem.report.txt"
	tap_exit "2013: exit code" 0
	near "2013: anon_vma under the mutex" \
		"$family family(\"anon_vma\") | share.base * 100" 1.71 0.005001
	near "2013: anon_vma under the rwsem" \
		"$family family(\"anon_vma\") | share.new * 100" 53.19 0.005001
	near "2013: all sleeping locks, mutex" \
		".comparisons[0].totals.lock_share_of_switches.base * 100" \
		2.66 0.005001
	near "2013: all sleeping locks, rwsem" \
		".comparisons[0].totals.lock_share_of_switches.new * 100" \
		53.45 0.005001
	near "2013: context switches a second, base" \
		".comparisons[0].totals.cs_per_s.base" 478325.5 0.1
	near "2013: 1.45 times the base's" \
		".comparisons[0].totals.cs_per_s.ratio" 1.45 0.005
	json "2013: the base is the first" \
		'[.sides[.comparisons[0].base].name, .sides[.comparisons[0].new].name] |
		map(split("/")[-1]) | join(" ")' "mutex.report.txt rwsem.report.txt"

	wrapper='lock_anon_vma_root.clone.24'
	json "2013: the wrapper's partner, suffixes and all" \
		"$family site(\"$wrapper\") | [.base.class, .base.site, .new.class,
		.new.mode, .new.site] | join(\" \")" \
		"mutex $wrapper rwsem W lock_anon_vma_root.clone.27"
	near "2013: $wrapper" "$family site(\"$wrapper\") | share.base * 100" \
		1.33 0.005001
	near "2013: … and its partner" \
		"$family site(\"$wrapper\") | share.new * 100" 42.42 0.005001
	json "2013: callers under the wrapper, known on one side" \
		"$family site(\"$wrapper\") | [.rows[] | .new.site] | join(\" \")" \
		"unlink_anon_vmas anon_vma_clone"
	while read -r site want; do
		near "2013: $site" "$family site(\"$site\") | share.new * 100" \
			"$want" 0.005001
		json "2013: $site is not expanded in the base" \
			"$family site(\"$site\") | [.status, .base, share.base] |
			map(tostring) | join(\" \")" "not_expanded null null"
	done <<-END
	unlink_anon_vmas 22.33
	anon_vma_clone 20.09
	anon_vma_fork 6.50
	anon_vma_free 4.28
	END
	near "2013: exit_shm" "$family site(\"exit_shm\") | share.base * 100" \
		0.64 0.005001
	json "2013: exit_shm's rwsem stays apart" \
		"$family site(\"exit_shm\") | [.status, .base.class, .family, .new] |
		map(tostring) | join(\" \")" "gone rwsem ipc_ids null"
	json "2013: anon_vma_lock.clone.21 is in the family" \
		"$family family(\"anon_vma\") | [.rows[].base.site | strings] |
		sort | join(\" \")" "anon_vma_lock.clone.21 $wrapper"

	tap_run diff --vmstat "$golden/vmstat.txt" \
		"$golden/mutex.report.txt" "$golden/rwsem.report.txt"
	tap_like "2013, text: the family" out \
		'^ +1\.71 % +53\.19 % .* mutex -> rwsem:W +anon_vma$'
	tap_like "2013, text: the wrapper" out \
		'^ +1\.33 % +42\.42 % .* lock_anon_vma_root\.clone\.24 -> lock_anon_vma_root\.clone\.27$'
	tap_like "2013, text: not expanded" out \
		'^ +not expanded +22\.33 % .* unlink_anon_vmas$'
	tap_like "2013, text: exit_shm" out '^ +0\.64 % +- .* gone +rwsem:W +exit_shm$'
	tap_like "2013, text: context switches" out \
		'^ +478,326/s +691,845/s +1\.45 +cs_per_s$'
	tap_like "2013, text: the ratio names its base" out ' new/base '
	tap_like "2013, text: the base is named" out '^base .*mutex\.report\.txt'
else
	tap_skip "the call graphs of 2013" "no $golden"
fi

# ------------------------------------------------- alignment, without repeats

# lock FRAMES COUNT: a folded stack down to the scheduler
lock()
{
	echo "exim;do_fork;$1;schedule;__schedule $2"
}

mutex='mutex_lock;__mutex_lock_slowpath;__mutex_lock_common.isra.6'
write='down_write;call_rwsem_down_write_failed;rwsem_down_write_failed'
read='down_read;rwsem_down_read_slowpath'
percpu='percpu_down_write'

{
	lock "foo_alloc;$mutex" 40
	lock "foo_free;$mutex" 30
	lock "foo_walk;$mutex" 20
	lock "unlink_anon_vmas;lock_anon_vma_root.clone.24;$write" 100
	lock "dup_mmap;$mutex" 50
	lock "old_caller;$write" 60
	lock "read_caller;$read" 15
	echo "exim;do_wait 200"
	echo "exim;pipe_wait;schedule;__schedule 80"
} >base
{
	lock "foo_alloc;$write" 400
	lock "foo_free.constprop.0;$percpu" 300
	lock "foo_walk;$read" 200
	lock "unlink_anon_vmas;anon_vma_lock_write;down_write;rwsem_down_write_slowpath" 110
	lock "dup_mmap;down_write_killable;rwsem_down_write_slowpath" 55
	lock "new_caller;$write" 70
	lock "read_caller;$write" 25
	echo "exim;kernel_wait4;do_wait 210"
	echo "exim;anon_pipe_read;schedule;__schedule 85"
} >new
tap_run diff --format json base new
tap_exit "made up: exit code" 0
pairs="$family"'[.comparisons[0].locks[].rows[] | all] | map([.base.site // "-",
	.base.class // "-", .new.site // "-", .new.class // "-",
	.base.sleeps // 0, .new.sleeps // 0] | map(tostring) | join(" ")) |
	sort | .[]'
jq -r "$pairs" out >got
# dup_mmap: mutex is i_mmap's, down_write_killable mmap_lock's
cat >want <<'END'
- - dup_mmap rwsem 0 55
- - new_caller rwsem 0 70
- - read_caller rwsem 0 25
dup_mmap mutex - - 50 0
foo_alloc mutex foo_alloc rwsem 40 400
foo_free mutex foo_free percpu-rwsem 30 300
foo_walk mutex foo_walk rwsem 20 200
old_caller rwsem - - 60 0
read_caller rwsem - - 15 0
unlink_anon_vmas rwsem unlink_anon_vmas rwsem 100 110
END
tap_cmp "sites meet whatever the primitive, the wrapper and the suffix" got want
json "other sleeps meet by kind" '[.comparisons[0].others[] |
	[.kind, .base.sleeps, .new.sleeps]] | tostring' \
	'[["wait4",200,210],["pipe",80,85]]'
json "what has no partner is new or gone" "$family"'[site("new_caller").status,
	site("old_caller").status] | join(" ")' "new gone"
json "counts alone: the note" '[.notes[] | select(test("run to run"))] | length' 1
json "counts alone: named as such" '.comparisons[0].test' counts

# Binomial: 40 of 440 at even odds of 595 to 1455 sleeps, by R:
# binom.test(40, 440, 595 / 2050)$p.value = 3.7e-22
near "shares of all sleeps" "$family"'site("foo_alloc").values.share_of_sleeps.base' \
	"$(jq -n '40 / 595')" 1e-9
near "and their ratio" "$family"'site("foo_alloc").values.share_of_sleeps.ratio' \
	"$(jq -n '(400 / 1455) / (40 / 595)')" 1e-9
json "many more are more" "$family"'site("foo_alloc").values.share_of_sleeps.verdict' more

# ------------------------------------------- callers that one side hides

# cut FRAMES COUNT: a folded stack whose callers were not recorded
cut()
{
	echo "exim;...;$1;schedule;__schedule $2"
}

{
	cut "lock_anon_vma_root.clone.24;$mutex" 60
	cut "mmap_write_lock;$write" 1
	lock "dup_mmap;mmap_write_lock;$write" 500
	cut "$write" 5
	echo "exim;do_wait 100"
} >base
{
	lock "anon_vma_clone;anon_vma_lock_write;$write" 300
	lock "unlink_anon_vmas;anon_vma_lock_write;$write" 200
	cut "anon_vma_lock_write;$write" 10
	lock "dup_mmap;mmap_write_lock;$write" 510
	lock "vm_new_caller;mmap_write_lock;$write" 400
	lock "small_caller;$write" 4
	lock "small_mutex_caller;$mutex" 4
	lock "large_caller;$write" 40
	echo "exim;do_wait 100"
} >new
tap_run diff --format json base new
json "a renamed wrapper, its callers hidden in the base" "$family"'
	site("lock_anon_vma_root.clone.24") | [.new.site, .base.sleeps,
	.new.sleeps, ([.rows[].new.site] | join(" "))] | tojson' \
	'["anon_vma_lock_write",60,500,"anon_vma_clone unlink_anon_vmas"]'
json "a handful of cut stacks hides no new caller" "$family"'
	site("vm_new_caller").status' new
json "locks without any caller hide what fits into them" "$family"'
	[site("small_caller"), site("small_mutex_caller"), site("large_caller") |
	.status] | join(" ")' "not_expanded not_expanded new"
json "families add up" "$family"'family("anon_vma") | [.base.sleeps, .new.sleeps] |
	tojson' '[60,510]'
# The other way round: sides are swapped, and nothing else.
tap_run diff --format json new base
json "the same with the sides swapped" "$family"'
	site("lock_anon_vma_root.clone.24") | [.base.site, .base.sleeps,
	.new.sleeps, ([.rows[].base.site] | join(" "))] | tojson' \
	'["anon_vma_lock_write",500,60,"anon_vma_clone unlink_anon_vmas"]'
# Both end at the wrapper, and one goes on as well.
{
	cut "lock_anon_vma_root.clone.24;$mutex" 60
	echo "exim;do_wait 100"
} >base
{
	lock "anon_vma_clone;lock_anon_vma_root;$write" 300
	cut "lock_anon_vma_root;$mutex" 10
	echo "exim;do_wait 100"
} >new
tap_run diff --format json base new
json "cut stacks on both sides" "$family"'site("lock_anon_vma_root.clone.24") |
	[.base.sleeps, .new.sleeps, (.rows | length)] | tojson' '[60,310,1]'

# --------------------------------------------------- a recording with times

# The report's own numbers, which formats.t checks, on both sides.
export PYTHONDONTWRITEBYTECODE=1
if command -v python3 >/dev/null; then
	python3 "$SRCDIR/tests/formats/check.py" make recording
	"$RWSEMLAB" report --format json recording >of-one
	tap_run diff --format json --top 0 recording recording
	cat >check.py <<-'END'
	import json
	report, diff = json.load(open("of-one")), json.load(open("out"))
	def near(got, want):
	    return abs(got - want) <= 1e-12 * abs(want)
	seconds = report["recording"]["window_ns"] / 1e9
	lines = {}
	def walk(line):
	    for row in line.get("rows", []):
	        lines[row["type"], row["base"].get("class"), row["base"].get("mode"),
	              row.get("kind"), row["base"]["site"]] = row
	        walk(row)
	comparison = diff["comparisons"][0]
	for family in comparison["locks"] + comparison["others"]:
	    walk(family)
	checked = 0
	for section in ("lock_sleeps", "other_sleeps", "contended_acquisitions"):
	    for row in report[section]:
	        line = lines[row["type"], row.get("class"), row.get("mode"), row.get("kind"), row["site"]]
	        values = line["values"]
	        want = {}
	        if section != "contended_acquisitions":
	            want["sleeps_per_s"] = row["sleeps"] / seconds
	            want["share_of_sleeps"] = row["share_of_sleeps"]
	            if row["off_cpu"]["count"]:
	                want["off_cpu_p50_ns"] = row["off_cpu"]["p50_ns"]
	                want["off_cpu_p99_ns"] = row["off_cpu"]["p99_ns"]
	                want["off_cpu_ns_per_s"] = row["off_cpu"]["sum_ns"] / seconds
	        else:
	            want["acquisitions_per_s"] = row["acquisitions"] / seconds
	            for end in ("no_sleep", "one_sleep", "more_sleeps", "failed"):
	                want[end + "_share"] = row[end] / row["acquisitions"]
	            want["wait_p50_ns"] = row["wait"]["p50_ns"]
	            want["wait_p99_ns"] = row["wait"]["p99_ns"]
	            want["wait_ns_per_s"] = row["wait"]["sum_ns"] / seconds
	        for name, value in want.items():
	            got = values[name]
	            assert near(got["base"], value) and near(got["new"], value), (name, got, value)
	            assert value == 0 or got["ratio"] == 1, (name, got)
	            assert got["verdict"] in ("not_shown", "untested", "too_few"), (name, got)
	            checked += 1
	assert checked > 40, checked
	assert comparison["measure"] == "sleeps_per_s"
	END
	tap_ok "a recording against itself: the report's numbers, no change" \
		python3 check.py
else
	tap_skip "a recording against itself" "no python3 (Debian: python3)"
fi

# ------------------------------------------------------ sides that can't be

tap_run diff base
tap_error "one side only" 2 'what is NEW'
tap_run diff
tap_error "no side" 2 'which BASE and NEW'
tap_run diff base nothing-there
tap_error "a side that is not there" 2 'nothing-there'
tap_run diff --format nonsense base new
tap_error "an unknown format" 2 "no format 'nonsense'; there are text, .*json"
tap_run diff --per nonsense base new
tap_error "an unknown --per" 2 "work, second, all"
tap_run diff --per work base new
tap_error "per work where none was done" 2 "no work in the same unit"
tap_done

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the scripts of bench.d have alike; they source it.  RWSEMLAB is the
# program, and PERF_BENCH tests/perf-bench of the same build.
program=${RWSEMLAB:-./rwsemlab}
# 1 once a limit was missed: the exit code.
# shellcheck disable=SC2034 # of the scripts
missed=0

die()
{
	echo "bench ${0##*/}: $*" >&2
	exit 3
}

"$program" --version >/dev/null || die "no program '$program'; set RWSEMLAB"

# in_folder PARENT: goes to a new folder, which goes with the script
in_folder()
{
	program=$(realpath "$program")
	folder=$(mktemp -d "${TMPDIR:-$1}/rwsemlab-bench.XXXXXX")
	trap 'rm -rf "$folder"' EXIT
	trap 'exit 130' INT TERM HUP
	cd "$folder" || exit 3
}

# need_perf_bench: the program that makes and times files is $bench
need_perf_bench()
{
	bench=${PERF_BENCH:-$(dirname "$program")/tests/perf-bench}
	[ -x "$bench" ] ||
		die "no '$bench'; make check-programs, or set PERF_BENCH"
	bench=$(realpath "$bench")
}

# once NAME COMMAND...: appends "NAME SECONDS KIB" to results
once()
{
	local name=$1
	shift
	"$bench" time "$@" >out 2>measured || die "$name: $(head -n 1 measured)"
	echo "$name $(tail -n 1 measured)" >>results
}

# median NAME [COLUMN]: of the lines of results with that name, of their seconds
# unless said otherwise
median()
{
	awk -v n="$1" -v c="${2:-2}" '$1 == n { print $c }' results | sort -g |
		awk '{ v[NR] = $1 }
			END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# judge KEPT TEXT VALUE WORDS LIMIT
judge()
{
	if [ "$1" = 1 ]; then
		echo "  kept: $2: $3, $4 $5"
	else
		echo "  MISSED: $2: $3, $4 $5"
		# shellcheck disable=SC2034
		missed=1
	fi
}

# limit TEXT VALUE MAXIMUM
limit()
{
	judge "$(awk -v v="$2" -v m="$3" 'BEGIN { print (v <= m) }')" \
		"$1" "$2" "at most" "$3"
}

# at_least TEXT VALUE MINIMUM
at_least()
{
	judge "$(awk -v v="$2" -v m="$3" 'BEGIN { print (v >= m) }')" \
		"$1" "$2" "at least" "$3"
}

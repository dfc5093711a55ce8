#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of addresses in a recording, against perf's, against /proc/kallsyms
# read by awk, and with the files of the recording moved, stripped, replaced.
. "${SRCDIR:?}/tests/tap.sh"

tap_need_command perf linux-perf
tap_need_command cc gcc
tap_need_command objcopy binutils
tap_need_recording
case $(uname -m) in
x86_64 | aarch64) ;;
*) tap_skip_rest "the test program's sleep is written for x86-64 and arm64" ;;
esac
unset DEBUGINFOD_URLS PERF_BUILDID_DIR

# perf's build-id cache, and ours, go below this folder.
HOME=$PWD/home
export HOME
mkdir home

# Sleeps in the system call itself: the C library has no frame pointers.
cat >tool.c <<'END'
#include <time.h>
#include <sys/syscall.h>
static __attribute__((noinline)) void sleep_inner(void)
{
	struct timespec t = { 0, 2000000 };
#ifdef __x86_64__
	long ret;
	__asm__ volatile("syscall" : "=a"(ret)
			 : "a"(SYS_nanosleep), "D"(&t), "S"(0)
			 : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_nanosleep;
	register void *first __asm__("x0") = &t;
	register long second __asm__("x1") = 0;
	__asm__ volatile("svc 0" : "+r"(first)
			 : "r"(number), "r"(second) : "memory");
#endif
}
static __attribute__((noinline)) void SECOND(void)
{
	sleep_inner();
	__asm__ volatile("");
}
__attribute__((noinline)) void sleep_outer(void)
{
	SECOND();
	__asm__ volatile("");
}
int main(void)
{
	int i;
	for (i = 0; i < 20; i++)
		sleep_outer();
	return 0;
}
END
build()
{
	cc -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls \
		-Wl,--build-id -DSECOND="$1" -o tool tool.c ||
		tap_bail "the compiler fails"
}

# record FILE ARGUMENT...: switches, with call chains.  When perf 6.1 reads the
# build-ids at its end, it often dies; with the mappings it does not.
by_mapping=--buildid-mmap
perf record -h 2>&1 | grep -q -e "$by_mapping" || by_mapping=
record()
{
	local file=$1
	shift
	perf record -q -e sched:sched_switch -g ${by_mapping:+"$by_mapping"} \
		-o "$file" "$@" >record.out 2>&1 ||
		tap_bail "perf record: $(head -n 1 record.out)"
}

# Stacks of the tool, outermost first from main or where it begins, as
# "count stack"; what the C library does before main is left out.
ours()
{
	tap_run report --format folded "$1"
	awk '{ count = $NF; sub(/ [0-9]+$/, "")
		if (!sub(/^tool;(.*;)?main;/, "main;")) next
		sum[$0] += count }
		END { for (s in sum) print sum[s], s }' out | sort
}

# The same from perf script; names without the suffixes of compilers.
perfs()
{
	perf script -i "$1" -F comm,trace,ip,sym 2>/dev/null | awk '
		function done() {
			if (stack ~ /^main;/ && state !~ /^R/) sum[stack]++
			stack = ""
		}
		/^[^ \t]/ { done(); mine = $1 == "tool"
			state = $0; sub(/.*prev_state=/, "", state) }
		mine && /^[ \t]+[0-9a-f]+ / && stack !~ /^main;/ {
			sub(/\.(isra|constprop|part|cold).*/, "", $2)
			stack = stack == "" ? $2 : $2 ";" stack
		}
		END { done(); for (s in sum) print sum[s], s }' | sort
}

# ------------------------------------------------------------- user code
build sleep_middle
record full.data -- ./tool
perfs full.data >want
ours full.data >got
tap_like "perf names the tool's functions" want \
	'^[0-9]+ main;sleep_outer;sleep_middle;sleep_inner;.*schedule'
tap_cmp "a program with symbols: the stacks and counts of perf" got want

cp tool tool.full
strip tool
record stripped.data -- ./tool
ours stripped.data >got
tap_is "stripped: no main" "$(wc -l <got)" 0
tap_like "stripped: offsets in the file" out \
	'^tool;.*tool\+0x[0-9a-f]+;tool\+0x[0-9a-f]+;.*schedule'

objcopy --only-keep-debug tool.full tool.debug
objcopy --add-gnu-debuglink=tool.debug tool
record stripped.data -- ./tool
ours stripped.data >got
tap_like "a debug link beside it" got \
	'^[0-9]+ main;sleep_outer;sleep_middle;sleep_inner;.*schedule'
perfs stripped.data >want
tap_cmp "a debug link: the stacks and counts of perf" got want

mkdir .debug
mv tool.debug .debug
ours stripped.data >got
tap_cmp "a debug link in .debug: the same" got want

# Addresses of nm and addr2line, one by one, are in tests/unit already; here
# the file is replaced by another one with other names.
build sleep_middle
record before.data -- ./tool
perf buildid-cache --add ./tool || tap_bail "perf buildid-cache fails"
build renamed_middle
ours before.data >got
tap_like "replaced since: the names of the recorded file, from perf's cache" \
	got '^[0-9]+ main;sleep_outer;sleep_middle;sleep_inner;'
tap_unlike "replaced since: no name of the new file" out renamed_middle
mv home/.debug home/elsewhere
ours before.data >got
tap_is "replaced and not in the cache: no names" "$(wc -l <got)" 0
tap_unlike "replaced and not in the cache: no name of the new file" out \
	renamed_middle
tap_run report before.data
cat err >>out
tap_like "replaced and not in the cache: a warning names the file" out \
	'changed since the recording.*/tool'
mv home/elsewhere home/.debug

# --------------------------------------------------------------- the kernel
record all.data -a -- sleep 1

# kernel_stacks NAMES: "outermost;...;leaf" of each sleep's kernel frames;
# NAMES is a table of address, "leaf" or "call", name
kernel_stacks()
{
	perf script -i all.data -F comm,trace,ip 2>/dev/null | awk -v table="$1" '
		BEGIN { while ((getline line <table) > 0) {
			split(line, f, " "); name[f[1] " " f[2]] = f[3] } }
		function done() {
			if (stack != "" && state !~ /^R/) sum[stack]++
			stack = ""
		}
		/^[^ \t]/ { done(); state = $0
			sub(/.*prev_state=/, "", state); user = 0 }
		/^[ \t]+[0-9a-f]+/ {
			if ($1 !~ /^ffff............$/) user = 1
			if (user) next
			n = name[$1 " " (stack == "" ? "leaf" : "call")]
			stack = stack == "" ? n : n ";" stack
		}
		END { done(); for (s in sum) print sum[s], s }' | sort
}

# Each address as a leaf and, one byte back, as a return address, among the
# symbols in order: its name is that of the last symbol before it.
perf script -i all.data -F ip 2>/dev/null | awk '
	/^$/ { user = 0; next }
	{ if ($1 !~ /^ffff............$/) user = 1; if (!user) print $1 }' |
	sort -u >addresses
while read -r address; do
	echo "$address ~q $address leaf"
	printf '%x ~q %s call\n' $((16#$address - 1)) "$address"
done <addresses >queries
if awk '$2 ~ /[tTwW]/ && $1 !~ /^0+$/ { exit 1 }' /proc/kallsyms
then
	tap_skip_rest "/proc/kallsyms shows no addresses"
fi
awk '$2 ~ /[tTwW]/ { printf "%s %08d %s\n", $1, NR, $3 }' \
	/proc/kallsyms | sort -k 1,2 - queries | awk '
	$2 == "~q" { print $3, $4, last; next }
	{ last = $3; sub(/\.(isra|constprop|part|cold).*/, "", last) }' >names
kernel_stacks names >want
tap_ok "there are kernel stacks" test "$(wc -l <want)" -gt 3

# kernel_ours: the same from the program; a task's own code ends where it
# enters the kernel
kernel_ours()
{
	tap_run report --format folded "$@" all.data
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";")
		for (i = 2; i < n; i++)
			if (f[i] ~ /^(entry_SYSCALL|asm_|el0t_|ret_from_fork)/)
				break
		if (i == n) i = 2
		for (stack = f[i++]; i <= n; i++) stack = stack ";" f[i]
		sum[stack] += count }
		END { for (s in sum) print sum[s], s }' out | sort
}
kernel_ours >got
tap_cmp "the kernel's stacks, from /proc/kallsyms: as awk names them" got want
# perf copies the kallsyms into its cache when it has recorded.
(perf record -q -e sched:sched_switch -o plain.data -- ./tool; :) \
	>record.out 2>&1
if [ -n "$(find home/.debug -name kallsyms)" ]; then
	kernel_ours >got
	tap_cmp "the kernel's stacks, from perf's cache" got want
else
	tap_skip "the kernel's stacks, from perf's cache" "perf made no copy"
fi
cp /proc/kallsyms kallsyms.copy
kernel_ours --kallsyms kallsyms.copy >got
tap_cmp "the kernel's stacks, from --kallsyms" got want

# perf looks return addresses up as they are, so only those differ that are
# right behind a call that does not return.
perf script -i all.data -F ip,sym,symoff --kallsyms kallsyms.copy 2>/dev/null |
	awk '/^$/ { user = 0; next }
		{ if ($1 !~ /^ffff............$/) user = 1
		split($2, f, "+")
		if (user || f[2] == "0x0") next
		sub(/\.(isra|constprop|part|cold).*/, "", f[1])
		print $1, f[1] }' | sort -u >perf.names
awk '$2 == "call" { print $1, $3 }' names | sort -u >our.names
join perf.names our.names | awk '{ n++; if ($2 != $3) { print; bad++ } }
	END { print n + 0, "addresses,", bad + 0, "named otherwise" }' >compared
tap_like "perf agrees about each address inside a function" compared \
	'^[1-9][0-9]* addresses, 0 named otherwise$'

sed 's/^[0-9a-f]*/0000000000000000/' kallsyms.copy >hidden
tap_run report --kallsyms hidden all.data
tap_error "a kallsyms without addresses says which sysctl hides them" 2 \
	'hidden: .*kptr_restrict'
tap_run report --kallsyms absent all.data
tap_error "a kallsyms that is not there" 2 'absent: .*No such file'
tap_run report --vmlinux tool all.data
tap_error "a vmlinux of another build" 2 'tool: .*another kernel: build-id'
mkfifo pipe
tap_run report --kallsyms pipe all.data
tap_error "a pipe is not waited for" 2 'pipe: not a regular file'
tap_done

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""perf-lock.py SITES REPORT <PERF: perf's rows of contended locks against ours.

SITES is what `rwsemlab list sites` prints, REPORT our JSON, PERF the output of
`perf lock contention --stack-skip 0 -v`, which has each row's stack.  Who
asked is worked out anew from perf's stack and the rules, and counts are
compared by lock and caller.  Rows whose caller perf names otherwise, by its
own rule to skip the kernel's lock and scheduler sections, are listed with the
stack that shows it.
"""
import collections
import fnmatch
import json
import re
import sys

SUFFIX = re.compile(r"\.(isra|constprop|part|clone|cold|llvm|lto_priv)(\.\d+)?")
ROW = re.compile(r"\s*(\d+)\s+[\d.]+ \ws\s+[\d.]+ \ws\s+[\d.]+ \ws\s+(\S+)"
                 r"\s+(\S+)$")
FRAME = re.compile(r"\s+0x[0-9a-f]+\s+(\S+)$")


def function(name):
    return SUFFIX.sub("", re.sub(r"\+0x[0-9a-f]+$", "", name))


def rows(lines):
    found = []
    for line in lines:
        row = ROW.match(line)
        frame = FRAME.match(line)
        if row:
            found.append((int(row[1]), row[2], function(row[3]), []))
        elif frame and found:
            found[-1][3].append(function(frame[1]))
    return found


def read_rules(path):
    found = collections.defaultdict(list)
    for line in open(path):
        words = line.split()
        if words:
            found[words[0]].append(words[1])
    return found


def matches(patterns, name):
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)


def caller(stack, rules):
    for name in stack:
        if not matches(rules["lock"] + rules["wrap"] + rules["unlock"], name):
            return name
    return None


def main():
    rules = read_rules(sys.argv[1])
    report = json.load(open(sys.argv[2]))
    ours = collections.Counter()
    for row in report["contended_acquisitions"]:
        ours[row["site"]] += row["acquisitions"]
    theirs = collections.Counter()
    same = others = 0
    for count, _, named, stack in rows(sys.stdin):
        who = caller(stack, rules)
        theirs[who] += count
        if who == named:
            same += count
            continue
        others += count
        reason = ("skips a section" if matches(rules["skip"], who or "")
                  else "names a wrapper" if matches(
                      rules["wrap"] + rules["unlock"], named)
                  else "WRONG")
        print(f"{reason}: {count} {named}, not {who}: {' < '.join(stack)}")
    print(f"total: {sum(theirs.values())} {sum(ours.values())}")
    print(f"same caller: {same}, explained: {others}")
    for name in sorted(set(ours) | set(theirs), key=str):
        if ours[name] != theirs[name]:
            print(f"DIFFERS: {name}: perf {theirs[name]}, ours {ours[name]}")


main()

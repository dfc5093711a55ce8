# SPDX-License-Identifier: GPL-2.0-only
"""usage: check.py make FILE [SEED] | check.py WHAT FILE [ARGUMENT]

make writes the recording; the others compare what a report format printed of
it with what was counted when it was made up.  Exit code 1: they differ.
"""
import csv
import json
import re
import sys

from recording import Recording

WEIGHTS = ["sleeps", "off_cpu_ns", "wait_ns"]
RECORDING = Recording(7, 3000)


def same(what, got, want):
    if got == want:
        return
    print("%s differ" % what)
    if isinstance(got, dict) and isinstance(want, dict):
        for key in sorted(set(got) | set(want), key=str):
            if got.get(key) != want.get(key):
                print("  %s: got %s, want %s" % (key, got.get(key), want.get(key)))
    else:
        print("  got %s, want %s" % (got, want))
    sys.exit(1)


def weigh(paths, weight):
    return {path: w[weight] for path, w in paths.items() if w.get(weight)}


def folded(path, weight):
    got = {}
    for line in open(path, encoding="utf-8"):
        names, count = line.rstrip("\n").rsplit(" ", 1)
        names = [n for n in names.split(";") if n not in (
            "__schedule", "schedule", "schedule_preempt_disabled")]
        got[(names[0], tuple(names[1:]))] = int(count)
    want = {}
    for (comm, names), count in weigh(RECORDING.paths, weight).items():
        want[(comm.replace(";", ":"), names)] = count
    same("folded stacks", got, want)


def speedscope(path):
    document = json.load(open(path, encoding="utf-8"))
    names = [f["name"] for f in document["shared"]["frames"]]
    same("profiles", len(document["profiles"]), len(WEIGHTS))
    for profile, weight in zip(document["profiles"], WEIGHTS):
        stacks = [tuple(names[i] for i in s) for s in profile["samples"]]
        same("numbers of distinct stacks", len(set(stacks)), len(stacks))
        want = weigh(RECORDING.without_comm(), weight)
        same(weight, dict(zip(stacks, profile["weights"])), want)
        same("end values", profile["endValue"], sum(want.values()))
        same("units", profile["unit"], "none" if weight == "sleeps" else "nanoseconds")


def quoted(text):
    return bytes(text, "latin-1").decode("unicode_escape").encode("latin-1").decode("utf-8")


def parse_proto(path):
    """protoc --decode's text as a list of (name, value or list)."""
    stack = [[]]
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith("{"):
            stack[-1].append((line[:-2], []))
            stack.append(stack[-1][-1][1])
        else:
            name, value = line.split(": ", 1)
            stack[-1].append((name, quoted(value[1:-1]) if value[0] == '"' else
                              value == "true" or int(value)))
    return stack[0]


def pprof(path):
    top = parse_proto(path)
    every = lambda fields, name: [v for n, v in fields if n == name]
    first = lambda fields, name: (every(fields, name) or [0])[0]
    strings = every(top, "string_table")
    same("first strings", strings[0], "")
    functions = {first(f, "id"): strings[first(f, "name")] for f in every(top, "function")}
    mappings = {first(m, "id"): m for m in every(top, "mapping")}
    locations = {}
    for location in every(top, "location"):
        line = first(location, "line")
        locations[first(location, "id")] = functions[first(line, "function_id")]
        mapping = mappings[first(location, "mapping_id")]
        assert first(mapping, "memory_start") <= first(location, "address")
        assert first(location, "address") < first(mapping, "memory_limit")
    types = [(strings[first(t, "type")], strings[first(t, "unit")])
             for t in every(top, "sample_type")]
    same("types", types, [("sleeps", "count"), ("off_cpu", "nanoseconds"),
                          ("contentions", "count"), ("wait", "nanoseconds")])
    got = [{} for _ in types]
    for sample in every(top, "sample"):
        names = tuple(reversed([locations[i] for i in every(sample, "location_id")]))
        labels = {strings[first(l, "key")]: strings[first(l, "str")]
                  for l in every(sample, "label")}
        for into, value in zip(got, every(sample, "value")):
            if value:
                key = (labels["comm"], names)
                into[key] = into.get(key, 0) + value
    for into, weight in zip(got, ["sleeps", "off_cpu_ns", "acquisitions", "wait_ns"]):
        same(weight, into, weigh(RECORDING.paths, weight))


def site_of(row):
    lock = row["class"] + (":" + row["mode"] if row["mode"] else "")
    return (lock or row["kind"], row["site"])


def table(path):
    rows = list(csv.DictReader(open(path, encoding="utf-8", newline="")))
    for section, column, weight in [
            (("lock_sleeps", "other_sleeps"), "sleeps", "sleeps"),
            (("lock_sleeps", "other_sleeps"), "off_cpu_sum_ns", "off_cpu_ns"),
            (("lock_sleeps", "other_sleeps"), "off_cpu_count", "woken"),
            (("contended_acquisitions",), "acquisitions", "acquisitions"),
            (("contended_acquisitions",), "wait_sum_ns", "wait_ns")]:
        got = {site_of(r): int(r[column]) for r in rows if r["section"] in section}
        same(column, got, weigh(RECORDING.sites, weight))
    sleeps = RECORDING.total("sleeps")
    for row in rows:
        if row["section"] != "contended_acquisitions":
            share = int(row["sleeps"]) / sleeps
            same("shares", abs(float(row["share_of_sleeps"]) - share) < 1e-8, True)


def prefixes(paths, callee):
    """What each beginning of a path adds up to, as a call tree shows it."""
    sums = {}
    for names, count in paths.items():
        names = tuple(reversed(names)) if callee else names
        for end in range(1, len(names) + 1):
            sums[names[:end]] = sums.get(names[:end], 0) + count
    return sums


def read_tree(path):
    """The paths of a printed tree and the numbers beside them."""
    nodes, chains, number = {}, {}, None
    lines = open(path, encoding="utf-8").read().split("Call trees, ")[1].split("\n")[3:]
    for line in lines:
        match = re.match(r"^ +[<\d.]+ % +([\d,]+)  (.*)$", line)
        if match:
            number = int(match[1].replace(",", ""))
        rest = match[2] if match else line[22:]
        found = re.match(r"^((?:\|  |   )*)(\|- |`- )?(.*)$", rest)
        if not line.strip():
            chains, number = {}, None
            continue
        depth = len(found[1])
        if found[2]:
            above, depth = chains[depth], depth + 3
        else:
            above = chains.get(depth, ())
        chains[depth] = above + (found[3],)
        nodes[chains[depth]] = number
    return nodes


def tree(path, order):
    want = prefixes(weigh(RECORDING.without_comm(), "sleeps"), order == "callee")
    same("nodes", read_tree(path), want)


def timeline(path):
    time = json.load(open(path, encoding="utf-8"))["switches_over_time"]
    first = RECORDING.kinds[0][0]
    start = min(first, int(re.search(r" (\d+)\.(\d+): ", RECORDING.text[0])[0]
                           .strip(" :").replace(".", "")))
    got = {k: dict((i, n) for i, n in enumerate(time[k]) if n)
           for k in ("sleeps", "preemptions", "from_idle")}
    want = {"sleeps": {}, "preemptions": {}, "from_idle": {}}
    for at, kind in RECORDING.kinds:
        slot = (at - start) // time["slice_ns"]
        want[kind][slot] = want[kind].get(slot, 0) + 1
    same("slices", got, want)


def strict(schema):
    """Documented keys only; the schema itself lets later versions add some."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)
    return schema


def schema(path, schema_path):
    import jsonschema
    document = json.load(open(path, encoding="utf-8"))
    rules = json.load(open(schema_path, encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(rules)
    jsonschema.Draft7Validator(rules).validate(document)
    jsonschema.Draft7Validator(strict(rules)).validate(document)


def make(path, seed="7"):
    with open(path, "w", encoding="utf-8") as file:
        recording = RECORDING if seed == "7" else Recording(int(seed), 3000)
        file.write("\n".join(recording.text) + "\n")


if __name__ == "__main__":
    {"make": make, "folded": folded, "speedscope": speedscope, "pprof": pprof, "csv": table,
     "tree": tree, "timeline": timeline, "schema": schema}[sys.argv[1]](*sys.argv[2:])

# check_pprof.py SCORE DECODED - what `protoc --decode` printed: the rules of profile.proto and the numbers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ast
import sys

import score


def parse(lines):
    """A message in text form: {field: [value or message, ...]}."""
    message = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            message.setdefault(line[:-1].strip(), []).append(parse(lines))
            continue
        name, value = line.split(": ", 1)
        assert not name.isdigit(), "a field that profile.proto does not have: " + line
        if value.startswith('"'):
            value = ast.literal_eval("b" + value).decode("utf-8")
        else:
            value = {"true": 1, "false": 0}.get(value, value)
            value = int(value)
        message.setdefault(name, []).append(value)
    return message


def one(message, name):
    return message.get(name, [0])[0]


document = score.load(sys.argv[1])
profile = parse(iter(open(sys.argv[2], encoding="utf-8")))
strings = profile["string_table"]
assert strings[0] == "" and len(set(strings)) == len(strings)
types = [(strings[one(t, "type")], strings[one(t, "unit")]) for t in profile["sample_type"]]
assert types[:4] == [("alloc_objects", "count"), ("alloc_space", "bytes"),
                     ("inuse_objects", "count"), ("inuse_space", "bytes")]
assert strings[one(profile, "default_sample_type")] in dict(types)
assert one(profile, "period") == 1

mappings = {m["id"][0]: m for m in profile.get("mapping", [])}
locations = {l["id"][0]: l for l in profile.get("location", [])}
functions = {f["id"][0]: f for f in profile.get("function", [])}
assert 0 not in mappings and 0 not in locations and 0 not in functions
assert strings[profile["mapping"][0]["filename"][0]] == score.clean(document["processes"][0]["program"])
for location in locations.values():
    mapping = one(location, "mapping_id")
    if mapping:
        assert one(mappings[mapping], "memory_start") <= one(location, "address")
        assert one(location, "address") < one(mappings[mapping], "memory_limit")
    assert all(one(line, "function_id") in functions for line in location.get("line", []))


def stack_of(sample):
    """(function, file, line) of each frame, leaf first, as samples and inlining have it."""
    for number in sample.get("location_id", []):
        for line in locations[number].get("line", [{}]):
            f = functions.get(one(line, "function_id"), {})
            yield strings[one(f, "name")], strings[one(f, "filename")], one(line, "line")


members = {"alloc_objects": "chunks", "alloc_space": "bytes",
           "inuse_objects": "live_chunks", "inuse_space": "live_bytes",
           "peak_space": "bytes_at_global_peak", "unused_space": "unused",
           "write_only_space": "write_only", "accessed_space": "bytes_accessed",
           "reads": "reads", "writes": "writes"}
points = {p["id"]: p for p in document["points"]}
samples = profile.get("sample", [])
assert len(samples) == len(points)
for sample in samples:
    labels = {strings[one(l, "key")]: strings[one(l, "str")] or one(l, "num")
              for l in sample["label"]}
    assert len(labels) == len(sample["label"]), "a key twice"
    point = points.pop(labels["point"])
    assert labels.get("type") == (point["type"] and score.clean(point["type"]))
    assert labels["pid"] == point["pid"]
    for (name, unit), value in zip(types, sample["value"]):
        if name in members:
            wanted = score.metric(point, members[name])
            assert value == min(wanted, 2**63 - 1), (name, value, wanted)
        else:
            mean = point["lifetime_ns"]["mean"]
            wanted = mean * (point["chunks"] - point["live_chunks"]) if mean else 0
            assert name == "lifetime" and abs(value - wanted) <= 0.5 + 1e-9 * wanted
    found = list(stack_of(sample))
    wanted = [(score.clean(f["function"]), score.clean(f["file"] or ""), 0 if f.get("line_is_near") else f["line"] or 0)
              if f["function"] is not None else ("", "", 0) for f in point["stack"]]
    assert found == wanted, (found, wanted)

"""check_resident.py DOCUMENT MOMENT: parts of the process's memory are those of standard input, within 5 % of all.
They add up to the whole, and little is of no part.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

with open(sys.argv[1]) as file:
    (process,) = json.load(file)["processes"]
found = process["process_memory"][sys.argv[2]]
expected = dict(line.split() for line in sys.stdin)
parts = {name: value for name, value in found.items() if name not in ("at_ns", "rss_bytes")}
assert sum(parts.values()) == found["rss_bytes"], found
allowed = found["rss_bytes"] * 0.05
assert parts["other_bytes"] <= allowed, found
for name, value in expected.items():
    assert abs(found[name + "_bytes"] - int(value)) <= allowed, (name, value, found)

# check_massif.py SCORE FILE - snapshots and their trees: sums, order, folding, and the numbers of the JSON document.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

import score

document = score.load(sys.argv[1])
lines = open(sys.argv[2], encoding="utf-8").read().split("\n")
assert re.match(r"desc: ", lines[0]) and lines[1].startswith("cmd: ") and lines[2] == "time_unit: ms"
at = 3


def node(depth):
    """Reads a node and those below it; its bytes."""
    global at
    match = re.fullmatch(r"( *)n(\d+): (\d+) (.*)", lines[at])
    assert match and len(match[1]) == depth, lines[at]
    at += 1
    number = int(match[3])
    below = [node(depth + 1) for _ in range(int(match[2]))]
    assert sum(below) <= number
    assert not below or sum(below) == number or depth > 0 or any(not p["stack"] for p in document["points"])
    if "below massif's threshold" not in match[4]:
        assert depth == 0 or re.fullmatch(r"0x[0-9a-f]+: .+ \((.*:\d+|in .*)\)", match[4]), match[4]
    return number


last, number, seen = 0, 0, {}
while lines[at]:
    assert lines[at:at + 3] == ["#-----------", f"snapshot={number}", "#-----------"]
    values = dict(line.split("=") for line in lines[at + 3:at + 8])
    at += 8
    assert int(values["time"]) >= last and values["mem_heap_extra_B"] == values["mem_stacks_B"] == "0"
    last, number = int(values["time"]), number + 1
    if values["heap_tree"] != "empty":
        assert node(0) == int(values["mem_heap_B"])
        seen[values["heap_tree"]] = int(values["mem_heap_B"])
assert at == len(lines) - 1
assert seen.get("peak", 0) == score.total(document, "bytes_at_global_peak")
assert seen.get("detailed", 0) == score.total(document, "live_bytes")

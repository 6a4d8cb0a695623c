# check_callgrind.py SCORE FILE - inclusive costs of every function, worked out as callgrind's readers do.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import re
import sys

import score

EVENTS = ["bytes", "chunks", "bytes_at_global_peak", "live_bytes", "reads", "writes", "unused"]
document = score.load(sys.argv[1])
lines = open(sys.argv[2], encoding="utf-8").read().split("\n")
assert lines[:2] == ["# callgrind format", "version: 1"]
names = {"ob": {}, "fl": {}, "fn": {}}
current, called, summary = {}, {}, None
own, inclusive = collections.Counter(), collections.Counter()
for line in lines:
    if line.startswith("summary:"):
        summary = [int(n) for n in line.split()[1:]]
    match = re.fullmatch(r"(c?)(ob|fl|fi|fn)=\((\d+)\)(?: (.*))?", line)
    if match:
        kind = "fl" if match[2] == "fi" else match[2]
        if match[4] is not None:
            assert match[3] not in names[kind], "named twice: " + line
            names[kind][match[3]] = match[4]
        (called if match[1] else current)[kind] = names[kind][match[3]]
    elif line.startswith("calls="):
        is_call = True
        calls = int(line.split("=")[1].split()[0])
        continue
    elif re.match(r"\d", line):
        costs = [int(n) for n in line.split()[1:]]
        assert len(costs) == len(EVENTS)
        here = (current["ob"], current["fl"], current["fn"])
        for event, cost in zip(EVENTS, costs):
            inclusive[here, event] += cost
            if not is_call:
                own[event] += cost
        assert not is_call or calls == costs[1]
    is_call = False

assert summary == [score.total(document, e) for e in EVENTS]
assert summary == [score.saturate(own[e]) for e in EVENTS]
wanted = collections.Counter()
for point in document["points"]:
    path = []
    for f in reversed(point["stack"]):
        function = (score.clean(f["module"] or "???"), score.clean(f["file"] or "???"), score.function(f))
        if function in path:
            del path[path.index(function):]
        path.append(function)
    for function in path or [("???", "???", "(no stack)")]:
        for event in EVENTS:
            wanted[function, event] += score.metric(point, event)
for key in {*inclusive, *wanted}:
    assert score.saturate(inclusive[key]) == score.saturate(wanted[key]), (key, inclusive[key], wanted[key])

# mallocx.py SCORE - has each function of mallocx.c the chunks that it asked jemalloc's functions for?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
faults = []


def check(what, value, expected):
    if value != expected:
        faults.append(f"{what}: {value!r}, not {expected!r}")


process = document["processes"][0]
check("failed", process["failed_requests"], 2)
check("not ours", process["invalid_frees"], 0)
functions = ("make", "grow", "aligned", "large", "mixed", "stays")
points = {}
for point in document["points"]:
    name = next((f["function"] for f in point["stack"] if f["function"] in functions), None)
    points.setdefault(name, []).append(point)
for name, chunks, size, live in (
        ("make", 100, sum(range(100, 200)), 0), ("grow", 100, sum(range(300, 400)), 50),
        ("aligned", 2, 5000 + 20000, 0), ("large", 1, 200000, 0),
        ("mixed", 6, 10 + 11 + 12 + 13 + 500 + 600, 0)):
    check(f"{name} chunks", sum(p["chunks"] for p in points[name]), chunks)
    check(f"{name} bytes", sum(p["bytes"] for p in points[name]), size)
    check(f"{name} live", sum(p["live_chunks"] for p in points[name]), live)
check("stays live", sum(p["live_chunks"] for p in points["stays"]), 0)
frees = {}
for o in document["objects"]:
    pair = (o["allocated_by"]["function"], o["freed_by"]["function"])
    frees[pair] = frees.get(pair, 0) + o["frequency"]
for pair, chunks in ((("make", "grow"), 100), (("grow", "drop"), 50), (("large", "large"), 1)):
    check(f"freed {pair}", frees.get(pair), chunks)
calls = {f["function"]: f["calls"] for f in document["functions"]}
check("aligned_alloc", calls["aligned_alloc"], 1)
print("\n".join(faults))
sys.exit(bool(faults))

# allocator_program.py SCORE LIBRARY - has each function of allocator-program.c its chunks, by calls of the program only?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
faults = []


def check(what, value, expected):
    if value != expected:
        faults.append(f"{what}: {value!r}, not {expected!r}")


parent = max(range(len(document["processes"])), key=lambda i: document["processes"][i]["allocations"])
process = document["processes"][parent]
check("allocator", os.path.basename(str(process["allocator"])), sys.argv[2])
check("leak check", process["leak_check"], "done")
check("failed", process["failed_requests"], 3)
points = {}
for point in document["points"]:
    if point["pid"] == process["pid"]:
        name = next((f["function"] for f in point["stack"] if f["function"] in ("make", "grow", "lose", "work", "aligned")), None)
        points.setdefault(name, []).append(point)
for name, chunks, size, live in (("make", 100, 14950, 0), ("grow", 100, 30000, 50), ("work", 3000, 1500000, 0), ("aligned", 1, 10, 0)):
    check(f"{name} chunks", [p["chunks"] for p in points[name]], [chunks])
    check(f"{name} bytes", [p["bytes"] for p in points[name]], [size])
    check(f"{name} live", [p["live_chunks"] for p in points[name]], [live])
    check(f"{name} accesses", [p["accesses_known"] for p in points[name]], [False])
said = ("still_reachable", "lost", "lost_indirectly")
check("reachable", [points["grow"][0]["inferences"][k]["chunks"] for k in said], [50, 0, 0])
lost = {p["size"]["max"]: [p["inferences"][k]["chunks"] for k in said] for p in points["lose"]}
if sys.argv[2] != "None":
    check("lost", lost, {64: [0, 1, 0], 48: [0, 0, 1]})
calls = {f["function"]: f["calls"] for f in document["functions"] if f["process"] == parent}
check("realloc", calls["realloc"], 100)
check("aligned_alloc", calls["aligned_alloc"], 1)
check("all", sum(n for name, n in calls.items() if name not in ("free", "operator delete")), process["allocations"])
for function in document["functions"]:
    if function["mean_error_ns"] is not None and not 0 <= function["mean_error_ns"]:
        faults.append(f"error: {function}")
print("\n".join(faults))
sys.exit(bool(faults))

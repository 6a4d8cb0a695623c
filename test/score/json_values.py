# json_values.py DOCUMENT - the numbers of the "shop" dump, as make_dump.c derives them by hand.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import math
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    document = json.load(f)
points = {p["id"]: p for p in document["points"]}
assert [p["id"] for p in document["points"]] == [2, 4, 5, 1, 3]  # worst first


def check(point, lifetime, usage, useful, severity, flags):
    for name, expected in (("lifetime", lifetime), ("usage", usage), ("useful_lifetime", useful)):
        value = point["scores"][name]
        assert value == expected or math.isclose(value, expected, rel_tol=1e-6), (point["id"], name, value)
    assert math.isclose(point["severity"], severity, rel_tol=1e-6), point["severity"]
    assert {n for n, v in point["inferences"].items() if v["flagged"]} == flags, point["inferences"]


check(points[1], 0.5, 0.75, 0.75, (0.5 * 0.75 * 0.75) ** (1 / 3), {"short_lived"})
check(points[2], 1, 0, 0, 0.0001 ** (1 / 3), {"unused", "top_bytes", "never_freed"})
check(points[3], 1, 1, 1, 1, {"growing", "top_chunks"})
check(points[4], 1, None, 0, 0.1, {"unused", "zero_size"})
check(points[5], 1, 0, 0.5, (0.01 * 0.5) ** (1 / 3), {"write_only", "multithread"})

node = points[1]
assert (node["chunks"], node["bytes"], node["peak_bytes"], node["reads"], node["writes"]) == (2, 200, 100, 3, 4)
assert (node["groups"], node["singleton_groups"], node["bytes_accessed"]) == (1, 0, 150)
assert node["size_histogram"] == [{"from": 64, "to": 127, "chunks": 2}]
assert node["lifetime_ns_histogram"] and sum(b["chunks"] for b in node["lifetime_ns_histogram"]) == 2
assert all(b["from"] <= node["lifetime_ns"]["max"] and b["to"] >= node["lifetime_ns"]["min"] for b in node["lifetime_ns_histogram"])
assert points[4]["size_histogram"] == [{"from": 0, "to": 0, "chunks": points[4]["chunks"]}]
assert document["timelines"] == [None]  # this dump has none
assert node["size"] == {"min": 100, "mean": 100, "max": 100}
assert node["lifetime_ns"] == {"min": 400000, "mean": 400000, "max": 400000}
assert node["type"] == "struct node" and node["type_provenance"] == "argument"
assert node["site"] == {"function": "make_node", "file": "/src/shop/tree.c", "line": 12, "column": 10,
                        "module": "/opt/shop/app"}
assert [(f["function"], f["line"], f["address"], f["inlined"]) for f in node["stack"]] == [
    ("make_node", 12, "0x2000", True),
    ("build_tree(std::vector<int> const&)", 20, "0x2000", False),
    ("main", 5, "0x3000", False)]

log = points[2]
assert (log["live_chunks"], log["live_bytes"], log["bytes_at_global_peak"]) == (1, 4096, 4096)
assert log["lifetime_ns"] == {"min": None, "mean": None, "max": None}
assert log["inferences"]["unused"] == {"chunks": 1, "bytes": 4096, "flagged": True}

growing = points[3]["inferences"]["growing"]
assert (growing["length"], growing["first_size"], growing["last_size"], growing["copied_bytes"]) == (4, 16, 128, 112)
assert points[3]["groups"] == points[3]["singleton_groups"] == 4

bare = points[5]
assert bare["site"]["function"] is None and bare["site"]["line"] is None
assert bare["threads"] == {"multithread_chunks": 1, "freed_elsewhere": 0}

whole = document["global"]
assert (whole["points"], whole["chunks"], whole["bytes"], whole["peak_bytes"]) == (5, 9, 4546, 4224)
assert math.isclose(whole["lifetime"]["mean"], 0.9) and whole["lifetime"]["points"] == 5
assert math.isclose(whole["lifetime"]["geomean"], 0.5 ** 0.2)
assert math.isclose(whole["lifetime"]["variance"], 0.04)
assert math.isclose(whole["usage"]["geomean"], (0.75 * 0.01 * 1 * 0.01) ** 0.25) and whole["usage"]["points"] == 4

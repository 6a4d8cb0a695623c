# object_values.py DOCUMENT [LOG-DOCUMENT] - prints the objects of a score document whose callers have source lines.
# Works out ratio and, by Python's own quartiles, the excessive ones; fails if they are others.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import math
import statistics
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
objects = document["objects"]
assert [o["frequency"] for o in objects] == sorted((o["frequency"] for o in objects), reverse=True)
freed = sum(o["frequency"] for o in objects) + document["freed_nobody_knows_where"]
assert freed == sum(p["frees"] for p in document["processes"]), "not all frees are in objects"
lives = sum(o["frequency"] * o["mean_lifetime_ns"] for o in objects)
points = sum((p["chunks"] - p["live_chunks"]) * (p["lifetime_ns"]["mean"] or 0) for p in document["points"])
assert math.isclose(lives, points, rel_tol=1e-6), "lives of objects are not those of the points"
for o in objects:
    assert math.isclose(o["ratio"], o["frequency"] / (o["mean_lifetime_ns"] / 1e6), rel_tol=1e-9)
    made, dropped = o["allocated_by"] or {}, o["freed_by"] or {}
    if made.get("function") in ("make", "keep"):
        print("%s %s -> %s: %d" % (o["size"], made["function"], dropped.get("function"), o["frequency"]))
excessive = document["excessive"]
if excessive and excessive["method"] == "iqr" and excessive["verdict"] != "undetermined":
    low, _, high = statistics.quantiles([o["ratio"] for o in objects], n=4, method="inclusive")
    above = [i for i, o in enumerate(objects) if o["ratio"] > high + 3 * (high - low)]
    assert above == excessive["members"], "other members: %s" % above
if excessive:
    print(excessive["method"], excessive["verdict"], len(excessive["members"]))

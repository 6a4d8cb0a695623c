"""check_recycled.py DOCUMENT: recycling, temporary chunks and generations of the functions of recycled.c.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

with open(sys.argv[1]) as file:
    document = json.load(file)
found = {}
for point in document["points"]:
    name = (point["site"] or {}).get("function") or ""
    found.setdefault(name.split("(")[0], []).append((point["bytes"], point["recycling"], point["temporary_chunks"], point["generations"]))
    if point["peak_bytes"]:
        assert abs(point["recycling"] - point["bytes"] / point["peak_bytes"]) < 1e-6, point

expected = {"again": [(6400, 100, 100, 100)], "pair": [(5000, 50, 0, 50), (10000, 50, 50, 50)], "longer": [(550, 5.5, 1, 10)], "made": [(500, 1, 0, 1)],
            "overlap": [(12800, 100, 1, 1)]}
for name, points in expected.items():
    assert sorted(found[name]) == points, (name, found[name])

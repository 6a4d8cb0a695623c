# contents.py < SCORE.json - what chunks hold in each function of contents.c.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

points = {(point["site"] or {}).get("function"): point for point in json.load(sys.stdin)["points"]}
for name in ("texts", "zeros", "shut", "wide", "fields"):
    c = points[name]["contents"] if name in points else None
    if c:
        assert c["different"] <= c["of_all"]["different"] <= points[name]["chunks"], c
        assert c["zero_bytes"] <= c["bytes"] and c["unkept"] == 0, c
        print(f"{name}: {c['chunks']} of {points[name]['chunks']} chunks, {c['different']} different, {c['uniform_chunks']} uniform")
    else:
        print(f"{name}: none")

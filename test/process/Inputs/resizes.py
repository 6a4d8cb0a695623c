# resizes.py < SCORE.json - what realloc did in each function of realloc-jumps.c; what it copied is not more than it may be.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

points = {(point["site"] or {}).get("function"): point for point in json.load(sys.stdin)["points"]}
for name in ("grows", "shrinks", "stays", "starts", "fails", "together"):
    r = points[name]["resizes"] if name in points else None
    if r:
        assert r["in_place"] <= r["calls"] and (r["moved_bytes"] == 0) == (r["in_place"] == r["calls"]), r
        assert r["moved_bytes"] <= points[name]["bytes"], r
        print(f"{name}: {r['calls']} calls, {r['grown']} grew by {r['grown_bytes']}, {r['shrunk']} shrank by {r['shrunk_bytes']}, "
              f"largest {r['jump_from']} to {r['jump_to']}")
    else:
        print(f"{name}: none")

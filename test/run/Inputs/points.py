"""points.py - what a score document says of the points of one function, in the order of their sizes.
heapprof-score --json --limit 0 DUMP | points.py FUNCTION
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

document = json.load(sys.stdin)
lines = []
for point in document["points"]:
    site = point["site"] or {"function": None}
    if (site["function"] or "").split("(")[0] != sys.argv[1]:
        continue
    lines.append((point["bytes"], "%s: %d chunks, %d bytes, %d live, accesses %s, usage %s"
                  % (sys.argv[1], point["chunks"], point["bytes"], point["live_chunks"],
                     "known" if point["accesses_known"] else "unknown",
                     point["scores"]["usage"])))
print("\n".join(line for _, line in sorted(lines)))

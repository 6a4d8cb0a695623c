"""stale.py - what a score document says of stale bytes of the functions of stale-pages.c, and whether that is as the kernel offers it:
heapprof-score --json --limit 0 DUMP | stale.py known=FILE, whose first line is 1 if the kernel tells, or off: it was not asked for.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

document = json.load(sys.stdin)
stale = {}
for point in document["points"]:
    if point["site"] and point["stale"]:
        s = point["stale"]
        stale[point["site"]["function"].split("(")[0]] = "%d stale of %d" % (s["stale_bytes"], s["resident_bytes"])
for name in ("filled", "read_on", "rewritten", "by_kernel", "half", "late", "small"):
    print("%s: %s" % (name, stale.get(name, "unknown")))
notes = sum("stale pages are not known" in w for w in document["warnings"])
ms = document["processes"][0]["stale_ms"]
if sys.argv[1] == "off":
    print("off" if not stale and not notes and ms is None else "not off")
else:
    offered = open(sys.argv[1].partition("=")[2]).readline().strip() == "1"
    good = (len(stale) in (6, 7) and not notes and ms) if offered else (not stale and notes == 1 and ms is None)
    print("as the kernel says" if good else "offered: %s, known: %s, notes: %d, ms: %s" % (offered, sorted(stale), notes, ms))

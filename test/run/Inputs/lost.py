"""lost.py - how many chunks of functions are lost at the end, each line one function: all, or fewer where a word that was left on a
stack looks like a pointer.  heapprof-score --json --limit 0 DUMP | lost.py FUNCTION...
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

points = json.load(sys.stdin)["points"]
for name in sys.argv[1:]:
    own = [p for p in points if p["site"]["function"] == name]
    chunks = sum(p["chunks"] for p in own)
    lost = sum(p["inferences"]["lost"]["chunks"] for p in own)
    few = lost < chunks - 4
    print("%s: %d chunks, %s %d lost" % (name, chunks, "only" if few else "at least", lost if few else chunks - 4) if lost else "%s: %d chunks, 0 lost" % (name, chunks))

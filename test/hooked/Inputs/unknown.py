"""unknown.py - says of one site's points what a score document knows of their accesses.
heapprof-score --json DUMP | unknown.py FUNCTION
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

OF_ACCESSES = ("unused", "write_only", "read_only", "allocated_early",
               "freed_late", "low_coverage", "multithread")
document = json.load(sys.stdin)
for point in document["points"]:
    site = point["site"] or {"function": None}
    if (site["function"] or "").split("(")[0] != sys.argv[1]:
        continue
    flags = [name for name in OF_ACCESSES
             if point["inferences"][name]["flagged"]]
    print("%s: known %s, usage %s, useful %s, flags %s, lifetime %s"
          % (sys.argv[1], point["accesses_known"], point["scores"]["usage"],
             point["scores"]["useful_lifetime"], flags,
             "unknown" if point["scores"]["lifetime"] is None else "known"))

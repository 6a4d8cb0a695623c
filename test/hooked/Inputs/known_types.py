"""known_types.py - says of each type of a score document whether its accesses are known.
heapprof-score --json DUMP | known_types.py
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

document = json.load(sys.stdin)
for point in document["points"]:
    known = point["accesses_known"]
    assert known or point["scores"]["usage"] is None, point
    assert known or point["scores"]["useful_lifetime"] is None, point
    print("%s: %s" % (point["type"], "known" if known else "unknown"))
unknown = document["global"]["accesses_unknown"]
assert unknown["points"] == sum(not p["accesses_known"]
                                for p in document["points"])
assert document["global"]["usage"]["points"] + unknown["points"] == \
    len(document["points"])

# check_unprofiled.py COUNT JSON - COUNT has the chunks and bytes that a program got; profiled ones and others make up for all of them,
# and there are some of each.  What is not known of live chunks is marked so.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1]) as f:
    chunks, got = map(int, f.read().split())
with open(sys.argv[2]) as f:
    document = json.load(f)
process, = document["processes"]
found = document["global"]
other = process["unprofiled"]
wrong = []
if process["allocations"] + other["chunks"] != chunks or found["bytes"] + other["bytes"] != got:
    wrong.append("chunks or bytes")
if not process["allocations"] or not other["chunks"]:
    wrong.append("none of one kind")
if not process["complete"] or process["failed_requests"] != 1:
    wrong.append("not whole")
if found["chunks"] != process["allocations"] or found["peak_bytes"] != found["bytes"]:
    wrong.append("sums")
if wrong:
    sys.exit("check_unprofiled.py: %s: %d %d %r %r" % (wrong, chunks, got, process, found))

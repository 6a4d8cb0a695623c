# check_folded.py SCORE METRIC FOLDED - every stack and number of the JSON document, and no other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import sys

import score

document, name = score.load(sys.argv[1]), sys.argv[2]
several = len(document["processes"]) > 1
wanted, found = collections.Counter(), collections.Counter()
for point in document["points"]:
    frames = [score.function(f).replace(";", "?") + ("_[i]" if f["inlined"] else "")
              for f in reversed(point["stack"])]
    wanted[";".join(frames) or "(no stack)"] += score.metric(point, name)
for line in open(sys.argv[3], encoding="utf-8"):
    stack, number = line.rstrip("\n").rsplit(" ", 1)
    if several:
        stack = stack.split(";", 1)[1]
    found[stack] += int(number)
assert found == +wanted, (found, wanted)

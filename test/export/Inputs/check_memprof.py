# check_memprof.py SCORE YAML - the allocations of each record, by their call stacks, have the point's numbers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

import score

document = score.load(sys.argv[1])
wanted = sorted((p["chunks"], p["bytes"], p["size"]["min"], p["size"]["max"], p["reads"] + p["writes"])
                for p in document["points"] if p["site"] and "memprof-hints" in (p["site"]["file"] or ""))
found, current = [], {}
for line in open(sys.argv[2], encoding="utf-8"):
    frame = re.fullmatch(r" {10}- \{ (Function: '[^']+', LineOffset: (\d+), Column: (\d+), "
                         r"IsInlineFrame: (?:true|false)) \}\n", line)
    if "Function:" in line:
        assert frame and int(frame[2]) < 65536 and int(frame[3]) > 0, line
    number = re.fullmatch(r" {10}(\w+): (\d+)\n", line)
    if number:
        current[number[1]] = int(number[2])
    if line.startswith("          TotalLifetimeAccessDensity"):
        found.append(tuple(current[k] for k in ("AllocCount", "TotalSize", "MinSize", "MaxSize", "TotalAccessCount")))
        current = {}
assert wanted and not (set(wanted) - set(found)), (wanted, found)

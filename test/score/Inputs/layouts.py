# layouts.py - prints, of the JSON of heapprof-score --by member, a line for each member: record, offset, size, name and type.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

for m in sorted(json.load(sys.stdin)["members"], key=lambda m: (m["type"], m["offset"], -m["size"])):
    name = m["member"] and (m["base"] + "::" if m["base"] else "") + m["member"]
    print(m["type"], m["offset"], m["size"], name, m["member_type"] or "", "overlaps" if m["overlaps"] else "")

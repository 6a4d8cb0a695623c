# sweep.py COMPARISON - a line for each allocator and setting: has it few calls of brk; and what is recommended.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
for a in document["allocators"]:
    setting = f"{a['knob']}={a['value']} {a['environment']}" if a["knob"] else a["environment"] or None
    print(a["name"], setting, f"few={a['brk_calls'] < 50}")
advice = document["recommendation"]
calls = [c for c in advice["changes"] if c["metric"] == "memory_calls"]
print("recommended", advice["allocator"], advice["environment"], f"fewer={all(c['to'] < c['from'] / 10 for c in calls)}")

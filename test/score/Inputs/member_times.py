# member_times.py SCORE.json - the members of used, by when they were used.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

rows = json.load(open(sys.argv[1], encoding="utf-8"))["members"]
early, late, both, never = ([m for m in rows if m["member"] == name][0] for name in ("early", "late", "both", "never"))
MS = 10**6
assert early["first_use_ns"] <= early["last_use_ns"] < late["first_use_ns"] <= late["last_use_ns"], (early, late)
assert late["first_use_ns"] - early["last_use_ns"] >= 18 * MS, (early, late)
assert both["last_use_ns"] - both["first_use_ns"] >= 18 * MS, both
assert never["first_use_ns"] is None and never["last_use_ns"] is None, never

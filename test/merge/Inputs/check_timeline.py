# check_timeline.py REPORT.json - the time line of a merged dump bounds what was live, and misses nothing.
# Points of several processes name none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

report = json.load(open(sys.argv[1]))
line = report["timeline"]
assert line["estimated"]
assert all(low <= high for low, high in zip(line["low"], line["high"]))
peaks = [p["peak_bytes"] for p in report["processes"]]
assert max(peaks) <= max(line["high"]) <= sum(peaks)
assert sum(line["begun"]) == report["global"]["chunks"]
assert set(report["points"]["process"]) == {None}

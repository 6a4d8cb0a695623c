# check_series.py SCORE.json - each process's time line adds up to it; histograms add up to their points.
# A process's peak is the maximum of its intervals.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

score = json.load(open(sys.argv[1]))
assert len(score["timelines"]) == len(score["processes"]) == 4
for line, process in zip(score["timelines"], score["processes"]):
    assert sum(line["allocations"]) == process["allocations"]
    assert max(line["bytes_max"]) == process["peak_bytes"]
    assert line["begin_ns"][1:] == line["end_ns"][:-1] and line["end_ns"][-1] == process["window_ns"]
for point in score["points"]:
    assert sum(b["chunks"] for b in point["size_histogram"]) == point["chunks"]
    assert point["lifetime_ns_histogram"] is None  # of several processes

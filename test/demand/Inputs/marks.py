# marks.py FILE - the marks of heapprof-score's JSON: how many, whether their times ascend within the window, names.
# Of the process whose dump was written last, if there are several.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    process = min(json.load(file)["processes"], key=lambda p: len(p["dump"]))
times = [mark["at_ns"] for mark in process["marks"]]
if times != sorted(times) or times and times[-1] > process["window_ns"]:
    sys.exit("times %s, window %d" % (times, process["window_ns"]))
print(len(times), "in order within the window")
for mark in process["marks"]:
    print(repr(mark["name"]), len(mark["name"]))

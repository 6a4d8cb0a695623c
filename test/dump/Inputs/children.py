"""children.py COUNT CHUNKS - checks heapprof-score's JSON of a process and COUNT children of CHUNKS chunks each.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

count, chunks = map(int, sys.argv[1:])
document = json.load(sys.stdin)
processes = document["processes"]
assert len(processes) == count + 1, len(processes)
assert all(process["complete"] for process in processes), processes
children = [process for process in processes if process["exit_status"] == 5]
assert len(children) == count, processes
for process in children:
    assert process["allocations"] == process["frees"] == chunks, process
    assert process["peak_bytes"] == 50, process

# places.py - prints of each function that is a place how many chunks it has, from what heapprof-score --json printed into a file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    points = json.load(file)["points"]
chunks = collections.Counter()
for point in points:
    chunks[point["place"]["function"]] += point["chunks"]
for function, count in chunks.items():
    print(f"{count} chunks from {function}")

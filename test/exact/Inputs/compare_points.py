#!/usr/bin/env python3
"""compare_points.py NAIVE.json OPTIMISED.json: do both count the same?

Both are documents of heapprof-score about one program and one input, built
with one hook for each access and with all that shortens that.  For each
allocation point - a stack of functions, since addresses differ - chunks, sizes, counts, intervals, inferences and types must be equal; what
depends on the time is not compared.  Exits 1 and prints what differs.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import collections
import json
import os
import sys

NUMBERS = ("chunks", "bytes", "reads", "writes", "bytes_accessed",
           "live_chunks", "live_bytes")
# The others compare times, or the order of what threads did.
TIMELESS = ("unused", "write_only", "read_only", "low_coverage", "multithread",
            "never_freed", "zero_size")


def key(point):
    return (point["type"], point["size"]["min"], point["size"]["max"],
            point["counts_saturated"],
            tuple(frame["function"] for frame in point["stack"]))


def points(path):
    """The sums for each key: a line differs where the code generator made two
    equal calls one, so that points are told apart by functions alone."""
    found = collections.defaultdict(collections.Counter)
    with open(path) as document:
        profile = json.load(document)
    if profile["not_shown"]:
        sys.exit(f"{path}: not all points are in it; use --limit 0")
    for point in profile["points"]:
        sums = found[key(point)]
        for name in NUMBERS:
            sums[name] += point[name]
        sums["multithread"] += point["threads"]["multithread_chunks"]
        for name in TIMELESS:
            sums["chunks " + name] += point["inferences"][name]["chunks"]
            sums["bytes " + name] += point["inferences"][name]["bytes"]
    return found


def total(found, name):
    return sum(sums[name] for sums in found.values())


def main():
    naive, optimised = points(sys.argv[1]), points(sys.argv[2])
    differences = 0
    for point in sorted(set(naive) | set(optimised), key=str):
        if naive.get(point) == optimised.get(point):
            continue
        differences += 1
        if differences > 10:
            continue
        print("differs:", " < ".join(str(name) for name in point[-1]))
        for path, found in zip(sys.argv[1:], (naive, optimised)):
            if point not in found:
                print(f"  not in {path}")
        if point in naive and point in optimised:
            for name, one in naive[point].items():
                if one != optimised[point][name]:
                    print(f"  {name}: naive {one}, "
                          f"optimised {optimised[point][name]}")
    print(f"{len(naive)} points, {total(naive, 'chunks')} chunks, "
          f"{total(naive, 'reads')} reads, {total(naive, 'writes')} writes, "
          f"{differences} points differ")
    return differences != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""check_patterns.py SCORE.json: the bounds that patterns.cpp derives for its four points.

Prints the scores; says each that is out of bounds, and exits 1.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys

EXACT_USAGE = (2047 + 1025) / 4095
# Worst first.  Function of patterns.cpp: chunks, groups, and the closed ranges
# of the scores.
PATTERNS = {
    "loop": (1000, {"lifetime": (0, 1 / 1000), "usage": (1, 1)}),
    "growth": (12, {"lifetime": (1 / 12, 2 / 12),
                    "usage": (EXACT_USAGE, EXACT_USAGE)}),
    "early": (1, {"lifetime": (1, 1), "usage": (1, 1),
                  "useful_lifetime": (1 / 8, 1 / 4)}),
    "whole": (1, {"lifetime": (1, 1), "usage": (1, 1),
                  "useful_lifetime": (0.9, 1)}),
}


def pattern_of(point):
    for frame in point["stack"]:
        for name in PATTERNS:
            if f"{name}(" in f"{frame['function'] or ''}(" and \
                    (frame["file"] or "").endswith("patterns.cpp"):
                return name
    return None


def faults(document):
    points = [(pattern_of(p), p) for p in document["points"] if pattern_of(p)]
    order = [name for name, _ in points]
    if order != list(PATTERNS):
        yield f"order is {order}, not {list(PATTERNS)}"
    for name, point in points:
        chunks, bounds = PATTERNS[name]
        if point["chunks"] != chunks:
            yield f"{name}: {point['chunks']} chunks, not {chunks}"
        if point["groups"] != 1:
            yield f"{name}: {point['groups']} groups, not 1"
        if point["scores"]["useful_lifetime_error"] != 0:
            yield f"{name}: with exact_time=1 there is an error"
        for kind, (low, high) in bounds.items():
            score = point["scores"][kind]
            if score is None or not low - 1e-9 <= score <= high + 1e-9:
                yield f"{name}: {kind} is {score}, not in [{low}, {high}]"
    growing = {n: p["inferences"]["growing"] for n, p in points}["growth"]
    found = [growing[key] for key in
             ("flagged", "length", "first_size", "last_size", "copied_bytes")]
    # What reserving would save is the copies of all but the last chunk.
    if found != [True, 12, 4, 8192, 4 * 2047]:
        yield f"growth: growing is {found}"


def main():
    with open(sys.argv[1]) as score:
        document = json.load(score)
    for point in document["points"]:
        if pattern_of(point):
            print(pattern_of(point), point["scores"], point["severity"])
    found = list(faults(document))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

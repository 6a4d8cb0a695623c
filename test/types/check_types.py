#!/usr/bin/env python3
"""check_types.py SCORE.json SOURCE...: compares types with the TYPE comments of the sources.

  // TYPE 24 argument Q      a chunk of 24 bytes of type Q, found by argument
  // TYPE 24 argument Q = 3 of 8    the same, and that it is 3 elements of 8 bytes
  // TYPE 111 -              one of unknown type

Each comment stands for one chunk; every chunk of a size that some comment names must
have one.  Other sizes, such as those of libraries, are not looked at.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import re
import sys


def expected(paths):
    for path in paths:
        with open(path, encoding="utf-8") as source:
            for line in source:
                stated = re.search(r"// TYPE (\d+) (\w+|-) ?(.*?)(?: = (\d+) of (\d+))?\s*$", line)
                if stated:
                    how = None if stated[2] == "-" else stated[2]
                    row = int(stated[1]), how, stated[3] or None
                    yield row, stated[4] and (int(stated[4]), int(stated[5]))


def found(path, sizes):
    with open(path, encoding="utf-8") as document:
        for point in json.load(document)["points"]:
            size = point["size"]["min"]
            if size in sizes:
                # Where in which directory it stands is not part of the expectation.
                name = point["type"] and re.sub(r"at \S*/(\S+?):\d+:\d+", r"at \1", point["type"])
                count, chunks = point["elements"], point["chunks"]
                for _ in range(chunks):
                    yield (size, point["type_provenance"], name), (
                        count and (count // chunks, point["element_size"]))


def main():
    want = sorted(expected(sys.argv[2:]), key=str)
    have = list(found(sys.argv[1], {row[0] for row, _ in want}))
    wrong = 0 if want else 1
    for row, elements in want:
        match = next((h for h in have if h[0] == row and elements in (None, h[1])), None)
        if match:
            have.remove(match)
        else:
            print("missing:", *row, elements or "")
            wrong += 1
    for row, elements in have:
        print("unexpected:", *row, elements or "")
    return 1 if wrong or have else 0


sys.exit(main())

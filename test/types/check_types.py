#!/usr/bin/env python3
"""check_types.py SCORE.json SOURCE...: compares types with the TYPE comments of the sources.

  // TYPE 24 argument Q      a chunk of 24 bytes of type Q, found by argument
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
                found = re.search(r"// TYPE (\d+) (\w+|-) ?(.*?)\s*$", line)
                if found:
                    how = None if found[2] == "-" else found[2]
                    yield int(found[1]), how, found[3] or None


def found(path, sizes):
    with open(path, encoding="utf-8") as document:
        for point in json.load(document)["points"]:
            size = point["size"]["min"]
            if size in sizes:
                # Where in which directory it stands is not part of the expectation.
                name = point["type"] and re.sub(r"at \S*/(\S+?):\d+:\d+", r"at \1", point["type"])
                for _ in range(point["chunks"]):
                    yield size, point["type_provenance"], name


def main():
    want = sorted(expected(sys.argv[2:]), key=str)
    have = sorted(found(sys.argv[1], {w[0] for w in want}), key=str)
    for row in want:
        if row in have:
            have.remove(row)
        else:
            print("missing:", *row)
    for row in have:
        print("unexpected:", *row)
    same = len(have) == 0 and want and len(want) == len(
        list(found(sys.argv[1], {w[0] for w in want})))
    return 0 if same else 1


sys.exit(main())

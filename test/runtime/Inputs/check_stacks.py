#!/usr/bin/env python3
"""check_stacks.py SCORE.csv SOURCE: compares call stacks with the STACK comments of the source.

  // STACK 401 makeBlock getBlock main    a chunk of 401 bytes whose innermost frames are these functions

Each comment stands for one point, whose size is met nowhere else; argument types and what is outside main do not count.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import csv
import re
import sys


def main():
    have = {}
    with open(sys.argv[1], encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            names = [re.split(r"[( ]", line)[0] for line in row["stack"].splitlines()]
            have[row["size_min"]] = names[:names.index("main") + 1] if "main" in names else names
    wrong = stated = 0
    with open(sys.argv[2], encoding="utf-8") as source:
        for line in source:
            match = re.search(r"// STACK (\d+) (.*)$", line)
            if match:
                stated += 1
                if have.get(match[1]) != match[2].split():
                    print("size", match[1], "wanted", match[2], "found", *have.get(match[1], ["nothing"]))
                    wrong += 1
    return wrong > 0 or stated == 0


sys.exit(main())

#!/usr/bin/env python3
"""check_frames.py SOURCE SCORE.json: which code stands between a line and its chunks?

    s.push_back('x'); // FRAMES own

What is allocated by that line has no frame of libstdc++.so above the line's;
and the line is its site; `library`: it has one.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import re
import sys

STATED = re.compile(r"// FRAMES (own|library)")


def main():
    name = os.path.basename(sys.argv[1])
    with open(sys.argv[1], encoding="utf-8") as source:
        stated = {number: match[1] for number, line in enumerate(source, 1)
                  if (match := STATED.search(line))}
    with open(sys.argv[2], encoding="utf-8") as document:
        points = json.load(document)["points"]
    found = {number: set() for number in stated}
    wrong = 0 if stated else 1
    for point in points:
        above = []
        for frame in point["stack"]:
            if os.path.basename(frame["file"] or "") == name:
                break
            above.append(frame)
        else:
            continue
        site = point["site"]
        if frame["line"] not in stated:
            continue
        if stated[frame["line"]] == "own" and (os.path.basename(site["file"] or ""), site["line"]) != (name, frame["line"]):
            print(f"line {frame['line']}: site is {site['file']}:{site['line']}")
            wrong = 1
        of_library = any("libstdc++" in os.path.basename(f["module"]) for f in above)
        found[frame["line"]].add("library" if of_library else "own")
    for line, kind in stated.items():
        if found[line] != {kind}:
            print(f"line {line}: {' and '.join(sorted(found[line])) or 'nothing'}, not {kind}")
            wrong = 1
    return wrong


sys.exit(main())

#!/usr/bin/env python3
"""check_usage.py SOURCE SCORE.json [exact]: is the usage of each function what SOURCE says?

    // USAGE 1000 0.71
    static long function() {

What is allocated below that function is 1000 chunks, of whose bytes 0.71 lie
between the first and the last accessed, to two places.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import re
import sys

STATED = re.compile(r"// USAGE (\d+) (\d\.\d\d)\n.*?(\w+)\(\) \{")


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        stated = STATED.findall(source.read())
    with open(sys.argv[2], encoding="utf-8") as document:
        points = json.load(document)["points"]
    wrong = 0 if stated else 1
    for chunks, usage, function in stated:
        own = [p for p in points
               if any(function + "(" in (f["function"] or "") + "(" for f in p["stack"])]
        got_chunks = sum(p["chunks"] for p in own)
        size = sum(p["bytes"] for p in own)
        accessed = sum(p["bytes_accessed"] for p in own)
        got = f"{accessed / size:.2f}" if size else "-"
        if (got_chunks, got) != (int(chunks), usage):
            print(f"{function}: {got_chunks} chunks, {got}; not {chunks}, {usage}")
            wrong = 1
        # Neither written only nor read only, and exact: nobody else has the chunks,
        # but for iterators that are checked.
        for p in own:
            if "exact" in sys.argv[3:] and (p["accesses_shared"] or not p["accesses_known"]):
                print(f"{function}: may have been accessed elsewhere")
                wrong = 1
            if p["reads"] == 0 or p["writes"] == 0:
                print(f"{function}: {p['reads']} reads, {p['writes']} writes")
                wrong = 1
    return wrong


sys.exit(main())

# pages.py [FUNCTION...] < SCORE.json - what the pages of these functions' points say, a line each; of a point it knows nothing of: unknown.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

sums = {}
for point in json.load(sys.stdin)["points"]:
    name = (point["site"] or {}).get("function")
    mine = sums.setdefault(name, {})
    for member, value in (point["pages"] or {}).items():
        mine[member] = mine.get(member, 0) + value
for name in sys.argv[1:]:
    p = sums.get(name)
    print(f"{name}:", f"{p['chunks']} of {p['bytes']}, touched {p['touched_bytes']}, in memory {p['resident_bytes']}, unused {p['unused_chunks']}, "
          f"sparse {p['sparse_chunks']} of {p['sparse_bytes']}, touched {p['sparse_touched_bytes']}" if p else "unknown")

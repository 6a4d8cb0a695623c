# resized.py REPORT.json - one line for each kind of chunk of resized.c, told by its points' largest sizes: what the report says of its reallocs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
kinds = {"first": (100, 20), "grown": (32,), "never": (5,)}
for kind, sizes in kinds.items():
    found = [r for r, most in zip(report["reallocs"], report["points"]["size_max"]) if most in sizes and r]
    if not found:
        print(f"{kind}: none")
        continue
    chunks = sum(r["chunks"] for r in found)
    jumps = sorted((j for r in found for j in r["jumps"]), key=lambda j: (-j[2], j[0]))
    followed = sum(count for _, _, count in jumps) + sum(r["others"] for r in found)
    told = "none logged" if followed == 0 else "a part" if followed < chunks else \
        "all: " + ", ".join(f"{old} B {new} B x{count}" for old, new, count in jumps)
    print(f"{kind}: {chunks}, {told}")

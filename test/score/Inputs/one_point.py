# one_point.py HEAPPROF_SCORE... DUMP - is one point's part of the log what is read of it, and enough?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess
import sys

score, dump = sys.argv[1:-1], sys.argv[-1]
chunks = os.path.join(dump, "chunks")


def ask(expression):
    return subprocess.run([*score, "--json", "--no-cache", "--filter", expression, dump], capture_output=True, text=True, check=False)


def document(expression):
    run = ask(expression)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["set"].pop("filter") == expression
    return told


points = document("*")["points"]
large = max(points, key=lambda p: p["chunks"])["id"]
small = [p["id"] for p in points if p["chunks"] == 128]
files = sorted(os.listdir(chunks))
assert len(small) == 64, points
assert str(large) in files and all(f"shared-{n}" in files for n in range(16)), files

# The same of all members; "*" is a second term, for which all is read.
for point in (large, small[0], small[40]):
    assert document(f"point={point}") == document(f"point={point} *"), point

# What belongs to others is not looked at; what belongs to the point is.
other = next(p for p in small if p % 16 != small[0] % 16)
damaged = os.path.join(chunks, f"shared-{other % 16}")
before = document(f"point={small[0]}")
with open(damaged, "r+b") as file:
    file.seek(40)
    file.write(b"\xff\xff\xff\xff")
assert document(f"point={small[0]}") == before
for expression in (f"point={other}", f"point={small[0]} *"):
    run = ask(expression)
    assert run.returncode != 0 and f"shared-{other % 16}" in run.stderr, run

# check_merged.py SCORE one|union MERGED DUMP... - the merged dump's numbers against those of the dumps.
# "one" wants the same document of a single dump; "union" wants its numbers by site to be the same.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

# Peaks of several processes, and what follows from them, are bounds in one and found in logs in the other; no log is merged.
APART = {"id", "pid", "peak_bytes", "recycling", "bytes_at_global_peak", "peak_touched_bytes", "peak_memory_bytes", "logged_chunks", "estimated", "chunk_log", "dump", "warnings"}


def read(score, *arguments):
    done = subprocess.run([score, "--json", *arguments], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def compare(path, a, b, apart):
    if isinstance(a, dict):
        assert a.keys() == b.keys(), path
        for key in a.keys() - apart:
            compare(f"{path}.{key}", a[key], b[key], apart)
    elif isinstance(a, list):
        assert len(a) == len(b), (path, len(a), len(b))
        for i, (x, y) in enumerate(zip(a, b)):
            compare(f"{path}[{i}]", x, y, apart)
    elif isinstance(a, float) and isinstance(b, float):
        assert abs(a - b) <= 1e-12 * max(1.0, abs(a)), (path, a, b)
    else:
        assert a == b, (path, a, b)


score, what, merged, *dumps = sys.argv[1:]
if what == "one":
    apart = APART - {"pid", "peak_bytes", "bytes_at_global_peak", "peak_touched_bytes", "peak_memory_bytes", "estimated", "id"} | {"logged_chunks"}
    compare("", read(score, merged), read(score, *dumps), apart)
else:
    inferences = {"top_bytes", "top_chunks"}  # by peaks, and by how many points there are
    for by in ("site", "type", "function"):
        a, b = (read(score, "--by", by, "--sort", "site", *d) for d in ([merged], dumps))
        compare(by, a["groups"], b["groups"], APART | inferences)
    key = lambda p: (p["rank"] or "", p["pid"])
    compare("", sorted(a["processes"], key=key), sorted(b["processes"], key=key), APART - {"pid", "peak_bytes"})
    points = read(score, merged)
    assert points["global"]["points"] < b["global"]["points"], "no points were united"
    assert points["global"]["peak_bytes"] == sum(p["peak_bytes"] for p in points["processes"])
    assert points["global"]["peak_bytes"] >= b["global"]["peak_bytes"]
    assert points["global"]["peak_bytes"] == sum(p["bytes_at_global_peak"] for p in points["points"])
    assert all(p["estimated"] for p in points["points"])

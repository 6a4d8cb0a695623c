# point_peaks.py SCORE DUMP N - peaks of points and groups, their timeline and parts, against what the process counted.
# None is more than that, each is an estimate with an error, and that of the largest point is N within two errors.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv
import json
import subprocess
import sys

score, dump, true = sys.argv[1:3] + [int(sys.argv[3])]


def output(*options):
    return subprocess.run([score, "--limit", "0", *options, dump], check=True, capture_output=True, text=True).stdout


for by in ("point", "function", "type", "module"):
    document = json.loads(output("--json", "--by", by))
    (process,) = document["processes"]
    most = process["sampling"]["heap_peak"]
    points = document.get("points") or document["groups"]
    assert process["peak_bytes"] <= most and document["global"]["peak_bytes"] <= most, document["global"]
    (timeline,) = document["timelines"]
    assert max(timeline["bytes_max"]) <= most, timeline
    assert sum(p["bytes_at_global_peak"] for p in points) <= document["global"]["peak_bytes"]
    for p in points:
        assert p["bytes_at_global_peak"] <= p["peak_bytes"] <= most and p["estimated"], p
        assert p["estimate"]["error"]["peak_bytes"] <= most, p
    largest = max(points, key=lambda p: p["peak_bytes"])
    error = largest["estimate"]["error"]["peak_bytes"]
    assert abs(largest["peak_bytes"] - true) <= 2 * error and error > 0, largest

for row, p in zip(csv.DictReader(output("--csv").splitlines()), json.loads(output("--json"))["points"]):
    assert abs(float(row["peak_bytes_error"]) - p["estimate"]["error"]["peak_bytes"]) < 0.06, row
print("bounded")

# check_limits.py HEAPPROF-CHECK HEAPPROF-SCORE DUMP BUDGET - limits at and beside the numbers of heapprof-score --json.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

check, score, dump, budget = sys.argv[1:]
SCORES = ["lifetime", "usage", "useful_lifetime"]
COUNTS = ["chunks", "bytes", "peak_bytes", "live_chunks", "live_bytes", "reads", "writes"]


def document(by):
    out = subprocess.run([score, "--json", "--by", by, dump], check=True, capture_output=True).stdout
    return json.loads(out)


def code(of, name, bound, metric, value):
    entry = {"of": of, bound: {metric: value}}
    if name is not None:
        entry["name"] = name
    with open(budget, "w", encoding="utf-8") as f:
        json.dump({"schema": "heapprof.budget/1", "budget": [entry]}, f)
    return subprocess.run([check, "--budget", budget, dump], capture_output=True).returncode


def judge(of, name, metric, value):
    step = 1e-6 if metric in SCORES else 1
    if value is None:
        assert code(of, name, "min", metric, 1) == 0, "undefined breaks no limit"
        return
    if metric in SCORES:
        # JSON has all digits, so that the bound is the very number.
        assert code(of, name, "max", metric, value) == 0 and code(of, name, "min", metric, value) == 0
        if value + step <= 1:
            assert code(of, name, "min", metric, value + step) == 1, (of, name, metric)
        if value - step >= 0:
            assert code(of, name, "max", metric, value - step) == 1, (of, name, metric)
        return
    if value > 2**63 - 2:
        assert code(of, name, "max", metric, 2**63 - 1) == 1
        return
    assert code(of, name, "max", metric, value) == 0 and code(of, name, "min", metric, value) == 0
    assert code(of, name, "min", metric, value + 1) == 1, (of, name, metric)
    if value:
        assert code(of, name, "max", metric, value - 1) == 1, (of, name, metric)


def is_named(group):
    return "+0x" not in group["key"]


for of in ("function", "type"):
    for group in list(filter(is_named, document(of)["groups"]))[:3]:
        for metric in COUNTS:
            judge(of, group["key"], metric, group[metric])
        for metric in SCORES:
            judge(of, group["key"], metric, group["scores"][metric])
# What has no name is one group here.
nameless = [group for group in document("function")["groups"] if not is_named(group) or group["key"] == "unknown"]
for metric in ("chunks", "bytes"):
    if nameless:
        judge("function", "unknown", metric, sum(group[metric] for group in nameless))
whole = document("point")
for metric in COUNTS:
    value = whole["global"].get(metric)
    judge("whole", None, metric, sum(p[metric] for p in whole["points"]) if value is None else value)
for metric in SCORES:
    judge("whole", None, metric, whole["global"][metric]["geomean"])
assert code("function", "no such", "max", "chunks", 0) == 0
assert code("function", "no such", "min", "chunks", 1) == 1

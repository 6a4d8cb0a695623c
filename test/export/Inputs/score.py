# score.py - what the checks of the exporters share: the numbers of heapprof-score --json.
# An export that holds other numbers than the JSON document is wrong.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json

METRICS = ["bytes", "chunks", "bytes_at_global_peak", "live_bytes",
           "live_chunks", "reads", "writes", "bytes_accessed", "unused",
           "write_only"]


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def metric(point, name):
    if name in ("unused", "write_only"):
        return point["inferences"][name]["bytes"]
    return point[name]


def total(document, name):
    return saturate(sum(metric(p, name) for p in document["points"]))


def saturate(number):
    return min(number, 2**64 - 1)


def clean(name):
    """As exporters write names of other people: no control characters."""
    return "".join("?" if ord(c) < 32 or ord(c) == 127 else c for c in name)


def function(frame):
    if frame["function"] is not None:
        return clean(frame["function"])
    module = frame["module"]
    return clean(module.rsplit("/", 1)[-1] if module else "?") + "+" + frame["address"]
